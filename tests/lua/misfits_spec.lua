-- Schemes that ports do not account for, planted in a simulated processor: each ends in exactly its class, with its evidence.
local argument = require "portolan.argument"
local chart = require "portolan.infer.chart"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local report = require "portolan.report"
local simulated = require "portolan.processor.simulated"
local small_core = require "support.small_core"

local uops = small_core.uops

local function core() return small_core.mapping { ["tzcnt r64, r64"] = uops(1, "1") } end

local planted = {
  ["mov r64, r64"] = { "eliminated at rename", { uops = {}, slots = 1 }, note = "no port executes it", role = "shows" },
  ["vdivps ymm, ymm, ymm"] = { "slower than ports", uops(1, "0"), { busy = 5 }, note = "its ports would do with 1.000", role = "contradicts" },
  ["crc32 r64, r64"] = { "slower than ports", uops(1, "7"), note = "competes with next to no other", role = "alone" },
  ["vsqrtps ymm, ymm"] = { "slower than ports", uops(2, "0", "5"), { busy = 7 }, note = "its ports would do with 1.000", role = "contradicts" },
  ["shld r64, r64, imm8"] = { "microcoded", uops(14, "06", "06", "1", "1", "015"), { microcoded = true },
    note = "whatever ports are blocked, it adds at least", role = "contradicts" },
  ["vdivpd ymm, ymm, ymm"] = { "input-dependent", uops(2, "0", "015"), { busy = 8, large_inputs = 16 },
    note = "8.000 cycles with small numbers in the registers, 16.000 with large ones", role = "contradicts" },
  ["vpmulld ymm, ymm, ymm"] = { "contradicting", uops(2, "0", "1"), { excess = 0.8 }, note = "mixtures refute it",
    role = "contradicts" },
  ["rdrand r64"] = { "unstable", uops(1, "1"), { unsteady = true }, note = "its readings differ" },
  ["vpaddd zmm, zmm, zmm"] = { "unsupported here", uops(1, "05"), { status = "illegal instruction" }, note = "illegal instruction" },
}

local function with(names)
  local m = core()
  for _, name in ipairs(names) do
    m.schemes[name] = planted[name][2]
    m.schemes[name].status, m.schemes[name].misfit = "explained", planted[name][3]
  end
  return m
end

local function charted(m, noise)
  local p = assert(simulated.new { mapping = m, seed = 2, noise = { kind = "gaussian", width = noise or 0, unit = "relative" } })
  local result = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 0 })
  return assert(json.decode((assert(mapping.encode(result.mapping))))), result
end

-- The scheme has its class and the evidence for it.
local function check(m, name, exact)
  local found, want = m.schemes[name], planted[name]
  assert.equal(want[1], found.status, name .. ": " .. tostring(found.note))
  if exact then assert.truthy(tostring(found.note):find(want.note, 1, true), ("%s: %s"):format(name, found.note)) end
  assert.is_string(found.note)
  local a = argument.of(m, assert(mapping.compile(m)), name)
  assert.equal(want[1], a.status)
  if not want.role then return assert.is_nil(found.tp) end
  local roles = { alone = found.tp ~= nil }
  for _, w in ipairs(found.witnesses) do roles[w.role] = true end
  assert.is_true(roles[want.role], name .. ": no witness that " .. want.role)
end

local names = {}
for name in pairs(planted) do names[#names + 1] = name end
table.sort(names)

describe("schemes that ports do not account for", function()
  for _, name in ipairs(names) do
    it(("%s: %s"):format(planted[name][1], name), function()
      local m, result = charted(with { name })
      check(m, name, true)
      local others = 0
      for other, scheme in pairs(m.schemes) do
        if other ~= name then
          others = others + 1
          assert.equal(other == "nop" and "eliminated at rename" or "explained", scheme.status, other .. ": " .. tostring(scheme.note))
        end
      end
      assert.is_true(others >= 14)
      assert.truthy(report.chart(result):find(planted[name][1], 1, true))
    end)
  end

  it("are told apart all at once, also through noise", function()
    for _, noise in ipairs { 0, 0.005 } do
      local m = charted(with(names), noise)
      for _, name in ipairs(names) do check(m, name, noise == 0) end
      for name in pairs(core().schemes) do assert.equal("explained", m.schemes[name].status, name .. ": " .. tostring(m.schemes[name].note)) end
    end
  end)

  it("as their time depends on values, are found though their ports explain the usual ones, and found no classes", function()
    local m = core()
    m.schemes["bsf r64, r64"] = uops(1, "1") -- the first of its class
    m.schemes["bsf r64, r64"].status, m.schemes["bsf r64, r64"].misfit = "explained", { large_inputs = 3 }
    m.schemes["mov r64, r64"] = { uops = {}, slots = 1, status = "eliminated at rename", misfit = { large_inputs = 3 } }
    for _, noise in ipairs { 0, 0.005 } do
      local p = assert(simulated.new { mapping = m, seed = 3, noise = { kind = "gaussian", width = noise, unit = "relative" } })
      local schemes = mapping.schemes(m)
      table.sort(schemes, function(a, b) return a == "bsf r64, r64" or a < b and b ~= "bsf r64, r64" end)
      local result = chart.run(p, { { name = "All", schemes = schemes } }, { evaluate = 0 })
      local found = result.mapping.schemes
      assert.equal("input-dependent", found["bsf r64, r64"].status)
      local says = "^alone it takes 1%.00%d cycles with small numbers in the registers, 3%.00%d with large ones$"
      assert.matches(noise == 0 and says or "", found["bsf r64, r64"].note)
      assert.same(found["tzcnt r64, r64"].uops, found["bsf r64, r64"].uops)
      assert.equal("input-dependent", found["mov r64, r64"].status)
      assert.same({}, found["mov r64, r64"].uops)
      for _, set in ipairs(result.port_sets) do assert.not_equal("bsf r64, r64", set.representative) end
      for name in pairs(core().schemes) do assert.equal("explained", found[name].status, name .. ": " .. tostring(found[name].note)) end
      for _, scheme in pairs(found) do
        for _, w in ipairs(scheme.status == "explained" and scheme.witnesses or {}) do assert.is_nil(w.experiment:find("bsf", 1, true)) end
      end
    end
  end)

  it("are refused if no slot can stand for what is eliminated", function()
    local m = core()
    m.schemes.nop = { uops = {}, slots = 1, misfit = { fuses = true } }
    m.schemes["imul r64, r64"].misfit = { eliminated = 0.3 }
    local p, message = simulated.new { mapping = m }
    assert.is_nil(p)
    assert.matches("takes a slot as some other scheme does.*misfit%.eliminated", message)
  end)

  it("are refused if they are none", function()
    local m = core()
    for _, bad in ipairs { { busy = -1 }, { busy = "5" }, { lazy = true }, { status = 5 }, 7 } do
      m.schemes["imul r64, r64"].misfit = bad
      local p, message = simulated.new { mapping = m }
      assert.is_nil(p)
      assert.truthy(message:find('schemes."imul r64, r64".misfit', 1, true), message)
    end
  end)
end)
