-- Which uops of a store do floods of other classes show, and what has ports that only stores use?
local simulated = require "portolan.processor.simulated"
local chart = require "portolan.infer.chart"
local port_class = require "portolan.infer.chart.port_class"
local small = require "cores.small"
local stores = require "portolan.infer.chart.stages.stores"

-- The uops of a store that leaves so many on each set of ports, as text: list of `{ ports (letters), uops }`, the fewest ports first.
local function seen(counts)
  local profile = {}
  for i, count in ipairs(counts) do
    local ports = {}
    for port in count[1]:gmatch "." do ports[#ports + 1] = port end
    profile[i] = { class = port_class.new { representative = count[1], count = #ports, ports = ports }, uops = count[2] }
  end
  local words = {}
  for i, uop in ipairs(stores.seen(profile)) do words[i] = uop[2] .. "*" .. table.concat(uop[1]) end
  return table.concat(words, " ")
end

describe("the uops of a store that others show", function()
  it("are those on the fewest ports", function()
    assert.equal("1*b", seen { { "b", 1 }, { "xy", 0 }, { "abc", 1 } })
    assert.equal("1*abc", seen { { "b", 0 }, { "xy", 0 }, { "abc", 1 } })
    assert.equal("1*b 1*abc", seen { { "b", 1 }, { "xy", 0 }, { "abc", 2 } })
    assert.equal("1*b 1*xy", seen { { "b", 1 }, { "xy", 1 }, { "abc", 1 } })
    assert.equal("", seen { { "b", 0 }, { "abc", 0 } })
  end)
end)

-- The uops and the assumed ports of a scheme, charted on a core.
local function charted(m, name)
  local processor = assert(simulated.new { mapping = m, noise = { kind = "gaussian", width = 0.002, unit = "relative" }, seed = 3 })
  local names = {}
  for scheme in pairs(m.schemes) do names[#names + 1] = scheme end
  table.sort(names)
  local found = chart.run(processor, { { name = "all", schemes = names } }, { seed = 1, evaluate = 1 })
  local s = found.mapping.schemes[name]
  assert.equal("explained", s.status, s.note)
  local sizes = {}
  for i, uop in ipairs(s.uops) do sizes[i] = #uop[1] end
  return sizes, s.assumed, s
end

describe("ports that only stores use", function()
  it("are as many as a store is limited by alone, beside those of loads that address it", function()
    local sizes, assumed = charted(small.zen4(), "mov m64, r64")
    assert.same({ 2, 3 }, sizes)
    assert.truthy(assumed) -- two of three ports of loads would do as well
  end)

  it("never show where the ports of loads limit a store", function()
    local m = small.zen4()
    for _, scheme in pairs(m.schemes) do
      for _, uop in ipairs(scheme.uops) do
        if table.concat(uop[1]) == "st" then uop[1] = { "s", "t", "u", "v" } end
      end
    end
    m.ports[#m.ports + 1], m.ports[#m.ports + 2] = "u", "v"
    local sizes, assumed, s = charted(m, "mov m64, r64")
    assert.same({ 3, 3 }, sizes)
    assert.same(s.uops[2][1], assumed)
    assert.truthy(s.note:find("never shows", 1, true), s.note)
  end)
end)
