-- kill -9 at random moments of what writes into a folder over time: chart, campaign, infer. After each the folder opens again, holds no half
-- of anything, has lost nothing that was there, is locked by nobody; and the run goes on to the result that it would have had.
-- PORTOLAN_KILLS: how many times each (3).
local core = require "portolan.core"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local lock = require "portolan.support.lock"
local mapping = require "portolan.mapping"
local process = require "process"
local small_core = require "support.small_core"
local store = require "portolan.experiment.store"

local kills = tonumber(os.getenv "PORTOLAN_KILLS" or "") or 3
local per_folder = 8 -- kills before another folder is begun

local function truth() return small_core.with_misfit("vdivps ymm, ymm, ymm", small_core.uops(1, "0"), { busy = 4, large_inputs = 9 }) end

local names = process.names

-- What a kill may leave behind of files that were being written, beside those that are whole; the next to open a store takes its own away.
local function fragment(name)
  return name == lock.file or name:find("^%..+%.%d+%.%x+%.tmp$") or name:find("%-wal$") or name:find("%-shm$") or name:find("%-journal$")
end

-- Whether each file of a folder is whole, by its ending. A journal may end with half a line: the next run cuts it off.
local whole = {
  json = function(path) assert(json.decode(assert(file.read(path)), path)) end,
  html = function(path) assert.matches("</html>%s*$", assert(file.read(path))) end,
  jsonl = function(path)
    for line in assert(file.read(path)):gmatch "([^\n]*)\n" do assert(json.decode(line, path)) end
  end,
}

local function count_of(path)
  local opened = assert(store.open(path))
  assert(opened:check())
  local count = assert(opened:count())
  opened:close()
  return count
end

whole.db, whole.sqlite = count_of, count_of

-- Checks a folder; returns how much of what is kept is in it: results of stores and whole lines of journals.
local function kept(directory)
  local sum = 0
  for _, name in ipairs(names(directory)) do
    if not fragment(name) then
      local path = directory .. "/" .. name
      local check = assert(whole[name:match "%.(%w+)$"], "what is " .. name .. "?")
      sum = sum + (check(path) or 0)
    end
  end
  return sum
end

local function complete_waves(directory)
  local text = file.read(directory .. "/journal.jsonl") or ""
  return select(2, text:gsub('"event":"batch"', ""))
end

-- Kills a command again and again at moments of the first `seconds`, by random numbers of a seed; `measure(folder)` must never become less.
local function kill(subject, seed, directory)
  local rng, hit, before, age, folder = core.base.rng(seed), 0, 0, 0, directory .. "/out0"
  for round = 1, 4 * kills do
    if hit == kills then break end
    if age == per_folder then folder, before, age = ("%s/out%d"):format(directory, round), 0, 0 end
    local args = subject.command(directory, folder)
    local dead = process.run_and_kill(args, 1 + rng:below(math.floor(subject.seconds * 1000))) == 9
    hit, age = hit + (dead and 1 or 0), dead and age + 1 or per_folder -- what came to its end is left
    if file.kind(folder) then
      local now = kept(folder) + (subject.measure and subject.measure(folder) or 0)
      assert.is_true(now >= before, ("round %d: %d of %d were lost"):format(round, before - now, before))
      before = now
      local held = assert(lock.folder(folder, "a test"))
      held:release()
    end
  end
  return folder, hit
end

local function run(subject, directory, folder)
  local r = process.run { args = subject.command(directory, folder), seconds = 120 }
  if not subject.statuses[r.status] or r.err:find("damaged", 1, true) then error(("%s: %s"):format(r.status, r.err)) end
  return r
end

local function check(subject)
  process.in_directory(function(d)
    subject.prepare(d)
    local folder, hit = kill(subject, 16, d)
    local r = run(subject, d, folder)
    for _, name in ipairs(names(folder)) do assert.is_falsy(fragment(name), name .. " is left") end
    kept(folder)
    if subject.result then
      run(subject, d, d .. "/unharmed")
      assert.same(subject.result(d .. "/unharmed"), subject.result(folder))
    end
    if kills > 20 then io.stderr:write(("%s: killed %d times, then exit status %d\n"):format(subject.name, hit, r.status)) end
    assert.equal(kills, hit)
  end)
end

local function read(path) return assert(json.decode(assert(file.read(path)), path)) end

describe("a folder whose writer is killed", function()
  it("is a chart's", function()
    if process.emulated then pending "an emulated processor is not measured" end
    check { name = "chart", seconds = 5, statuses = { [0] = true, [1] = true, [130] = true }, -- a noisy machine
      prepare = function() end,
      command = function(_, folder)
        return { "env", "PORTOLAN_DEFAULT_ARCHITECTURE=" .. isa.host, process.portolan, "chart", "--out", folder, "--evaluate", "20",
          "--budget", "60s" }
      end }
  end)

  it("is a campaign's", function()
    check { name = "campaign", seconds = 0.3, statuses = { [0] = true }, measure = complete_waves,
      prepare = function(d)
        local other = small_core.mapping { ["vpand ymm, ymm, ymm"] = small_core.uops(1, "0"),
          ["bextr r64, r64, r64"] = small_core.uops(4, "5", "5", "5", "5") }
        assert(mapping.save(small_core.mapping(), d .. "/a.json"))
        assert(mapping.save(other, d .. "/b.json"))
        small_core.universe(d)
      end,
      command = function(d, folder)
        return { process.portolan, "campaign", "--a", "mapping:" .. d .. "/a.json", "--b", "mapping:" .. d .. "/b.json", "--dry", "3",
          "--coverage", "20", "--length", "3", "--universe", d .. "/universe.lua", "--out", folder }
      end,
      result = function(folder)
        local list = {}
        for i, found in ipairs(read(folder .. "/discoveries.json").discoveries) do list[i] = { found.id, found.text, found.covers } end
        return list
      end }
  end)

  it("is an inference's", function()
    check { name = "infer pmevo", seconds = 0.2, statuses = { [0] = true },
      prepare = function(d) assert(mapping.save(truth(), d .. "/truth.json")) end,
      command = function(d, folder)
        return { process.portolan, "infer", "pmevo", "--oracle", "sim:" .. d .. "/truth.json,noise=0.003", "--out", folder, "--evaluate", "20",
          "--threads", "1" }
      end,
      result = function(folder) return read(folder .. "/mapping.json").schemes end }
  end)
end)
