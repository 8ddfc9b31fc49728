--- Other tools as predictors, one row of a table for each: `osaca:SKX`, `uica:SKL`, `iaca:SKL`, `cqa:SKYLAKE`, `ithemal:`, `difftune:`,
-- `nanobench`, `bhive:`. What a row does not need is done here: settings of the name, the program, its runs and failures.
--
-- Fields of a row:
--
--    programs   what its program is usually called, the first for messages; `hint`: what to do where it is not there
--    needs      instead: keys of settings that must be given, `path` being that of the program; `usage`: what is said if one is not
--    example    the name of a predictor of it, as `portolan doctor` lists it; left out: it is not looked for
--    processor  what is written for the processor, which stands behind the colon; `native`: it may be left out
--    settings   set of the keys that it has besides `program` and `seconds`
--    title      what messages call it
--    fields     function(found, path) -> fields of the predictor (portolan.predictor.machinery.tool): `version`, and what is not as of others;
--               or nil and a message. Left out: the version is the file's
--    prepare, parse, measures   as of portolan.predictor.machinery.tool
--    assumptions   for `describe`
--    tested     where the real tool was asked; or `doubt`: that it was not, or not to the end (portolan.predictor.machinery.tool), which is said
--               wherever it is listed
-- @module portolan.predictor.tools
local block_of = require "portolan.block"
local core = require "portolan.core"
local elf = require "portolan.predictor.machinery.elf"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local gnu_text = require "portolan.predictor.machinery.gnu_text"
local initial_state = require "portolan.predictor.machinery.initial_state"
local lists = require "portolan.support.lists"
local name_settings = require "portolan.predictor.machinery.name_settings"
local program = require "portolan.predictor.machinery.program"
local protocol = require "portolan.predictor.machinery.protocol"
local spelling = require "portolan.predictor.llvm_mca.spelling"
local summary = require "portolan.predictor.llvm_mca.summary"
local temporary = require "portolan.support.temporary"
local text = require "portolan.predictor.llvm_mca.text"
local tool = require "portolan.predictor.machinery.tool"
local uv = require "luv"

local rows = {}
local tools = { rows = rows }

-- The answer of a run: the number that a pattern finds in its text; or else what is said where there is none, ahead of the text's last line.
local function number_in(result, pattern, title, lacking)
  local cycles = tonumber(result.out:match(pattern))
  if cycles then return { cycles = cycles } end
  if result.status ~= 0 then return tool.complaint(title, result) end
  return { error = lacking .. tool.last_line(result.out .. result.err) }
end

-- OSACA, the Open Source Architecture Code Analyzer.
--
-- The block is given as text, AT&T's of x86-64, one file each. The prediction is the larger of the busiest port's pressure (OSACA's balanced
-- one) and the longest loop-carried dependency: what the last row of its combined report says. The critical path does not bound a loop.
rows.osaca = { title = "osaca", programs = { "osaca" }, hint = "install OSACA", example = "osaca:SKX",
  processor = "osaca:SKX, as of osaca --arch", assumptions = "max of port pressure and loop-carried dependencies",
  tested = "with OSACA 0.7.1 (tests/lua/real_tools_spec.lua)" }

-- OSACA's names of processors of AArch64, as of 0.7.1; all others are x86-64's. Models of one's own go by the name of one of OSACA's.
local a64 = { A64FX = true, A72 = true, M1 = true, N1 = true, TSV110 = true, TX2 = true, V2 = true }

-- Is an option known, and of use, that OSACA has since 0.7? Without it, it tries both syntaxes of x86-64, which takes seconds for each block.
local function takes_syntax(version)
  local major, minor = version:match "(%d+)%.(%d+)"
  return major ~= nil and (tonumber(major) > 0 or tonumber(minor) >= 7)
end

function rows.osaca.fields(found, path)
  local result = program.run(path, { "--version" }, { seconds = 10 })
  local version = result and result.status == 0 and tool.last_line(result.out) or "unknown version"
  local architecture = a64[found[1]:upper()] and "aarch64" or "x86_64"
  local options = architecture == "x86_64" and takes_syntax(version) and { "--syntax", "ATT" } or {}
  return { version = version, architecture = architecture, options = options }
end

