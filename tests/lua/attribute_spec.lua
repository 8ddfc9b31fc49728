-- Which uops explain counts on blocked ports: cases that a stricter, or a greedier, reading of the counts gets wrong.
local attribute = require "portolan.infer.chart.blocking.attribute"
local chart = require "portolan.infer.chart"
local judge = require "cores.judge"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"

local sets = {
  p1 = { "1" }, p06 = { "0", "6" }, load = { "2", "3" }, store = { "4", "9" }, alu = { "0", "1", "5", "6" },
}

local function job(name, count)
  local class = { ports = sets[name], count = #sets[name], representative = name, loads = name == "load", improper = name == "store" }
  class.posited = name == "store" and { "7", "8" } or nil
  return { name = "x", class = class, count = count, sd = 0.12, cycles = 10 + count / class.count, alone = 10 }
end

local function jobs_of(counts)
  local list = {}
  for _, name in ipairs { "p1", "p06", "load", "store", "alu" } do list[#list + 1] = job(name, counts[name] or 0) end
  return list
end

local function known(more)
  local k = { total = { least = 2, most = 4 }, memory = { reads = true, writes = true }, alone = 1, floor = 1 / 3 }
  for key, value in pairs(more or {}) do k[key] = value end
  return k
end

-- Effects as they are measured: `given["row column"]`.
local function effects(given)
  return function(row, column) return given and given[row.representative .. " " .. column.representative] end
end

local function answer(counts, more, given)
  local uops, _, doubt = attribute.of(jobs_of(counts), known(more), effects(given))
  if not uops then return nil end
  local found = {}
  for _, uop in ipairs(uops) do found[uop.class.representative] = uop.uops end
  return found, doubt
end

describe("uops from counts", function()
  it("give memory its uops, though a count is low", function()
    assert.same({ p1 = 1, load = 1, store = 1 }, (answer { p1 = 1, load = 1, store = 0.63, alu = 1.1 }))
  end)

  it("have no uop of a store that the counts rule out", function()
    assert.same({ p1 = 1, load = 1 }, (answer { p1 = 1, load = 1, store = 0.05, alu = 1 }))
  end)

  it("may be more than the operation on registers has", function()
    local more = { total = { least = 3, most = 5 }, expected = 4 }
    assert.same({ p1 = 1, load = 1, store = 1, alu = 1 }, (answer({ p1 = 1, load = 1, store = 1, alu = 2.02 }, more)))
    assert.same({ p1 = 1, load = 1, store = 1 }, (answer({ p1 = 1, load = 1, store = 1, alu = 1.3 }, more)))
  end)

  it("are one more than a slot holds where floods show it, and nothing else explains them", function()
    local one = { total = { least = 1, most = 1 }, memory = {}, alone = 0.5 }
    local counts = { p06 = 1, load = 1.02, alu = 1.01 }
    assert.is_nil(answer(counts, one))
    one.total.second_unit = true
    assert.same({ p06 = 1, load = 1 }, (answer(counts, one)))
    assert.same({ p06 = 1 }, (answer({ p06 = 1, load = 0.3, alu = 1 }, one)))
  end)

  it("are not fewer than a scheme alone takes, nor more", function()
    local uops = { total = { least = 1, most = 2, doubtful = true }, memory = {} }
    uops.alone = 1
    assert.same({ p06 = 2 }, (answer({ p06 = 1.65, alu = 1.7 }, uops)))
    uops.alone = 0.5
    assert.same({ p06 = 1 }, (answer({ p06 = 1.45, alu = 1.2 }, uops)))
  end)

  it("are left open where a greedy binder hides them", function()
    local given = { ["alu p1"] = 9 }
    local _, doubt = answer({ p1 = 1, alu = 7 }, { total = { least = 1, most = 2 }, memory = {} }, given)
    assert.is_true(doubt.lead < 1)
    local _, clear = answer({ p1 = 1, alu = 1 }, { total = { least = 1, most = 2 }, memory = {} }, given)
    assert.is_true(clear.lead > 1)
  end)

  it("are found among many sets and uops", function()
    local found = answer({ p1 = 3, p06 = 4.1, load = 12.9, store = 0.1, alu = 11.2 }, { total = { least = 24, most = 24 }, alone = 7,
      memory = { reads = true } })
    assert.same({ p1 = 3, p06 = 4, load = 13, alu = 4 }, found)
  end)
end)

-- A core without a scheme of one uop on the ports 0 1 5 6, and of one on 0 5.
local function core()
  local P = { alu = { "0", "1", "5", "6", "B" }, vector = { "0", "1", "5" }, hidden = { "0", "1", "5", "6" }, load = { "2", "3", "A" } }
  local function uops(slots, ...)
    local list = {}
    for _, u in ipairs { ... } do list[#list + 1] = u end
    return { uops = list, status = "explained", slots = slots }
  end
  local function one(ports) return uops(1, { ports, 1 }) end
  return {
    format = "portolan-mapping", version = 1, ports = { "0", "1", "2", "3", "5", "6", "A", "B" }, rmax = 6,
    schemes = {
      ["add r64, r64"] = one(P.alu), ["sub r64, r64"] = one(P.alu), ["shl r64, imm8"] = one { "0", "6" }, ["sar r64, imm8"] = one { "0", "6" },
      ["imul r64, r64"] = one { "1" }, ["popcnt r64, r64"] = one { "1" }, ["vpermd ymm, ymm, ymm"] = one { "5" },
      ["vpermq ymm, ymm, imm8"] = one { "5" }, ["vmovmskps r32, ymm"] = one { "0" }, ["vcomisd xmm, xmm"] = one { "0" },
      ["vpaddd ymm, ymm, ymm"] = one(P.vector), ["vpand ymm, ymm, ymm"] = one(P.vector), ["vmulpd ymm, ymm, ymm"] = one { "0", "1" },
      ["vaddpd ymm, ymm, ymm"] = one { "1", "5" }, ["mov r64, m64"] = one(P.load), ["vmovups ymm, m256"] = one(P.load),
      ["vdpps ymm, ymm, ymm, imm8"] = uops(6, { { "1", "5" }, 1 }, { P.vector, 3 }, { P.hidden, 2 }),
      ["vdpps ymm, ymm, m256, imm8"] = uops(6, { { "1", "5" }, 1 }, { P.vector, 3 }, { P.hidden, 2 }, { P.load, 1 }),
      ["vphaddd ymm, ymm, ymm"] = uops(3, { { "0", "5" }, 2 }, { P.vector, 1 }),
      ["vpcmpistrm xmm, xmm, imm8"] = uops(3, { { "0" }, 3 }),
      ["mulx r64, r64, r64"] = uops(2, { { "1" }, 1 }, { P.alu, 1 }),
    },
  }
end

local hidden = { ["vdpps ymm, ymm, ymm, imm8"] = true, ["vdpps ymm, ymm, m256, imm8"] = true, ["vphaddd ymm, ymm, ymm"] = true }

describe("uops on ports that no scheme has alone", function()
  for _, binder in ipairs { "optimal", "greedy" } do
    it("are not found, and make no other claim wrong: " .. binder, function()
      local truth = core()
      local p = assert(simulated.new { mapping = truth, seed = 1, binder = binder, binder_options = { kind = "pending" },
        noise = { kind = "gaussian", width = 0.01, unit = "relative" } })
      local names = mapping.schemes(truth)
      local j = judge(chart.run(p, { { name = "All", schemes = names } }, { evaluate = 0, seed = 1 }).mapping, truth, names)
      for _, text in ipairs(j.texts) do assert.truthy(hidden[text:match "^[^:]+"], text) end
    end)
  end
end)
