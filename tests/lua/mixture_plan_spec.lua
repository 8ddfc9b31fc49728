-- Mixtures are planned so that each claim is tried, and beside what has as little as possible in common with it.
local compose = require "portolan.infer.chart.compose"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mixture_plan = require "portolan.infer.chart.mixture_plan"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"
local survey = require "portolan.infer.chart.survey"

-- The plan for a mapping whose schemes are all explained, but for mixtures of those that were tried before, and the mapping compiled.
local function planned(m, tried)
  local s = survey.new(assert(simulated.new { mapping = m, seed = 1 }), { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1 })
  s.ports, s.rmax, s.width = m.ports, m.rmax, m.rmax
  local members = {}
  for _, name in ipairs(s.order) do
    local f, scheme = s.facts[name], m.schemes[name]
    f.status, f.uops, f.slots = scheme.status, scheme.uops, scheme.slots
    if f.status == "explained" then lists.into(members, json.encode(scheme.uops), name) end
  end
  local compiled = assert(mapping.compile(compose.mapping(s, true)))
  local plan = mixture_plan.new(core.base.rng(1), compiled, s.facts, members, tried)
  return plan.list, compiled, members, plan
end

describe("a plan of mixtures", function()
  local m = small.golden_cove()
  local list, compiled, members, plan = planned(m)
  local first = #list
  local function is_crowd(e) return mixture_plan.is_crowd(e, plan.kind) end

  it("has each mixture once, of two schemes but for crowds, and none that the issue slots decide", function()
    local seen, crowds = {}, 0
    for _, e in ipairs(list) do
      local text = experiment.key(e)
      assert.is_nil(seen[text], text)
      seen[text] = true
      local n, with = lists.size(e), compiled:predict(e)
      crowds = crowds + (is_crowd(e) and 1 or 0)
      assert.is_true(n == 2 or is_crowd(e), text)
      assert.is_true(with.cycles > 1.15 * with.slots / m.rmax, text)
    end
    assert.is_true(crowds > 0)
  end)

  it("has several schemes of one class, each in turn, beside one of fewer of its ports", function()
    for _, e in ipairs(list) do
      local of_ports, all, most, widest = {}, {}, 0, nil
      for name, n in pairs(is_crowd(e) and e or {}) do
        assert.equal(1, #m.schemes[name].uops, name)
        local ports = m.schemes[name].uops[1][1]
        local key = table.concat(ports)
        of_ports[key], all[key] = (of_ports[key] or 0) + 1, (all[key] or 0) + n
        if #ports > most then most, widest = #ports, key end
      end
      if widest then
        local known = members[json.encode { { m.schemes[lists.first(lists.keys(e), function(name)
          return table.concat(m.schemes[name].uops[1][1]) == widest
        end)].uops[1][1], 1 } }]
        assert.equal(2, lists.size(of_ports))
        assert.equal(math.min(all[widest], #known), of_ports[widest])
      end
    end
  end)

  it("tries every scheme that is explained", function()
    local tried = {}
    for _, e in ipairs(list) do
      for name in pairs(e) do tried[name] = true end
    end
    for _, names in pairs(members) do
      for _, name in ipairs(names) do assert.is_true(tried[name], name) end
    end
  end)

  it("tries a scheme beside one of its ports that does other things", function()
    local beside = {}
    for _, e in ipairs(list) do
      if e["imul r64, r64"] and lists.size(e) == 2 then
        for name in pairs(e) do beside[name] = true end
      end
    end
    assert.is_true(lists.any(lists.keys(beside), function(name) return name:find "ymm" end)) -- vectors share port 1 with it
  end)

  it("tries kinds of uops beside each other where they bind, and where they do not", function()
    local key, ways = lists.keys(members), { apart = 0, bind = 0 }
    for i = 1, #key do
      for j = 1, i - 1 do
        local a, b, tried = lists.set(members[key[i]]), lists.set(members[key[j]]), {}
        for _, e in ipairs(list) do
          local names = lists.keys(e)
          if a[names[1]] and b[names[2]] or a[names[2]] and b[names[1]] then
            local alone = math.max(compiled:throughput { [names[1]] = e[names[1]] }, compiled:throughput { [names[2]] = e[names[2]] })
            tried[compiled:throughput(e) > 1.01 * alone and "bind" or "apart"] = true
          end
        end
        for way in pairs(tried) do ways[way] = ways[way] + 1 end
      end
    end
    local pairs_of_kinds = #key * (#key - 1) / 2
    assert.is_true(ways.apart > 0.4 * pairs_of_kinds, ways.apart) -- the issue slots decide some
    assert.is_true(ways.bind > 0.4 * pairs_of_kinds, ways.bind)
  end)

  it("tries the first of schemes that do the same in all ways, the others in fewer", function()
    local many, alike = small.golden_cove(), {}
    for i, bits in ipairs { 8, 16, 32, 64 } do
      alike[i] = ("sub r%d, r%d"):format(bits, bits)
      many.schemes[alike[i]] = { uops = many.schemes["add r64, r64"].uops, slots = 1, status = "explained" }
    end
    local all = planned(many)
    local tried = lists.map(alike, function(name) return lists.count(all, function(e) return e[name] ~= nil end) end)
    assert(lists.all(tried, function(n) return n > 0 end) and lists.sum(tried, function(n) return n end) < 4 * math.max(table.unpack(tried)),
      table.concat(tried, " "))
  end)

  it("has more of a scheme when asked, beside some kinds, and none again", function()
    local seen, name = {}, "imul r64, r64"
    for _, e in ipairs(table.move(list, 1, #list, 1, {})) do seen[experiment.key(e)] = true end
    local most = 10
    local more = mixture_plan.more(plan, { name }, most)
    assert(#more >= most and #more < most + 3, #more) -- a pair of schemes is up to three mixtures
    for _, e in ipairs(more) do
      assert.is_true(e[name] ~= nil and not seen[experiment.key(e)])
      seen[experiment.key(e)] = true
    end
  end)

  it("knows the first of those that do the same by the same uops", function()
    local name = members[next(members)][1]
    assert.same({ name }, mixture_plan.firsts(plan, { name, name }))
    local all = {}
    for _, names in pairs(members) do all = lists.joined(all, names) end
    local firsts = mixture_plan.firsts(plan, all)
    assert(#firsts > 1 and #firsts < #all, #firsts)
  end)

  it("has no mixture of schemes that were all tried before", function()
    local name, tried = "imul r64, r64", {}
    for _, names in pairs(members) do
      for _, other in ipairs(names) do tried[other] = other ~= name or nil end
    end
    local some, _, _, of = planned(m, tried)
    assert.is_true(#some > 0 and #some < first and lists.all(some, function(e) return e[name] ~= nil end))
    assert.is_true(lists.all(mixture_plan.more(of, lists.keys(tried), 10), function(e) return e[name] ~= nil end))
  end)

  it("is the same for the same seed", function() assert.same(table.move(list, 1, first, 1, {}), (planned(m))) end)
end)
