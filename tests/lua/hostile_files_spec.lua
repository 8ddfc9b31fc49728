-- Files whose every field was replaced by values of a wrong kind: refused in one line, or read; never an error, never a page that lies broken.
local certificate = require "portolan.infer.cegis.certificate"
local check = require "portolan.report.check"
local checkpoint = require "portolan.infer.pmevo.checkpoint"
local conjunctive = require "portolan.mapping.conjunctive"
local damage = require "support.damage"
local discoveries = require "portolan.anica.discoveries_file"
local documents = require "support.documents"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local latencies = require "portolan.predictor.assumed.latencies"
local mapping = require "portolan.mapping"
local model = require "portolan.prediction.model"
local palmed = require "portolan.format.palmed"
local pmevo = require "portolan.format.pmevo"
local process = require "process"
local report = require "portolan.report"

local function decoded(text) return assert(json.decode(text, "test")) end

local function all(text, read) return damage.all(decoded(text), read) end

describe("a checkpoint", function()
  it("that was changed is not gone on from", function()
    process.in_directory(function(d)
      local state = { epoch = 3, value = 0.1, list = {}, islands = { { steps = 2.0, mappings = { { 1, 2 } } } } }
      local c = checkpoint.new(d .. "/c", "key")
      assert(c:write(function() return state end, true))
      assert.same(state, c:read())
      assert.is_nil(checkpoint.new(d .. "/c", "other"):read())
      local text = assert(file.read(d .. "/c"))
      assert(file.write(d .. "/c", (text:gsub('"epoch":3', '"epoch":[]'))))
      assert.is_nil(c:read())
    end)
  end)
end)

describe("of damaged documents,", function()
  it("charts", function()
    local count, refused = all(documents.chart, function(value)
      local chart, message = check.chart(value)
      if not chart then return nil, message end
      return report.chart(chart)
    end)
    assert.is_true(count > 2000 and refused > count / 2)
  end)
  it("discoveries", function()
    local count = all(documents.discoveries, function(value) return report.campaign.page(value) end)
    assert.is_true(count > 1000)
    all(documents.discoveries, discoveries.result)
  end)
  it("mappings", function()
    all(documents.mapping, function(value)
      local text = json.encode(value)
      if not text then return true end
      local m, message = mapping.parse(text, "f")
      if not m then return nil, message end
      assert(mapping.encode(m))
      local made = assert(model.of(m))
      for _, name in ipairs(mapping.schemes(m, true)) do made:predict { [name] = 2 } end
      return made
    end)
  end)
  it("certificates", function()
    all(documents.certificate, function(value)
      certificate.digest(value)
      return certificate.check(value)
    end)
  end)
  it("latencies", function()
    process.in_directory(function(d)
      local path = d .. "/l.json"
      all('{"x":{"add r64, r64":1,"imul r64, r64":3.5}}', function(value)
        local text = json.encode(value.x == nil and {} or value.x)
        if not text then return true end
        assert(file.write(path, text))
        local opened, message = latencies.open(path)
        if not opened then return nil, message end
        local cycles = opened.of "add r64, r64"
        assert(cycles == nil or cycles >= 0 and cycles <= 1e6)
        return opened
      end)
    end)
  end)
  it("records of experiments", function()
    all('{"x":{"e":{"a":2,"b":1},"cycles":1,"n":3,"rejected":1,"spread":0.1,"frequency":1e9,"uops":3,"slots":2,"latency":1,"status":"ok",'
      .. '"others":{"t":1},'
      .. '"order":["a","b","a"],"hex":"4801d8","variant":2,"source":"hw"}}',
      function(value) return experiments.check(value.x) end)
  end)
  it("files of other tools", function()
    all('{"x":{"kind":"Mapping3","arch":{"kind":"Architecture","insns":["a"],"ports":[0,1]},"assignment":{"a":[[0,1],["x"]]}}}',
      function(value)
        if not pmevo.is_mapping(value.x) then return nil, "not one" end
        return pmevo.mapping(value.x)
      end)
    all('{"x":{"uarchname":"u","peakipc":4,"data":{"a":{"portusage":[[["0"],1]],"itp":0.5,"numuops":1}}}}', function(value)
      if not pmevo.is_mapping(value.x) then return nil, "not one" end
      return pmevo.mapping(value.x)
    end)
    all('{"x":{"kind":"ExperimentList","exps":[{"iseq":["a","b"],"result":{"cycles":1},"other_results":[{"id":"x","cycles":2}]}]}}', function(value)
      if not pmevo.is_experiments(value.x) then return nil, "not one" end
      local list, message = pmevo.experiments(value.x)
      for _, record in ipairs(list or {}) do assert(experiments.check(record)) end
      return list, message
    end)
    all('{"x":{"instr_to_class":{"I":"c"},"class_to_resources":{"c":{"resource_use":[[0.5,"R1"]]}}}}', function(value)
      if not palmed.is_mapping(value.x) then return nil, "not one" end
      return palmed.mapping(value.x)
    end)
    all('{"format":"portolan-conjunctive","version":1,"resources":["R"],"schemes":{"a":{"R":0.5}},"processor":{"name":"p"},"provenance":{}}',
      function(value) return conjunctive.decode(value, "f") end)
  end)
end)
