-- Members of classes in the place of their representatives: how long the uops of classes take together.
local experiment = require "portolan.experiment"
local members = require "portolan.infer.chart.members"

local representative, waiting, like = "movd r32, xmm", "blendvpd xmm, xmm", "movmskpd r32, xmm"
local loads = "mov r32, m32"

-- A survey in which experiments take what `cycles` says of their texts; `asked`: their texts in the order of asking.
local function survey_of(cycles)
  local s = { rmax = 8, faster = {}, facts = {}, asked = {}, processor = {} }
  for name, alone in pairs { [representative] = 0.5, [waiting] = 0.5, [like] = 0.5, [loads] = 0.25 } do
    s.facts[name] = { single = { cycles = alone }, memory = { reads = name == loads }, slots = 1, issued = 1 }
  end
  function s.processor.avoids(_, name) return name == waiting and "waits" or nil end
  function s:measure(list)
    local results = {}
    for i, e in ipairs(list) do
      local text = experiment.key(e)
      self.asked[#self.asked + 1] = text
      results[i] = cycles[text] and { status = "ok", cycles = cycles[text] } or { status = "unstable" }
    end
    return results
  end
  return s
end

local classes = { { representative = representative, members = { representative, waiting, like } },
  { representative = loads, members = { loads } } }
local pair, with_waiting = { [loads] = 4, [representative] = 2 }, { [loads] = 4, [waiting] = 2 }

local function measured(slow, fast)
  local s = survey_of { [experiment.key(pair)] = slow, [experiment.key(with_waiting)] = fast }
  return members.measure(s, classes, { pair })[1].cycles, s
end

describe("members of a class", function()
  it("that do something else are tried where its representative is slow, those too that may wait: the fastest counts", function()
    local cycles, s = measured(1.286, 1.001)
    assert.equal(1.001, cycles)
    assert.same(with_waiting, s.faster[experiment.key(pair)])
    assert.same({ experiment.key(pair), experiment.key(with_waiting) }, s.asked) -- not the one that does the same
  end)

  it("do not count where they are as slow, within noise, or cannot be measured", function()
    for _, fast in ipairs { 1.286, 1.27, 1.5, false } do
      local cycles, s = measured(1.286, fast or nil)
      assert.equal(1.286, cycles)
      assert.same({}, s.faster)
    end
  end)

  it("are not asked where the representative is as fast as can be", function()
    local cycles, s = measured(1.0, 0.9)
    assert.equal(1.0, cycles)
    assert.equal(1, #s.asked)
  end)

  it("that are fit come first", function()
    local s = survey_of {}
    s.facts[loads].slots = 3
    assert.same({ loads }, members.unlike(s, classes[1], { waiting, loads, representative }, 1))
    assert.same({ loads, waiting }, members.unlike(s, classes[1], { waiting, loads, representative }, 2))
  end)
end)
