-- OSACA's own models, all of them, as Portolan reads them, beside OSACA itself: every instruction that gcc makes of 46 loops, and its port
-- pressure. PORTOLAN_OSACA names a directory with OSACA's package, PORTOLAN_PYTHON a Python that has what it needs. Skipped without.
--
-- OSACA looks for what is written, the reading for schemes: one of the ways in which compilers write the scheme must have the pressure that the
-- reading has.
local a64_names = require "portolan.format.osaca_a64_names"
local assembly = require "portolan.code.assembly"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local names = require "portolan.format.osaca_names"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local temporary = require "portolan.support.temporary"
local undecoded = require "portolan.code.undecoded"

local package, folder = os.getenv "PORTOLAN_OSACA", assert(os.getenv "PORTOLAN_SOURCE") .. "/tests/osaca/"
local python = program.find(os.getenv "PORTOLAN_PYTHON" or "python3")

local compilers = {
  x86_64 = { gcc = program.find "gcc", ways = { "-O2", "-O2 -march=haswell", "-O3 -ffast-math -march=haswell", "-O3 -march=znver3" } },
  aarch64 = { gcc = program.find(isa.host == "aarch64" and "gcc" or "aarch64-linux-gnu-gcc") or program.find "aarch64-linux-gnu-gcc-12",
    ways = { "-O2", "-O3 -ffast-math", "-O3 -ffast-math -mcpu=neoverse-n1", "-O3 -ffast-math -march=armv8.3-a+sve" } },
}

-- How a scheme is written: its words, whatever the registers and numbers.
local function kind_of(line) return (line:gsub("%.L%w+", ".L1"):gsub("%%%w+", "%%"):gsub("%d+", "0")) end

