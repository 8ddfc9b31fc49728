-- Files whose every field was replaced by values of a wrong kind: refused in one line, or read; never an error, never a page that lies broken.
local certificate = require "portolan.infer.cegis.certificate"
local check = require "portolan.report.check"
local checkpoint = require "portolan.infer.pmevo.checkpoint"
local conjunctive = require "portolan.conjunctive"
local damage = require "support.damage"
local discoveries = require "portolan.anica.discoveries_file"
local experiments = require "portolan.experiments"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local latencies = require "portolan.predictor.assumed.latencies"
local mapping = require "portolan.mapping"
local model = require "portolan.model"
local palmed = require "portolan.format.palmed"
local pmevo = require "portolan.format.pmevo"
local process = require "process"
local report = require "portolan.report"

local function decoded(text) return assert(json.decode(text, "test")) end

-- Every document has every field that its readers know.
local scheme_a = [=["a":{"uops":[[["0","1"],1]],"status":"explained","tp":0.5,"slots":1,"assumed":["0"],"note":"n","breakers":1,
  "taken":true,"kinds":[{"values":"v","bytes":64,"cycles":9}],
  "misfit":{"busy":3,"microcoded":true},"latency":2,"macro_ops":1,
  "latencies":[{"from":"1","to":"1","cycles":2,"low":1,"high":3,"other":4,"same":0,"bypass":{"fp":1},
    "witnesses":[{"chain":"add r64, r64 [1 > 1]","cycles":1}]},{"from":"1","to":"cf","cycles":0,"independent":true,"as":"1 > zf"}],
  "witnesses":["3*a",{"experiment":"2*a","cycles":1,"expected":1,"without":0.5,"ports":["0"],"role":"shows","says":"s"}]}]=]

local mapping_text = '{"format":"portolan-mapping","version":1,"ports":["0","1"],"rmax":4,"processor":{"name":"p"},"provenance":{"x":1},'
  .. '"front_end":{"width":4,"loop":1,"taken_branch":1,"taken_branch_in_loop":0.5,"call_and_return":2,"decoded":3,'
  .. '"length_changing":3,"unlaminated":true,'
  .. '"fuses":{"a":["jz"]},"separate":{"a":["jo"]},"indexed_slots":{"a":2}},"schemes":{'
  .. scheme_a .. ',"b":{"status":"microcoded"}}}'

local chart_text = [=[{"title":"t","date":"d","version":"v","seconds":5,"partial":true,"rmax":4,
  "machine":{"cpu":"c","family":6,"model":1,"stepping":2,"microarchitecture":"m","cores":2,"hypervisor":"h","counters":false,"tsc_hz":2e9,
    "frequency_hz":3e9,"os":"o","known_ports":{"least":3,"most":4}},
  "noise":{"accepted":5,"rejected":1,"quiet_share":0.5,"unstable":1,"sentinel":1,"text":"x","timeline":[{"t":1,"quiet":0.5},{"t":2,"quiet":1}]},
  "mapping":]=] .. mapping_text .. [=[,
  "port_sets":[{"ports":["0","1"],"representative":"a","members":["a"],"assumed":["1"],"witnesses":[{"experiment":{"a":2},"cycles":1,"expected":1}]}],
  "groups":[{"name":"g","schemes":["a","b"]}],
  "misfits":[{"scheme":"b","status":"microcoded","evidence":"e","experiments":[{"experiment":"b","cycles":7,"role":"contradicts","says":"s"}]}],
  "evaluation":{"mape":0.1,"pearson":0.9,"kendall":0.8,"kendall_resolved":0.8,"resolution":0.02,"metric":"IPC",
    "binder":{"mape":0.1,"pearson":0.9,"kendall":0.8,"kendall_resolved":0.8},
    "list":[{"experiment":"a","measured":1,"modelled":1,"binder":2},{"experiment":{"a":2},"measured":2,"modelled":1,"binder":2}],
    "others":[{"name":"o","mape":0.1,"pearson":0.9,"kendall":0.8,"cycles":[1,false]}]},
  "disagreements":{"reference":"r","renaming":{"0":"P0"},"list":[{"scheme":"a","usage":"p0","reference_usage":[[["1"],1]],"experiment":"2*a",
    "ours":1,"theirs":2,"measured":1,"verdict":"ours"}]},
  "counting":{"source":"s","says":"y"},"agreement":{"runs":2,"agree":1,"disagree":["b",{"scheme":"a","usages":["p0",[[["1"],1]]],"text":"t"}]},
  "inference":{"experiments":5,"rounds":2,"seconds":1,"solver_seconds":1,"epsilon":0.01,"open":["x",{"a":"a","b":"b","overlaps":[1,2],"chosen":1}],
    "observations":[{"experiment":{"a":1},"cycles":1}]},
  "latency":{"schemes":1,"pairs":3,"chains":5,"seconds":1,"noise":0.01,"counts":{"determined":2,"no chain":1},"reasons":[{"why":"w","pairs":1}],
    "flags":{"zf":"cf"},"contradicting":[{"chain":"c","cycles":1,"off":1}],"unfinished":"s","failure":"f"},
  "ending":{"stage":"s","why":"w","mend":"m"},
  "provenance":{"seed":1,"command":"c","other":{"x":[1]},"unfinished":[{"stage":"s","distrust":"d"}]}}]=]

