-- PMEvo's and pmtestbench's experiments: Python's words in them.
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local process = require "process"
local python_words = require "portolan.format.python_words"

describe("Python's words in JSON", function()
  it("become JSON's, of the same length, outside of strings", function()
    for text, expected in pairs {
      ['{"a": True, "b": [False,None]}'] = '{"a": true, "b": [false,null]}',
      ['["True", "a\\"None", "\\\\", None]'] = '["True", "a\\"None", "\\\\", null]',
      ["Trueish True_ xTrue True1"] = "Trueish True_ xTrue True1", ["True"] = "true", ['"open True'] = '"open True', ['"\\'] = '"\\', [""] = "",
      ["[1,True"] = "[1,true",
    } do
      local mended, count = python_words(text)
      assert.equal(expected, mended)
      assert.equal(text ~= expected and (text:find "b" and 3 or 1) or 0, count)
    end
  end)
  it("and its numbers that JSON does not have become null", function()
    assert.same({ '[null, null, null, -1, NaNo, "NaN"]', 3 }, { python_words '[NaN, Infinity, -Infinity, -1, NaNo, "NaN"]' })
  end)
end)

-- As pmtestbench writes them: JSON, but for what its benchmark said of a run.
local function published(word)
  return '{\n  "kind": "ExperimentList",\n  "arch": { "kind": "Architecture", "insns": [ "add True, None", "mul" ] },\n  "exps": [\n'
    .. '    { "kind": "Experiment", "iseq": [ "add True, None" ], "result": { "cycles": 0.5, "run_details": [ { "discarded": ' .. word
    .. ' } ] } },\n    { "kind": "Experiment", "iseq": [ "add True, None", "mul" ], "result": { "cycles": 1 } }\n  ]\n}\n'
end

describe("pmtestbench's experiments", function()
  it("are read with Python's words, which a note tells", function()
    local list, note = experiments.parse(published "True", "run.json")
    assert.equal(2, #list)
    assert.same({ ["add True, None"] = 1 }, list[1].e)
    assert.equal(0.5, list[1].cycles)
    assert.equal("run.json: not quite JSON: Python's True, False or None in 1 place, read as JSON's", note)
    local plain, silent = experiments.parse(published "true", "run.json")
    assert.same(list, plain)
    assert.is_nil(silent)
  end)
  it("are refused where something else is wrong, at its place", function()
    for word, column in pairs { ["Maybe"] = 118, ["True True"] = 123, ["[True}"] = 123 } do
      local list, message = experiments.parse(published(word), "run.json")
      assert.is_nil(list)
      assert.matches("^run.json:5:" .. column .. ": ", message)
      assert.is_nil(message:find "\n")
    end
  end)
  it("are said to be so by every command that reads them", function()
    process.in_directory(function(d)
      local path, m = d .. "/run.json", d .. "/m.json"
      assert(file.write(path, published "True"))
      assert(mapping.save(mapping.two_level({ "0", "1" }, { ["add True, None"] = { "0", "1" }, mul = { "1" } }), m))
      for _, args in ipairs {
        { "eval", path, "--mapping", m }, { "predict", "--file", path, "--mapping", m }, { "export", "--experiments", "--to", "csv", path },
        { "infer", "pmevo", "--oracle", "replay:" .. path, "--ports", "2", "--evaluate", "0", "--generations", "1", "--out", d .. "/out" },
        { "disagree", m, "--reference", m, "--oracle", "replay:" .. path },
      } do
        local r = process.run { args = { process.portolan, table.unpack(args) } }
        assert.equal(0, r.status, r.err)
        assert.matches("^portolan %l+: [^\n]*run.json: not quite JSON: Python's True, False or None in 1 place, read as JSON's\n", r.err)
      end
    end)
  end)
end)
