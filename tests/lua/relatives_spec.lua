-- What a scheme's relatives let expect of it.
local relatives = require "portolan.infer.chart.blocking.relatives"

-- A survey of schemes: list of { name, cycles, slots, uops or nil (not settled), status or nil }.
local function survey_of(schemes)
  local survey = { order = {}, facts = {}, blocked = {} }
  for i, s in ipairs(schemes) do
    local name = s[1]
    survey.order[i] = name
    survey.facts[name] = { single = { cycles = s[2] }, slots = s[3], uops = s[4], status = s[5] or s[4] and "explained" or nil }
  end
  return survey
end

local uops = { { { "0" }, 1 }, { { "1", "5" }, 1 } }

describe("relatives of a scheme", function()
  it("have its mnemonic on other registers, and failing these its category and kinds of operands", function()
    local survey = survey_of { { "bsf r32, r32", 1, 2, { { { "9" }, 2 } } }, { "xadd r32, r32", 1, 2, uops }, { "xadd r64, r64", 1, 2 } }
    relatives.learn(survey, { "xadd r64, r64" })
    local relative = survey.facts["xadd r64, r64"].relative
    assert.equal("xadd r32, r32", relative.name)
    assert.same(uops, relative.uops)
    survey = survey_of { { "cmovz r32, r32", 1, 2, uops }, { "cmovnz r64, r64", 1, 2 } }
    relatives.learn(survey, { "cmovnz r64, r64" })
    local farther = survey.facts["cmovnz r64, r64"].relative
    assert.equal("cmovz r32, r32", farther.name)
    assert.same({ true, false }, { relative.close, farther.close })
  end)

  it("take as many slots, and as long; and are explained", function()
    for _, other in ipairs { { "xadd r32, r32", 1, 3, uops }, { "xadd r32, r32", 1.1, 2, uops }, { "xadd r32, r32", 1, 2, nil, "contradicting" },
      { "xadd m32, r32", 1, 2, uops } } do
      local survey = survey_of { other, { "xadd r64, r64", 1, 2 } }
      relatives.learn(survey, { "xadd r64, r64" })
      assert.is_nil(survey.facts["xadd r64, r64"].relative)
    end
  end)

  it("say what memory adds to the same operation on registers", function()
    local on_registers, other, load = { { "0" }, 1 }, { { "1", "5" }, 1 }, { { "2", "3" }, 1 }
    local survey = survey_of { { "add r32, r32", 1, 1, { on_registers } }, { "add r32, m32", 1, 2, { on_registers, load } },
      { "sub r32, r32", 1, 1, { other } }, { "sub r32, m32", 1, 2 } }
    relatives.learn(survey, { "sub r32, m32" })
    local relative = survey.facts["sub r32, m32"].relative
    assert.equal("add r32, m32", relative.name)
    assert.same({ load, other }, relative.uops)
    survey.facts["sub r32, r32"].uops = { load } -- the same ports: one entry
    relatives.learn(survey, { "sub r32, m32" })
    assert.same({ { load[1], 2 } }, survey.facts["sub r32, m32"].relative.uops)
    assert.same({ on_registers, load }, survey.facts["add r32, m32"].uops) -- what it has stays
    survey.facts["sub r32, r32"].status = "contradicting"
    relatives.learn(survey, { "sub r32, m32" })
    local farther = survey.facts["sub r32, m32"].relative
    assert.same({ on_registers, load }, farther.uops)
    assert.same({ true, false }, { relative.close, farther.close })
  end)

  it("are asked first", function()
    local survey = survey_of { { "xadd r64, r64", 1, 2 }, { "xadd r32, r32", 1, 2 }, { "bsf r64, r64", 1, 2 }, { "xadd r16, r16", 2, 2 } }
    local first, others = relatives.split(survey, survey.order)
    assert.same({ "xadd r64, r64", "bsf r64, r64", "xadd r16, r16" }, first)
    assert.same({ "xadd r32, r32" }, others)
  end)
end)
