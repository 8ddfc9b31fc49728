-- The set beside which the instructions of a loop are charted: is it enough, on cores that are not the one it was made on?
local cores = require "cores.all"
local judge = require "cores.judge"
local lists = require "portolan.support.lists"
local on_demand = require "portolan.loop.on_demand"
local program = require "portolan.predictor.machinery.program"
local scheme_set = require "portolan.scheme.set"
local simulated = require "portolan.processor.simulated"

-- Of a loop.
local asked = { "vaddsd xmm, xmm, xmm", "vfmadd231ps ymm, ymm, m256", "sub r64, imm8", "xor r32, m32", "vmovups ymm, m256", "vmovups m256, ymm",
  "vaddpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm", "vpshufd ymm, ymm, imm8", "vpaddd ymm, ymm, ymm" }

-- What a chart of base and loop says of a core, judged, and the number of its schemes.
local function charted(core)
  local m, set = cores[core](true), assert(on_demand.set("base", asked))
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
      local j, count = charted(core)
      assert.equal(0, j.wrong, table.concat(j.texts, "\n"))
      assert.same({}, j.invented)
      assert.is_true(count > 40 and j.right >= 0.95 * count, table.concat(j.texts, "\n"))
    end)
  end
end)

describe("the set beside which a loop is charted", function()
  it("is one of its own for legacy SSE, and for vectors of 64 bytes", function()
    for base, names in pairs {
      base = { "add r64, r64", "vaddpd ymm, ymm, m256" },
      ["base-512"] = { "vaddsd xmm, xmm, xmm", "vmovupd m512, zmm" },
      ["base-sse"] = { "vmovupd m512, zmm", "addsd xmm, xmm" },
    } do
      assert.equal(base, on_demand.base(names))
    end
    assert.equal("base", on_demand.base {})
  end)

  it("has no load and no vector that is narrower, beside vectors of 64 bytes", function()
    for _, name in ipairs(scheme_set.names(assert(scheme_set.load "base-512"))) do
      assert.is_nil(name:match "[xy]mm", name)
      assert.equal(name:match ", (m%d+)" and "m512", name:match ", (m%d+)", name)
    end
  end)
end)
