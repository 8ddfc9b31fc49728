-- What experiments decide of a mapping (portolan.infer.cegis.certain), held against trying all mappings; its certificate; numbers of uops that a
-- record tells; the recorded Zen+.
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local process = require "process"
local recorded_uops = require "portolan.processor.recorded_uops"
local replay = require "portolan.processor.replay"
local verify = require "portolan.infer.cegis.verify"

local port_names = { "0", "1", "2" }

local function ports_of(mask)
  local list = {}
  for k = 0, 2 do
    if mask >> k & 1 == 1 then list[#list + 1] = port_names[k + 1] end
  end
  return list
end

-- masks: name -> list of masks, one per uop.
local function to_mapping(masks, rmax)
  local m = mapping.two_level(port_names, {}, { rmax = rmax })
  for name, list in pairs(masks) do
    local uops = {}
    for k, mask in ipairs(list) do uops[k] = { ports_of(mask), 1 } end
    m.schemes[name] = { uops = uops, status = "explained" }
  end
  return m
end

local schemes = { "a", "b", "c" }

-- All mappings of the schemes, c of so many uops.
local function all_mappings(uops)
  local list = {}
  for a = 1, 7 do
    for b = 1, 7 do
      for c = 1, 7 do
        for d = c, uops == 2 and 7 or c do list[#list + 1] = { a = { a }, b = { b }, c = uops == 2 and { c, d } or { c } } end
      end
    end
  end
  return list
end

local permutations = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } }

-- The ports of some schemes up to names: the least text over all renamings.
local function canonical(masks, names)
  local least
  for _, permutation in ipairs(permutations) do
    local parts = {}
    for k, name in ipairs(names) do
      local renamed = {}
      for i, mask in ipairs(masks[name]) do
        local r = 0
        for port = 0, 2 do r = r | (mask >> port & 1) << permutation[port + 1] end
        renamed[i] = r
      end
      table.sort(renamed)
      parts[k] = table.concat(renamed, "+")
    end
    local text = table.concat(parts, " ")
    if not least or text < least then least = text end
  end
  return least
end

local function random_record(rng, truth, count)
  local compiled, list = assert(mapping.compile(truth)), {}
  for k = 1, count do
    local e = {}
    for _ = 1, 1 + rng:below(4) do
      local name = schemes[rng:below(3) + 1]
      e[name] = (e[name] or 0) + 1
    end
    list[k] = { e = e, cycles = compiled:throughput(e), status = "ok" }
  end
  return list
end

