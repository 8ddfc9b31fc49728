-- llvm-mca of AArch64 processors: which architecture a name is of, blocks, and models as mappings.
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local llvm_mca = require "portolan.predictor.llvm_mca"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local program = require "portolan.predictor.machinery.program"
local runs = require "portolan.predictor.llvm_mca.runs"

local path = program.find "llvm-mca-19"
local test = path and it or pending

describe("the text for llvm-mca", function()
  it("has as many lines for each architecture", function()
    local x86, lines = runs.source({ "nop", "nop\nnop" }, "x86_64")
    local a64, others = runs.source({ "nop", "nop\nnop" }, "aarch64")
    assert.equal(lines, others)
    assert.matches("intel_syntax", x86, 1, true)
    assert.is_nil(a64:find("intel_syntax", 1, true))
    assert.equal(lines, #runs.regions_of_lines { "nop", "nop\nnop" })
  end)
end)

describe("llvm-mca of an AArch64 processor", function()
  test("is found by the processor's name", function()
    for cpu, width in pairs { ["cortex-a72"] = 3, ["neoverse-n1"] = 8, ["neoverse-v2"] = 16, ["apple-m1"] = 6 } do
      local p = assert(llvm_mca.open { version = "19", cpu = cpu })
      assert.equal("aarch64", p.architecture)
      assert.equal(width, p.width)
    end
    assert.equal("x86_64", assert(llvm_mca.open { version = "19", cpu = "skylake" }).architecture)
    assert.is_true(llvm_program.knows(path, "aarch64", "cortex-a72"))
    assert.is_false(llvm_program.knows(path, "x86_64", "cortex-a72"))
    local none, message = llvm_mca.open { version = "19", cpu = "no-such-core" }
    assert.is_nil(none)
    assert.matches("does not know the processor 'no-such-core'", message, 1, true)
  end)

  test("predicts what the command line does", function()
    local p = assert(llvm_mca.open { version = "19", cpu = "cortex-a72", steady = true })
    local answers = p:predict { { text = "add x0, x1, #3" }, { text = "fmla v0.4s, v1.4s, v2.4s" }, { text = "add rax, rbx" }, { text = "add x1" } }
    assert.near(0.5, answers[1].cycles, 1e-9) -- two pipes for integers
    assert.near(4, answers[2].cycles, 1e-9) -- the sum waits for itself, of 10 cycles for the last 4: it comes late
    assert.matches("llvm-mca cannot read it: ", answers[3].error, 1, true)
    assert.is_true(answers[3].unsupported)
    assert.matches("too few operands", answers[4].error, 1, true)
  end)

  test("reads machine code as LLVM's own assembler writes it", function()
    local p = assert(llvm_mca.open { version = "19", cpu = "neoverse-n1" })
    local code = assert(core.isa.assemble("add x0, x1, x2; ldr q0, [x1, #16]; fadd v1.4s, v2.4s, v3.4s", "aarch64"))
    local bytes, text = p:predict { code.bytes }, p:predict { { text = "add x0, x1, x2\nldr q0, [x1, #16]\nfadd v1.4s, v2.4s, v3.4s" } }
    assert.is_number(bytes[1].cycles)
    assert.equal(text[1].cycles, bytes[1].cycles)
  end)

  test("gives its model as a mapping", function()
    local p = assert(llvm_mca.open { version = "19", cpu = "cortex-a72" })
    local names = { "add x, x, x", "madd x, x, x, x", "ldr x, [x, imm12]", "str q, [x, imm12]", "fadd v.4s, v.4s, v.4s", "fadd v.2s, v.2s, v.2s",
      "ldr x, [x], imm9" }
    local m = assert(p:mapping(names))
    local function key(name)
      local parts = {}
      for i, uop in ipairs(m.schemes[name].uops) do parts[i] = uop[2] .. "*" .. table.concat(uop[1], "/") end
      return table.concat(parts, " + ")
    end
    assert.equal("aarch64", m.processor.architecture)
    assert.equal("A57Unit", m.processor.model)
    assert.equal(3, m.rmax)
    assert.equal("1*I.0/I.1", key "add x, x, x")
    assert.equal("1*L", key "ldr x, [x, imm12]")
    assert.equal("1*I.0/I.1 + 1*L", key "ldr x, [x], imm9")
    assert.equal("2*W/X", key "fadd v.4s, v.4s, v.4s") -- of 64 bits each
    assert.equal("1*W/X", key "fadd v.2s, v.2s, v.2s")
    for _, name in ipairs(names) do assert.equal("aarch64", isa.scheme(name).architecture) end
  end)
end)
