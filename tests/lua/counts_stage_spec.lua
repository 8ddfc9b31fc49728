-- Issue slots of a set: what relatives let expect, and what they say of a core that issues whole groups.
local counts = require "portolan.infer.chart.stages.counts"
local lists = require "portolan.support.lists"
local survey = require "portolan.infer.chart.survey"

-- Slots of schemes by a core of eight a cycle; the facts of all, and what each was expected to have.
local function counted(slots)
  local expected, names = {}, lists.keys(slots)
  local processor = { name = "a table" }
  function processor:issue_width() return self and 8 end
  function processor:issue_slots(list)
    assert.is_table(self)
    for _, entry in ipairs(list) do expected[entry.name] = entry.expected or false end
    return lists.map(list, function(entry) return slots[entry.name] end)
  end
  local s = survey.new(processor, { { name = "All", schemes = names } }, { seed = 1 })
  s.noise = 0
  for _, name in ipairs(names) do s.facts[name].single = { cycles = slots[name] / 4, status = "ok" } end
  counts(s)
  return s.facts, expected
end

describe("issue slots", function()
  it("are expected of the relatives of schemes that were counted, and of no others", function()
    local _, expected = counted { ["add r32, r32"] = 1, ["add r64, r64"] = 1, ["sub r64, r64"] = 1, ["adc r64, r64"] = 2, ["add r64, m64"] = 1 }
    assert.same({ ["adc r64, r64"] = false, ["add r32, r32"] = false, ["add r64, m64"] = false, ["add r64, r64"] = 1,
      ["sub r64, r64"] = 1 }, expected)
  end)

  it("bound uops from above only where whole groups are issued", function()
    local few = { ["add r64, r64"] = 1, ["imul r64, r64"] = 1, ["xchg r64, r64"] = 2, ["cmpxchg r64, r64"] = 8, ["shld r64, r64, cl"] = 9 }
    local facts = counted(few)
    assert.is_true(facts["cmpxchg r64, r64"].total.sequenced)
    assert.is_nil(facts["xchg r64, r64"].total.sequenced)
    few["xadd r64, r64"] = 4
    facts = counted(few)
    assert.is_nil(facts["cmpxchg r64, r64"].total.sequenced)
  end)
end)
