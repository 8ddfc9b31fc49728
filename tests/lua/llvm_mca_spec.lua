-- The llvm-mca predictor on real llvm-mca, where it is installed.
local core = require "portolan.core"
local llvm_mca = require "portolan.predictor.llvm_mca"
local mapping = require "portolan.mapping"
local named = require "portolan.predictor.named"
local process = require "process"

local installed = {}
for _, one in ipairs(llvm_mca.installed()) do installed[one.version or ""] = true end

local function with(version, name, f)
  if installed[version] then it(name, f) else pending(("%s: llvm-mca-%s is not installed"):format(name, version)) end
end

local function usage(m, name) return mapping.usage(m.schemes[name]) end

local schemes = {
  "add r64, r64", "add r64, m64", "imul r64, r64", "mov r64, m64", "mov m64, r64", "vaddps ymm, ymm, ymm", "vpermd ymm, ymm, ymm",
  "bextr r64, r64, r64", "vpmulld ymm, ymm, ymm", "cmovbe r64, r64", "vdivpd ymm, ymm, ymm", "movzx r16, r16", "vpaddd ymm, ymm, ymm",
  "vcvtpd2dq xmm, xmm", "shl r64, imm8", "vhaddpd ymm, ymm, ymm", "xchg r64, r64", "mulx r64, r64, r64", "vaddpd zmm, zmm, zmm",
}

