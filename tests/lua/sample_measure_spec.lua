-- `portolan sample` and `portolan measure`: experiments of given lengths, orders and operands; answers that are appended, and gone on with.
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local loop_body = require "portolan.experiment.loop_body"
local process = require "process"
local recording = require "portolan.experiment.recording"
local sample = require "portolan.block.sample"
local store = require "portolan.experiment.store"

local names = { "add r64, r64", "imul r64, r64", "vpaddd ymm, ymm, ymm", "mov r64, m64" }
local mapping_text = [==[{"format":"portolan-mapping","version":1,"ports":["0","1","2"],"rmax":4,"schemes":{
  "add r64, r64":{"uops":[[["0","1"],1]]},"imul r64, r64":{"uops":[[["1"],1]]},"vpaddd ymm, ymm, ymm":{"uops":[[["0"],1]]},
  "mov r64, m64":{"uops":[[["2"],1]]}}}]==]

local function portolan(d, ...)
  return process.run { args = { process.portolan, ... }, cwd = d, env = { PORTOLAN_PATH = false }, seconds = 60 }
end

local function done(d, ...)
  local r = portolan(d, ...)
  assert.equal(0, r.status, r.out .. r.err)
  return r.out
end

-- A folder with a mapping and experiments of it.
local function in_folder(visit, ...)
  local options = { ... }
  process.in_directory(function(d)
    assert(file.write(d .. "/m.json", mapping_text))
    done(d, "sample", "--out", "s.jsonl", table.unpack(table.move(names, 1, #names, #options + 1, options)))
    visit(d)
  end)
end

describe("a sample of experiments", function()
  local function keys(records)
    local list = {}
    for i, r in ipairs(records) do list[i] = experiment.key(r.e) end
    return list
  end

  it("has the lengths and numbers that were asked for, and no multiset twice", function()
    local records = sample.experiments(names, { lengths = { 1, 3 }, count = 10, seed = 1 })
    local lengths, seen = {}, {}
    for _, record in ipairs(records) do
      local n = experiment.length(record.e)
      lengths[n] = (lengths[n] or 0) + 1
      assert.is_nil(seen[experiment.key(record.e)])
      seen[experiment.key(record.e)] = true
      assert(experiments.check(record))
      assert.same({ nil, nil, sample.status }, { record.order, record.variant, record.status })
    end
    assert.same({ [1] = 4, [3] = 10 }, lengths) -- there are four schemes
  end)

  it("depends on the seed and the length, and on nothing else", function()
    local function of(seed, lengths) return keys(sample.experiments(names, { lengths = lengths, count = 5, seed = seed })) end
    assert.same(of(1, { 4 }), of(1, { 4 }))
    assert.not_same(of(1, { 4 }), of(2, { 4 }))
    assert.same(of(1, { 4 }), table.move(of(1, { 2, 4 }), 6, 10, 1, {}))
  end)

  it("names different orders of each multiset, as many as there are", function()
    local records = sample.experiments(names, { lengths = { 4 }, count = 20, orders = 30, seed = 3 })
    local by_key = {}
    for _, record in ipairs(records) do
      assert(experiments.check(record))
      local key, order = experiment.key(record.e), table.concat(record.order, ";")
      by_key[key] = by_key[key] or { n = 0, e = record.e }
      assert.is_nil(by_key[key][order])
      by_key[key][order], by_key[key].n = true, by_key[key].n + 1
    end
    local function factorial(n) return n < 2 and 1 or n * factorial(n - 1) end
    for _, found in pairs(by_key) do
      local all = factorial(4)
      for _, count in pairs(found.e) do all = all // factorial(count) end
      assert.equal(all, found.n)
    end
  end)

  it("has variants of operands, which are other code of the same schemes", function()
    local records = sample.experiments(names, { lengths = { 2 }, count = 3, variants = 3, seed = 1 })
    assert.equal(9, #records)
    local declared, codes = assert(loop_body.declared()), {}
    for i, record in ipairs(records) do
      assert.equal((i - 1) % 3, record.variant)
      local body = assert(loop_body.of(record, declared, 8))
      local found = {}
      for k, instruction in ipairs(assert(core.isa.decode(body.bytes)).instructions) do found[k] = instruction.scheme end
      assert.is_true(experiment.equal(experiment.scale(record.e, body.copies), experiment.of_list(found)))
      codes[body.bytes] = true
    end
    local n = 0
    for _ in pairs(codes) do n = n + 1 end
    assert.is_true(n >= 8) -- a multiset whose registers are all fixed could repeat one
  end)
end)

describe("a loop body", function()
  local declared = assert(loop_body.declared())
  local function schemes(body)
    local list = {}
    for i, one in ipairs(assert(core.isa.decode(body.bytes)).instructions) do list[i] = one.scheme end
    return list
  end

  it("has the instances in the order of the record", function()
    local order = { "imul r64, r64", "add r64, r64", "add r64, r64" }
    local body = assert(loop_body.of({ e = experiment.of_list(order), order = order }, declared, 6, "line"))
    assert.same({ order[1], order[2], order[3], order[1], order[2], order[3] }, schemes(body))
    assert.same({ 2, 6, "line" }, { body.copies, body.unroll, body.layout })
  end)

  it("is that of Algorithm 3.1 where no order is named", function()
    local e = { ["add r64, r64"] = 2, ["mov r64, m64"] = 1 }
    local body = assert(loop_body.of({ e = e }, declared, 40))
    assert.equal(assert(core.isa.kernel(e, core.isa.policy(declared), 40)).bytes, body.bytes)
  end)

  it("is listed with bytes and text", function()
    local lines = loop_body.listing(assert(loop_body.of({ e = { ["add r64, r64"] = 1 } }, declared, 2)))
    assert.equal(2, #lines)
    for _, line in ipairs(lines) do assert.matches("^    %x%x%x%x%x%x +add r%w+, r%w+$", line) end
  end)
end)

describe("portolan sample", function()
  it("writes the same file for the same seed, to standard output too", function()
    in_folder(function(d)
      local words = { "sample", "--lengths", "2-3", "--count", "4", "--seed", "7", table.unpack(names) }
      local out = done(d, table.unpack(words))
      assert.equal(8, #assert(experiments.parse(out)))
      done(d, "sample", "--out", "t.jsonl", table.unpack(words, 2))
      assert.equal(out, (file.read(d .. "/t.jsonl")))
    end)
  end)

  it("takes schemes from a file, a set and a filter", function()
    in_folder(function(d)
      assert(file.write(d .. "/names", "# mine\nadd r64, r64\n\nimul r64, r64\n"))
      local found = {}
      for _, record in ipairs(assert(experiments.parse((done(d, "sample", "--schemes", "names", "--lengths", "1"))))) do found[next(record.e)] = 1 end
      assert.same({ ["add r64, r64"] = 1, ["imul r64, r64"] = 1 }, found)
      for _, record in ipairs(assert(experiments.parse((done(d, "sample", "--filter", "memory", "--lengths", "1"))))) do
        assert.matches("m%d", (next(record.e)))
      end
    end)
  end)

  it("makes blocks of code of the schemes", function()
    in_folder(function(d)
      local records = assert(experiments.parse((done(d, "sample", "--blocks", "--lengths", "3", "--count", "10", table.unpack(names)))))
      assert.equal(10, #records)
      for _, record in ipairs(records) do
        local list = {}
        local bytes = record.hex:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)
        for i, one in ipairs(assert(core.isa.decode(bytes)).instructions) do list[i] = one.scheme end
        assert.same(record.order, list)
      end
    end)
  end)

  it("lists the code", function()
    in_folder(function(d)
      local out = done(d, "sample", "--lengths", "1", "--count", "1", "--out", "t.jsonl", "--listing", "add r64, r64")
      assert.matches("^add r64, r64\n  loop body: 40 copies of the experiment %(unrolled to about 40 instructions%), layout line, 120 bytes\n", out)
      assert.equal(40, select(2, out:gsub("\n    %x+ +add r", "")))
      assert.matches("t.jsonl: 1 experiment, 1 instruction, of 1 scheme\n$", out)
    end)
  end)
end)

describe("portolan measure", function()
  it("answers by a processor; eval and infer take the file", function()
    in_folder(function(d)
      local out = done(d, "measure", "s.jsonl", "--oracle", "sim:m.json", "--out", "a.jsonl")
      assert.matches("^a.jsonl: (%d+) experiments, 0 of them before; now %1 ok\n$", out)
      for _, record in ipairs(assert(experiments.load(d .. "/a.jsonl"))) do assert.same({ "ok", "sim:m.json" }, { record.status, record.source }) end
      assert.matches("m +%d+ +0%.0%%", done(d, "eval", "a.jsonl", "--mapping", "m.json"))
      local inferred = portolan(d, "infer", "pmevo", "--oracle", "replay:a.jsonl", "--time", "1s", "--out", "p.json")
      assert.is_nil(inferred.err:find("internal", 1, true), inferred.err)
    end, "--lengths", "1-4", "--count", "50")
  end)

  it("answers by a predictor, with the predictions of others beside it", function()
    in_folder(function(d)
      done(d, "measure", "s.jsonl", "--predictor", "mapping:m.json", "--others", "mapping:m.json", "--out", "a.jsonl")
      local _, compiled = nil, assert(require("portolan.prediction.model").load(d .. "/m.json"))
      for _, record in ipairs(assert(experiments.load(d .. "/a.jsonl"))) do
        assert.near(compiled:throughput(record.e), record.cycles, 1e-9)
        assert.near(record.cycles, record.others["mapping:m.json"], 1e-9)
      end
      assert.matches("mapping:m.json +%d+ +0%.0%%", done(d, "eval", "a.jsonl"))
    end, "--lengths", "2,5", "--count", "10")
  end)

  it("gives predictors the order and the blocks that the records name", function()
    in_folder(function(d) -- cycles: the place of the first multiplication, of 40 instructions or so
      assert(file.write(d .. "/first.lua", [[return { predict = function(block)
        for i, name in ipairs(block.schemes) do if name:find "^imul" then return i end end
        return 100
      end }]]))
      done(d, "measure", "s.jsonl", "--predictor", "lua:first.lua", "--out", "a.jsonl")
      local seen = 0
      for _, record in ipairs(assert(experiments.load(d .. "/a.jsonl"))) do
        local place = 100
        for i = #record.order, 1, -1 do if record.order[i] == "imul r64, r64" then place = i end end
        assert.near(place / 13, record.cycles, 1e-9) -- 13 copies of 3 instructions
        seen = seen + (place < 100 and 1 or 0)
      end
      assert.is_true(seen > 0)
      done(d, "sample", "--blocks", "--lengths", "3", "--count", "5", "--out", "b.jsonl", table.unpack(names))
      done(d, "measure", "b.jsonl", "--predictor", "lua:first.lua", "--out", "c.jsonl")
      for _, record in ipairs(assert(experiments.load(d .. "/c.jsonl"))) do
        local place = 100
        for i = 3, 1, -1 do if record.order[i] == "imul r64, r64" then place = i end end
        assert.equal(place, record.cycles)
      end
    end, "--lengths", "3", "--count", "5", "--orders", "3")
  end)

  it("goes on where it was cut off, half a line included, and ends with the same file", function()
    in_folder(function(d)
      local words = { "measure", "s.jsonl", "--oracle", "sim:m.json", "--out" }
      words[6] = "whole.jsonl"
      done(d, table.unpack(words))
      local whole = assert(file.read(d .. "/whole.jsonl"))
      words[6] = "a.jsonl"
      for _, size in ipairs { 0, 1, 2, 3, 1000, 5003, #whole - 2, #whole - 1, #whole } do
        assert(file.write(d .. "/a.jsonl", whole:sub(1, size)))
        done(d, table.unpack(words))
        assert.equal(whole, (file.read(d .. "/a.jsonl")))
      end
      assert.matches("100 of them before; now none\n$", done(d, table.unpack(words)))
      assert.is_nil(file.kind(d .. "/a.jsonl.lock"))
    end, "--lengths", "6", "--count", "50", "--orders", "2")
  end)

  it("is ended by Ctrl-C between batches, with whole lines", function()
    in_folder(function(d)
      assert(file.write(d .. "/slow.lua", [[return { schemes = { "add r64, r64", "imul r64, r64", "vpaddd ymm, ymm, ymm", "mov r64, m64" },
        cycles = function() local t = os.clock() repeat until os.clock() - t > 0.02 return 1 end }]]))
      local words = { process.portolan, "measure", "s.jsonl", "--oracle", "lua:slow.lua", "--out", "a.jsonl" }
      -- The signal comes when the first batch is written.
      local shell = [[exec 4< <(exec "$0" "$@" 2>&1); child=$!; while kill -0 $child && [ ! -s a.jsonl ]; do sleep 0.05; done
        kill -INT $child; cat <&4; wait $child]]
      local r = process.run { args = { "bash", "-c", shell, table.unpack(words) }, cwd = d, seconds = 60 }
      assert.equal(130, r.status, r.out .. r.err)
      local n = #assert(experiments.load(d .. "/a.jsonl"))
      assert(file.write(d .. "/slow.lua", (assert(file.read(d .. "/slow.lua")):gsub("0%.02", "0"))))
      r = process.run { args = words, cwd = d, seconds = 60 }
      local all = #assert(experiments.load(d .. "/s.jsonl"))
      assert.is_true(0 < n and n < all)
      assert.matches(("%d experiments, %d of them before; now %d ok"):format(all, n, all - n), r.out)
    end, "--lengths", "9", "--count", "100", "--orders", "3")
  end)

  it("loses nothing that was written when it is killed", function()
    in_folder(function(d)
      assert(file.write(d .. "/slow.lua", [[return { schemes = { "add r64, r64", "imul r64, r64", "vpaddd ymm, ymm, ymm", "mov r64, m64" },
        cycles = function(e) local t = os.clock() repeat until os.clock() - t > 0.003 return 1 end }]]))
      local words = { process.portolan, "measure", d .. "/s.jsonl", "--oracle", "lua:" .. d .. "/slow.lua", "--out", d .. "/a.jsonl" }
      local before = 0
      for k = 1, 3 do
        process.run_and_kill(words, 500 * k)
        local n = file.kind(d .. "/a.jsonl") and select(2, assert(file.read(d .. "/a.jsonl")):gsub("\n", "")) or 0
        assert.is_true(n >= before)
        before = n
      end
      assert.equal(0, process.run({ args = words, seconds = 60 }).status)
      local asked, answered = {}, {}
      for i, record in ipairs(assert(experiments.load(d .. "/s.jsonl"))) do asked[i] = record.e end
      for i, record in ipairs(assert(experiments.load(d .. "/a.jsonl"))) do answered[i] = record.e end
      assert.same(asked, answered)
    end, "--lengths", "12", "--count", "300")
  end)

  it("shows no control characters of names", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/m.json", (mapping_text:gsub("add r64, r64", "a\\u001b[31m\\nb"))))
      assert(file.write(d .. "/s.jsonl", '{"e":{"a\\u001b[31m\\nb":1},"status":"not measured"}\n'))
      local out = done(d, "measure", "s.jsonl", "--oracle", "sim:m.json", "--out", "a.jsonl", "--listing")
      assert.is_nil(out:find "[\0-\9\11-\31]")
      assert.equal(3, select(2, out:gsub("\n", "")))
    end)
  end)

  it("says why there are no cycles, and goes on", function()
    in_folder(function(d)
      assert(file.write(d .. "/p.lua", [[return { predict = function(block)
        if block.schemes[1]:find "^imul" then error "no imul" end
        if block.schemes[1]:find "^mov" then return nil, "no mov" end
        return block.schemes[1]:find "^add" and 0 or 1
      end }]]))
      done(d, "measure", "s.jsonl", "--predictor", "lua:p.lua", "--out", "a.jsonl")
      local found = {}
      for _, record in ipairs(assert(experiments.load(d .. "/a.jsonl"))) do found[(next(record.e))] = record end
      assert.same({ "crash", "no prediction", "no number", "ok" }, { found["imul r64, r64"].status, found["mov r64, m64"].status,
        found["add r64, r64"].status, found["vpaddd ymm, ymm, ymm"].status })
      assert.matches("p.lua:2: no imul", found["imul r64, r64"].message)
      assert.matches("'cycles' must be", found["add r64, r64"].message)
    end, "--lengths", "1", "--count", "4")
  end)

  it("measures orders and operands on this machine, each kept by itself", function()
    if core.bench.architecture ~= "x86_64" then pending "this is no x86-64 processor" return end
    in_folder(function(d)
      local words = { "measure", "s.jsonl", "--oracle", "hw,store=m.db,wait=5,patience=5", "--out", "a.jsonl", "--listing" }
      local r = portolan(d, table.unpack(words))
      local records = file.kind(d .. "/a.jsonl") and assert(experiments.load(d .. "/a.jsonl")) or {}
      for _, record in ipairs(records) do if record.status ~= "ok" then r.status = 1 end end
      if r.status == 1 then pending("this machine is too noisy: " .. r.err .. r.out) return end
      assert.equal(0, r.status, r.err)
      assert.equal(8, #records) -- three multisets, of which one has two orders; two choices of operands
      for _, record in ipairs(records) do assert.same({ "line", true }, { record.layout, record.unroll >= 40 }) end
      local opened = assert(store.open(d .. "/m.db"))
      assert.equal(8, (opened:count()))
      opened:close()
      local first = r.out:match "imul r64, r64; add r64, r64 %(operands 1%)\n  loop body: [^\n]+\n    %x+ +(%S+)"
      assert.equal("imul", first, r.out)
    end, "--lengths", "2", "--count", "30", "--orders", "2", "--variants", "2", "--filter", "name == 'add r64, r64' or name == 'imul r64, r64'")
  end)

  it("lists the code that a predictor is given", function()
    in_folder(function(d)
      local out = done(d, "measure", "s.jsonl", "--predictor", "mapping:m.json", "--out", "a.jsonl", "--listing")
      assert.matches("1%.000 cycles  imul r64, r64\n  loop body: 40 copies[^\n]+\n    %x+ +imul r", out)
    end, "--lengths", "1", "--count", "4")
  end)
end)

describe("wrong input", function()
  local function refused(d, words, ...)
    local r = portolan(d, ...)
    assert.equal(2, r.status, r.out .. r.err)
    assert.equal("", r.out)
    assert.matches("^portolan %l+: [^\n]+\n$", r.err)
    assert.truthy(r.err:find(words, 1, true), r.err)
  end

  it("of sample is one line", function()
    process.in_directory(function(d)
      for _, lengths in ipairs { "0", "x", "", "1,", "3-2", "501", "-1", "1-", "1.5" } do
        refused(d, "--lengths must be numbers from 1 to 500", "sample", "--lengths=" .. lengths)
      end
      for option, words in pairs { ["--count"] = "a whole number from 1 to 1000000", ["--orders"] = "a whole number from 1 to 1000",
        ["--variants"] = "a whole number from 1 to 6", ["--seed"] = "a whole number from 0" } do
        for _, value in ipairs { "x", "1.5", "-1", "nan" } do refused(d, option .. " must be " .. words, "sample", option, value) end
      end
      refused(d, "leave out --orders", "sample", "--blocks", "--orders", "2")
      refused(d, "blocks have at most 16 instructions", "sample", "--blocks", "--lengths", "17")
      refused(d, "--out FILE", "sample", "--listing")
      refused(d, "lower --count", "sample", "--count", "1000000", "--orders", "2")
      refused(d, "no such instruction scheme", "sample", "foo r64")
      refused(d, "no instruction set 'foo'", "sample", "--set", "foo")
      refused(d, "cannot read none", "sample", "--schemes", "none")
      refused(d, "--filter: ", "sample", "--filter", "(")
      refused(d, "no scheme is left", "sample", "--filter", "false")
      refused(d, "cannot write", "sample", "--out", "no/such/x.jsonl")
      refused(d, "make_nothing", "sample", "--set", "./make_nothing.lua")
    end)
  end)

  it("of measure is one line, and nothing is written", function()
    in_folder(function(d)
      refused(d, "give either --oracle or --predictor", "measure", "s.jsonl", "--out", "a.jsonl")
      refused(d, "give either --oracle or --predictor", "measure", "s.jsonl", "--out", "a.jsonl", "--oracle", "hw", "--predictor", "hw")
      refused(d, "missing option '--out'", "measure", "s.jsonl", "--oracle", "hw")
      local function with(words, ...) refused(d, words, "measure", "--out", "a.jsonl", ...) end
      with("no oracle 'mars'", "s.jsonl", "--oracle", "mars")
      with("--predictor: no predictor 'mars'", "s.jsonl", "--predictor", "mars")
      with("--others: no predictor 'mars'", "s.jsonl", "--oracle", "sim:m.json", "--others", "mars")
      with("cannot read none.jsonl", "none.jsonl", "--oracle", "sim:m.json")
      with("is it a mapping?", "m.json", "--oracle", "sim:m.json")
      with("the same experiments are given twice", "s.jsonl", "./s.jsonl", "--oracle", "sim:m.json")
      with("--seed must be", "s.jsonl", "--oracle", "sim:m.json", "--seed", "x")
      refused(d, "would be both read and written", "measure", "s.jsonl", "--out", "./s.jsonl", "--oracle", "sim:m.json")
      refused(d, "cannot", "measure", "s.jsonl", "--out", "no/such/a.jsonl", "--oracle", "sim:m.json")
      refused(d, "directory", "measure", "s.jsonl", "--out", ".", "--oracle", "sim:m.json")
      assert(file.write(d .. "/empty.jsonl", ""))
      with("there is no experiment in it", "empty.jsonl", "--oracle", "sim:m.json")
      done(d, "sample", "--blocks", "--count", "1", "--out", "b.jsonl", table.unpack(names))
      with("b.jsonl: experiment 1: a block of code", "b.jsonl", "--oracle", "sim:m.json")
      assert.is_nil(file.kind(d .. "/a.jsonl"))
      done(d, "measure", "s.jsonl", "--oracle", "sim:m.json", "--out", "b2.jsonl")
      local before = assert(file.read(d .. "/b2.jsonl"))
      refused(d, "is an answer of sim:m.json, not of mapping:m.json", "measure", "s.jsonl", "--predictor", "mapping:m.json", "--out", "b2.jsonl")
      assert(file.write(d .. "/bad.jsonl", '{"e":1}\n'))
      refused(d, "bad.jsonl:1: field 'e'", "measure", "s.jsonl", "--oracle", "sim:m.json", "--out", "bad.jsonl")
      assert.equal(before, (file.read(d .. "/b2.jsonl")))
      assert.equal('{"e":1}\n', (file.read(d .. "/bad.jsonl")))
    end)
  end)

  it("shortens no file of something else", function()
    in_folder(function(d)
      for _, text in ipairs { mapping_text, (mapping_text:gsub("\n", "")), "hello", "[]", "{}", '{"a":1}', "scheme,usage\nx,1*p0", "\0\1" } do
        assert(file.write(d .. "/other", text))
        refused(d, "other", "measure", "s.jsonl", "--oracle", "sim:m.json", "--out", "other")
        assert.equal(text, (file.read(d .. "/other")))
      end
    end)
  end)

  it("in the fields of records is told with its line", function()
    process.in_directory(function(d)
      for field, words in pairs { ['"hex":"9"'] = "two for each byte", ['"hex":"xx"'] = "'hex'", ['"hex":1'] = "'hex' must be a string",
        ['"variant":6'] = "from 0 to 5", ['"variant":0.5'] = "from 0 to 5", ['"source":{}'] = "'source' must be a string" } do
        assert(file.write(d .. "/x.jsonl", '{"e":{"nop":1},"status":"not measured",' .. field .. "}\n"))
        refused(d, words, "measure", "x.jsonl", "--predictor", "hw", "--out", "a.jsonl")
      end
      assert(file.write(d .. "/m.json", mapping_text))
      assert(file.write(d .. "/x.jsonl", '{"e":{"nop":1},"status":"not measured","hex":"4801d8"}\n'))
      local r = portolan(d, "measure", "x.jsonl", "--predictor", "mapping:m.json", "--out", "a.jsonl")
      assert.equal(1, r.status, r.err) -- nothing has cycles
      assert.matches("code of other schemes", assert(experiments.load(d .. "/a.jsonl"))[1].message)
    end)
  end)

  it("of who writes already is told", function()
    in_folder(function(d)
      local held = assert(recording.open(d .. "/a.jsonl", "sim:m.json", "a test"))
      refused(d, "is writing there; wait until it has ended, or give another file", "measure", "s.jsonl", "--oracle", "sim:m.json",
        "--out", "a.jsonl")
      held:close()
      assert.equal(0, portolan(d, "measure", "s.jsonl", "--oracle", "sim:m.json", "--out", "a.jsonl").status)
    end)
  end)
end)

describe("a record of answers", function()
  it("counts equal questions one by one", function()
    process.in_directory(function(d)
      local record = { e = { nop = 1 }, status = "not measured" }
      local function ask(list)
        local results = {}
        for i in ipairs(list) do results[i] = { status = "ok", cycles = i } end
        return results
      end
      local into = assert(recording.open(d .. "/a", "x", "test"))
      assert.is_true(into:run({ record }, ask))
      assert.equal(2, #into:missing { record, record, record })
      assert.is_true(into:run({ record, record, record }, ask))
      into:close()
      assert.equal(3, #assert(experiments.load(d .. "/a")))
    end)
  end)

  it("keeps no answer that was interrupted", function()
    process.in_directory(function(d)
      local into = assert(recording.open(d .. "/a", "x", "test"))
      into:run({ { e = { nop = 1 } }, { e = { nop = 2 } } }, function() return { { status = "interrupted" }, { status = "ok", cycles = 1 } } end)
      into:close()
      assert.same({ e = { nop = 2 }, cycles = 1, status = "ok", source = "x" }, assert(json.decode((assert(file.read(d .. "/a"))))))
    end)
  end)
end)

describe("the study of chapter 3", function()
  it("makes Figure 3.7 and Table 3.1, of a simulated processor", function()
    in_folder(function(d)
      assert(file.write(d .. "/set.lua", "return { { name = 'x', schemes = { 'add r64, r64', 'imul r64, r64', 'mov r64, m64' } } }"))
      local words = { "m.json", "oracle=sim:m.json", "set=./set.lua", "count=4", "out=c" }
      local out = done(d, "run", "chapter-3", "figure-3.7", table.unpack(words))
      assert.matches("3 schemes explained by the mapping, 3 measured alone, 3 of them within 10%%", out)
      assert.matches("\n +6 +4 +0%.00%%[^\n]+7%.74%%\n", out)
      assert.matches("</html>", (file.read(d .. "/c/figure-3.7.html")))
      out = done(d, "run", "chapter-3", "table-3.1", table.unpack(words))
      assert.matches("\n +20 +4 +0%.000 +0%.00 +0%.0%%   0%.004  0%.21  1%.2%%\n", out)
      assert.equal(out, done(d, "run", "chapter-3", "table-3.1", table.unpack(words)))
      for word, said in pairs { ["figure-3.8"] = "write figure%-3.7 or table%-3.1", ["count=x"] = "a whole number",
        ["colour=red"] = "the keys are" } do
        local r = portolan(d, "run", "chapter-3", word:find "=" and "table-3.1" or word, "m.json", word:find "=" and word or nil)
        assert.equal(2, r.status)
        assert.matches("^chapter%-3: [^\n]*" .. said .. "[^\n]*\n$", r.err)
      end
    end)
  end)
end)
