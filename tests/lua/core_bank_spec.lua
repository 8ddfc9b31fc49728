-- Banks of cores that were met (tests/recordings/CORE, measured by tests/bench/core_bank.lua): what is concluded from them, without that core.
local chart = require "portolan.infer.chart"
local experiments = require "portolan.experiment.list"
local filler = require "portolan.processor.filler"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"
local recorded = require "portolan.processor.recorded"
local replay = require "portolan.processor.replay"

local root = os.getenv "PORTOLAN_SOURCE" .. "/tests/recordings/"

-- What is known of them (docs/cores.md); of the chart: how much at least it explains, with what error at most on mixtures that it was not shown.
local known = {
  ["redwood-cove"] = { filler = "nop m32, r32", width = 6, refuted = {}, explained = 90, mape = 0.02,
    counts = { ["not r64"] = 5, ["shl r64, imm8"] = 2, ["imul r64, r64"] = 1, ["movsxd r64, r32"] = 3, ["vpaddd ymm, ymm, ymm"] = 3,
      ["vmulpd ymm, ymm, ymm"] = 2, ["vpermd ymm, ymm, ymm"] = 1, ["vpshufd ymm, ymm, imm8"] = 2, ["mov r64, m64"] = 3 },
    apart = { { "not r64", "mov r64, m64" }, { "shl r64, imm8", "imul r64, r64" } },
    inside = { { "shl r64, imm8", "not r64" }, { "imul r64, r64", "movsxd r64, r32" }, { "vpaddd ymm, ymm, ymm", "not r64" },
      { "vmulpd ymm, ymm, ymm", "vpaddd ymm, ymm, ymm" }, { "vpermd ymm, ymm, ymm", "vpshufd ymm, ymm, imm8" } } },
  zen3 = { filler = "nop m32, r32", width = 6, refuted = {}, explained = 80, mape = 0.06,
    counts = { ["add r64, r64"] = 4, ["shl r64, imm8"] = 2, ["cmovz r64, r64"] = 2, ["imul r64, r64"] = 1, ["vpaddd ymm, ymm, ymm"] = 4,
      ["vaddpd ymm, ymm, ymm"] = 2, ["vmulpd ymm, ymm, ymm"] = 2, ["vpshufd ymm, ymm, imm8"] = 2, ["mov r64, m64"] = 3, ["vmovups xmm, m128"] = 2 },
    apart = { { "add r64, r64", "vpaddd ymm, ymm, ymm" }, { "vaddpd ymm, ymm, ymm", "vmulpd ymm, ymm, ymm" },
      { "shl r64, imm8", "cmovz r64, r64" }, { "vpmuludq ymm, ymm, ymm", "vpshufd ymm, ymm, imm8" } },
    inside = { { "shl r64, imm8", "add r64, r64" }, { "imul r64, r64", "shl r64, imm8" }, { "cmovz r64, r64", "add r64, r64" },
      { "vaddpd ymm, ymm, ymm", "vpaddd ymm, ymm, ymm" }, { "vmovups xmm, m128", "mov r64, m64" } } },
  zen4 = { filler = "mov r64, r64", width = 6, refuted = { "nop m32, r32", "nop" }, explained = 75, mape = 0.035,
    counts = { ["add r64, r64"] = 4, ["shl r64, imm8"] = 2, ["imul r64, r64"] = 1, ["vpaddd ymm, ymm, ymm"] = 4, ["vaddpd ymm, ymm, ymm"] = 2,
      ["vmulpd ymm, ymm, ymm"] = 2, ["vpshufd ymm, ymm, imm8"] = 3, ["vmovups xmm, m128"] = 2 },
    apart = { { "add r64, r64", "vpaddd ymm, ymm, ymm" }, { "vaddpd ymm, ymm, ymm", "vmulpd ymm, ymm, ymm" } },
    inside = { { "shl r64, imm8", "add r64, r64" }, { "imul r64, r64", "add r64, r64" }, { "vaddpd ymm, ymm, ymm", "vpaddd ymm, ymm, ymm" },
      { "vmulpd ymm, ymm, ymm", "vpaddd ymm, ymm, ymm" } } },
  zen5 = { filler = "nop m32, r32", width = 8, refuted = {}, explained = 60, mape = 0.035,
    counts = { ["vpaddd ymm, ymm, ymm"] = 4, ["mov r64, m64"] = 4, ["vmovups ymm, m256"] = 2 },
    apart = { { "mov r64, m64", "vpaddd ymm, ymm, ymm" }, { "vpmuludq ymm, ymm, ymm", "vpslld ymm, ymm, imm8" } },
    inside = { { "vmovups ymm, m256", "mov r64, m64" }, { "vpmuludq ymm, ymm, ymm", "vpaddd ymm, ymm, ymm" },
      { "vpslld ymm, ymm, imm8", "vpaddd ymm, ymm, ymm" } } },
}

