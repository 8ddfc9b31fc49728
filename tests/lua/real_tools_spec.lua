-- Adapters against the real tools. Each is named by an environment variable and skipped without it; docs/predictors.md says how far each was tried.
--
--    PORTOLAN_OSACA       folder with OSACA's package `osaca`; PORTOLAN_PYTHON: a Python that has what it needs
--    PORTOLAN_UICA        uiCA's folder, with its module xed built; its table of instructions may be missing
--    PORTOLAN_BHIVE       the program `test` of BHive's timing harness
--    PORTOLAN_NANOBENCH   nanoBench.sh, with nanoBench built beside it
--    PORTOLAN_DIFFTUNE    DiffTune's llvm-mca; PORTOLAN_DIFFTUNE_PARAMETERS: a file of its parameters
local code = require "portolan.code"
local file = require "portolan.support.file"
local writer = require "portolan.format.osaca_write"
local core = require "portolan.core"
local gnu_text = require "portolan.predictor.machinery.gnu_text"
local instance = require "portolan.scheme.instance"
local isa = require "portolan.scheme.isa"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local named = require "portolan.predictor.named"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local temporary = require "portolan.support.temporary"

local source = assert(os.getenv "PORTOLAN_SOURCE")
local python = program.find(os.getenv "PORTOLAN_PYTHON" or "python3")

-- A test with what an environment variable names; skipped where it names nothing.
local function with(variable, title, f)
  it(title, function()
    local value = os.getenv(variable)
    if not value then return pending(variable .. " names none") end
    f(value)
  end)
end

-- Calls f with a script that runs the words.
local function with_script(words, f)
  process.in_directory(function(directory)
    temporary.write(directory .. "/tool", "#!/bin/sh\n" .. words:gsub("@", directory) .. ' "$@"\n')
    os.execute("chmod +x " .. directory .. "/tool")
    f(directory .. "/tool", directory)
  end)
end

local function blocks_of(texts)
  local list = {}
  for i, words in ipairs(texts) do list[i] = assert(core.isa.assemble(words)).bytes end
  return list
end

local function cycles_of(answers)
  local list = {}
  for i, answer in ipairs(answers) do list[i] = answer.cycles or answer.error end
  return list
end

