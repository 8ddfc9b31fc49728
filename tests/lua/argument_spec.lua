-- Every uop of every scheme of a charted core has its argument: what shows it, what bounds it, with the sum, or why there is none.
local argument = require "portolan.argument"
local chart = require "portolan.infer.chart"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"
local simulated = require "portolan.processor.simulated"
local witness = require "portolan.experiment.witness"

local P = { add = { "0", "1", "5", "6" }, shift = { "0", "6" }, vector = { "0", "1", "5" }, load = { "2", "3" },
  data = { "4" }, address = { "7", "8" } }

local function uops(slots, ...)
  local list = {}
  for i, set in ipairs { ... } do list[i] = { set, 1 } end
  return { uops = list, status = "explained", slots = slots }
end

-- A core as wide as its widest set of ports: what runs there is known by elimination only, as is the second uop of stores.
local function core()
  return {
    format = "portolan-mapping", version = 1, ports = { "0", "1", "2", "3", "4", "5", "6", "7", "8" }, rmax = 4, schemes = {
      nop = { uops = {}, slots = 1, status = "explained" }, ["mov r64, r64"] = { uops = {}, slots = 1, status = "explained" },
      ["add r64, r64"] = uops(1, P.add), ["sub r64, r64"] = uops(1, P.add), ["shl r64, imm8"] = uops(1, P.shift),
      ["sar r64, imm8"] = uops(1, P.shift), ["imul r64, r64"] = uops(1, { "1" }), ["popcnt r64, r64"] = uops(1, { "1" }),
      ["vpermd ymm, ymm, ymm"] = uops(1, { "5" }), ["vpermq ymm, ymm, imm8"] = uops(1, { "5" }), ["vmovmskps r32, ymm"] = uops(1, { "0" }),
      ["vpaddd ymm, ymm, ymm"] = uops(1, P.vector), ["vpand ymm, ymm, ymm"] = uops(1, P.vector), ["vmulpd ymm, ymm, ymm"] = uops(1, { "0", "1" }),
      ["vaddpd ymm, ymm, ymm"] = uops(1, { "0", "1" }), ["mov r64, m64"] = uops(1, P.load), ["vmovups ymm, m256"] = uops(1, P.load),
      ["mov m64, r64"] = uops(1, P.data, P.address), ["mov m32, r32"] = uops(1, P.data, P.address),
      ["imul r64, m64"] = uops(1, P.load, { "1" }), ["add r64, m64"] = uops(1, P.load, P.add),
      ["add m64, r64"] = uops(2, P.load, P.add, P.data, P.address), ["shl m64, imm8"] = uops(3, P.load, P.shift, P.data, P.address),
      ["vpaddd ymm, ymm, m256"] = uops(1, P.load, P.vector), ["vpmulld ymm, ymm, ymm"] = uops(2, { "0", "1" }, { "0", "1" }),
      ["vphaddd ymm, ymm, ymm"] = uops(3, { "5" }, { "5" }, P.vector), ["xchg r64, r64"] = uops(3, P.add, P.add, P.add),
      ["bextr r64, r64, r64"] = uops(2, P.shift, P.vector),
    },
  }
end

local function charted(m, noise, change)
  local p = assert(simulated.new { mapping = m, seed = 3, noise = { kind = "gaussian", width = noise, unit = "relative" } })
  if change then change(p) end
  local result = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 0 })
  return assert(json.decode((assert(mapping.encode(result.mapping)))))
end

