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
