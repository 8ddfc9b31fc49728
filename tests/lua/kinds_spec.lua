-- Times for named kinds of values: divisions, string instructions.
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local kind_probes = require "portolan.processor.kind_probes"
local mapping = require "portolan.mapping"
local stage = require "portolan.infer.chart.stages.kinds"

local function askable()
  local exclusions, list = assert(isa.exclusions(nil, "kinds")), {}
  for _, scheme in ipairs(assert(isa.schemes())) do
    if (scheme.mnemonic:find "^i?div$" or scheme.category == "STRINGOP") and not isa.exclusion(scheme, exclusions) then list[#list + 1] = scheme end
  end
  return list
end

describe("kinds of values", function()
  it("make bodies that hold the scheme as often as they say", function()
    local list = askable()
    assert.is_true(#list >= 16 + 20)
    for _, scheme in ipairs(list) do
      for _, kind in ipairs(assert(kind_probes.of(scheme), scheme.name)) do
        local body, found = assert(kind.kernels())[1], 0
        for _, instruction in ipairs(assert(core.isa.decode(body.bytes)).instructions) do
          if instruction.scheme == scheme.name then found = found + 1 end
        end
        assert.equal(body.copies, found, scheme.name)
      end
    end
  end)

  it("are not known for what memory may end early", function()
    for _, name in ipairs { "repne cmpsb", "repe scasq", "repne movsb", "add r64, r64", "addpd xmm, xmm" } do
      assert.is_nil(kind_probes.of(isa.scheme(name)), name)
    end
    assert.is_true(kind_probes.only(isa.scheme "rep movsb"))
    assert.is_false(kind_probes.only(isa.scheme "div r64"))
    assert.is_false(kind_probes.only(isa.scheme "movsd xmm, m64"))
  end)

  it("are asked by the chart, and settle string instructions", function()
    local settled, facts = {}, { ["rep stosq"] = {}, ["div r64"] = {}, ["stosb"] = {} }
    local s = { order = { "rep stosq", "div r64", "stosb" }, facts = facts, experiments = 0, list = function() end, stage = function() end }
    s.processor = { measure_bodies = function(_, jobs)
      local results = {}
      for i, job in ipairs(jobs) do
        results[i] = job.name == "stosb" and { status = "memory fault" } or { status = "ok", cycles = 10 * i }
      end
      return results
    end }
    function s.settle(_, name, status, note) settled[name] = { status, note } end
    function s.unsettled(_, keep)
      local names = {}
      for _, name in ipairs(s.order) do
        if keep(name, facts[name]) then names[#names + 1] = name end
      end
      return names
    end
    stage(s)
    assert.equal(4, #facts["rep stosq"].kinds)
    assert.equal(4, #facts["div r64"].kinds)
    assert.equal("input-dependent", settled["rep stosq"][1])
    assert.equal(20, facts["rep stosq"].single.cycles) -- 64 bytes
    assert.is_nil(settled["div r64"])
    assert.equal("unsupported here", settled["stosb"][1])
  end)

  it("are checked in mappings", function()
    local function with(kinds)
      local m = mapping.two_level({ "0" }, { a = { "0" } })
      m.schemes.a.kinds = kinds
      return mapping.validate(m)
    end
    assert.is_true(with { { values = "64 bytes", bytes = 64, cycles = 9 } })
    for _, bad in ipairs { { 5 }, { { values = "x" } }, { { values = 1, cycles = 1 } }, { { values = "x", cycles = 1, bytes = "y" } } } do
      local ok, message = with(bad)
      assert.is_nil(ok)
      assert.matches("kinds%[1%]", message)
    end
  end)
end)
