-- The state of inferences by counter-examples, by growing, by counters and by evolution: whatever its records hold is declared, and whatever is
-- declared is used.
local core = require "portolan.core"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local record = require "portolan.support.record"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"
local tiny_mapping = require "support.tiny_mapping"

-- All kinds of records of the modules that are loaded within f, and all records that are made: list of { kind =, fields =, made = { ... } }.
local function watched(f)
  local kinds, before, loaded = {}, record.kind, {}
  for name, module in pairs(package.loaded) do
    if name:find "^portolan%.infer" or name:find "^portolan%.measuring" then loaded[name], package.loaded[name] = module, nil end
  end
  function record.kind(kind, fields, methods)
    local new, made = before(kind, fields, methods), {}
    kinds[#kinds + 1] = { kind = kind, fields = fields, made = made }
    return function(initial)
      made[#made + 1] = new(initial)
      return made[#made]
    end
  end
  local ok, trouble = pcall(f)
  record.kind = before
  for name in pairs(package.loaded) do
    if name:find "^portolan%.infer" or name:find "^portolan%.measuring" then package.loaded[name] = loaded[name] end
  end
  assert(ok, trouble)
  return kinds
end

local truth = tiny_mapping(4, "01234", { add = "0123", shl = "03", imul = "1", load = "24", lea = "12" })

local function processor(noise)
  return assert(simulated.new { mapping = truth, seed = 3,
    noise = noise and { kind = "gaussian", width = noise, unit = "relative" } or nil })
end

local names = { "add", "imul", "lea", "load", "shl" }

-- By counters, with either k; by evolution, from measurements and from a record.
local function infer_by_other_means()
  local pmevo, uops_info = require "portolan.infer.pmevo", require "portolan.infer.uops_info"
  local both = tiny_mapping(4, "01234", { add = "0123", shl = "03", imul = "1", load = "24", lea = "12", both = "24" })
  both.schemes.both.uops[2] = { { "0", "1", "2", "3" }, 1 }
  for _, k in ipairs { "implementation", "paper" } do
    local counted = assert(simulated.new { mapping = both, seed = 3, counters = { "uops", "ports" } })
    assert(uops_info.infer(counted, mapping.schemes(both), { k = k }))
  end
  local options = { ports = 5, generations = 2, threads = 1, uops = { add = 1 }, fixed = truth, start = truth }
  assert(pmevo.infer(processor(), names, options))
  local records = {}
  for i, name in ipairs(names) do
    records[i] = { e = { [name] = 1 }, cycles = 1, status = "ok" }
    records[#names + i] = { e = { [name] = 1, [names[i % #names + 1]] = 1 }, cycles = 1, status = "ok" }
  end
  assert(pmevo.infer(assert(replay.new { records = records }), names, { ports = 5, generations = 2, threads = 1 }))
end

-- Inferences of all kinds, one that contradicts itself among them.
local function infer()
  local cegis, grow = require "portolan.infer.cegis", require "portolan.infer.grow"
  local verify = require "portolan.infer.cegis.verify"
  local unique = assert(cegis.infer(processor(), names, { rmax = 4 }))
  assert(unique.status == "unique", unique.status)
  local m = unique.mapping
  m.certificate = unique.certificate
  assert(assert(verify.mapping(m)).verified)
  assert(cegis.infer(processor(0.004), names, { rmax = 4, reading = "asymmetric", epsilon = 0.01 }))
  assert(cegis.infer(processor(), { "imul", "lea" }, { rmax = 4, ports = 4, encoding = "lira" }))
  assert(cegis.infer(processor(), names, { rmax = 4, uops = { load = 1 } }))
  local wrong = assert(cegis.infer(processor(), names, { rmax = 4, ports = 5, observations = { { { imul = 1 }, 1 }, { { imul = 1 }, 0.25 } } }))
  assert(wrong.status == "contradiction", wrong.status)
  assert(grow.infer(processor(), names, { rmax = 4, ports = 5, core = 2 }))
  assert(grow.infer(processor(0.004), names, { rmax = 4, ports = 5, core = 3, reading = "asymmetric", epsilon = 0.01 }))
  infer_by_other_means()
end

local kinds = watched(infer)

describe("the state of an inference", function()
  it("is made of records that are all in use", function()
    assert.equal(11, #kinds)
    for _, k in ipairs(kinds) do assert.is_true(#k.made > 0, k.kind) end
  end)

  it("holds nothing that is not declared", function()
    local walked = 0
    for _, k in ipairs(kinds) do
      for _, r in ipairs(k.made) do
        for field in pairs(r) do
          walked = walked + 1
          assert.is_string(k.fields[field], ("%s: %s"):format(k.kind, tostring(field)))
        end
      end
    end
    assert.is_true(walked > 200, walked)
  end)

  it("declares nothing that nobody reads", function()
    local code = {}
    for _, folder in ipairs { "infer", "infer/cegis", "infer/grow", "infer/pmevo", "infer/uops_info", "measuring" } do
      local directory = ("%s/lua/portolan/%s"):format(os.getenv "PORTOLAN_SOURCE", folder)
      for _, name in ipairs(file.names(directory)) do
        if name:find "%.lua$" then code[#code + 1] = assert(file.read(directory .. "/" .. name)) end
      end
    end
    code = table.concat(code, "\n")
    for _, k in ipairs(kinds) do
      for field in pairs(k.fields) do
        assert.is_truthy(code:find("%." .. field .. "%f[^%w_]"), ("%s: %s"):format(k.kind, field))
      end
    end
  end)

  it("says which field it does not have", function()
    for _, k in ipairs(kinds) do
      assert.has_error(function() return k.made[1].no_such_field end, ("a %s has no field 'no_such_field'"):format(k.kind))
      assert.has_error(function() k.made[1].no_such_field = core end, ("a %s has no field 'no_such_field'"):format(k.kind))
    end
  end)
end)
