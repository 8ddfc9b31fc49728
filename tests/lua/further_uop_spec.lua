-- A uop of a class that has no issue slot of its own: what pairs of classes must say for it.
local further_uop = require "portolan.infer.chart.further_uop"
local lists = require "portolan.support.lists"

-- As on Zen 3: conditional moves run on two of the four ports of additions, moves to vectors on a port of theirs.
local ports = {
  ["add r64, r64"] = { "0", "1", "2", "3" }, ["cmovz r64, r64"] = { "2", "3" }, ["shl r64, imm8"] = { "0", "1" },
  ["vmovd xmm, r32"] = { "4" }, ["vpaddd ymm, ymm, ymm"] = { "4", "5" },
}

-- What pairs with the move take: name, how many, cycles as measured, cycles by its one uop. `unlike`: the one member that does not take as long.
local function found(pairs_of, members, unlike)
  local schemes, classes, class = {}, {}, nil
  for name, set in pairs(ports) do
    schemes[name] = { uops = { { set, 1 } }, slots = 1, status = "explained" }
    classes[#classes + 1] = { representative = name, members = { name }, count = #set }
    if name == "vmovd xmm, r32" then class = classes[#classes] end
  end
  class.slow_beside, class.members = true, members or class.members
  local outcome = { mapping = { ports = { "0", "1", "2", "3", "4", "5" }, rmax = 6, schemes = schemes }, observations = {} }
  local measured = {}
  for _, p in ipairs(pairs_of) do
    local e = { [class.representative] = 1, [p[1]] = p[2] }
    table.insert(outcome.observations, { experiment = e, cycles = p[3], predicted = p[4] })
    measured[p[1]] = p[3]
  end
  local survey = { classes = classes, measure = function(_, list)
    return lists.map(list, function(e)
      local partner = lists.first(lists.keys(measured), function(name) return e[name] ~= nil end)
      return { status = "ok", cycles = e[unlike] and 1 or measured[partner] }
    end)
  end }
  return further_uop(survey, outcome, class)
end

local slow = { { "cmovz r64, r64", 2, 1.508, 1 }, { "add r64, r64", 4, 1.259, 1 }, { "shl r64, imm8", 2, 1, 1 } }

describe("a uop more of a class", function()
  it("is on the smallest set of ports that explains its slow pairs", function()
    local set, members = found(slow)
    assert.same({ { "2", "3" }, { "vmovd xmm, r32" } }, { set, members })
  end)

  it("is that of the members that take as long", function()
    local _, members = found(slow, { "vmovd xmm, r32", "vmovq xmm, r64", "vpbroadcastb xmm, r32" }, "vpbroadcastb xmm, r32")
    assert.same({ "vmovd xmm, r32", "vmovq xmm, r64" }, members)
  end)

  it("is none where a single pair is slow, or another one is too fast for it", function()
    assert.is_nil((found { slow[1], slow[3] }))
    assert.is_nil((found { slow[1], slow[2], { "cmovz r64, r64", 4, 2.0, 2 } }))
  end)

  it("is none where pairs take longer by something else than a uop", function()
    assert.is_nil((found { { "cmovz r64, r64", 2, 1.75, 1 }, { "add r64, r64", 4, 1.6, 1 } }))
  end)
end)
