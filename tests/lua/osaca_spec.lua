-- OSACA itself reads what is exported to its format, and its importer what is exported to uops.info's. PORTOLAN_OSACA names a directory with its
-- package `osaca`, PORTOLAN_PYTHON a Python that has what it needs (python3 if left out), PORTOLAN_OSACA_IMPORTER a directory with the package of
-- OSACA 0.5.3 or before: the importers of 0.6.0 to 0.7.1 end at the first register of any file. Tests are skipped without.
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local isa = require "portolan.scheme.isa"
local mapping = require "portolan.mapping"
local osaca = require("portolan.predictor.tools").rows.osaca
local names = require "portolan.format.osaca_names"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local writer = require "portolan.format.osaca_write"
local xml = require "portolan.format.uops_info_write"
local yaml = require "portolan.format.yaml"

local package_directory = os.getenv "PORTOLAN_OSACA"
local folder = assert(os.getenv "PORTOLAN_SOURCE") .. "/tests/osaca/"

local python = program.find(os.getenv "PORTOLAN_PYTHON" or "python3")
local llvm_mc = program.find "llvm-mc" or program.find(program.names("llvm%-mc%-%d+")[1] or "llvm-mc")

-- Why a test cannot run; nil if it can.
local function lacking(tools)
  if not package_directory then return "PORTOLAN_OSACA names no OSACA" end
  if not python then return "there is no python3" end
  for tool, path in pairs(tools) do
    if not path then return "there is no " .. tool end
  end
end

local function write(path, text)
  local handle = assert(io.open(path, "wb"))
  handle:write(text)
  handle:close()
end

local function directory()
  local path = os.tmpname()
  os.remove(path)
  assert(os.execute("mkdir -p " .. path .. "/.osaca/data"))
  return path
end

local function run(arguments, options)
  options = options or {}
  local r = process.run { args = { python, table.unpack(arguments) }, seconds = 500, input = options.input,
    env = { PYTHONPATH = package_directory, HOME = options.home } }
  return r
end

