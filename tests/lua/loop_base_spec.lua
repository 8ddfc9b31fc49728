-- The set beside which the instructions of a loop are charted: is it enough, on cores that are not the one it was made on?
local cores = require "cores.all"
local judge = require "cores.judge"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local on_demand = require "portolan.loop.on_demand"
local program = require "portolan.predictor.machinery.program"
local scheme_set = require "portolan.scheme.set"
local simulated = require "portolan.processor.simulated"

-- Of a loop.
local asked = { "vaddsd xmm, xmm, xmm", "vfmadd231ps ymm, ymm, m256", "sub r64, imm8", "xor r32, m32", "vmovups ymm, m256", "vmovups m256, ymm",
  "vaddpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm", "vpshufd ymm, ymm, imm8", "vpaddd ymm, ymm, ymm" }

local asked_512 = { "vaddsd xmm, xmm, xmm", "vfmadd231ps zmm, zmm, m512", "sub r64, imm8", "vmovupd zmm, m512", "vmovupd m512, zmm",
  "vmulps zmm, zmm, zmm", "vunpcklps zmm, zmm, zmm", "vpaddq zmm, zmm, m512", "vextractf64x4 ymm, zmm, imm8", "vaddpd xmm, xmm, xmm" }

-- What a chart of base and loop says of a core, judged, and the number of its schemes.
local function charted(m, base, names_asked)
  local set = assert(on_demand.set(base, names_asked))
  for _, group in ipairs(set) do
    group.schemes = lists.where(group.schemes, function(name) return m.schemes[name] and m.schemes[name].uops end)
  end
  local processor = assert(simulated.new { mapping = m, seed = 1, binder = "pending",
    noise = { kind = "gaussian", width = 0.01, unit = "relative" } })
  local names = scheme_set.names(set)
  return judge(on_demand.chart(processor, set, { budget = 600 }).mapping, m, names), #names
end

describe("the base of a loop's chart", function()
  for _, core in ipairs { "gracemont", "glc", "skylake", "zen4" } do
    it("is enough on a simulated " .. core, function()
      if core ~= "gracemont" and not program.find "llvm-mca-19" then pending "llvm-mca-19, whose model it is made of, is not installed" end
      local j, count = charted(cores[core](true), "base", asked)
      assert.equal(0, j.wrong, table.concat(j.texts, "\n"))
      assert.same({}, j.invented)
      assert.is_true(count > 40 and j.right >= 0.95 * count, table.concat(j.texts, "\n"))
    end)
  end

  it("is enough for vectors of 64 bytes on a simulated Zen 5, which loads narrower ones no slower beside them", function()
    local m = { format = "portolan-mapping", version = 1, schemes = {} }
    local zen5 = assert(mapping.load "core:zen5")
    m.rmax, m.ports = zen5.rmax, zen5.ports
    for name, scheme in pairs(zen5.schemes) do
      local status = #(scheme.uops or {}) > 0 and "explained" or scheme.status
      if scheme.uops then m.schemes[name] = { uops = scheme.uops, slots = scheme.slots, status = status } end
    end
    local j, count = charted(m, "base-512", asked_512)
    assert.equal(0, j.wrong, table.concat(j.texts, "\n"))
    assert.same({}, j.invented)
    assert.is_true(count > 40 and j.right >= 0.9 * count, table.concat(j.texts, "\n")) -- stores of 64 bytes are contradicting there
  end)
end)

describe("the set beside which a loop is charted", function()
  it("is one of its own for legacy SSE, and for vectors of 64 bytes", function()
    for base, names in pairs {
      base = { "add r64, r64", "vaddpd ymm, ymm, m256" },
      ["base-512"] = { "vaddsd xmm, xmm, xmm", "vmovupd m512, zmm", "vmovupd zmm, m512" },
      ["base-sse"] = { "vmovupd m512, zmm", "no such scheme", "addsd xmm, xmm" },
    } do
      assert.equal(base, on_demand.base(names))
    end
    assert.equal("base", on_demand.base {})
    assert.equal("base-512", on_demand.base { "no such scheme", "vfpclasspd k, m512, imm8 {evex}" })
    assert.equal("base", on_demand.base { "vaddpd zmm, zmm, zmm", "mov r64, m64" }) -- of a file with other loops, too
  end)

  it("has a load by which models of code know the ports of loads", function()
    for _, base in ipairs { "base", "base-512", "base-sse" } do
      local there = lists.set(scheme_set.names(assert(scheme_set.load(base))))
      assert.is_true(lists.any(landmarks.of("x86_64").loads, function(name) return there[name] end), base)
    end
  end)

  it("has no load and no vector that is narrower, beside vectors of 64 bytes", function()
    for _, name in ipairs(scheme_set.names(assert(scheme_set.load "base-512"))) do
      assert.is_nil(name:match "[xy]mm", name)
      assert.equal(name:match ", (m%d+)" and "m512", name:match ", (m%d+)", name)
    end
  end)
end)
