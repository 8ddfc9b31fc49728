-- What a mapping says of the first data cache, and how a chart finds it out.
local core = require "portolan.core"
local first_cache = require "portolan.first_cache"
local probes = require "portolan.processor.first_cache_probes"
local stage = require "portolan.infer.chart.stages.first_cache"

-- A processor that answers with the cycles given for each probe, by its name.
local function survey_of(cycles)
  local processor = {}
  function processor.measure_bodies(_, jobs)
    local results = {}
    for i, job in ipairs(jobs) do
      assert(#job.kernels()[1].bytes > 0)
      local t = cycles[job.key:match "^probe: (.*)$"]
      results[i] = t and { status = "ok", cycles = t } or { status = "unstable" }
    end
    return results
  end
  return { processor = processor, experiments = 0, progress = function() end, stage = function() end }
end

local function found(cycles)
  local s = survey_of(cycles)
  stage(s)
  assert.equal(6, s.experiments)
  return s.first_cache
end

local golden_cove = { ["loads of banks"] = 1 / 3, ["loads of one"] = 0.5, ["loads of lines"] = 0.504, ["stores to line"] = 0.5,
  ["stores to lines"] = 1, blocked = 17.1 }

describe("the first cache's stage", function()
  it("tells that loads of one bank, and stores to different lines, are held up", function()
    local c = found(golden_cove)
    assert.same({ bank_loads = 2, stored_lines = 1, blocked = 17.1 }, c)
    assert.is_true(first_cache.check(c))
  end)

  it("finds no limit where all take the same time", function()
    assert.same({}, found { ["loads of banks"] = 0.5, ["loads of one"] = 0.5, ["loads of lines"] = 0.501, ["stores to line"] = 1,
      ["stores to lines"] = 1.02 })
  end)

  it("blames no bank if loads of one address are slow alone, nor without a reading", function()
    local one_slow = {}
    for key, value in pairs(golden_cove) do one_slow[key] = value end
    one_slow["loads of lines"] = 1 / 3
    assert.is_nil(found(one_slow).bank_loads)
    one_slow["loads of lines"] = nil
    assert.is_nil(found(one_slow).bank_loads)
  end)

  it("does nothing on a processor that cannot be asked", function()
    local other = { processor = {} }
    stage(other)
    assert.is_nil(other.first_cache)
  end)
end)

describe("a probe of the first cache", function()
  -- Displacements of all accesses to memory of a body.
  local function displacements(name)
    local list = {}
    for i, access in ipairs(assert(core.isa.accesses(probes[name]()[1].bytes))) do list[i] = access.memory[1].displacement end
    return list
  end

  it("reaches one bank, or all of a line", function()
    for name, step in pairs { loads_of_banks = 8, loads_of_one = 0, loads_of_lines = 64, stores_to_line = 8, stores_to_lines = 64 } do
      local list = displacements(name)
      assert.equal(64, #list)
      for i = 1, #list do assert.equal((i - 1) % 8 * step, list[i]) end
    end
  end)
end)

describe("a mapping's first cache", function()
  it("is checked field by field", function()
    for _, bad in ipairs { 0, -1, 1 / 0, "2", false } do
      local ok, message = first_cache.check { bank_loads = bad }
      assert.is_nil(ok)
      assert.matches("first_cache.bank_loads", message, 1, true)
    end
  end)

  it("is joined: where both mappings speak, the first is believed", function()
    assert.same({ bank_loads = 2, blocked = 17 }, first_cache.union({ bank_loads = 2 }, { bank_loads = 3, blocked = 17 }))
    assert.same({ blocked = 17 }, first_cache.union(nil, { blocked = 17 }))
  end)
end)