describe("llvm-mca's mapping", function()
  with("19", "is the one of LLVM's sources", function()
    local p = assert(llvm_mca.open { version = "19", cpu = "skylake" })
    assert.matches("LLVM version 19", p.version)
    local m = assert(p:mapping(schemes))
    assert(mapping.validate(m))
    assert.same({ "0", "1", "2", "3", "4", "5", "6", "7" }, m.ports)
    assert.equal("SKL", m.processor.model)
    assert.equal(p.width, m.rmax)
    for name, expected in pairs { -- SKLWriteRes in X86SchedSkylakeClient.td
      ["add r64, r64"] = "p0156", ["add r64, m64"] = "p0156 + p23", ["imul r64, r64"] = "p1", ["mov r64, m64"] = "p23",
      ["mov m64, r64"] = "p237 + p4", ["vaddps ymm, ymm, ymm"] = "p01", ["vpermd ymm, ymm, ymm"] = "p5",
      ["bextr r64, r64, r64"] = "p06 + p15", ["vpmulld ymm, ymm, ymm"] = "2*p01", ["cmovbe r64, r64"] = "2*p06",
      ["vcvtpd2dq xmm, xmm"] = "p01 + p5", ["shl r64, imm8"] = "p06", ["vhaddpd ymm, ymm, ymm"] = "2*p5 + p01",
      ["xchg r64, r64"] = "3*p0156", ["vdivpd ymm, ymm, ymm"] = "p0",
    } do
      assert.equal(expected, usage(m, name), name)
    end
    local division = m.schemes["vdivpd ymm, ymm, ymm"]
    assert.same({ "slower than ports", 8, "keeps SKLFPDivider for 8 cycles" }, { division.status, division.tp, division.note })
    assert.same({ "unsupported here", nil }, { m.schemes["movzx r16, r16"].status, m.schemes["movzx r16, r16"].uops })
    assert.matches("cannot read", m.schemes["movzx r16, r16"].note)
    assert.matches("model of this processor lacks", m.schemes["vaddpd zmm, zmm, zmm"].note)
    assert.equal(2, m.schemes["add r64, m64"].slots)
    for _, scheme in pairs(m.schemes) do assert.is_nil(scheme.assumed) end
  end)

  with("14", "is read from older versions, too", function()
    local m = assert(assert(llvm_mca.open { version = "14", cpu = "znver2" }):mapping(schemes))
    assert.equal("pALU0,ALU1,ALU2,ALU3", usage(m, "add r64, r64"))
    assert.equal("pALU1 + pMultiplier", usage(m, "imul r64, r64"))
    assert.equal("pFPU0", usage(m, "vaddps ymm, ymm, ymm")) -- from LLVM 16 on FPU2 and FPU3
    assert.equal("pAGU0,AGU1,AGU2", usage(m, "mov r64, m64"))
    assert.equal("Zn2", m.processor.model)
  end)

  with("19", "marks what it had to choose", function()
    local m = assert(assert(llvm_mca.open { version = "19", cpu = "sapphirerapids" }):mapping { "mov m64, r64", "vdpps xmm, xmm, xmm, imm8",
      "add r64, r64" })
    assert.equal("2*p4789", usage(m, "mov m64, r64"))
    assert.same({ "4", "7", "8", "9" }, m.schemes["mov m64, r64"].assumed)
    assert.equal("p0,1,5,6,10", usage(m, "add r64, r64"))
    local endless = m.schemes["vdpps xmm, xmm, xmm, imm8"]
    assert.matches("cannot simulate", endless.note)
    assert.equal(6, #endless.uops > 0 and endless.slots)
  end)

  with("19", "is never slower than llvm-mca, and mostly as fast", function()
    local p = assert(llvm_mca.open { version = "19", cpu = "skylake" })
    local names = {}
    for _, name in ipairs(schemes) do
      if not name:find "div" and not name:find "zmm" and name ~= "movzx r16, r16" then names[#names + 1] = name end
    end
    local model = assert(mapping.compile(assert(p:mapping(names))))
    local rng, experiments = core.base.rng(1), {}
    for i = 1, 60 do
      experiments[i] = {}
      for _ = 1, 1 + i % 3 do experiments[i][names[1 + math.floor(rng:unit() * #names)]] = 1 + math.floor(rng:unit() * 3) end
    end
    local same = 0
    for i, answer in ipairs(p:throughput(experiments)) do
      local cycles = assert(model:throughput(experiments[i]))
      assert.is_nil(answer.error)
      assert.is_true(answer.cycles > 0.99 * cycles)
      if answer.cycles < 1.01 * cycles then same = same + 1 end
    end
    assert.is_true(same >= 50, same .. " of 60")
  end)
end)

describe("llvm-mca's predictions", function()
  with("19", "answer every block, bad ones with their fault", function()
    local function code(words) return { text = words } end
    for _, steady in ipairs { true, false } do
      local p = assert(llvm_mca.open { version = "19", cpu = "skylake", steady = steady })
      local answers = p:predict {
        code "imul rax, rbx", "\x48\x0f\xaf\xc3", code "foo rax", code "l: dec rax\njnz l", code "l: dec rax\njnz l", code "",
        code ".rept 3\nnop", { bytes = "\x06" }, code "vaddpd zmm0, zmm1, zmm2", code "nop\n# LLVM-MCA-END",
        code "imul rax, rbx; imul rcx, rdx\n\nimul rsi, rdi",
      }
      local cycles, errors, unsupported = {}, {}, {}
      for i, answer in ipairs(answers) do
        cycles[i], errors[i], unsupported[i] = math.floor(answer.cycles or 0), answer.error or "", answer.unsupported or false
        assert.is_nil(answer.crash)
      end
      assert.same({ 3, 3, 0, 1, 1, 0, 0, 0, 0, 0, 3 }, cycles)
      assert.same({ true, true, true }, { unsupported[3], unsupported[8], unsupported[9] })
      assert.equal(steady and 3 or 3.05, answers[11].cycles)
      for i, words in pairs { [3] = "mnemonic 'foo'", [7] = "endr", [8] = "no instruction", [9] = "lacks it", [10] = "region" } do
        assert.matches(words, errors[i])
      end
      assert.matches("no assembly", errors[6])
      assert.same({}, p:predict {})
    end
  end)

  with("19", "give up on a block that never ends, and only on that", function()
    local p = assert(llvm_mca.open { version = "19", cpu = "sapphirerapids", seconds = 0.5 })
    local answers = p:predict { { text = "imul rax, rbx" }, { text = "vdpps xmm1, xmm2, xmm3, 43" } }
    assert.equal(3.03, answers[1].cycles)
    assert.is_true(answers[2].crash)
    assert.matches("did not end", answers[2].error)
  end)

  with("19", "are per experiment, without dependencies", function()
    local p = assert(llvm_mca.open { version = "19", cpu = "skylake" })
    local answers = p:throughput { { ["imul r64, r64"] = 2, ["add r64, r64"] = 1 }, { ["no such"] = 1 }, { ["vfmadd231pd ymm, ymm, ymm"] = 1 } }
    assert.is_true(math.abs(answers[1].cycles - 2) < 0.01)
    assert.is_string(answers[2].error)
    assert.is_true(math.abs(answers[3].cycles - 0.5) < 0.1) -- latency 4: one chain would take 4
  end)
end)

describe("predictors' names", function()
  with("19", "say what they lack", function()
    for name, words in pairs {
      ["llvm-mca-19:no-such"] = "does not know the processor 'no%-such'",
      ["llvm-mca-3:skylake"] = "llvm%-mca%-3 is not installed; install the package llvm%-3; there are llvm%-mca%-",
      ["llvm-mca-19:"] = "no predictor", ["llvm-mca-19:skylake#no-such"] = "no instruction set", ["llvm-mca-19:i386"] = "scheduling information",
    } do
      local m, message = named.mapping(name)
      assert.is_nil(m)
      assert.matches(words, message)
    end
  end)

  with("19", "are mappings on the command line, kept once they are made", function()
    process.in_directory(function(directory)
      local set = directory .. "/set.lua"
      local file = assert(io.open(set, "w"))
      file:write 'return { { name = "few", schemes = { "imul r64, r64", "add r64, r64" } } }'
      file:close()
      local function portolan(...)
        return process.run { args = { process.portolan, ... }, env = { XDG_CACHE_HOME = directory } }
      end
      local name = "llvm-mca-19:skylake#" .. set
      local r = portolan("predict", "--mapping", name, "2*imul r64, r64")
      assert.equal(0, r.status, r.err)
      assert.matches("2.000 cycles per experiment", r.out)
      local kept = io.popen("ls " .. directory .. "/portolan/mappings"):read "a"
      assert.matches("^llvm%-mca%-19%-skylake%-%x+.json\n$", kept)
      local path = directory .. "/portolan/mappings/" .. kept:match "%S+"
      local m = assert(mapping.load(path))
      assert.equal("llvm-mca", m.provenance.source)
      m.schemes["imul r64, r64"].uops[1][2] = 5
      assert(mapping.save(m, path))
      assert.matches("10.000 cycles", portolan("predict", "--mapping", name, "2*imul r64, r64").out) -- it is read, not made anew
      os.execute("echo nonsense >" .. path)
      assert.matches("2.000 cycles", portolan("predict", "--mapping", name, "2*imul r64, r64").out)
      r = portolan("export", "llvm-mca-19:no-such", "--to", "json")
      assert.equal(2, r.status)
      assert.matches("^portolan export: llvm%-mca does not know[^\n]+\n$", r.err)
    end)
  end)
end)
