-- For tests: documents with every field that their readers know.
local documents = {}

local scheme_a = [=["a":{"uops":[[["0","1"],1]],"status":"explained","tp":0.5,"slots":1,"assumed":["0"],"note":"n","breakers":1,
  "taken":true,"kinds":[{"values":"v","bytes":64,"cycles":9}],
  "misfit":{"busy":3,"microcoded":true},"latency":2,"macro_ops":1,
  "latencies":[{"from":"1","to":"1","cycles":2,"low":1,"high":3,"other":4,"same":0,"bypass":{"fp":1},
    "witnesses":[{"chain":"add r64, r64 [1 > 1]","cycles":1}]},{"from":"1","to":"cf","cycles":0,"independent":true,"as":"1 > zf"}],
  "witnesses":["3*a",{"experiment":"2*a","cycles":1,"expected":1,"without":0.5,"ports":["0"],"role":"shows","says":"s"}]}]=]

documents.mapping = '{"format":"portolan-mapping","version":1,"ports":["0","1"],"rmax":4,"processor":{"name":"p"},"provenance":{"x":1},'
  .. '"front_end":{"width":4,"loop":1,"taken_branch":1,"taken_branch_in_loop":0.5,"call_and_return":2,"decoded":3,'
  .. '"length_changing":3,"stack_sync":1,"stack_sync_address":0,'
  .. '"unlaminated":true,"takes_copy":{"a":true},"straight_lines":[{"slots":16,"cycles":5},{"slots":32,"cycles":9}],'
  .. '"fuses":{"a":["jz"]},"separate":{"a":["jo"]},"indexed_slots":{"a":2}},"schemes":{'
  .. scheme_a .. ',"b":{"status":"microcoded"}}}'

documents.chart = [=[{"title":"t","date":"d","version":"v","seconds":5,"partial":true,"rmax":4,
  "machine":{"cpu":"c","family":6,"model":1,"stepping":2,"microarchitecture":"m","cores":2,"hypervisor":"h","counters":false,"tsc_hz":2e9,
    "frequency_hz":3e9,"os":"o","known_ports":{"least":3,"most":4}},
  "noise":{"accepted":5,"rejected":1,"quiet_share":0.5,"unstable":1,"sentinel":1,"text":"x","timeline":[{"t":1,"quiet":0.5},{"t":2,"quiet":1}]},
  "mapping":]=] .. documents.mapping .. [=[,
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
documents.discoveries = [=[{"format":"portolan-discoveries","version":1,"portolan":"v","reason":"r","partial":false,"command":"c","date":"d",
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

documents.certificate = [=[{"version":1,"method":"cegis","encoding":"union","reading":"symmetric","epsilon":0.01,"noise":0.01,"slack":1,"rmax":4,
  "ports":2,"ports_given":false,"seed":1,"schemes":["a","b"],"slots":{"a":1},"uops":{"a":1},"port_counts":{"a":1},"fixed":{"a":["0"],"b":[[["0"],1]]},
  "same_uop":[{"scheme":"a","among":["b"]}],"experiments":[{"e":{"a":1,"b":1},"cycles":1}],"undecided":[["a","b"]],"wanted":[],
  "open":[{"a":"a","ports":[1],"chosen":1},{"a":"a","b":"b","overlaps":[0],"chosen":0}],"assumed":[],"digest":"x",
  "status":"undecided","certain":["a"],"rivals":{"b":{"a":[[["0"],1]],"b":["1"]}}}]=]

documents.certified = '{"format":"portolan-mapping","version":1,"ports":["0","1"],"rmax":4,"schemes":{"a":{"uops":[[["0"],1]]},'
  .. '"b":{"uops":[[["0"],1]]}},'
  .. '"certificate":' .. documents.certificate .. "}"

return documents
