-- portolan predict --predictor --file, and portolan eval with several files.
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

-- Files with these texts, by name, in a directory that does not outlive `f`.
local function with_files(texts, f)
  process.in_directory(function(d)
    local paths = {}
    for name, text in pairs(texts) do
      paths[name] = d .. "/" .. name
      assert(file.write(paths[name], text))
    end
    f(paths, d)
  end)
end

-- Exit status 2, one line on stderr, nothing on stdout.
local function refused(words, ...)
  local r = portolan(...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan %a+: [^\n]*" .. words .. "[^\n]*\n$", r.err)
end

describe("portolan predict --predictor --file", function()
  local length = "command-batch:awk '{ if ($0 == \"90\") print \"unsupported: 90\"; else print length($0) / 2 }'"
  local blocks = "4801d8,3\n90,17\n4883c2014883fa40,0.25\n06,1\n"

  it("asks about every block of the file, and counts", function()
    with_files({ ["blocks.csv"] = blocks }, function(paths)
      local r = portolan("predict", "--predictor", length, "--predictor", "command:expr length {}", "--file", paths["blocks.csv"])
      assert.equal(0, r.status, r.err)
      assert.matches("\n4801d8 +3.000 +6.000\n90 +%- +2.000\n4883c2014883fa40 +8.000 +16.000\n06 +1.000 +2.000\n", r.out)
      assert.matches("\ncommand%-batch:awk[^\n]*: line 2: 90: unsupported: 90\n", r.out)
      assert.matches("\ncommand%-batch:awk[^\n]*: 3 of 4 blocks predicted, 1 %(25.00%%%) not\n", r.out)
      assert.matches("\ncommand:expr length {}: 4 of 4 blocks predicted\n$", r.out)
    end)
  end)
  it("gives the same numbers as blocks that are named one by one", function()
    with_files({ ["blocks.csv"] = "4801d8,3\n4883c2014883fa40,1\n",
      ["m.json"] = assert(mapping.encode(mapping.two_level({ "0", "1", "2" }, { ["add r64, r64"] = { "0", "1" }, ["add r64, imm8"] = { "0", "1" },
        ["cmp r64, imm8"] = { "2" } }))) }, function(paths)
      local predictor = "mapping:" .. paths["m.json"]
      local r = portolan("predict", "--json", "--predictor", predictor, "--file", paths["blocks.csv"])
      assert.equal(0, r.status, r.err)
      local rows = assert(json.decode(r.out))
      local named = assert(json.decode(portolan("predict", "--json", "--predictor", predictor, "--hex", "4801d8", "--hex",
        "4883c2014883fa40").out))
      assert.equal(2, #rows)
      for i, row in ipairs(rows) do
        assert.is_true(row.predictions[1].cycles > 0)
        assert.same(named[i].predictions, row.predictions)
      end
      assert.same({ "4883c2014883fa40", 2, 1 }, { rows[2].block, rows[2].line, rows[2].frequency })
    end)
  end)
  it("leaves out rows without code, and says so", function()
    with_files({ ["blocks.csv"] = "90,1\n,5\n9090,1\n" }, function(paths)
      local r = portolan("predict", "--predictor", "command:expr length {}", "--file", paths["blocks.csv"])
      assert.equal(0, r.status, r.err)
      assert.matches("blocks.csv: 1 of 3 rows have no code\n$", r.err)
      assert.matches("2 of 2 blocks predicted\n$", r.out)
    end)
  end)
  it("has status 1 if a predictor predicts none", function()
    with_files({ ["blocks.csv"] = blocks }, function(paths)
      local r = portolan("predict", "--predictor", "command:echo unsupported", "--file", paths["blocks.csv"])
      assert.equal(1, r.status, r.err)
      assert.matches("0 of 4 blocks predicted, 4 %(100.00%%%) not\n$", r.out)
    end)
  end)
  it("refuses what is no table of blocks", function()
    with_files({ ["e.jsonl"] = '{"e":{"a":1},"cycles":1}\n', ["broken.csv"] = "90,1\n9x,1\n", ["void.csv"] = "" }, function(paths, d)
      local function with(path, ...) return "predict", "--predictor", "command:cat", "--file", path, ... end
      refused("a table of blocks is expected", with(paths["e.jsonl"]))
      refused("a table of blocks is expected", with(paths["void.csv"]))
      refused("broken.csv:2: field 1 %(code%): 'x' is no hexadecimal digit", with(paths["broken.csv"]))
      refused("cannot read .*/none: no such file", with(d .. "/none"))
      refused("give either blocks or %-%-file", with(paths["broken.csv"], "nop"))
      refused("give either blocks or %-%-file", with(paths["broken.csv"], "--hex", "90"))
    end)
  end)
end)

describe("portolan eval with several files", function()
  local function list(...)
    local exps = {}
    for i, counts in ipairs { ... } do
      exps[i] = ('{"e":{"a":%d},"cycles":%g,"status":"ok"}\n'):format(counts, counts * (counts > 1 and 0.55 or 1))
    end
    return table.concat(exps)
  end
  local texts = { ["one.jsonl"] = list(1), ["two.jsonl"] = list(2, 2), ["four.jsonl"] = list(4),
    ["none.jsonl"] = '{"e":{"a":1},"status":"unstable"}\n', ["bad.jsonl"] = '{"e":{"a":0},"cycles":1}\n',
    ["m.json"] = assert(mapping.encode(mapping.two_level({ "0", "1" }, { a = { "0", "1" } }))) }

  it("takes them for one, by length", function()
    with_files(texts, function(paths)
      local function evaluate(...)
        local r = portolan("eval", paths["one.jsonl"], paths["two.jsonl"], paths["four.jsonl"], "--mapping", paths["m.json"], "--by-length", ...)
        assert.equal(0, r.status, r.err)
        return r.out
      end
      local out = evaluate()
      assert.matches("^one.jsonl and 2 more: 4 experiments of 1 to 4 instructions", out)
      assert.matches("\n1 +1 +50.0%%[^\n]*\n2 +2 +9.1%%[^\n]*\n4 +1 +9.1%%", out)
      local o = assert(json.decode(evaluate "--json"))
      assert.same({ paths["one.jsonl"], paths["two.jsonl"], paths["four.jsonl"] }, o.experiments.files)
      assert.equal(4, o.experiments.measured)
      assert.equal(3, #o.models[1].by_length)
      local single = assert(json.decode(portolan("eval", paths["two.jsonl"], "--mapping", paths["m.json"], "--json").out))
      assert.equal(paths["two.jsonl"], single.experiments.file)
    end)
  end)
  it("names all of them in a report's command line", function()
    with_files(texts, function(paths, d)
      local r = portolan("eval", paths["one.jsonl"], paths["two.jsonl"], "--mapping", paths["m.json"], "--report", d .. "/r.html")
      assert.equal(0, r.status, r.err)
      local page = assert(file.read(d .. "/r.html"))
      assert.is_truthy(page:find("portolan eval " .. paths["one.jsonl"] .. " " .. paths["two.jsonl"], 1, true))
      refused("would overwrite .*two.jsonl", "eval", paths["one.jsonl"], paths["two.jsonl"], "--mapping", paths["m.json"], "--report",
        paths["two.jsonl"])
    end)
  end)
  it("refuses one that is given twice or broken, and takes one that was not measured", function()
    with_files(texts, function(paths, d)
      refused("one.jsonl: the same experiments are given twice", "eval", paths["one.jsonl"], paths["two.jsonl"], d .. "/./one.jsonl", "--mapping",
        paths["m.json"])
      refused("bad.jsonl:1: field 'e'", "eval", paths["one.jsonl"], paths["bad.jsonl"], "--mapping", paths["m.json"])
      refused("none.jsonl: there is no measured experiment in it", "eval", paths["none.jsonl"], "--mapping", paths["m.json"])
      local r = portolan("eval", paths["one.jsonl"], paths["none.jsonl"], "--mapping", paths["m.json"])
      assert.equal(0, r.status, r.err)
      assert.matches("not measured: 1 unstable", r.out)
    end)
  end)
end)
