-- Banks of cores that were met (tests/recordings/CORE, measured by tests/bench/core_bank.lua): what is concluded from them, without that core.
local experiments = require "portolan.experiments"
local filler = require "portolan.processor.filler"
local landmarks = require "portolan.landmarks"
local lists = require "portolan.support.lists"
local replay = require "portolan.processor.replay"

local root = os.getenv "PORTOLAN_SOURCE" .. "/tests/recordings/"

local known = { -- docs/cores.md
  zen4 = { filler = "mov r64, r64", width = 6, refuted = { "nop m32, r32", "nop" } },
  zen5 = { filler = "nop m32, r32", width = 8, refuted = {} },
}

local function records_of(core, name)
  local path = ("%s%s/%s.jsonl.gz"):format(root, core, name)
  local pipe <close> = assert(io.popen(("gzip -dc '%s'"):format(path)))
  return assert(experiments.parse(pipe:read "a", path))
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
          if c.name == name and c.tried > 0 then assert.is_true(c.fits < 0.7 * c.tried or c.too_slow or not filler.takes_one(c), name) end
        end
      end
    end)
  end)
end