local block = '{"hex":"90","text":"nop","a":{"cycles":1},"b":{"error":"e","crash":true,"unsupported":false}}'
local discoveries_text = [=[{"format":"portolan-discoveries","version":1,"portolan":"v","reason":"r","partial":false,"command":"c","date":"d",
  "campaign":{"format":"portolan-campaign","seed":1,"a":{"name":"a","version":"1"},"b":{"name":"b","version":2},
    "domain":{"file":"f","features":["x"]},"universe":{"name":"u","content":"c"},
    "interest":{"kind":"relative","threshold":0.5},
    "samples":100,"first":5,"provisional":20,"length":5,"orders":5,"strategy":"groups","batch":100,
    "concurrent":40,"schemes":10,"excluded":[{"reason":"r","count":1}],"filters":{"schemes":"x"},"limits":{"dry":1}},
  "discoveries":[{"id":"d1","text":["l"],"block":]=] .. block .. ',"original":' .. block .. [=[,"interestingness":1,"infinite":false,"generality":2,
    "covers":1,"order":1,"witnesses":[]=] .. block .. [=[],"tree":[{"expansions":["e"],"accepted":true,"text":["t"],"samples":1,"from":0,"reason":"r",
    "witnesses":[]=] .. block .. '],"counter":[' .. block .. [=[]}]}],
  "coverage":{"blocks":10,"interesting":5,"covered":3,"top":[{"k":1,"covered":2,"discoveries":["d1"],"proven":true}]},
  "figures":{"seconds":1,"predictor_calls":2,"blocks_sampled":3,"interesting":4,"expansions":5,"batches":6},
  "heat":{"predictors":["a","b"],"blocks":5,"share":[[null,0.5],[0.5,null]]}}]=]

local certificate_text = [=[{"version":1,"method":"cegis","encoding":"union","reading":"symmetric","epsilon":0.01,"noise":0.01,"slack":1,"rmax":4,
  "ports":2,"ports_given":false,"seed":1,"schemes":["a","b"],"slots":{"a":1},"uops":{"a":1},"port_counts":{"a":1},"fixed":{"a":["0"],"b":[[["0"],1]]},
  "same_uop":[{"scheme":"a","among":["b"]}],"experiments":[{"e":{"a":1,"b":1},"cycles":1}],"undecided":[["a","b"]],"wanted":[],
  "open":[{"a":"a","ports":[1],"chosen":1},{"a":"a","b":"b","overlaps":[0],"chosen":0}],"assumed":[],"digest":"x",
  "status":"undecided","certain":["a"],"rivals":{"b":{"a":[[["0"],1]],"b":["1"]}}}]=]

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
    local count, refused = all(chart_text, function(value)
      local chart, message = check.chart(value)
      if not chart then return nil, message end
      return report.chart(chart)
    end)
    assert.is_true(count > 2000 and refused > count / 2)
  end)
  it("discoveries", function()
    local count = all(discoveries_text, function(value) return report.campaign.page(value) end)
    assert.is_true(count > 1000)
    all(discoveries_text, discoveries.result)
  end)
  it("mappings", function()
    all(mapping_text, function(value)
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
    all(certificate_text, function(value)
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
