--- Limits of what is read: a file beyond one of them is refused, in one line that says which. docs/formats.md has the same table in words.
--
-- They are far above what Portolan and the tools of the field write, and low enough that no file takes more than seconds and a part
-- of the memory to be refused.
-- @module portolan.support.limits
local limits = {
  --- Cycles of a measurement: between these two no unit overflows. Other quantities of files are no larger.
  cycles = { least = 1e-30, most = 1e30 },
  --- An experiment that a solver takes: instances of one scheme; cycles.
  solver = { copies = 100000, cycles = 1e8 },
  --- Bytes of a file that is read whole.
  bytes = 256 << 20,
  --- Bytes of a text of code: assembler, or a Lua file of data.
  code_bytes = 1 << 20,
  --- Lines of a file that is read line by line.
  lines = 1000000,
  --- A table of blocks, which is not read whole: rows; bytes of one.
  blocks = { rows = 1000000, row_bytes = 1 << 20 },
  --- Seconds that a pipe or a device may say nothing, as long as nobody writes to it.
  silence = 5,
  --- JSON: nesting; bytes; lists, objects and commas. `plain` is of tables of measurements, which are read by a faster way.
  json = { depth = 100, bytes = 64 << 20, values = 3000000, plain = { bytes = 256 << 20, values = 6000000 } },
  --- Object files: sections; symbols; relocations of code.
  object = { sections = 100000, symbols = 2000000, relocations = 4000000 },
  --- YAML: nesting; scalars, lists and maps, those that aliases repeat included.
  yaml = { depth = 50, values = 500000 },
  --- XML, which is not read whole: nesting; elements; bytes of a tag or comment; operands and latencies of an instruction; microarchitectures; ports.
  xml = { depth = 50, elements = 20000000, tag_bytes = 1 << 20, operands = 50, architectures = 1000, latencies = 5000, ports = 62 },
  --- CSV: fields of a row; bytes of a field in quotation marks.
  csv = { fields = 1000, field_bytes = 1 << 20 },
  --- The store: results; bytes of memory of the database.
  store = { results = 5000000, memory = 512 << 20 },
  --- Lua files of data (sets, exclusions, policies, domains) and filters: seconds of a processor and bytes of memory that running one may take.
  lua = { seconds = 10, bytes = 256 << 20 },
}

--- Tells whether a value is a quantity that may stand in a file: a number from 0 on that no sum or ratio of such makes infinite.
-- @param x anything
function limits.is_amount(x) return math.type(x) ~= nil and x >= 0 and x <= limits.cycles.most end

--- Says what `is_amount` asks for, in words.
limits.amount = ("a number from 0 to %g"):format(limits.cycles.most)

return limits