-- A usage that hardly any other scheme has: OSACA must find the very form.
local function some_uops(name)
  local h = 0
  for i = 1, #name do h = (h * 31 + name:byte(i)) % 1000003 end
  local a, b = h % 10, h // 10 % 9
  return { { { tostring(a), tostring((a + 1 + b) % 10) }, 1 + h // 90 % 3 }, { { "10" }, 1 + h // 270 % 4 } }
end

local function mapping_of(list)
  local schemes, ports = {}, {}
  for i = 0, 10 do ports[i + 1] = tostring(i) end
  for _, name in ipairs(list) do schemes[name] = { uops = some_uops(name), status = "explained" } end
  return { format = "portolan-mapping", version = 1, ports = ports, schemes = schemes }
end

-- One instance of each scheme as LLVM's disassembler prints it, with the suffixes that compilers write.
local function instances(list)
  local policy = assert(core.isa.policy(dofile(os.getenv "PORTOLAN_ARCH" .. "/x86_64/policy.lua")))
  local lines, kept = {}, {}
  for _, name in ipairs(list) do
    local made = core.isa.instantiate({ name }, policy)
    if made and made.instructions[1].scheme == name then
      kept[#kept + 1] = name
      lines[#lines + 1] = made.instructions[1].bytes:gsub(".", function(c) return ("0x%02x "):format(c:byte()) end) .. "0x0f 0x0b\n"
    end
  end
  local r = process.run { args = { llvm_mc, "-disassemble", "-triple=x86_64", "-mattr=+all" }, input = table.concat(lines) }
  local texts, at, words = {}, 1, {}
  for line in r.out:gmatch "[^\n]+" do
    line = line:gsub("#.*", ""):gsub("^%s+", ""):gsub("%s+$", "")
    if line == "ud2" then
      if #words == 1 then texts[kept[at]] = words[1]:gsub("^(j%w+)%s+%-?%d+$", "%1 .L1") end
      at, words = at + 1, {}
    elseif line ~= "" and not line:find "^%." then
      words[#words + 1] = line
    end
  end
  assert.equal(#kept, at - 1)
  return texts
end

-- Not: what OSACA cannot tell (masks) or read ({vex}, and *%rax, which it takes for memory), extensions to the same width, and what LLVM
-- prints without the suffix that alone would tell.
local function is_told(name, text)
  local scheme = isa.scheme(name)
  local first = names.spellings(scheme, names.printed(scheme))[1]
  local mnemonic = text:match "^%S+"
  if scheme.masked or text:find "^{" or text:find "%*%%" then return false end
  if name:find "^movsxd r[13]" or name:find "^mov[sz]x r16, [rm]16" then return false end
  return first.long == first.short or mnemonic ~= first.short
end

local function pressure_of(uops)
  local sums, list = {}, {}
  for _, uop in ipairs(uops) do
    for _, port in ipairs(uop[1]) do sums[port] = (sums[port] or 0) + uop[2] / #uop[1] end
  end
  for i = 0, 10 do
    local port = tostring(i)
    if sums[port] then list[#list + 1] = ("%s=%.6g"):format(port, sums[port]) end
  end
  return table.concat(list, " ")
end

-- The schemes that the forms of a written model are for.
local function listed(text)
  local set = {}
  for list in text:gmatch "\n  portolan: %[([^\n]*)%]" do
    for name in list:gmatch '"([^"]+)"' do set[name] = true end
  end
  return set
end

describe("OSACA", function()
  it("finds the form of every scheme that is written, under the name that compilers write", function()
    local reason = lacking { ["llvm-mc"] = llvm_mc }
    if reason then return pending(reason) end
    local chosen = { "setz r8", "setnle r8", "cmovnz r64, r64", "movsxd r64, r32", "cdqe", "shl r32, imm8", "sar r64, 1", "mov r64, m64",
      "blendvps xmm, xmm", "movq xmm, r64", "vmovq xmm, r64", "vmovq r64, xmm", "movzx r32, m8", "mov r64, imm64" }
    for i, scheme in ipairs(isa.schemes { legacy = true, vex = true, evex = true }) do
      local plain = #scheme.prefixes == 0 and scheme.mnemonic ~= "ud2" and not scheme.name:find "^vpermil2" and not scheme.name:find " far "
        and not scheme.category:find "STRINGOP" -- LLVM prints the operands, compilers do not
      if i % 15 == 0 and plain then chosen[#chosen + 1] = scheme.name end
    end
    local m = mapping_of(chosen)
    local text = assert(writer.encode(m))
    local written, texts, asked, lines = listed(text), instances(chosen), {}, {}
    for _, name in ipairs(mapping.schemes(m)) do
      if written[name] and texts[name] and is_told(name, texts[name]) then
        asked[#asked + 1], lines[#lines + 1] = name, texts[name] .. "\n"
      end
    end
    assert.is_true(#asked > 300, #asked)
    local home = directory()
    write(home .. "/model.yml", text)
    local r = run({ folder .. "probe.py", home .. "/model.yml" }, { input = table.concat(lines), home = home })
    local i, wrong = 0, {}
    for line in r.out:gmatch "[^\n]+" do
      i = i + 1
      local expected = pressure_of(m.schemes[asked[i]].uops)
      if line ~= expected then wrong[#wrong + 1] = ("%s as %s: %s, not %s"):format(asked[i], lines[i]:sub(1, -2), line, expected) end
    end
    assert.same({}, wrong)
    assert.equal(#asked, i, r.err)
    os.execute("rm -r " .. home)
  end)
end)

-- The innermost first loop of every function of an assembler file: its label and its lines.
local function loops_of(path)
  local loops, found, labels, lines = {}, nil, {}, {}
  for line in io.lines(path) do
    local start, label = line:match "^(%a[%w_]*):", line:match "^(%.L%d+):"
    local target = line:match "^%s+j%w+%s+(%.L%d+)"
    if start then
      found, labels, lines = start, {}, {}
    elseif label then
      labels[label] = #lines
    elseif line:find "^%s+%a" then
      lines[#lines + 1] = line
    end
    if found and target and labels[target] and not loops[found] then
      loops[found] = { label = target, lines = table.move(lines, labels[target] + 1, #lines, 1, {}) }
    end
  end
  return loops
end

describe("OSACA, of loops that gcc compiles,", function()
  local gcc = program.find "gcc"
  for _, level in ipairs { "-O2", "-O3" } do
    it("knows all instructions and has the ports' cycles with " .. level, function()
      local reason = lacking { gcc = gcc, objcopy = program.find "objcopy" }
      if reason then return pending(reason) end
      local home = directory()
      assert.equal(0, process.run { args = { gcc, level, "-march=haswell", "-S", folder .. "loops.c", "-o", home .. "/loops.s" } }.status)
      local blocks, all = {}, {}
      for name, loop in pairs(loops_of(home .. "/loops.s")) do
        local text = loop.label .. ":\n" .. table.concat(loop.lines, "\n") .. "\n"
        write(home .. "/" .. name .. ".s", text)
        write(home .. "/x.s", (text:gsub("(\tj%w+\t)%.L%d+", "%1" .. loop.label)))
        assert.equal(0, process.run { args = { gcc, "-c", home .. "/x.s", "-o", home .. "/x.o" } }.status)
        assert.equal(0, process.run { args = { program.find "objcopy", "-O", "binary", "-j", ".text", home .. "/x.o", home .. "/x.bin" } }.status)
        local handle = assert(io.open(home .. "/x.bin", "rb"))
        local list = {}
        for i, instruction in ipairs(assert(core.isa.decode(handle:read "a")).instructions) do list[i] = instruction.scheme end
        handle:close()
        blocks[name] = experiment.of_list(list)
        table.move(list, 1, #list, #all + 1, all)
      end
      local m = mapping_of(all)
      local compiled = assert(mapping.compile(m))
      write(home .. "/.osaca/data/skx.yml", (assert(writer.encode(m))))
      local n = 0
      for name, e in pairs(blocks) do
        local answer = osaca.parse(run({ "-m", "osaca", "--arch", "SKX", home .. "/" .. name .. ".s" }, { home = home }))
        local expected = compiled:throughput(e)
        -- OSACA moves hundredths of uops between ports: sometimes it is a little off, never far below.
        assert.is_true(answer.cycles ~= nil, name .. ": " .. tostring(answer.error))
        assert.is_true(answer.cycles >= 0.97 * expected - 0.02, ("%s: %g, not %g"):format(name, answer.cycles, expected))
        n = n + 1
      end
      assert.equal(10, n)
      os.execute("rm -r " .. home)
    end)
  end
end)

-- A core of three ports with latencies: chains are what its loops wait for.
local function with_latencies()
  local function entry(ports, ...)
    local list = {}
    for i, l in ipairs { ... } do list[i] = { from = l[1], to = l[2], cycles = l[3] } end
    return { uops = { { ports, 1 } }, status = "explained", tp = 1 / #ports, latencies = list }
  end
  local m = { format = "portolan-mapping", version = 1, ports = { "0", "1", "2" }, schemes = {
    ["imul r64, r64"] = entry({ "1" }, { "1", "1", 3 }, { "2", "1", 3 }),
    ["add r64, r64"] = entry({ "0", "1" }, { "1", "1", 1 }, { "2", "1", 1 }),
    ["mov r64, m64"] = entry({ "2" }, { "2.base", "1", 5 }, { "2.index", "1", 5 }, { "2", "1", 4 }),
    ["mov m64, r64"] = entry({ "0" }, { "2", "1", 3 }),
    ["vfmadd231pd ymm, ymm, m256"] = entry({ "0", "1" }, { "1", "1", 4 }, { "2", "1", 4 }, { "3.base", "1", 11 }, { "3", "1", 10 }),
    ["vdivpd ymm, ymm, ymm"] = entry({ "0" }, { "2", "1", 15 }, { "3", "1", 15 }),
  } }
  m.schemes["vdivpd ymm, ymm, ymm"].status, m.schemes["vdivpd ymm, ymm, ymm"].tp = "slower than ports", 8.02
  return m
end

-- Loops with the cycles that they wait, one round.
local chains = {
  { "imulq %rax, %rbx\naddq %rbx, %rax\n", 4 },
  { "movq (%rax), %rax\n", 5 },
  { "movq (%rax), %rbx\naddq %rbx, %rcx\n", 1 },
  { "vfmadd231pd (%rsi), %ymm2, %ymm1\n", 4 }, -- the sum waits for the sum before it, not for the load
  { "vdivpd %ymm1, %ymm2, %ymm1\n", 15 },
  { "vdivpd %ymm1, %ymm2, %ymm3\nvdivpd %ymm1, %ymm2, %ymm4\n", 16 }, -- no chain: the unit is busy
  { "movq (%rsi), %rbx\naddq %rax, %rbx\nmovq %rbx, (%rsi)\n", 8 }, -- 3 + 4 through memory, 1
}

describe("OSACA, with latencies,", function()
  it("has the loop-carried dependencies of chains, and busy units", function()
    local reason = lacking {}
    if reason then return pending(reason) end
    local home = directory()
    local text, left_out = assert(writer.encode(with_latencies()))
    assert.equal(0, left_out.inexpressible + left_out.hidden)
    write(home .. "/.osaca/data/skx.yml", text)
    for i, chain in ipairs(chains) do
      write(home .. "/x.s", chain[1])
      local answer = osaca.parse(run({ "-m", "osaca", "--arch", "SKX", home .. "/x.s" }, { home = home }))
      assert.is_nil(answer.error, chain[1])
      assert.is_true(math.abs(answer.cycles - chain[2]) < 0.05, ("loop %d, %s: %g, not %g"):format(i, chain[1], answer.cycles, chain[2]))
    end
    os.execute("rm -r " .. home)
  end)
end)

describe("OSACA's importer", function()
  local package = os.getenv "PORTOLAN_OSACA_IMPORTER" or package_directory

  -- Forms by name and operands, without the comments of the importer.
  local function forms_of(text)
    local forms = {}
    for _, form in ipairs(assert(yaml.load(text:gsub("#[^\n]*", ""), "o")).instruction_forms) do
      local words = { form.name:lower() }
      for i = #form.operands, 1, -1 do words[#words + 1] = form.operands[i].name or form.operands[i].class end
      forms[table.concat(words, " ")] = form
    end
    return forms
  end

  it("makes a machine model of uops.info's XML as Portolan writes it, latencies included", function()
    local reason = lacking {}
    if reason then return pending(reason) end
    local home = directory()
    local m = with_latencies()
    m.schemes["add r64, m64"] = { uops = { { { "0", "1" }, 1 }, { { "2" }, 1 } }, status = "explained", tp = 1,
      latencies = { { from = "1", to = "1", cycles = 1 }, { from = "2.base", to = "1", cycles = 6 } } }
    for _, scheme in pairs(m.schemes) do scheme.tp = scheme.tp or 1 end
    write(home .. "/x.xml", (assert(xml.encode(m, "SKX"))))
    local r = process.run { args = { python, package .. "/osaca/data/model_importer.py", home .. "/x.xml", "SKX", "--mem" }, seconds = 300,
      env = { PYTHONPATH = package, HOME = home } }
    os.execute("rm -r " .. home)
    if r.err:find("not subscriptable", 1, true) then
      return pending "this OSACA's importer cannot read registers of any file (0.6.0 to 0.7.1); PORTOLAN_OSACA_IMPORTER may name 0.5.3"
    end
    assert.equal(0, r.status, r.err)
    local forms = forms_of(r.out)
    assert.same({ 3, { { 1, "1" } } }, { forms["imul gpr gpr"].latency, forms["imul gpr gpr"].port_pressure })
    assert.same({ 1, { { 1, "01" }, { 1, "2" } } }, { forms["add gpr memory"].latency, { forms["add gpr memory"].port_pressure[1],
      forms["add gpr memory"].port_pressure[2] } })
    assert.equal(4, forms["vfmadd231pd ymm ymm memory"].latency)
    assert.equal(1, forms["imul gpr gpr"].uops)
    local n = 0
    for _ in pairs(forms) do n = n + 1 end
    assert.equal(7, n)
  end)
end)