-- Mappings that admit a record.
local function admitted(all, list, epsilon, rmax)
  local left = {}
  for _, masks in ipairs(all) do
    local compiled, fits = assert(mapping.compile(to_mapping(masks, rmax))), true
    for _, record in ipairs(list) do
      local length = 0
      for _, n in pairs(record.e) do length = length + n end
      fits = fits and math.abs(compiled:throughput(record.e) - record.cycles) <= epsilon * length + 1e-9
    end
    if fits then left[#left + 1] = masks end
  end
  return left
end

local function with(list, name)
  local longer = table.move(list, 1, #list, 1, {})
  longer[#longer + 1] = name
  return longer
end

describe("what experiments decide of a mapping", function()
  it("is what trying all mappings says, and each other scheme has a rival that fits", function()
    for seed = 1, 10 do
      local rng, uops = core.base.rng(seed), seed % 2 + 1
      local all, rmax = all_mappings(uops), seed % 3 == 0 and 2 or nil
      local list = random_record(rng, to_mapping(all[rng:below(#all) + 1], rmax), 2 + rng:below(6))
      local o = assert(cegis.infer(assert(replay.new { records = list }), schemes, { ports = 3, epsilon = 0.02, rmax = rmax, certain = true,
        uops = uops == 2 and { c = 2 } or nil }))
      local left, names = admitted(all, list, 0.02, rmax), o.certain.schemes
      local first = canonical(left[1], names)
      for _, masks in ipairs(left) do assert.equal(first, canonical(masks, names), "seed " .. seed) end
      for name, rival in pairs(o.certain.rivals) do
        local compiled = assert(mapping.compile(rival))
        for _, record in ipairs(list) do
          local length = 0
          for _, n in pairs(record.e) do length = length + n end
          assert.is_true(math.abs(compiled:throughput(record.e) - record.cycles) <= 0.02 * length + 1e-9)
        end
        local seen, different = {}, 0
        for _, masks in ipairs(left) do
          local key = canonical(masks, with(names, name))
          different, seen[key] = different + (seen[key] and 0 or 1), true
        end
        assert.is_true(different > 1, "seed " .. seed .. ": " .. name)
      end
      o.mapping.certificate = o.certificate
      local checked = assert(verify.mapping(o.mapping))
      assert.same({}, checked.faults)
    end
  end)
end)

-- a has ports 0 and 1, b port 1 or not: the pair is not recorded.
local records = {
  { e = { a = 1 }, cycles = 0.5, uops = 1.0001, status = "ok" }, { e = { b = 1 }, cycles = 1, status = "ok" },
  { e = { a = 2, d = 1 }, cycles = 1, uops = 3, status = "ok" }, { e = { d = 1 }, cycles = 0.5, status = "ok" },
  { e = { b = 1, c = 1 }, cycles = 2, uops = 3, status = "ok" }, { e = { b = 1, d = 1 }, cycles = 1, uops = 2, status = "ok" },
}

describe("a certificate", function()
  local function inferred()
    local list = {}
    for i = 1, 4 do list[i] = records[i] end
    local o = assert(cegis.infer(assert(replay.new { records = list }), { "a", "b", "d" }, { ports = 3, certain = true, uops = { d = 1, b = 2 } }))
    o.mapping.certificate = o.certificate
    return o
  end
  local function faults(m)
    local c = m.certificate
    c.digest = require("portolan.infer.cegis.certificate").digest(c)
    local result, kinds = assert(verify.mapping(m)), {}
    for k, fault in ipairs(result.faults) do kinds[k] = fault.kind end
    return table.concat(kinds, " "), result.faults[1] and result.faults[1].text
  end
  it("names what is certain, and holds for it", function()
    local o = inferred()
    assert.is_table(o.certain)
    assert.is_not_nil(next(o.certain.rivals))
    assert.equal("", (faults(o.mapping)))
  end)
  it("that calls certain what is not is refuted by another mapping", function()
    local o = inferred()
    local c = o.mapping.certificate
    local name = next(c.rivals)
    c.rivals[name], c.certain[#c.certain + 1] = nil, name
    local kinds, text = faults(o.mapping)
    assert.matches("certain", kinds)
    assert.matches("is not certain: another mapping admits all experiments", text)
  end)
  it("whose rival does not fit, or is none, is refuted", function()
    local o = inferred()
    local c = o.mapping.certificate
    local name = next(c.rivals)
    for scheme, entry in pairs(o.mapping.schemes) do c.rivals[name][scheme] = entry.uops end
    local kinds, text = faults(o.mapping)
    assert.equal("rival", kinds)
    assert.matches("it has the same ports", text)
    c.rivals[name].a = { { { "0" }, 1 } }
    kinds, text = faults(o.mapping)
    assert.equal("rival", kinds)
    assert.matches("the mapping does not admit", text)
  end)
  it("with wrong fields is refused in a line", function()
    for field, value in pairs { certain = "a", rivals = { x = {} } } do
      local o = inferred()
      o.mapping.certificate[field] = value
      local result, message = verify.mapping(o.mapping)
      assert.is_nil(result)
      assert.matches("certificate%." .. field, message)
    end
    local o = inferred()
    o.mapping.certificate.rivals = nil
    assert.matches("go together", select(2, verify.mapping(o.mapping)))
    o = inferred()
    o.mapping.certificate.certain = { "a", "a" }
    assert.matches("each once", select(2, verify.mapping(o.mapping)))
  end)
end)

describe("numbers of uops that a record tells", function()
  it("are those that follow from its counts", function()
    assert.same({ a = 1, b = 1, c = 2, d = 1 }, recorded_uops.of(records))
    assert.same({ a = 1 }, recorded_uops.of { { e = { a = 2 }, uops = 2 }, { e = { b = 1, c = 1 }, uops = 5 } })
    assert.same({ b = 4, a = 1 }, recorded_uops.of { { e = { a = 1, b = 1 }, uops = 5 }, { e = { a = 2, b = 1 }, uops = 6 } })
  end)
  it("are none where a count is no whole number, or the experiment failed", function()
    assert.same({}, recorded_uops.of { { e = { a = 1 }, uops = 1.4 }, { e = { b = 1 }, uops = 2, status = "unstable" }, { e = { c = 1 } } })
  end)
  it("that contradict each other are a message", function()
    local numbers, message = recorded_uops.of { { e = { a = 1 }, uops = 1 }, { e = { a = 2 }, uops = 4 } }
    assert.is_nil(numbers)
    assert.matches("contradict each other: no whole numbers sum to the %d of", message)
  end)
end)

describe("a record as pmtestbench writes it", function()
  it("has Python's words, numbers in quotes, counts of uops, and experiments without a result", function()
    local text = [[{ "kind": "ExperimentList", "arch": {}, "exps": [
      { "kind": "Experiment", "iseq": ["a", "b"], "result": { "cycles": "0.5", "num_uops": 3.0, "ok": True, "spread": NaN } },
      { "kind": "Experiment", "iseq": ["a"], "result": { "cycles": NaN, "num_uops": 1 } },
      { "kind": "Experiment", "iseq": ["b"], "result": None, "other_results": [ { "result_id": "x", "cycles": 2.0 } ] } ] }]]
    local list, note = experiments.parse(text, "r.json")
    assert.matches("not quite JSON", note)
    assert.same({ { e = { a = 1, b = 1 }, cycles = 0.5, uops = 3, status = "ok" }, { e = { a = 1 }, uops = 1, status = "not recorded" },
      { e = { b = 1 }, status = "not recorded", others = { x = 2 } } }, list)
  end)
  it("may be one of Portolan's own earlier ones, with experiments as text", function()
    local list = assert(experiments.parse('{"experiment": "2*a + b #3", "cycles": 1, "status": "ok"}\n'))
    assert.same({ a = 2, b = 1 }, list[1].e)
  end)
end)

describe("portolan infer cegis --uops record", function()
  it("takes the counts of the record, and the certificate holds", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/r.jsonl", assert(experiments.encode(records))))
      local function run(...) return process.run { args = { process.portolan, ... }, env = { LANG = "C" } } end
      local r = run("infer", "cegis", "--oracle", "replay:" .. d .. "/r.jsonl", "--uops", "record", "--ports", "3", "--out", d .. "/m.json")
      assert.equal(0, r.status, r.err)
      assert.matches("certain: the same ports, up to names, in every mapping that fits", r.out)
      r = run("verify", d .. "/m.json")
      assert.equal(0, r.status, r.out .. r.err)
      r = run("infer", "cegis", "--oracle", "sim:" .. d .. "/m.json", "--uops", "record")
      assert.equal(2, r.status)
      assert.matches("only a record", r.err)
      assert(file.write(d .. "/r.jsonl", assert(experiments.encode { { e = { a = 1, b = 1 }, cycles = 1, uops = 5, status = "ok" } })))
      r = run("infer", "cegis", "--oracle", "replay:" .. d .. "/r.jsonl", "--uops", "record")
      assert.equal(2, r.status)
      assert.matches("the record does not tell the number of uops of 'a'; give it: %-%-uops 'a=N'", r.err)
    end)
  end)
end)

describe("the recorded Zen+", function()
  local base
  for _, above in ipairs { "/../shared/data/zenp", "/../../shared/data/zenp" } do
    if file.kind(os.getenv "PORTOLAN_SOURCE" .. above) then base = os.getenv "PORTOLAN_SOURCE" .. above end
  end
  it("decides six of twelve schemes by itself, ten with times alone, all as in Table 6.2", function()
    if not base then return pending "the recorded experiments are not there" end
    local r = process.run { args = { process.portolan, "run", os.getenv "PORTOLAN_SOURCE" .. "/scripts/campaigns/zenp.lua", base, "10" } }
    assert.equal(0, r.status, r.err)
    assert.matches("run 1: the record %(58 experiments%), up to 10 ports: undecided; certain: 6 of 12 schemes, as in Table 6.2", r.out)
    assert.matches("run 2: and times alone %(68 experiments%), up to 10 ports: undecided; certain: 10 of 12 schemes, as in Table 6.2", r.out)
    assert.is_nil(r.out:find("NOT", 1, true))
    local _, verified = r.out:gsub("; verified;", "")
    assert.equal(4, verified)
  end)
end)
