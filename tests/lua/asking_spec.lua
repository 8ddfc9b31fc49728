-- Which floods of a scheme are asked: few where they tell, or where a relative lets expect what they say; all where they have to be.
local asking = require "portolan.infer.chart.blocking.asking"
local attribute = require "portolan.infer.chart.blocking.attribute"
local port_set = require "portolan.mapping.ports"

local sets = { "0", "1", "5", "06", "15", "23", "015", "0156" }

local function ports_of(text)
  local list = {}
  for port in text:gmatch "." do list[#list + 1] = port end
  return list
end

local function no_effects() end

-- Jobs on all sets, not measured, as a plan leaves them.
local function jobs_of(slow)
  local jobs = {}
  for i, text in ipairs(sets) do
    local class = { ports = ports_of(text), count = #text, representative = text, loads = text == "23", improper = false }
    class.slow_beside = text == slow or nil
    jobs[i] = { name = "x", class = class, alone = 10 }
  end
  return jobs
end

-- Asks about a scheme that has these uops; `off`: set -> what its flood shows more; `slow`: set of a class that is slower than its
-- ports. Returns what was found, and the number of floods.
local function ask(uops, known, off, all, slow)
  local asked = 0
  known.memory = known.memory or { reads = false, writes = false }
  local scheme = { jobs = jobs_of(slow), known = known, all = all }
  asking.measure({ scheme }, no_effects, function(jobs)
    for _, job in ipairs(jobs) do
      assert(not job.count, "a flood is asked once")
      job.count, job.sd, asked = off and off[job.class.representative] or 0, 0.05, asked + 1
      for _, uop in ipairs(uops) do
        job.count = job.count + (port_set.within(ports_of(uop), job.class.ports) and 1 or 0)
      end
      job.cycles = job.alone + job.count / job.class.count
    end
  end)
  local found, list = attribute.of(scheme.jobs, known, no_effects), {}
  for _, uop in ipairs(found or {}) do
    for _ = 1, uop.uops do list[#list + 1] = table.concat(uop.ports) end
  end
  table.sort(list)
  table.sort(uops)
  return list, asked, scheme.jobs
end

describe("floods of a scheme", function()
  it("are few where they tell its uops apart, and show each of them", function()
    for _, uops in ipairs { { "06" }, { "23", "0156" }, { "1", "23" }, { "06", "15" }, { "5", "5", "015" } } do
      local found, asked, jobs = ask(uops, { total = { least = #uops, most = #uops }, alone = 1.01 * #uops, floor = #uops / 6 })
      assert.same(uops, found)
      assert(asked < #sets, ("%d floods for %s"):format(asked, table.concat(uops, " ")))
      local evaded = false
      for _, job in ipairs(jobs) do
        for _, uop in ipairs(uops) do
          if job.class.representative == uop then assert(job.count, "no flood shows " .. uop) end
        end
        evaded = evaded or job.count == 0
      end
      assert(evaded or #uops > 2, "nothing shows what it evades")
    end
  end)

  it("need not tell apart what the time alone does", function()
    local known = { total = { least = 1, most = 1 }, alone = 0.25, floor = 1 / 6 }
    local found, asked = ask({ "0156" }, known)
    assert.same({ "0156" }, found)
    assert(asked <= 2, asked)
  end)

  it("begin with what the operation on registers lets expect", function()
    local uops, known = { "0156", "23" }, { total = { least = 1, most = 2 }, alone = 0.51, floor = 1 / 6, memory = { reads = true } }
    local _, without = ask(uops, known)
    known.like = { { ports_of "0156", 1 } }
    local found, with = ask(uops, known)
    assert.same(uops, found)
    assert(with <= without, ("%d with, %d without"):format(with, without))
  end)

  it("are those that would refute what a relative lets expect", function()
    local function with(uops, relative)
      local known = { total = { least = 2, most = 2 }, alone = 1.1, floor = 1 / 3 }
      known.relative = relative and { name = "y", close = true, uops = relative }
      local found, asked = ask(uops, known)
      assert.same(uops, found)
      return asked
    end
    local expected = { { ports_of "06", 1 }, { ports_of "15", 1 } }
    local usual = with { "06", "15" }
    local refuting = with({ "06", "15" }, expected)
    assert(refuting < usual, ("%d with a relative, %d without"):format(refuting, usual))
    with({ "06", "23" }, expected) -- and where they do refute it, the others are asked
    with({ "1", "5" }, expected)
  end)

  it("are no more where nothing fits what was asked, and all where they are to be", function()
    local known = { total = { least = 1, most = 1 }, alone = 1, floor = 1 / 6 }
    local found, asked = ask({ "06" }, known, { ["06"] = 3, ["0156"] = 3, ["1"] = 4, ["0"] = 4, ["5"] = 4, ["15"] = 4, ["23"] = 4, ["015"] = 4 })
    assert.same({}, found)
    assert(asked < #sets, asked)
    known = { total = { least = 1, most = 1 }, alone = 0.5, floor = 1 / 6 }
    asked = select(2, ask({ "06" }, known, nil, true))
    assert.equal(#sets, asked)
  end)

  it("go on without those of classes that are slower than their ports, where nothing fits with them", function()
    local function unseen(slow)
      local known = { total = { least = 2, most = 2 }, alone = 1, floor = 1 / 3, memory = { reads = true } }
      local missing = { ["06"] = true, ["23"] = true }
      for _, job in ipairs((select(3, ask({ "06", "23" }, known, { ["015"] = 3.25 }, nil, slow)))) do
        if job.count then missing[job.class.representative] = nil end
      end
      return next(missing)
    end
    assert.is_nil(unseen "015")
    assert.is_not_nil(unseen(nil)) -- nothing fits, and nothing more is asked
  end)

  it("ask a uop that nobody counted on all sets that hold it", function()
    local relative = { name = "y", uops = { { { "1" }, 1 } }, close = false }
    local known = { total = { least = 1, most = 1, second_unit = true }, alone = 1, floor = 1 / 6, relative = relative }
    local _, _, jobs = ask({ "1", "23" }, known)
    for _, job in ipairs(jobs) do
      local holds = port_set.within({ "1" }, job.class.ports)
      assert(not holds or job.count, "no flood of " .. job.class.representative)
    end
  end)
end)
