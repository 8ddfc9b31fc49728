-- Words on noise, and when a chart says them.
local weather_watch = require "portolan.cli.weather_watch"
local words = require "portolan.machine.weather_words"

describe("words on the weather", function()
  it("say how it is and what to expect", function()
    assert.equal("quiet: 84 % of samples pass; measuring takes no longer than it must", words.verdict { clean = 0.84 })
    assert.equal("unsettled: 40 % of samples pass; measuring takes some 2 times as long as where it is quiet", words.verdict { clean = 0.4 })
    assert.equal("noisy: 8 % of samples pass; measuring takes some 10 times as long as where it is quiet", words.verdict { clean = 0.08 })
    assert.matches("^stormy: less than 1 %% of samples pass; ", words.verdict { clean = 0.001 })
    assert.matches("^stormy: 0 %% of samples pass; ", words.verdict { clean = 0 })
  end)

  it("advise nothing where it is quiet", function()
    assert.same({}, words.advice { clean = 0.9 })
    assert.is_false(words.is_noisy { clean = 0.3 })
    assert.is_true(words.is_noisy { clean = 0.1 })
  end)

  it("advise what would help", function()
    assert.matches("^Somebody else runs on the same core", words.advice({ clean = 0.1, shared = 0.6 })[1])
    assert.matches("^Close other programs", words.advice({ clean = 0.1, shared = 0.1 })[1])
    assert.matches("portolan doctor", words.advice({ clean = 0.1 })[1])
    assert.equal("Close other programs.", words.advice({ clean = 0.1, quietest = true })[1]) -- doctor says it
    assert.matches("longer %-%-budget gives it more time", words.advice({ clean = 0.1 })[2])
    assert.matches("no remedy", words.advice({ clean = 0.01 })[2])
    local by_length = { { cycles = 1000, share = 0.9 }, { cycles = 8000, share = 0.1 } }
    assert.matches("no remedy", words.advice({ clean = 0.1, length = 6000, by_length = by_length })[2])
    assert.matches("patience", words.advice({ clean = 0.1, length = 900, by_length = by_length })[2])
    assert.matches("^noisy: .* %(2 min left%)%. Close", words.warning({ clean = 0.1 }, "2 min left"))
  end)

  it("write shares by length as a line", function()
    assert.is_nil(words.windows(nil))
    assert.is_nil(words.windows {})
    assert.equal("1,000 cycles 98 %, 100,000 cycles less than 1 %",
      words.windows { { cycles = 1000, share = 0.98 }, { cycles = 100000, share = 0.001 } })
  end)
end)

describe("the watch on the weather", function()
  -- A watch, and a function that lets seconds go by with so many samples accepted and rejected.
  local function rig()
    local facts, time = { accepted = 0, rejected = 0 }, 0
    local watch = weather_watch.new(function() return facts end, function() return time end)
    return watch, function(seconds, accepted, rejected)
      time = time + seconds
      facts = facts and { accepted = facts.accepted + accepted, rejected = facts.rejected + rejected }
      return watch:look()
    end, function() facts = nil end
  end

  it("tells once, after a minute of noise", function()
    local watch, pass = rig()
    for _ = 1, 59 do assert.is_nil(pass(1, 5, 95)) end
    assert.is_true(watch.noisy)
    for _ = 1, 100 do assert.is_nil(pass(1, 95, 5)) end -- quiet does not count
    assert.is_false(watch.noisy)
    local facts = pass(1, 5, 95)
    assert.is_true(facts ~= nil and math.abs(facts.clean - 0.05) < 1e-9 and facts.waited == 60)
    for _ = 1, 100 do assert.is_nil(pass(1, 5, 95)) end
    assert.equal(260 * 100, watch.samples)
  end)

  it("waits while nothing was measured, or the processor cannot be asked", function()
    local _, pass, busy = rig()
    assert.is_nil(pass(100, 0, 0))
    busy()
    assert.is_nil(pass(100, 0, 0))
  end)

  it("has nothing to say of processors without noise", function()
    local watch = weather_watch.new(function() return {} end, os.time)
    assert.is_nil(watch:look())
    assert.is_nil(watch.samples)
  end)
end)
