-- kill -9 at the entrance of every stage of `portolan infer explain`, and amid stages: the next run goes on from the store and ends with the
-- same mapping, byte by byte.
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local process = require "process"
local small_core = require "support.small_core"
local store = require "portolan.experiment.store"
local uv = require "luv"

local stages = { "noise", "schemes alone", "uop counts", "eliminated at rename", "classes of equal ports", "stores",
  "ports of the classes", "uops by blocking", "consistency", "other inputs", "agreement", "fresh random experiments" }

-- There is something to do in every stage.
local function truth() return small_core.with_misfit("vdivps ymm, ymm, ymm", small_core.uops(1, "0"), { busy = 4, large_inputs = 9 }) end

local function command(d)
  return { process.portolan, "repl", os.getenv("PORTOLAN_SOURCE") .. "/tests/lua/support/tell_stages.lua", "--", "infer", "explain", "--oracle",
    ("sim:%s/truth.json,noise=0.003,kind=gaussian,unit=relative,binder=pending,store=%s/m.db"):format(d, d), "--out", d .. "/mapping.json",
    "--evaluate", "30" }
end

local function fresh(f)
  process.in_directory(function(d)
    assert(mapping.save(truth(), d .. "/truth.json"))
    f(d)
  end)
end

-- Runs to the end; returns the mapping file's text, the number of results in the store, and what it wrote to stderr.
local function whole(d)
  local r = process.run { args = command(d) }
  assert.equal(0, r.status, r.err)
  local measurements = assert(store.open(d .. "/m.db"))
  assert(measurements:check())
  local count = measurements:count()
  measurements:close()
  return assert(file.read(d .. "/mapping.json")), count, r.err
end

-- Starts a run and kills it as soon as `watch` says so: of its stderr, or of the store, of which it gets the number of changes. Returns the
-- signal that ended it.
local function killed(d, watch)
  local args, err, pipe, signal, changes = command(d), "", uv.new_pipe(false), nil, 0
  local handle = uv.spawn(args[1], { args = { table.unpack(args, 2) }, stdio = { nil, nil, pipe } }, function(_, s) signal = s end)
  local event = uv.new_fs_event()
  local function look()
    if not signal and watch(err, changes) then uv.process_kill(handle, 9) end
  end
  event:start(d, {}, function(_, name)
    if name and name:find("m.db-wal", 1, true) then changes = changes + 1 end
    look()
  end)
  uv.read_start(pipe, function(_, chunk)
    if not chunk then return pipe:close() end
    err = err .. chunk
    look()
  end)
  while not (signal and pipe:is_closing()) do uv.run("once") end
  event:close()
  handle:close()
  uv.run("nowait")
  return signal
end

local function finished(err, stage) return ("\n" .. err):find("\n" .. stage .. ": ", 1, true) ~= nil end

describe("portolan infer explain, killed", function()
  local mapping_text, results, stderr
  fresh(function(d) mapping_text, results, stderr = whole(d) end)

  it("passes through all the stages that it is killed in", function()
    for _, stage in ipairs(stages) do assert.is_true(finished(stderr, stage), stage .. ": " .. stderr) end
    assert.is_true(results > 100)
  end)

  it("at the entrance of each stage, one after the other, ends with the same mapping", function()
    fresh(function(d)
      local hit, kept = 0, 0
      for i = 2, #stages do
        local signal = killed(d, function(err) return finished(err, stages[i - 1]) end)
        if signal == 9 then
          hit = hit + 1
          assert.is_nil(io.open(d .. "/mapping.json"))
        end
        local measurements = assert(store.open(d .. "/m.db"))
        assert(measurements:check())
        local count = assert(measurements:count())
        measurements:close()
        assert.is_true(count >= kept, "results were lost before " .. stages[i])
        kept = count
      end
      assert.is_true(hit >= #stages - 2, ("killed only %d times"):format(hit)) -- the last ones may be over too soon
      local text, count = whole(d)
      assert.equal(mapping_text, text)
      assert.equal(results, count)
    end)
  end)

  it("at the entrance of one stage each, ends with the same mapping", function()
    for _, stage in ipairs { "uop counts", "ports of the classes", "consistency" } do
      fresh(function(d)
        assert.equal(9, killed(d, function(err) return finished(err, stage) end))
        local text, count = whole(d)
        assert.equal(mapping_text, text, "killed after " .. stage)
        assert.equal(results, count)
      end)
    end
  end)

  it("amid stages, again and again with one store, ends with the same mapping", function()
    fresh(function(d)
      local hit = 0
      for commits = 1, 13, 2 do
        local signal = killed(d, function(_, changes) return changes >= commits end)
        hit = hit + (signal == 9 and 1 or 0)
      end
      assert.is_true(hit >= 4, ("killed only %d times"):format(hit))
      local text, count = whole(d)
      assert.equal(mapping_text, text)
      assert.equal(results, count)
    end)
  end)
end)
