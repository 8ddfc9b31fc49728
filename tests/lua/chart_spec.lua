-- The chart's stages on simulated processors with known mappings.
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local mapping = require "portolan.mapping"
local plan = require "portolan.infer.chart.plan"
local simulated = require "portolan.processor.simulated"

-- A core in the manner of Golden Cove: six wide, so that everything can be told apart.
local P = { add = { "0", "1", "5", "6", "B" }, shift = { "0", "6" }, vector = { "0", "1", "5" }, load = { "2", "3", "A" } }

local function uops(...)
  local list = {}
  for i, set in ipairs { ... } do list[i] = { set, 1 } end
  return { uops = list, status = "explained", slots = #list }
end

local function truth()
  local fused = uops(P.load, { "1" })
  fused.slots = 1
  local on_memory = uops(P.load, P.add)
  on_memory.slots = 1
  local store = uops({ "4", "9" }, { "7", "8" })
  store.slots = 1
  return {
    format = "portolan-mapping", version = 1, ports = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B" }, rmax = 6,
    schemes = {
      ["add r64, r64"] = uops(P.add), ["sub r64, r64"] = uops(P.add), ["shl r64, imm8"] = uops(P.shift), ["sar r64, imm8"] = uops(P.shift),
      ["imul r64, r64"] = uops { "1" }, ["popcnt r64, r64"] = uops { "1" }, ["blsr r64, r64"] = uops { "1", "5", "B" },
      ["vpermd ymm, ymm, ymm"] = uops { "5" }, ["vpermq ymm, ymm, imm8"] = uops { "5" }, ["vmovmskps r32, ymm"] = uops { "0" },
      ["vpaddd ymm, ymm, ymm"] = uops(P.vector), ["vpand ymm, ymm, ymm"] = uops(P.vector), ["vmulpd ymm, ymm, ymm"] = uops { "0", "1" },
      ["vaddpd ymm, ymm, ymm"] = uops { "1", "5" }, ["mov r64, m64"] = uops(P.load), ["vmovups ymm, m256"] = uops(P.load), ["mov m64, r64"] = store,
      ["bextr r64, r64, r64"] = uops(P.shift, { "1", "5", "B" }), ["vpmulld ymm, ymm, ymm"] = uops({ "0", "1" }, { "0", "1" }),
      ["vphaddd ymm, ymm, ymm"] = uops({ "5" }, { "5" }, P.vector), ["xchg r64, r64"] = uops(P.add, P.add, P.add),
      ["imul r64, m64"] = fused, ["add r64, m64"] = on_memory, ["mov r64, r64"] = { uops = {}, status = "eliminated at rename", slots = 1 },
    },
  }
end

local function set_of(m) return { { name = "All", schemes = mapping.schemes(m) } } end

local function run(m, options, chart_options)
  options.mapping = m
  return chart.run(assert(simulated.new(options)), set_of(m), chart_options or { evaluate = 60 })
end

-- Whether the schemes that the result calls explained use the true ports, up to their names.
local function explained_right(m, result)
  local claim, claims = {}, 0
  for key, value in pairs(result.mapping) do claim[key] = value end
  claim.schemes = {}
  for name, scheme in pairs(result.mapping.schemes) do
    claim.schemes[name] = scheme.status == "explained" and scheme or nil
    claims = claims + (scheme.status == "explained" and 1 or 0)
  end
  if claims == 0 then return true end
  return assert(core.model.compare(mapping.compile(m), mapping.compile(claim), { epsilon = 0.02 })).equal
end

-- Every scheme has the true status and uses the true ports.
local function assert_true(m, result)
  for name, scheme in pairs(m.schemes) do
    assert.equal(scheme.status, result.mapping.schemes[name].status, name .. ": " .. tostring(result.mapping.schemes[name].note))
  end
  assert.is_true(explained_right(m, result))
end

-- What the result claims is true, and it claims at least that share of what there is to say.
local function assert_sound(m, result, share)
  local claimed, all = 0, 0
  for name, scheme in pairs(result.mapping.schemes) do
    all = all + 1
    if m.schemes[name] and scheme.status == m.schemes[name].status then claimed = claimed + 1 end
  end
  assert.is_true(claimed >= share * all, ("only %d of %d schemes explained"):format(claimed, all))
  assert.is_true(explained_right(m, result))
end

describe("charting a simulated processor", function()
  it("finds its mapping, with evidence for every scheme", function()
    local m = truth()
    local result = run(m, {})
    assert_true(m, result)
    assert.is_nil(result.partial)
    assert.is_nil(result.provenance.unfinished)
    local planned = {}
    for _, stage in ipairs(plan.stages) do planned[stage.name] = true end
    for _, stage in ipairs(result.stages) do assert.is_true(planned[stage.name] and stage.seconds >= 0, stage.name) end
    assert.equal(6, result.rmax)
    assert.equal(60, #result.evaluation.list)
    assert.is_true(result.evaluation.mape < 0.001)
    for name in pairs(m.schemes) do
      local roles = {}
      for _, w in ipairs(result.mapping.schemes[name].witnesses) do roles[w.role] = true end
      assert.is_true(roles.shows or roles.bounds, name)
    end
    assert.same({ runs = 2, agree = 23, disagree = {} }, result.agreement)
    assert.is_truthy(require("portolan.report").chart(result):find("vphaddd ymm, ymm, ymm", 1, true))
    assert.is_true(mapping.validate(result.mapping))
  end)

  it("finds it through noise", function()
    local m = truth()
    assert_true(m, run(m, { noise = { kind = "uniform", width = 0.004, unit = "relative" }, seed = 3 }))
  end)

  it("claims nothing wrong on a core that binds its ports greedily", function()
    local m = truth()
    local late = { kind = "late" }
    assert_sound(m, run(m, { binder = "greedy", binder_options = late }), 0.7)
    assert_sound(m, run(m, { binder = "greedy", binder_options = late,
      noise = { kind = "gaussian", width = 0.003, unit = "relative" }, seed = 5 }), 0.7)
  end)

  it("marks as assumed what a front end as narrow as a port set hides", function()
    local m = truth()
    m.rmax = 5
    local result = run(m, {})
    local add
    for _, port_set in ipairs(result.port_sets) do
      if port_set.representative == "add r64, r64" then add = port_set end
    end
    assert.is_truthy(add.assumed)
    assert.is_true(#result.inference.assumed > 0)
    assert.same(add.ports, result.mapping.schemes["xchg r64, r64"].assumed)
    assert.is_nil(result.mapping.schemes["shl r64, imm8"].assumed)
  end)

  it("settles for a status where a scheme does not behave as its ports say", function()
    local m = truth()
    local p = assert(simulated.new { mapping = m })
    local honest = p.measure
    function p:measure(list, options)
      local results = honest(self, list, options)
      for i, e in ipairs(list) do
        local t = results[i]
        if e["imul r64, m64"] and next(e, next(e)) == nil then t.cycles = t.cycles * 3 end -- slow alone
        if e["popcnt r64, r64"] then t.cycles = math.max(t.cycles, 2.5 * e["popcnt r64, r64"]) end -- never pipelined
        if e["sar r64, imm8"] then results[i] = { status = "illegal instruction", n = 0, rejected = 0 } end
      end
      return results
    end
    local result = chart.run(p, set_of(m), { evaluate = 20 })
    local s = result.mapping.schemes
    assert.equal("slower than ports", s["imul r64, m64"].status)
    assert.equal("slower than ports", s["popcnt r64, r64"].status)
    assert.same(s["imul r64, r64"].uops, s["popcnt r64, r64"].uops)
    assert.equal("unsupported here", s["sar r64, imm8"].status)
    assert.equal("explained", s["imul r64, r64"].status)
    assert.equal(4, #result.misfits) -- with the eliminated move
  end)

  it("believes a contradiction only after measuring again", function()
    local m = truth()
    local p = assert(simulated.new { mapping = m })
    local honest, lies = p.measure, 0
    function p:measure(list, options)
      local results = honest(self, list, options)
      for i, e in ipairs(list) do
        local impossible = e["imul r64, r64"] and e["vpermd ymm, ymm, ymm"] and not (options and options.again)
        if impossible then results[i].cycles, lies = 0.5 * results[i].cycles, lies + 1 end
      end
      return results
    end
    -- The store's part: what was measured again is what counts from then on.
    local kept, lying = {}, p.measure
    local experiment = require "portolan.experiment"
    function p:measure(list, options)
      local results = lying(self, list, options)
      for i, e in ipairs(list) do
        local key = experiment.key(e)
        if options and options.again then kept[key] = results[i] end
        results[i] = kept[key] or results[i]
      end
      return results
    end
    assert_true(m, chart.run(p, set_of(m), { evaluate = 20 }))
    assert.is_true(lies > 0)
  end)

  it("calls assumed what disturbed measurements leave open", function()
    local m = truth()
    local p = assert(simulated.new { mapping = m })
    local honest, stage, asked = p.measure, nil, 0
    function p:measure(list, options)
      local results = honest(self, list, options)
      for i = 1, stage and stage:find("^ports") and #list or 0 do
        asked = asked + 1
        if asked % 3 == 0 then results[i] = { status = "unstable", n = 0, rejected = 9 } end
      end
      return results
    end
    local result = chart.run(p, set_of(m), { evaluate = 20, progress = function(name) stage = name end })
    local assumed = 0
    for name, scheme in pairs(result.mapping.schemes) do
      if scheme.assumed and name ~= "mov m64, r64" then assumed = assumed + 1 end
    end
    assert.is_true(assumed > 0)
  end)

  it("does not take a full front end for full ports", function()
    local m = truth()
    m.rmax = 4 -- many slots beside few ports of slack
    m.schemes["bextr r64, r64, r64"] = { uops = { { P.shift, 8 } }, status = "explained", slots = 8 }
    m.schemes["xchg r64, r64"] = { uops = { { P.add, 10 } }, status = "explained", slots = 10 }
    local p = { "add r64, r64", "sub r64, r64", "blsr r64, r64" }
    for _, name in ipairs(p) do m.schemes[name] = nil end
    m.schemes["add r64, r64"] = uops { "0", "1", "5", "6" }
    m.schemes["xchg r64, r64"].uops[1][1] = { "0", "1", "5", "6" }
    m.schemes["add r64, m64"] = nil
    for _, name in ipairs { "mov r64, m64", "vmovups ymm, m256" } do m.schemes[name] = uops { "2", "3" } end
    m.schemes["imul r64, m64"].uops[1][1] = { "2", "3" }
    local s = run(m, {}).mapping.schemes
    assert.equal(8, s["bextr r64, r64, r64"].uops[1][2])
    assert.same({ 1, 2 }, { #s["bextr r64, r64, r64"].uops, #s["bextr r64, r64, r64"].uops[1][1] })
    assert.equal("explained", s["bextr r64, r64, r64"].status)
    assert.equal("explained", s["xchg r64, r64"].status)
    assert.same(s["add r64, r64"].assumed, s["xchg r64, r64"].assumed)
  end)

  it("ends early with what it knows, and says so", function()
    local m = truth()
    local p = assert(simulated.new { mapping = m })
    local result = chart.run(p, set_of(m), { progress = function(stage)
      if stage == "ports of the classes" then core.base.set_interrupted(true) end
    end })
    core.base.set_interrupted(false)
    assert.is_true(result.partial)
    assert.is_nil(result.evaluation)
    assert.is_truthy(result.mapping.schemes["add r64, r64"].tp)
    assert.same({}, result.mapping.ports)
    assert.equal("ports of the classes", result.provenance.unfinished[1].stage)
    assert.same(result.provenance.unfinished, result.mapping.provenance.unfinished)
    assert.is_truthy(require("portolan.report").chart(result):find("add r64, r64", 1, true))
  end)
end)
