-- Stores whose uops are known beside the ports of others: the address by blocking, the data as they overlap, or not at all.
local port_class = require "portolan.infer.chart.port_class"
local store_data = require "portolan.infer.chart.store_data"

-- Classes: loads of three ports and of one of these, vectors; a store of `count` ports that leaves uops on them as `profile` says (class -> uops).
local function classes_of(count, profile)
  local all = {
    load = port_class.new { representative = "load", members = { "load" }, count = 3, loads = true },
    vload = port_class.new { representative = "vload", members = { "vload" }, count = 1, loads = true },
    vector = port_class.new { representative = "vector", members = { "vector" }, count = 2 },
  }
  local jobs = {}
  for name, uops in pairs(profile) do jobs[#jobs + 1] = { class = all[name], uops = uops } end
  local store = port_class.new { representative = "store", members = { "store" }, count = count, improper = true, profile = jobs }
  return { all.load, all.vload, all.vector, store }, all, store
end

local known = { load = { "0", "1", "2" }, vload = { "1" }, vector = { "3", "4" } }

-- The uops of the store in the outcome of the others; `asked`: how often an inference was.
local function added(count, profile)
  local classes, _, store = classes_of(count, profile)
  local beside = store_data.beside_others(classes)
  assert.equal(3, #beside)
  local outcome, asked = { mapping = { ports = { "0", "1", "2", "3", "4" }, schemes = {} }, observations = {} }, 0
  for name, ports in pairs(known) do outcome.mapping.schemes[name] = { uops = { { ports, 1 } } } end
  local message = store_data.add({ rmax = 6 }, outcome, classes, function(_, apart)
    asked = asked + 1
    assert.same({ store }, apart)
    local ports = count == 1 and { "x" } or { "x", "y" }
    return { mapping = { ports = ports, schemes = { store = { uops = { { ports, 1 } } } } }, observations = {} }
  end)
  assert.is_nil(message)
  return outcome.mapping.schemes.store.uops, asked, outcome.mapping.ports
end

describe("stores beside known ports", function()
  it("have data ports of their own where they leave an uop on more ports of loads than they have", function()
    local uops, asked, ports = added(2, { load = 1, vload = 0, vector = 0 })
    assert.same({ { { "5", "6" }, 1 }, { { "0", "1", "2" }, 1 } }, uops)
    assert.equal(1, asked)
    assert.equal(7, #ports)
  end)

  it("are addressed by the fewest ports on which they leave it", function()
    local _, all, store = classes_of(1, { load = 1, vload = 1, vector = 0 })
    store_data.beside_others { all.load, all.vload, store }
    assert.equal(all.vload, store.address)
  end)

  it("have no data ports that show where their address limits them", function()
    local uops, asked, ports = added(1, { load = 1, vload = 1, vector = 0 })
    assert.same({ { { "1" }, 1 } }, uops)
    assert.equal(0, asked)
    assert.equal(5, #ports)
  end)

  it("are inferred with the others where they leave something on ports of no loads", function()
    local classes = classes_of(1, { load = 1, vload = 0, vector = 1 })
    assert.equal(4, #store_data.beside_others(classes))
  end)
end)
