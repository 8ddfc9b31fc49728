-- A64's schemes as Lua sees them: counts, checks, second decoders, text.
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local isa_check = require "portolan.experiment.isa_check"
local llvm_opinion = require "portolan.predictor.machinery.llvm_opinion"
local llvm_program = require "portolan.predictor.machinery.llvm_program"

local schemes = assert(isa.schemes { architecture = "aarch64" })
local usable, excluded = isa.usable(schemes, assert(isa.exclusions(nil, nil, "aarch64")))

local function words(text)
  local code = assert(core.isa.assemble(text, "aarch64"))
  return (code.bytes:gsub("....", function(word) return ("%08x "):format((string.unpack("<I4", word))) end):gsub(" $", ""))
end

-- The message for text that cannot be assembled.
local function refusal(text)
  local code, message = core.isa.assemble(text, "aarch64")
  assert.is_nil(code, text)
  return message
end

describe("A64", function()
  it("has the schemes of Armv8.0-A", function()
    assert.is_true(#schemes >= 1800)
    assert.equal(#schemes, #usable + #excluded)
    for _, scheme in ipairs(schemes) do assert.equal("aarch64", scheme.architecture) end
  end)

  it("encodes and decodes all, and Capstone's other names are explained", function()
    local check = assert(isa_check.run(schemes))
    assert.same({}, check.failures)
    assert.same({}, check.unexplained)
    assert.equal(#schemes, check.schemes)
  end)

  it("allocates operands for all that make sense to measure", function()
    local check = assert(isa_check.allocation(usable))
    assert.same({}, check.failures)
    assert.is_true(check.instances > 10 * #usable)
  end)

  it("is read by LLVM in the same way", function()
    if not llvm_program.installed("llvm-mc")[1] then return pending "llvm-mc is not installed" end
    local opinion = assert(llvm_opinion.of(schemes))
    local check = isa_check.llvm(opinion, "aarch64")
    assert.same({}, check.unexplained)
    assert.is_true(check.agreements >= #schemes - 10)
  end)

  it("has a reason for everything that is left out", function()
    local reasons = {}
    for _, one in ipairs(excluded) do reasons[one.scheme and one.scheme.name or one.name] = one.reason end
    assert.equal("control flow", reasons["ret x"])
    assert.equal("exclusive access", reasons["ldxr x, [x]"])
    assert.equal("exception", reasons["svc imm16"])
    assert.equal("system or memory system", reasons["sys imm3, imm4, imm4, imm3, x"])
    assert.equal("moves its base register", reasons["ldr x, [x], imm9"])
    assert.equal("moves its base register", reasons["stp x, x, [x, imm7]!"])
    assert.equal("each instance waits for the one before", reasons["adcs x, x, x"])
    assert.is_nil(reasons["hint imm7"])
    assert.is_nil(reasons["csel x, x, x, cond"])
  end)

  it("has operands one by one", function()
    local scheme = assert(isa.scheme "fmla v.4s, v.4s, v.s[imm]")
    local kinds = {}
    for k, operand in ipairs(scheme.operands) do kinds[k] = operand.kind .. " " .. operand.access end
    assert.same({ "register rw", "register r", "register r", "immediate " }, kinds)
    assert.same({ "n", "z", "c", "v" }, assert(isa.scheme "subs x, x, x").flags_written)
    assert.same({ "c" }, assert(isa.scheme "adc x, x, x").flags_read)
  end)
end)

describe("assembler text of A64", function()
  -- as GNU's and LLVM's assemblers have them
  for text, expected in pairs {
    ["nop; ret"] = "d503201f d65f03c0",
    ["mov x0, x1; mov w2, wzr; mov sp, x3; mov x4, sp"] = "aa0103e0 2a1f03e2 9100007f 910003e4",
    ["mov x0, #0x12340000; mov w1, #-1; mov x2, #0xff00ff00ff00ff"] = "d2a24680 12800001 b2009fe2",
    ["cmp x1, #5; cmn w2, w3; tst x4, #0xff; tst w5, w6, lsl #2"] = "f100143f 2b03005f f2401c9f 6a0608bf",
    ["lsl x0, x1, #3; lsr w2, w3, #31; asr x4, x5, x6; ror x7, x8, #9"] = "d37df020 531f7c62 9ac628a4 93c82507",
    ["sxtw x0, w1; uxtb w2, w3; ubfx x4, x5, #6, #7; bfi w8, w9, #10, #11"] = "93407c20 53001c62 d34630a4 33162928",
    ["cset x0, eq; cinc w1, w2, lt; csetm x3, hs; cneg x4, x5, ne"] = "9a9f17e0 1a82a441 da9f33e3 da8504a4",
    ["mul x0, x1, x2; mneg w3, w4, w5; smull x6, w7, w8; umulh x9, x10, x11"] = "9b027c20 1b05fc83 9b287ce6 9bcb7d49",
    ["neg x0, x1, lsl #2; mvn w2, w3; ngc x4, x5"] = "cb010be0 2a2303e2 da0503e4",
    ["mov v0.16b, v1.16b; mov v2.s[1], w3; mov w4, v5.s[2]; mov s6, v7.s[3]"] = "4ea11c20 4e0c1c62 0e143ca4 5e1c04e6",
    ["fmov d0, #1.0; fmov v1.4s, #-2.5; fcmp s2, #0.0; movi v3.2d, #0xff00ff00ff00ff00"] = "1e6e1000 4f04f481 1e202048 6f05e543",
    ["sxtl v0.8h, v1.8b; uxtl2 v2.4s, v3.8h; mvn v4.8b, v5.8b"] = "0f08a420 6f10a462 2e2058a4",
    ["ldr x0, [x1]; ldr w2, [sp, #8]; ldr x3, [x4, #-8]; str q5, [x6, x7, lsl #4]"] = "f9400020 b9400be2 f85f8083 3ca778c5",
    ["ldr x0, [x1], #8; stp x29, x30, [sp, #-16]!; ldp d0, d1, [x2]"] = "f8408420 a9bf7bfd 6d400440",
    ["ld1 {v0.4s, v1.4s}, [x2], #32; st1 {v3.s}[2], [x4]; ld3r {v5.8b, v6.8b, v7.8b}, [x8], x9"] = "4cdfa840 4d008083 0dc9e105",
    ["add x0, sp, x1; add sp, sp, #16; sub x2, x3, w4, uxtb #2; add x5, x6, x7, lsl #0"] = "8b2163e0 910043ff cb240862 8b0700c5",
    ["l1: subs x0, x0, 1; b.ne l1; b.hs .L2; .L2: ret"] = "f1000400 54ffffe1 54000022 d65f03c0",
    ["top: cbz w0, end\n tbnz x1, #40, top // comment\n# another\nend: b top"] = "34000040 b747ffe1 17fffffe",
    ["add x0, x1, #4096; sub w2, w3, #-3; cmp x4, #-1; cmn x5, #0x3000; add sp, sp, #-4096"] =
      "91400420 11000c62 b100049f b1400cbf d14007ff",
    ["ADD X0, X1, #1"] = "91000420",
    [""] = "",
  } do
    it("is machine code: " .. text:gsub("\n", "\\n"), function() assert.equal(expected, words(text)) end)
  end

  it("names the place of what is wrong", function()
    assert.truthy(refusal("nop\nfrob x0"):find("line 2, column 1", 1, true))
    assert.truthy(refusal("add x0, y1, x2"):find("line 1, column 9", 1, true))
    assert.truthy(refusal("add x0, x1, v2.4s"):find("form of 'add'", 1, true))
    assert.truthy(refusal("add x0, x1, #4097"):find("add", 1, true))
    assert.truthy(refusal("b nowhere"):find("nowhere", 1, true))
    assert.truthy(refusal("a: nop\na: nop"):find("twice", 1, true))
    assert.truthy(refusal("ldr x0, [w1]"):find("line 1", 1, true))
    assert.truthy(refusal(("x"):rep(200)):find("line 1", 1, true))
    assert.truthy(refusal("add " .. ("x0, "):rep(100)):find("line 1", 1, true))
    assert.truthy(refusal("add x0, x1,"):find("line 1", 1, true))
    assert.truthy(refusal("add x0, x1, #1\0#2"):find("line 1, column 15", 1, true))
    assert.truthy(refusal("tbz w0, #32, 0"):find("tbz", 1, true))
  end)

  it("says branches that are too far", function()
    assert.truthy(refusal("add x0, x1, #1\0#2"):find("line 1, column 15", 1, true))
    assert.truthy(refusal("tbz w0, #1, far\n" .. ("nop\n"):rep(8200) .. "far: nop"):find("far", 1, true))
  end)
end)
