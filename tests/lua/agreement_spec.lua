-- The stage "agreement": what a claim rests on is measured again.
local agreement = require "portolan.infer.chart.stages.agreement"

-- A survey of one scheme with one proof; what measuring again gives, reading by reading.
local function survey(proof, readings)
  local facts = { s = { status = "explained", proofs = { proof } } }
  return { order = { "s" }, facts = facts, stage = function() end,
    measure = function(_, list)
      local results = {}
      for i in ipairs(list) do results[i] = { status = "ok", cycles = table.remove(readings, 1) } end
      return results
    end,
    settle = function(_, name, status) facts[name].status = status end }
end

local function status_after(proof, readings)
  proof.e = { s = 1 }
  local s = survey(proof, readings)
  agreement(s)
  return s.facts.s.status, #readings
end

describe("agreement", function()
  it("takes one more reading that is alike", function()
    assert.equal("explained", status_after({ cycles = 1, expected = 1, tolerance = 0.03 }, { 1.02, 9 }))
  end)

  it("takes a third one where two differ, and gives up a claim where that differs, too", function()
    assert.equal("explained", status_after({ cycles = 1, expected = 1, tolerance = 0.03 }, { 1.2, 0.99 }))
    assert.equal("unstable", status_after({ cycles = 1, expected = 1, tolerance = 0.03 }, { 1.2, 1.2 }))
    assert.equal("unstable", status_after({ cycles = 1, expected = 1, tolerance = 0.03 }, { 0.9, 0.9 }))
  end)

  it("lets code have two rates, of which the fast one is what the claim says", function()
    assert.equal("explained", status_after({ cycles = 1, expected = 1, tolerance = 0.03 }, { 1.04, 1.04 }))
    assert.equal("explained", status_after({ cycles = 1.04, expected = 1, tolerance = 0.03 }, { 1, 1 }))
    assert.equal("unstable", status_after({ cycles = 1.04, expected = 1.04, tolerance = 0.03 }, { 1, 1 }))
    assert.equal("unstable", status_after({ cycles = 1, expected = nil, tolerance = 0.03 }, { 1.04, 1.04 }))
  end)
end)
