-- The chains behind latencies, measured again: which verdicts they get.
local chain = require "portolan.experiment.chain"
local recheck_latencies = require "portolan.infer.recheck_latencies"

local first, second = "add r64, r64 [2 > 1]", "add r64, r64 [2 > 1] -> imul r64, r64 [2 > 1]"

local function mapping_of(cycles_of_first, cycles_of_second)
  return { schemes = { ["add r64, r64"] = { latencies = { { from = "2", to = "1", cycles = 1,
    witnesses = { { chain = first, cycles = cycles_of_first }, { chain = second, cycles = cycles_of_second } } } } },
    ["imul r64, r64"] = { latencies = { { from = "2", to = "1", cycles = 3, witnesses = { { chain = second, cycles = cycles_of_second } } } } } } }
end

-- A processor that gives each chain these results, one after the other, and keeps the last.
local function processor_of(results)
  local asked = {}
  return { asked = asked, measure_chains = function(_, list, options)
    local answers = {}
    for i, links in ipairs(list) do
      local text = chain.format(links)
      asked[#asked + 1] = text .. (options.again and " again" or "")
      answers[i] = #results[text] > 1 and table.remove(results[text], 1) or results[text][1]
    end
    return answers
  end }
end

local function ok(cycles) return { status = "ok", cycles = cycles } end

local function run(m, processor)
  local schemes = { { scheme = "add r64, r64" }, { scheme = "imul r64, r64" } }
  local count, message = recheck_latencies.run(processor, m, schemes, {})
  local verdicts = {}
  for i, scheme in ipairs(schemes) do
    verdicts[i] = {}
    for k, claim in ipairs(scheme.chains or {}) do verdicts[i][k] = claim.verdict end
  end
  return verdicts, count, schemes, message
end

describe("chains of latencies, measured again", function()
  it("are confirmed by about the same time, and measured once each", function()
    local p = processor_of { [first] = { ok(1.01) }, [second] = { ok(4.02) } }
    local verdicts, count = run(mapping_of(1, 4), p)
    assert.same({ { "confirmed", "confirmed" }, { "confirmed" } }, verdicts)
    assert.equal(2, count)
    assert.same({ first, second }, p.asked)
  end)

  it("are not, if a second reading differs by a cycle as well", function()
    local p = processor_of { [first] = { ok(2), ok(1) }, [second] = { ok(5) } }
    local verdicts, _, schemes = run(mapping_of(1, 4), p)
    assert.same({ { "confirmed", "not confirmed" }, { "not confirmed" } }, verdicts)
    assert.equal("slower than recorded", schemes[2].chains[1].why)
    assert.same({ first, second, first .. " again", second .. " again" }, p.asked)
  end)

  it("that take now more, now less, are confirmed if that includes what was recorded", function()
    local function varies(low, high) return { status = "unstable", unsteady = true, range = { low = low, high = high } } end
    local verdicts, _, schemes = run(mapping_of(2.75, 4), processor_of { [first] = { varies(2.6, 2.8) }, [second] = { varies(5, 6) } })
    assert.same({ { "confirmed", "not confirmed" }, { "not confirmed" } }, verdicts)
    assert.same({ 2.75, 5 }, { schemes[1].chains[1].now, schemes[2].chains[1].now })
  end)

  it("say why there is no time", function()
    local verdicts, _, schemes = run(mapping_of(1, 4), processor_of { [first] = { { status = "unstable" } },
      [second] = { { status = "unsupported", message = "not here" } } })
    assert.same({ { "could not be measured", "could not be measured" }, { "could not be measured" } }, verdicts)
    assert.same({ "unstable", "not here" }, { schemes[1].chains[1].why, schemes[2].chains[1].why })
  end)

  it("are left alone where the processor measures none", function()
    local verdicts, count = run(mapping_of(1, 4), {})
    assert.same({ { {}, {} }, 0 }, { verdicts, count })
    local _, _, _, message = run(mapping_of(1, 4), { measure_chains = function() return nil, "gone" end })
    assert.equal("gone", message)
  end)
end)