describe("AT&T text", function()
  it("of nearly all schemes is read by LLVM's assembler", function()
    local newest = llvm_program.installed("llvm-mc")[1]
    if not newest then return pending "llvm-mc is not installed" end
    local lines = {}
    for i, scheme in ipairs(isa.schemes { legacy = true, vex = true }) do
      local one = i % 3 == 0 and instance.of(scheme.name)
      local text = one and gnu_text.lines(one.bytes)
      if text and #text == 1 then lines[#lines + 1] = text[1] end
    end
    assert.is_true(#lines > 1200, #lines)
    local r = process.run { args = { newest.path, "-triple=x86_64", "-mattr=+all", "-o", "/dev/null" }, input = table.concat(lines, "\n") .. "\n" }
    local _, refused = r.err:gsub(": error: ", "")
    assert.is_true(refused < 0.04 * #lines, r.err)
    for bytes, text in pairs { ["\x41\xff\x4e\x50"] = "decl 0x50(%r14)", ["\xf0\x49\x0f\xba\x7e\x50\x07"] = "lock btcq $0x07, 0x50(%r14)",
      ["\xc4\xc2\x7d\x59\x76\x10"] = "vpbroadcastq 0x10(%r14), %ymm6", ["\x41\x0f\xb6\x7e\x10"] = "movzbl 0x10(%r14), %edi",
      ["\xd8\xc1"] = "fadd %st(1), %st(0)" } do
      assert.same({ text }, gnu_text.lines(bytes))
    end
    assert.is_nil((gnu_text.lines "\x06"))
  end)
end)

describe("OSACA itself", function()
  with("PORTOLAN_OSACA", "answers: ports, loop-carried dependencies, instructions that it has no data for", function(folder)
    if not python then return pending "there is no python3" end
    with_script(("HOME=@ PYTHONPATH=%s exec %s -m osaca"):format(folder, python), function(tool)
      local p = assert(named.open("osaca:HSW,program=" .. tool))
      assert.matches("%d+%.%d+%.%d+", p.version)
      local answers = p:predict(blocks_of { "add rax, rbx", "imul rax, rbx; add rcx, rdx", "mov rcx, qword ptr [rsi]",
        "vpbroadcastq ymm1, qword ptr [rsi]", "dec dword ptr [rsi]", "vaddps ymm1, ymm2, ymm3; vmulps ymm4, ymm2, ymm3",
        "lock btc qword ptr [rsi], rax", "imul rax, rbx; dec rcx; jnz -10" })
      assert.same({ 1, 3, 0.5 }, table.move(cycles_of(answers), 1, 3, 1, {}))
      for i = 4, 6 do assert.is_true(answers[i].cycles ~= nil and answers[i].cycles > 0, answers[i].error) end
      assert.equal(3, answers[8].cycles, answers[8].error)
      assert.same({ error = "OSACA has no data for 1 instructions", unsupported = true }, answers[7])
    end)
  end)
end)

describe("OSACA itself, of AArch64,", function()
  with("PORTOLAN_OSACA", "answers by its own model, and by one that Portolan writes for all that gcc makes of ten loops", function(folder)
    if not python then return pending "there is no python3" end
    with_script(("HOME=@ PYTHONPATH=%s exec %s -m osaca"):format(folder, python), function(tool, directory)
      local p = assert(named.open("osaca:A72,program=" .. tool))
      local function bytes_of(text) return assert(core.isa.assemble(text, "aarch64")).bytes end
      local answers = p:predict { bytes_of "add x0, x1, x2; fmla v1.4s, v2.4s, v3.4s", bytes_of "mul x0, x0, x1", bytes_of "mrs x0, fpcr" }
      assert.same({ 7, 5 }, { answers[1].cycles or answers[1].error, answers[2].cycles or answers[2].error })
      assert.is_true(answers[3].unsupported)
      local gcc = program.find(isa.host == "aarch64" and "gcc" or "aarch64-linux-gnu-gcc")
      if not gcc then return pending "there is no gcc for AArch64" end
      local words = assert(file.read(source .. "/tests/osaca/loops.c")):gsub("#include[^\n]*", "")
      local types = "typedef unsigned long size_t, uint64_t; typedef long int64_t; typedef unsigned uint32_t;\n"
      local r = process.run { args = { gcc, "-O3", "-S", "-x", "c", "-", "-o", "-" }, input = types .. words }
      local pieces = assert(code.of(r.out, "loops.s", nil, "aarch64"))
      local m = { format = "portolan-mapping", version = 1, ports = { "0", "1" }, schemes = {} }
      for _, piece in ipairs(pieces) do
        for _, one in ipairs(piece.instructions) do m.schemes[one.scheme] = { uops = { { { "0", "1" }, 1 } }, status = "explained" } end
      end
      assert(file.make_directory(directory .. "/.osaca/data"))
      temporary.write(directory .. "/.osaca/data/a72.yml", (assert(writer.encode(m))))
      for _, piece in ipairs(pieces) do
        local answer = p:predict({ piece.bytes })[1]
        assert.is_nil(answer.error, piece.title)
        assert.is_true(math.abs(answer.cycles - #piece.instructions / 2) < 0.05, piece.title .. answer.cycles)
      end
    end)
  end)
end)

describe("uiCA itself", function()
  with("PORTOLAN_UICA", "answers from the instructions that it has data for, and says of which it has none", function(folder)
    if not python then return pending "there is no python3" end
    -- Where the folder has its own table, that one counts: what is asserted is so on Skylake.
    with_script(("PYTHONPATH=@:%s exec %s %s/uiCA.py"):format(folder, python, folder), function(tool, directory)
      local r = process.run { args = { python, folder .. "/convertXML.py", source .. "/tests/data/uica_instructions.xml" }, cwd = directory,
        env = { PYTHONPATH = folder } }
      assert.equal(0, r.status, r.err)
      local p = assert(named.open("uica:SKL,program=" .. tool))
      local answers = p:predict(blocks_of { "add rax, rbx", "imul rax, rbx", "add rcx, rdx; imul rax, rbx",
        "mov rcx, qword ptr [rsi]", "aesenc xmm1, xmm2" })
      assert.same({ 1, 3, 3, 0.5 }, table.move(cycles_of(answers), 1, 4, 1, {}))
      assert.is_true(answers[5].unsupported or answers[5].cycles == 4, answers[5].error)
    end)
  end)
end)

describe("tools that measure,", function()
  -- Where there are counters, a chain of additions takes a cycle a link; elsewhere the message says what is missing.
  local function check(p)
    local answer = p:predict(blocks_of { "add rax, rbx" })[1]
    if core.bench.counter() then
      assert.near(1, assert(answer.cycles, answer.error), 0.05)
    else
      assert.matches("it needs performance counters; here: ", answer.error)
      assert.is_nil(answer.cycles or answer.crash)
    end
  end

  with("PORTOLAN_BHIVE", "BHive's harness, say what is missing, or measure", function(path) check(assert(named.open("bhive:program=" .. path))) end)
  with("PORTOLAN_NANOBENCH", "nanoBench, say what is missing, or measure", function(path) check(assert(named.open("nanobench:program=" .. path))) end)
  it("llvm-exegesis, say what is missing, or measure", function()
    if not llvm_program.installed("llvm-exegesis")[1] then return pending "llvm-exegesis is not installed" end
    for _, one in ipairs(llvm_program.installed "llvm-exegesis") do check(assert(named.open("exegesis:program=" .. one.path))) end
  end)
end)

describe("DiffTune's llvm-mca itself", function()
  with("PORTOLAN_DIFFTUNE", "answers as an llvm-mca does", function(path)
    local parameters = os.getenv "PORTOLAN_DIFFTUNE_PARAMETERS"
    if not parameters then return pending "PORTOLAN_DIFFTUNE_PARAMETERS names none" end
    local p = assert(named.open(("difftune:haswell,program=%s,parameters=%s"):format(path, parameters)))
    local answers = p:predict(blocks_of { "add rax, rbx", "imul rax, rbx" })
    for _, answer in ipairs(answers) do assert.is_true(answer.cycles ~= nil and answer.cycles > 0, answer.error) end
  end)
end)