-- The uops of a mapping that carry no argument, as texts; and how many there are in all.
local function bare(m)
  local compiled, list, count = assert(mapping.compile_ports(m)), {}, 0
  local function note(...) list[#list + 1] = ("%s: %s, %s"):format(...) end
  for _, name in ipairs(mapping.schemes(m, true)) do
    local a = argument.of(m, compiled, name)
    for _, part in ipairs(a.uops) do
      count = count + part.n
      local ports = argument.ports(part.ports)
      if part.assumed then
        local sum = part.unseen and part.unseen:find("located = " .. part.n, 1, true)
        if not sum and #part.shows == 0 then note(name, ports, "assumed without a sum") end
      else
        if #part.shows == 0 then note(name, ports, "nothing shows it") end
        if #part.bounds == 0 and part.unbounded:find "^no experiment" then note(name, ports, "nothing bounds it") end
      end
      for _, readings in ipairs { part.shows, part.bounds } do
        for _, r in ipairs(readings) do
          if not (r.sum and r.means) then note(name, r.text, "no sum") end
          if r.doubt or r.off then note(name, r.text, r.doubt or r.off) end
        end
      end
    end
    if #a.uops == 0 and not (a.alone or #a.further > 0) then note(name, "no uops", "nothing says so") end
    if #a.contradicts > 0 then note(name, a.contradicts[1].text, "contradicts") end
  end
  return list, count
end

describe("the argument of every scheme", function()
  for _, noise in ipairs { 0, 0.01 } do
    it(("is found in the chart of a core, with %g %% noise"):format(100 * noise), function()
      local m = charted(core(), noise)
      local list, count = bare(m)
      assert.same({}, list)
      assert.is_true(count >= 40, "only " .. count)
    end)
  end

  it("names the flood that was measured, and the sum of it", function()
    local m = charted(core(), 0.01)
    local a = argument.of(m, assert(mapping.compile_ports(m)), "vphaddd ymm, ymm, ymm")
    local shown = {}
    for _, part in ipairs(a.uops) do
      for _, r in ipairs(part.shows) do
        local extra = (r.cycles - r.base) * #r.ports
        assert.equal(("(%.3f - %.3f) x %d port%s = %.2f"):format(r.cycles, r.base, #r.ports, #r.ports > 1 and "s" or "", extra), r.sum)
        assert.is_true(math.abs(extra - (#part.ports == 1 and 2 or 3)) < 0.5, r.sum) -- on p015 all three
        assert.truthy(r.experiment.nop, r.text)
        shown[argument.ports(part.ports)] = true
      end
    end
    assert.same(2, #a.uops)
    assert.is_nil(next(shown, next(shown, next(shown)))) -- both, and no others
  end)

  it("says of a store's other uop, and of what evades every flood, that it is counted and assumed", function()
    local m = charted(core(), 0)
    local compiled, text = assert(mapping.compile_ports(m)), {}
    for _, name in ipairs { "mov m64, r64", "add m64, r64", "xchg r64, r64" } do
      for _, part in ipairs(argument.of(m, compiled, name).uops) do text[#text + 1] = part.unseen end
    end
    text = table.concat(text, "\n")
    assert.truthy(text:find("2 uops in 1 issue slot, less 1 located = 1: it never limits anything", 1, true), text)
    assert.truthy(text:find("4 uops in 2 issue slots, less 3 located = 1: it stays on none of the ports that can be kept busy", 1, true), text)
    assert.truthy(text:find("3 uops in 3 issue slots, less 0 located = 3", 1, true), text)
  end)

  it("takes the NOPs of floods for what fills the front end, also where they are charted as anything else", function()
    local m = charted(core(), 0)
    for _, scheme in pairs(m.schemes) do
      for _, w in ipairs(scheme.witnesses) do w.without, w.ports = nil, nil end -- as older charts
    end
    m.schemes.nop = { uops = { { { "0", "1", "5", "6" }, 1 } }, assumed = { "0", "1", "5", "6" }, status = "explained", slots = 1, tp = 0.25 }
    local floods = 0
    for name, scheme in pairs(m.schemes) do
      for _, w in ipairs(scheme.witnesses or {}) do floods = floods + (w.experiment:find "%f[%w]nop" and name ~= "nop" and 1 or 0) end
    end
    assert.is_true(floods > 20)
    assert.same({}, (bare(m)))
    m.schemes.nop = nil
    assert.same({}, (bare(m)))
  end)

  it("does not need a NOP that can be chained to take it for one", function()
    local m = charted(core(), 0, function(p)
      local honest = p.chain_latency
      function p:chain_latency(names)
        local list = honest(self, names)
        for i, name in ipairs(names) do list[i] = name ~= "nop" and list[i] end
        return list
      end
    end)
    assert.equal("eliminated at rename", m.schemes.nop.status)
    assert.matches("a postulate", m.schemes.nop.note)
    assert.same({}, (bare(m)))
  end)

  it("rests on what the witness recorded where the mapping no longer knows what flooded the ports", function()
    local m = charted(core(), 0)
    local floods = {}
    for _, w in ipairs(m.schemes["add m64, r64"].witnesses) do floods[#floods + 1] = w.ports and w end
    for name in pairs(assert(require("portolan.experiment").parse(floods[1].experiment))) do
      if name ~= "add m64, r64" and name ~= "nop" then m.schemes[name].uops, m.schemes[name].status = nil, "unstable" end
    end
    local found = false
    for _, part in ipairs(argument.of(m, assert(mapping.compile_ports(m)), "add m64, r64").uops) do
      for _, r in ipairs(part.shows) do found = found or r.text:find("mov", 1, true) and r.sum end
    end
    assert.truthy(found)
  end)

  it("is printed in full by portolan explain", function()
    process.in_directory(function(d)
      assert(mapping.save(core(), d .. "/truth.json"))
      local function portolan(...)
        local r = process.run { args = { process.portolan, ... }, env = { NO_COLOR = "1" } }
        assert.equal(0, r.status, r.err)
        return r.out
      end
      portolan("infer", "explain", "--oracle", "sim:" .. d .. "/truth.json,noise=0.01,kind=gaussian,unit=relative", "--out", d .. "/m.json",
        "--evaluate", "0")
      local text = portolan("explain", "--mapping", d .. "/m.json", "--full", "/./")
      assert.is_nil(text:find("no experiment of its own is recorded", 1, true))
      local all = assert(json.decode(portolan("explain", "--mapping", d .. "/m.json", "--full", "--json", "/./"))).arguments
      local explained = 0
      for _, a in ipairs(all) do
        explained = explained + (a.status == "explained" and 1 or 0)
        for _, part in ipairs(a.uops) do assert.is_true(#part.shows > 0 or part.unseen ~= nil, a.scheme) end
      end
      assert.is_true(explained > 20, "only " .. explained)
    end)
  end)
end)

describe("a witness of a flood", function()
  it("is refused if its ports or cycles are none", function()
    assert.is_nil(witness.fault { experiment = "6*a + b", cycles = 6, without = 6, ports = { "0" } })
    for _, bad in ipairs { {}, "0", { 1 }, { x = "0" } } do assert.equal("ports", (witness.fault { experiment = "a", ports = bad })) end
    assert.equal("without", (witness.fault { experiment = "a", without = -1 }))
  end)
end)