function rows.osaca.prepare(self, bytes, directory)
  local lines, message = gnu_text.lines(bytes, self.architecture)
  if not lines then return nil, message end
  for i, line in ipairs(lines) do lines[i] = line:gsub("^(j%l+) 0x%x+$", "%1 " .. gnu_text.label) end -- OSACA has branches to labels alone
  return { arguments = lists.joined({ "--arch", self.found[1] }, lists.joined(self.options, { directory .. "/block.s" })),
    files = { ["block.s"] = "\t" .. table.concat(lines, "\n\t") .. "\n" } }
end

-- The row of totals: numbers, the last non-empty line before the report of dependencies.
local function totals(out)
  local report = out:match "Combined Analysis Report(.-)Loop%-Carried Dependencies Analysis Report"
  if not report or not report:find "|%s*CP%s*|%s*LCD%s*|" then return nil end
  local list = {}
  for word in report:match("([^\n]*%S)%s*$"):gmatch "%S+" do
    if not tonumber(word) then return nil end
    list[#list + 1] = tonumber(word)
  end
  return #list >= 2 and list or nil
end

function rows.osaca.parse(result)
  local missing = result.out:match "[Tt]he performance data for (%d+) instructions? is missing"
  if missing then return { error = ("OSACA has no data for %s instructions"):format(missing), unsupported = true } end
  if result.status ~= 0 then return tool.complaint("osaca", result) end
  if (result.out .. result.err):find "LCD analysis timed out" then return { error = "OSACA gave up on the dependencies", transient = true } end
  local list = totals(result.out)
  if not list then return { error = "OSACA wrote no row of totals" } end
  local cycles = list[#list] -- LCD; before it CP
  for i = 1, #list - 2 do cycles = math.max(cycles, list[i]) end
  return { cycles = cycles }
end

-- uiCA, the uops.info Code Analyzer. The block is given as a raw file of machine code; one that does not end in a branch is unrolled by uiCA. What
-- it has no data for, it marks with an X, and counts as nothing.
rows.uica = { title = "uiCA", programs = { "uiCA.py", "uica" }, hint = "get uiCA", example = "uica:SKL",
  processor = "uica:SKL, as of uiCA.py -arch",
  tested = "with uiCA of January 2024, on data of a few instructions only (tests/lua/real_tools_spec.lua)" }

function rows.uica.prepare(self, bytes, directory)
  return { arguments = { "-raw", directory .. "/block", "-arch", self.found[1] }, files = { block = bytes } }
end

function rows.uica.parse(result)
  if result.status ~= 0 then return tool.complaint("uiCA", result) end
  if result.out:find("X - Instruction not supported", 1, true) then return { error = "uiCA has no data for an instruction", unsupported = true } end
  local cycles = tonumber(result.out:match "Throughput %(in cycles per iteration%):%s*(%S+)")
  return cycles and { cycles = cycles } or { error = "uiCA wrote no number of cycles: " .. tool.last_line(result.out) }
end

-- IACA, the Intel Architecture Code Analyzer (version 3.0).
--
-- The block is given between IACA's markers in an object file: ud2; mov ebx, 111; fs addr32 nop ahead of it, mov ebx, 222; fs addr32 nop; ud2
-- behind it. IACA takes it for a loop body whose memory accesses do not depend on each other. What it does not account for, it marks with an X.
rows.iaca = { title = "iaca", programs = { "iaca" }, hint = "IACA is no longer distributed", example = "iaca:SKL",
  processor = "iaca:SKL, as of iaca -arch", assumptions = "memory accesses do not alias", doubt = tool.never_run,
  start = "\x0f\x0b\xbb\x6f\0\0\0\x64\x67\x90", finish = "\xbb\xde\0\0\0\x64\x67\x90\x0f\x0b" }

function rows.iaca.prepare(self, bytes, directory)
  local object = elf.object(rows.iaca.start .. bytes .. rows.iaca.finish, "block")
  return { arguments = { "-arch", self.found[1], directory .. "/block.o" }, files = { ["block.o"] = object } }
end

function rows.iaca.parse(result)
  local instruction = ("\n" .. result.out):match "\n|%s*X%s*|[^\n]*|%s*([^|\n]-)%s*\n"
  if instruction then return { error = "IACA does not support " .. instruction, unsupported = true } end
  return number_in(result, "Block Throughput:%s*([%d.]+) Cycles", "iaca", "IACA wrote no block throughput: ")
end

-- MAQAO's Code Quality Analyzer.
--
-- CQA analyses loops of binaries: the block is put into a loop (`dec r15; jnz`, which costs a uop or two of the front end), the C compiler makes
-- a shared library of it. The prediction is "Overall L1" of the summary of cycles; of a range (divisions), its lower end.
rows.cqa = { title = "maqao", programs = { "maqao", "maqao.intel64" }, hint = "get MAQAO", example = "cqa:SKYLAKE", native = true,
  settings = { compiler = true }, assumptions = "the block in a loop of dec and jnz", doubt = tool.never_run }

local library = [[
	.text
	.globl portolan_block
	.type portolan_block, @function
portolan_block:
1:	.byte %s
	dec %%r15
	jnz 1b
	ret
	.size portolan_block, . - portolan_block
	.section .note.GNU-stack, "", @progbits
]]

-- Programs that make libraries for x86-64.
local compilers = core.isa.host == "x86_64" and { "cc", "gcc", "clang" } or { "x86_64-linux-gnu-gcc" }

function rows.cqa.fields(found, path)
  local compiler, message = name_settings.program({ program = found.compiler }, compilers, "install a C compiler for x86-64")
  return compiler and { version = fingerprint.file(path), compiler = compiler }, message
end

function rows.cqa.prepare(self, bytes, directory)
  local values = bytes:gsub(".", function(c) return ("0x%02x,"):format(c:byte()) end):sub(1, -2)
  local output, assembly = directory .. "/block.so", directory .. "/block.s"
  temporary.write(assembly, library:format(values))
  local result, message = program.run(self.compiler, { "-shared", "-nostdlib", "-o", output, assembly }, { seconds = 10 })
  if not result or result.status ~= 0 then return nil, message or "the C compiler fails: " .. tool.last_line(result.err) end
  return { arguments = { "cqa", output, "fct-loops=portolan_block", "conf=all", self.found[1] and "uarch=" .. self.found[1] }, cwd = directory }
end

function rows.cqa.parse(result)
  return number_in(result, "Overall L1%s*:%s*([%d.]+)", "maqao", "CQA wrote no summary of cycles: ")
end

-- Ithemal, the neural network. Its program is `predict.py`, or a script that passes its arguments on, into a container say (the files are in TMPDIR).
--
-- Loading the network takes seconds, so that many blocks go through one process: a file each, between markers, and a number each in the output, in
-- order. Its data are cycles of 100 iterations: its numbers are divided by that (`per=N`). `markers=ithemal` is for versions with markers of their
-- own instead of IACA's, `option=--files` for those that want an option before the files.
rows.ithemal = { title = "Ithemal", needs = { "path", "model", "data" },
  usage = "write ithemal:program=PATH,model=FILE,data=FILE, with the paths of Ithemal's predict.py, its model and its data",
  settings = { model = true, data = true, per = true, markers = true, option = true }, doubt = tool.never_run }

local markers = { iaca = { rows.iaca.start:sub(3), rows.iaca.finish:sub(1, -3) }, ithemal = { "\xab\xa6\x58", "\x9e\x87\x0f" } }

function rows.ithemal.fields(found, path)
  local per, around = tonumber(found.per or 100), markers[found.markers or "iaca"]
  if not per or per <= 0 then return nil, "per=" .. found.per .. ": write a number above 0" end
  if not around then return nil, "markers are iaca or ithemal" end
  return { name = "ithemal:" .. found.data:match "[^/]*$", per = per, markers = around, at_once = 200, wrote = "numbers",
    facts = { model = found.model, data = found.data, per = per },
    version = ("%s; model %s; data %s; per %g, %s markers, option %s"):format(fingerprint.file(path), fingerprint.file(found.model, true),
      fingerprint.file(found.data, true), per, found.markers or "iaca", found.option or "-") }
end

function rows.ithemal.prepare(self, codes, directory)
  local arguments = { "--model", self.found.model, "--model-data", self.found.data, self.found.option }
  for i, bytes in ipairs(codes) do
    local path = ("%s/%d.bin"):format(directory, i)
    temporary.write(path, self.markers[1] .. bytes .. self.markers[2])
    arguments[#arguments + 1] = path
  end
  return { arguments = arguments, seconds = (self.seconds or 60) + #codes }
end

-- A number is a line of its own; the network may say a little less than nothing.
function rows.ithemal.parse(line, self)
  local cycles = tonumber(line)
  return cycles and { cycles = math.max(0, cycles / self.per) }
end

-- DiffTune's llvm-mca, which takes its parameters from a file. Its program is that llvm-mca (`llvm-mca-parametric`), or a script that passes
-- arguments and standard input on to it, into a container say.
rows.difftune = { title = "DiffTune's llvm-mca", needs = { 1, "program", "parameters" },
  usage = "write difftune:CPU,program=PATH,parameters=FILE, with the paths of DiffTune's llvm-mca and of its parameters",
  settings = { parameters = true }, doubt = tool.never_run }

function rows.difftune.fields(found, path)
  local parameters, trouble = file.read(found.parameters)
  if not parameters then return nil, trouble end
  return { name = "difftune:" .. found[1], version = fingerprint.file(path) .. ", parameters " .. fingerprint.of(parameters),
    method = spelling.method, cpu = found[1], architecture = "x86_64",
    flags = { "-parameters", found.parameters, "-march=x86-64" },
    facts = { cpu = found[1], parameters = found.parameters, cycles = "total cycles by iterations" },
    answer = function(self, blocks)
      return protocol.answers(blocks, function(block)
        local bytes, message = protocol.bytes(block)
        if not bytes then return nil, message end
        return text.of_bytes(bytes)
      end, function(texts) return summary.predict(self, texts) end)
    end }
end

-- nanoBench measures with performance counters; it needs root.
--
-- The block is given as machine code and unrolled. r14, rdi, rsi, rsp and rbp point into memory; what accesses memory by another register
-- mostly cannot be measured. Loop bodies of Portolan's own get their initial values first (`portolan.predictor.machinery.initial_state`).
rows.nanobench = { title = "nanoBench", programs = { "nanoBench.sh" }, hint = "get nanoBench", example = "nanobench", measures = true,
  settings = { config = true, unroll_count = true, loop_count = true, cpu = true }, doubt = tool.never_seen }

function rows.nanobench.fields(found, path)
  if found.config and found.config:sub(1, 1) ~= "/" then found.config = uv.cwd() .. "/" .. found.config end -- it runs elsewhere
  return { version = ("%s; unroll %s, loop %s, cpu %s, config %s"):format(fingerprint.file(path), found.unroll_count or "-",
    found.loop_count or "-", found.cpu or "-", found.config and fingerprint.file(found.config, true) or "-") }
end

function rows.nanobench.prepare(self, bytes, directory, block)
  local arguments, files = { "-code", directory .. "/block", "-fixed_counters" }, { block = bytes }
  if type(block) == "table" and block.vector_bits then -- Portolan's own: it relies on what registers hold
    files.init = initial_state.code(block.vector_bits)
    table.move({ "-code_init", directory .. "/init" }, 1, 2, #arguments + 1, arguments)
  end
  for _, key in ipairs { "config", "unroll_count", "loop_count", "cpu" } do
    if self.found[key] then table.move({ "-" .. key, self.found[key] }, 1, 2, #arguments + 1, arguments) end
  end
  return { arguments = arguments, files = files, cwd = self.path:match "^(.*)/" } -- it calls its parts by relative paths
end

-- "CORE_CYCLES: 2.00", or "Core cycles: 2.00" of the fixed counters; of a run that failed, a line that says so.
function rows.nanobench.parse(result)
  local words = ("\n" .. result.err .. "\n" .. result.out):match "\nError:%s*([^\n]+)"
  if result.status ~= 0 and words then return { error = ("nanoBench failed (exit status %d): %s"):format(result.status, words) } end
  if result.status ~= 0 then return { error = tool.complaint("nanoBench", result).error } end
  local cycles = tonumber(("\n" .. result.out):match "\nCORE_CYCLES:%s*([%d.]+)" or ("\n" .. result.out):match "\nCore cycles:%s*([%d.]+)")
  return cycles and { cycles = cycles } or { error = "nanoBench wrote no number of core cycles: " .. tool.last_line(result.out .. result.err) }
end

-- BHive's measuring harness; its program is `test`.
--
-- The block is measured with N copies in a row and with twice as many (100 and 200, as BHive does); the throughput is the difference of the least
-- cycles of runs without cache misses and context switches. The harness maps pages that the block accesses, so most memory accesses work.
rows.bhive = { title = "the harness", needs = { "path" }, usage = "write bhive:program=PATH, with the path of the harness's program test",
  settings = { copies = true }, measures = true, doubt = tool.never_seen }

function rows.bhive.fields(found, path)
  local copies = math.tointeger(tonumber(found.copies or 100))
  if not copies or copies < 1 or copies > 1000 then return nil, ("copies=%s: write a whole number from 1 to 1000"):format(found.copies) end
  return { copies = copies, version = ("%s; %d and %d copies"):format(fingerprint.file(path), copies, 2 * copies) }
end

function rows.bhive.prepare(self, bytes)
  local script = ('"$0" "$1" %d && echo -- && "$0" "$1" %d'):format(self.copies, 2 * self.copies)
  return { path = "/bin/sh", arguments = { "-c", script, self.path, block_of.to_hex(bytes) }, copies = self.copies }
end

-- The least cycles of clean runs: rows of cycles, L1 read misses, write misses, instruction cache misses, context switches; -1 is not known.
local function least(table_text)
  local best
  for row in table_text:gmatch "[^\n]+" do
    local values = {}
    for word in row:gmatch "%S+" do values[#values + 1] = tonumber(word) end
    local clean = #values == 5 and values[2] <= 0 and values[3] <= 0 and values[4] <= 0 and values[5] == 0
    if clean then best = math.min(best or values[1], values[1]) end
  end
  return best
end

-- Both tables, which a line of two dashes separates.
function rows.bhive.parse(result, plan)
  if result.status ~= 0 then return { error = tool.complaint("the harness", result).error } end
  local first, second = result.out:match "^(.-)\n%-%-\n(.*)$"
  local short, long = least(first or ""), least(second or "")
  if not short or not long then return { error = "no run without cache misses and context switches", transient = true } end
  return { cycles = math.max(0, (long - short) / plan.copies) }
end

-- The path of a row's program; or nil and a message.
local function path_of(row, found)
  if not row.needs then return name_settings.program(found, row.programs, row.hint) end
  found.path = found.program and program.find(found.program)
  if lists.any(row.needs, function(key) return not found[key] end) then return nil, row.usage end
  if not found.path then return nil, "there is no program " .. found.program end
  return found.path
end

--- Returns what opens the predictors of a kind.
-- @tparam string kind of tools
-- @treturn func|nil function(settings: what stands behind the colon) -> predictor; or nil and a message. Nil if it is none of these kinds
function tools.opener(kind)
  local row = rows[kind]
  return row and function(settings)
    local found, message = name_settings.parse(settings, row.settings or {})
    if not found then return nil, message end
    if row.processor and not found[1] then return nil, "for which processor? write " .. row.processor end
    local path, fields
    path, message = path_of(row, found)
    if not path then return nil, message end
    if row.fields then fields, message = row.fields(found, path) else fields = { version = fingerprint.file(path) } end
    if not fields then return nil, message end
    local self = { name = (row.processor or row.native) and ("%s:%s"):format(kind, found[1] or "native") or kind, title = row.title, path = path,
      found = found, seconds = found.seconds, prepare = row.prepare, parse = row.parse, measures = row.measures, exclusive = row.measures,
      deterministic = not row.measures, facts = { assumptions = row.assumptions, tested = row.doubt or row.tested } }
    for key, value in pairs(fields.facts or {}) do self.facts[key] = value end
    fields.facts = nil
    for key, value in pairs(fields) do self[key] = value end
    return tool.new(self)
  end
end

--- Tells what is installed of a kind: the first of its programs that is in the search path.
-- @tparam string kind of tools, or any other
-- @return `{ name =, path =, doubt = of a tool that was not run as it is }`; nil if there is none
function tools.installed(kind)
  local row = rows[kind]
  local path = row and row.example and name_settings.program({}, row.programs, "")
  return path and { name = row.example, path = path, doubt = row.doubt }
end

return tools