-- What a compiler makes of the loops: list of `{ text =, scheme = name, undecoded = }`, one of each kind.
local function instructions(architecture)
  local compiler, list, seen = compilers[architecture], {}, {}
  for _, way in ipairs(compiler.ways) do
    for _, loops in ipairs { "loops.c", "kinds.c" } do
      local arguments = { compiler.gcc, "-ffreestanding", "-fno-reorder-blocks-and-partition", "-S", folder .. loops, "-o", "-" }
      for word in way:gmatch "%S+" do arguments[#arguments + 1] = word end
      local r = process.run { args = arguments }
      assert.equal(0, r.status, r.err)
      local text = r.out:gsub("\n%s+%.p2align[^\n]*", "")
      local sections, i = assert(assembly.read(text, loops, architecture)).sections, 0
      assert.equal(1, #sections)
      local made = assert(undecoded.decode(sections[1].bytes, architecture)).instructions
      for line in text:gmatch "\n%s+(%a[^\n]*)" do
        i = i + 1
        local kind = made[i].scheme .. kind_of(line)
        if not seen[kind] then list[#list + 1] = { text = line:gsub("%.L%w+", ".L1"), scheme = made[i].scheme, undecoded = made[i].undecoded } end
        seen[kind] = true
      end
      assert.equal(#made, i)
    end
  end
  return list
end

-- Other ways to write it -----------------------------------------------------------------------------------------------

local others = {}

-- A scheme has one name, where compilers write several: what gcc writes, and what other compilers, or gcc itself for other operands of the scheme,
-- write. No name that no compiler writes is here.
local synonyms = {
  x86_64 = { { "^sal(.*)$", "shl%1" }, { "^jnb$", "jae" }, { "^(vcvt.+)y$", "%1" }, { "^(cvttsd2si)l$", "%1" } },
  aarch64 = { { "^mul$", "madd" }, { "^smull$", "smaddl" }, { "^neg$", "sub" }, { "^tst$", "ands" }, { "^mvn$", "orn" }, { "^ror$", "extr" },
    { "^lsr$", "lsl" }, { "^lsr$", "ubfx" }, { "^ldr$", "ldur" }, { "^b%a%a$", "b.ne" }, { "^b.any$", "b.ne" } },
}

-- The names of an instruction's scheme that OSACA may be asked about.
local function words_of(one, architecture)
  local word = one.text:match "^%S+"
  local list = { word }
  for _, pair in ipairs(synonyms[architecture]) do
    if word:find(pair[1]) then list[#list + 1] = word:gsub(pair[1], pair[2]) end
  end
  return list
end

-- A shift's one, a comparison's number in place of its word, and a simple address in place of another.
function others.x86_64(one)
  local rest, list = one.text:match "^%S+%s*(.*)$", {}
  local scheme = isa.scheme(one.scheme)
  for _, operands in ipairs { rest, "$1, " .. rest, (rest:gsub("[^%s,]*%b()", "8(%%rdi)")), (rest:gsub("[^%s,]*%b()", "(%%rdi)")) } do
    for _, word in ipairs(words_of(one, "x86_64")) do list[#list + 1] = word .. " " .. operands end
    if #names.comparisons(scheme, names.printed(scheme)) > 0 then list[#list + 1] = ("%s $1, %s"):format(scheme.mnemonic, operands) end
  end
  return list
end

-- Memory at an offset, or at the base.
local function a64_text(operand, offset)
  if operand.class == "register" then
    return operand.prefix .. "1" .. (operand.shape and "." .. (operand.lanes or "") .. operand.shape .. (operand.lanes and "" or "[0]") or "")
  elseif operand.class == "memory" then
    local index = operand.index and (", %s2%s"):format(operand.index, operand.index == "w" and ", sxtw 2" or operand.scale > 1 and ", lsl 3" or "")
    local number = (operand.pre or operand.offset and offset) and ", 16" or ""
    return ("[x2%s]%s"):format(index or number, operand.pre and "!" or operand.post and ", 16" or "")
  end
  return ({ immediate = operand.kind == "double" and "1.0" or "1", identifier = ".L1", condition = "eq", prfop = "pldl1keep" })[operand.class]
end

function others.aarch64(one)
  if one.undecoded then return {} end
  local list, words = {}, lists.set(words_of(one, "aarch64"))
  for _, spelling in ipairs(a64_names.spellings(isa.scheme(one.scheme))) do
    for _, offset in ipairs(words[spelling.name] and { true, false } or {}) do
      local texts = lists.map(spelling.operands, function(operand) return a64_text(operand, offset) end)
      list[#list + 1] = spelling.name .. " " .. table.concat(texts, ", ")
    end
  end
  return list
end

-- Loads that are composed there: OSACA takes the entry of a changed base, as it forgets which entries are for those.
local changed = { a64fx = { "ldr w, [x, x]", "ldr x, [x, x]" }, n1 = { "ldr x, [x, x]" } }

-- What OSACA takes for something else: what changes or compares memory for a store alone or a load alone; and what no mapping has: copies of A64 are
-- no schemes, parts of a cycle on a port with others no uops.
-- Forms that stand for schemes have no name for others.
local function beyond(one, architecture, m)
  local scheme, read = isa.scheme(one.scheme), m.schemes[one.scheme]
  if one.undecoded then return false end
  if read and (read.reason or ""):find "^a pressure of 0%.%d+ cycles is not a whole number" then return true end
  if lists.index(m.processor and changed[m.processor.name:lower()] or {}, function(name) return name == one.scheme end) then return true end
  if architecture == "aarch64" then return a64_names.copy(scheme) ~= nil or one.text:find "^mov%s" ~= nil end
  local first = names.printed(scheme)[1]
  return first ~= nil and first.kind == "memory" and first.access:find "r" ~= nil
end

-- Pressures ------------------------------------------------------------------------------------------------------------

local function read_pressure(m, name)
  local scheme = m.schemes[name]
  if not scheme or not scheme.uops then return "unknown" end
  local sums, words = {}, {}
  for _, uop in ipairs(scheme.uops) do
    for _, port in ipairs(uop[1]) do sums[port] = (sums[port] or 0) + (uop[2] or 1) / #uop[1] end
  end
  if scheme.status == "slower than ports" then sums.busy = scheme.tp end
  for port, cycles in pairs(sums) do words[#words + 1] = ("%s=%.4f"):format(port, cycles) end
  table.sort(words)
  return #words > 0 and table.concat(words, " ") or "none"
end

-- The same of a line of OSACA's; ports that are none of the mapping's are units.
local function told_pressure(m, line)
  if line:find "^crash" then return "unknown" end
  local words = {}
  for port, cycles in line:gmatch "(%S+)=(%S+)" do
    words[#words + 1] = ("%s=%.4f"):format(lists.index(m.ports, function(p) return p == port end) and port or "busy", cycles)
  end
  table.sort(words)
  return #words > 0 and table.concat(words, " ") or line
end

-- OSACA's answers to lines of text.
local function ask(model, m, lines)
  return temporary.directory(function(home)
    local r = process.run { args = { python, folder .. "probe.py", model }, input = table.concat(lines, "\n") .. "\n", seconds = 900,
      env = { PYTHONPATH = package, HOME = home } }
    local list = {}
    for line in r.out:gmatch "[^\n]+" do list[#list + 1] = told_pressure(m, line) end
    assert.equal(#lines, #list, r.err)
    return list
  end)
end

-- How many instructions are alike as they are written; those that OSACA tells otherwise however they are written.
local function compare(path, m, architecture, written)
  local all = lists.map(written, lists.copy)
  undecoded.resolve(all, m.schemes)
  local told = ask(path, m, lists.map(all, function(one) return one.text end))
  local open, lines, alike = {}, {}, 0
  for i, one in ipairs(all) do
    local read = read_pressure(m, one.scheme)
    if read == told[i] then
      alike = alike + 1
    elseif not beyond(one, architecture, m) then
      local ways = others[architecture](one)
      open[#open + 1] = { read = read, from = #lines + 1, what = ("%s (%s): %s, not %s"):format(one.text, one.scheme, read, told[i]) }
      table.move(ways, 1, #ways, #lines + 1, lines)
      open[#open].to = #lines
    end
  end
  local answers, wrong = #lines > 0 and ask(path, m, lines) or {}, {}
  for _, one in ipairs(open) do
    local found = false -- what is not known here is not made good by another name that OSACA does not know
    for k = one.from, one.to do found = found or answers[k] == one.read and one.read ~= "unknown" end
    if not found then wrong[#wrong + 1] = one.what end
  end
  return alike, wrong
end

describe("what OSACA itself says of instructions that gcc makes of loops", function()
  local made = {}
  local found = package and process.run { args = { "ls", package .. "/osaca/data" } }.out or ""
  for file_name in (package and found or "none.yml"):gmatch "(%w+)%.yml" do
    it("is what is read from its model " .. file_name, function()
      if not package then return pending "PORTOLAN_OSACA names no OSACA" end
      if not python then return pending "there is no python3" end
      local path = ("%s/osaca/data/%s.yml"):format(package, file_name)
      if not assert(file.read(path)):find "instruction_forms" then return pending "it has no instructions" end
      local m = assert(mapping.load(path))
      local architecture = mapping.architecture(m)
      if not compilers[architecture].gcc then return pending("there is no gcc for " .. architecture) end
      made[architecture] = made[architecture] or instructions(architecture)
      local alike, wrong = compare(path, m, architecture, made[architecture])
      if os.getenv "PORTOLAN_VERBOSE" then print(file_name, alike, #made[architecture]) end
      assert.same({}, wrong)
      assert.is_true(alike > 0.7 * #made[architecture], alike)
    end)
  end
end)