local function records_of(core, name)
  local path = ("%s%s/%s.jsonl.gz"):format(root, core, name)
  local pipe <close> = assert(io.popen(("gzip -dc '%s'"):format(path)))
  return assert(experiments.parse(pipe:read "a", path))
end

-- The only uop of a scheme.
local function ports_of(m, name)
  local scheme = m.schemes[name]
  assert.equal("explained", scheme.status, name)
  assert.equal(1, #scheme.uops, name)
  return scheme.uops[1][1]
end

-- The mean error on the mixtures of schemes that are explained, and their number.
local function error_on(m, records)
  local model, sum, n = assert(mapping.compile(m)), 0, 0
  for _, record in ipairs(records) do
    local claimed = record.status == "ok" and lists.all(lists.keys(record.e), function(name)
      return m.schemes[name].status == "explained" or m.schemes[name].status == "eliminated at rename"
    end)
    if claimed then sum, n = sum + math.abs(model:throughput(record.e) / record.cycles - 1), n + 1 end
  end
  return sum / n, n
end

for core, facts in pairs(known) do
  describe("the bank of a " .. core, function()
    it("tells what fills issue slots there", function()
      local bank = assert(replay.new { records = lists.joined(records_of(core, "singles"), records_of(core, "tried")) })
      local marks = landmarks.of "x86_64"
      local names = lists.map(marks.fillers, function(candidate) return candidate.name end)
      local choice = filler.choose(names, marks.various, function(list) return bank:measure(list) end)
      assert.equal(facts.filler, choice.name)
      assert.is_true(choice.sure)
      for _, c in ipairs(choice.candidates) do
        if c.name == facts.filler then assert.equal(facts.width, math.floor(c.width + 0.5)) end
        for _, name in ipairs(facts.refuted) do
          if c.name == name and c.tried > 0 then assert.is_true(c.fits < 0.7 * c.tried or c.too_slow or filler.per_slot(c) ~= 1, name) end
        end
      end
    end)

    it("is explained anew by the chart, from the record alone", function()
      local records = {}
      for _, name in ipairs { "singles", "fillers", "tried", "pairs", "floods" } do records = lists.joined(records, records_of(core, name)) end
      local bank = assert(replay.new { records = records })
      local processor = assert(recorded.new(bank, {}))
      assert.equal(facts.width, processor:issue_width())
      local m = chart.run(processor, { { name = "All", schemes = bank:schemes() } }, { evaluate = 0 }).mapping
      assert.is_true(lists.count(lists.keys(m.schemes), function(name) return m.schemes[name].status == "explained" end) >= facts.explained)
      for name, count in pairs(facts.counts) do assert.equal(count, #ports_of(m, name), name) end
      for _, pair in ipairs(facts.apart) do assert.same({}, port_set.common(ports_of(m, pair[1]), ports_of(m, pair[2]))) end
      for _, pair in ipairs(facts.inside) do assert.is_true(port_set.within(ports_of(m, pair[1]), ports_of(m, pair[2])), pair[1]) end
      local mape, n = error_on(m, records_of(core, "random"))
      assert.is_true(n >= 50 and mape <= facts.mape, ("%.3f on %d"):format(mape, n))
    end)

    it("refuses a width that its filler refutes", function()
      local bank = assert(replay.new { records = lists.joined(records_of(core, "singles"), lists.joined(records_of(core, "tried"),
        records_of(core, "fillers"))) })
      local none, message = recorded.new(bank, { rmax = facts.width - 2 })
      assert.is_nil(none)
      assert.matches(("'%s' fills %d issue slots a cycle"):format(facts.filler, facts.width), message, 1, true)
      assert.equal(facts.width, assert(recorded.new(bank, { rmax = facts.width })):issue_width())
    end)
  end)
end
