-- Properties of measurements that hold on any AArch64 processor, with wide margins; and, in an emulator as well, what becomes of code. Elsewhere
-- the tests are skipped.
local chain = require "portolan.experiment.chain"
local core = require "portolan.core"
local hardware = require "portolan.processor.hardware"

local function here()
  if core.bench.architecture ~= "aarch64" then pending "this is no AArch64 processor" end
end

-- A test that is skipped where the processor cannot be calibrated.
local function on_hardware(f)
  return function()
    here()
    local p, message = hardware.open { patience = 6 }
    if not p then pending("this machine cannot be measured on: " .. message) end
    f(p)
    p:close()
  end
end

-- A test of statuses: on the noisiest machine, too.
local function with_code(f)
  return function()
    here()
    local p = assert(hardware.open { uncalibrated = true, patience = 1 })
    f(p)
    p:close()
  end
end

local function cycles(p, list)
  local out = {}
  for i, result in ipairs(assert(p:measure(list))) do
    if result.status == "unstable" then pending "this machine is too noisy: unstable" end
    assert.equal("ok", result.status)
    out[i] = result.cycles
  end
  return out
end

local function bytes(text) return assert(core.isa.assemble(text, "aarch64")).bytes end

describe("code on an AArch64 processor", function()
  it("gets its status", with_code(function(p)
    local emulated = p.session:describe().layers.emulator
    local cases = {
      { "\0\0\0\0", "illegal instruction" }, -- udf
      { "\0\0\x20\xd4", "trap" }, -- brk
      { bytes "ldr x1, [x0]", "memory fault" }, -- a small number
      { bytes "str x1, [x0]", "memory fault" },
      { "\xc0\x03\x5f\xd6", "memory fault" }, -- ret to nowhere
      { "\3\0\0\x14", "derailed" }, -- over the end of the loop
      { bytes "movz x8, 94\nmovz x0, 0" .. "\1\0\0\xd4", "system call" }, -- exit_group
      { bytes "udiv x1, x2, xzr", "unstable" }, -- no fault, and uncalibrated there is no rate
      { bytes "str x1, [x28]\nldr x2, [x28, 8]\nstp x3, x4, [sp, -16]\nfmla v4.4s, v1.4s, v2.4s", "unstable" },
    }
    if not emulated then cases[#cases + 1] = { bytes "movz x8, 172" .. "\1\0\0\xd4", "system call" } end -- getpid
    local blocks = {}
    for i, case in ipairs(cases) do blocks[i] = { { bytes = case[1], copies = 1, vector_bits = 128 } } end
    for i, result in ipairs(assert(p:measure_code(blocks))) do
      assert.equal(cases[i][2], result.status, "case " .. i)
      assert.is_nil(result.cycles)
    end
  end))

  it("of schemes runs in all variants, and has no rate without a calibration", with_code(function(p)
    local list = { { ["add x, x, x"] = 2, ["madd x, x, x, x"] = 1 }, { ["ldr q, [x, imm12]"] = 1 },
      { ["str x, [x, imm12]"] = 1, ["fmla v.4s, v.4s, v.4s"] = 2 }, { ["no such scheme"] = 1 } }
    local results = assert(p:measure(list))
    for i = 1, 3 do assert.same({ "unstable", nil }, { results[i].status, results[i].cycles }) end
    assert.equal("unsupported", results[4].status)
  end))

  it("of schemes whose bases move runs, and finds its memory in every iteration", with_code(function(p)
    local list = { { ["ldr x, [x], imm9"] = 1 }, { ["stp q, q, [x, imm7]!"] = 3 }, { ["ld1 {v.4s}, [x], 16"] = 1 },
      { ["st4 {v.16b, v.16b, v.16b, v.16b}, [x], 64"] = 2, ["add x, x, x"] = 1 }, { ["ld1 {v.4s}, [x], x"] = 1, ["movk x, imm16, lsl imm2"] = 4 },
      { ["adcs x, x, x"] = 1, ["ccmp x, x, imm4, cond"] = 1 } }
    for _, result in ipairs(assert(p:measure(list))) do assert.equal("unstable", result.status) end -- and no fault
  end))

  it("of chains runs, too: through registers, flags, memory, and addresses that lead to it", with_code(function(p)
    local chains = {}
    local to_base = " -> and x, x, x [2 > 1] -> orr x, x, x [2 > 1]"
    for i, text in ipairs { "madd x, x, x, x [2 > 1] -> add x, x, x [2 > 1]", "ldr x, [x, imm12] [2.base > 1]",
      "adds x, x, x [2 > c] -> csel x, x, x, cond [c > 1]", "ldr x, [x, x, lsl imm] [2.index > 1] -> and x, x, x [2 > 1]",
      "ldr x, [x, imm9]! [2.base > 1]", "ldr w, [x], imm9 [2.base > 1]" .. to_base, "stp x, x, [x, imm7]! [3.base > 3.base]" .. to_base,
      "ld1 {v.4s}, [x], x [3 > 2.base] -> and x, x, x [2 > 1]", "str x, [x], imm9 [1 > 2] -> ldur x, [x, imm9] [2 > 1]" } do
      chains[i] = assert(chain.parse(text))
    end
    for _, result in ipairs(assert(p:measure_chains(chains))) do assert.equal("unstable", result.status) end -- and no fault
  end))

  it("is asked with NOPs of A64, and by no probe that is written for x86-64", with_code(function(p)
    assert.same({ "hint imm7" }, (p:fillers()))
    assert.is_false(p.measure_bodies)
    local none, why = p:measure_blocks { "\0\0\0\0" }
    assert.is_nil(none)
    assert.matches("x86-64 only", why, 1, true)
  end))
end)

describe("an emulated processor", function()
  it("is not measured", with_code(function(p)
    if not p.session:describe().layers.emulator then pending "this is no emulator" end
    local none, why = hardware.open { patience = 1 }
    assert.is_nil(none)
    assert.matches("emulated", why)
  end))
end)

describe("measurements on an AArch64 processor", function()
  it("have evidence, and samples that fit the clock", on_hardware(function(p)
    local r = assert(p:measure { { ["madd w, w, w, w"] = 1 } })[1]
    if r.status ~= "ok" then pending("this machine is too noisy: " .. r.status) end
    assert.is_true(r.n >= 7 and r.spread < 0.03)
    assert.is_true(r.frequency > 3e8 and r.frequency < 1e10)
    local d = p.session:describe()
    assert.equal(core.bench.coarseness(d.tsc_hz, d.tsc_granularity), d.coarseness)
    assert.is_true(d.long_cycles >= 1000 * d.coarseness)
  end))

  it("add up what runs on one port, and not what does not", on_hardware(function(p)
    local add, mul = "add x, x, x", "madd w, w, w, w"
    local t = cycles(p, { { [mul] = 1 }, { [mul] = 2 }, { [add] = 1 }, { [add] = 3 }, { [add] = 2, [mul] = 1 } })
    assert.near(2, t[2] / t[1], 0.1)
    assert.near(3, t[4] / t[3], 0.2)
    assert.is_true(t[5] < t[1] + 2 * t[3] + 0.1)
  end))

  it("count issue slots, and find chains", on_hardware(function(p)
    local width, message = p:issue_width()
    if not width then pending("this machine is too noisy: " .. message) end
    assert.is_true(width > 0.9 and width < 17)
    local latency = assert(p:chain_latency { "add x, x, x", "madd w, w, w, w", "str x, [x, imm12]" })
    assert.is_false(latency[3])
    if latency[1] then assert.near(1, latency[1], 0.1) end
  end))
end)
