-- Files and options that are wrong, as users give them to the commands: one line that says what and where, never an internal error.
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local made = {}

local function write(text, ending)
  local path = os.tmpname()
  made[#made + 1] = path
  if ending then
    path = path .. ending
    made[#made + 1] = path
  end
  assert(file.write(path, text))
  return path
end

-- Runs a command, expects exit status 2, nothing on stdout and one line on stderr with these words (no pattern).
local function refused(words, ...)
  local r = portolan(...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan %l+: [^\n]+\n$", r.err)
  assert.truthy(r.err:find(words, 1, true), r.err)
end

local function done(...)
  local r = portolan(...)
  assert.equal(0, r.status, r.out .. r.err)
  return r.out, r.err
end

local function mapping_text(schemes, rest)
  return ('{"format":"portolan-mapping","version":1,"ports":["0","1"],"schemes":%s%s}'):format(schemes, rest or "")
end

teardown(function() for _, path in ipairs(made) do os.remove(path) end end)

local toy = write(mapping_text '{"a":{"uops":[[["0","1"]]]},"b":{"uops":[[["1"],2]]}}')
local measured = write '{"e":{"a":2},"cycles":1,"others":{"tool":1.5}}\n{"e":{"b":1},"cycles":2}\n'
local conjunctive = write '{"format":"portolan-conjunctive","version":1,"resources":["R"],"schemes":{"a":{"R":1}}}'

describe("a mapping", function()
  it("is not just any text", function()
    local words = "not a mapping; give one as JSON (mapping.json), or another tool's"
    for _, text in ipairs { "", "hello\n", "3" } do
      local path = write(text)
      refused(words, "verify", path)
      refused(words, "compare", toy, path)
      refused(words, "predict", "--mapping", path, "a")
    end
  end)
end)

describe("an ExperimentList", function()
  local function exps(text) return write('{"kind":"ExperimentList","exps":' .. text .. "}") end
  local function entry(rest) return exps('[{"iseq":["a"],"result":{"cycles":1}},{"iseq":["a"],"result":{"cycles":1},' .. rest .. "}]") end
  it("must have objects as the results of other tools", function()
    refused("exps[2].other_results[2]", "eval", entry '"other_results":[{"id":"x","cycles":1},5]', "--mapping", toy)
    refused("exps[2].other_results", "eval", entry '"other_results":{"x":1}', "--mapping", toy)
    refused("exps[2].other_results[1]", "predict", "--mapping", toy, "--file", entry '"other_results":[null]')
    done("eval", entry '"other_results":null', "--mapping", toy)
  end)
  it("must have lists of names of instructions", function()
    for text, where in pairs { ['[{"iseq":{"a":1}}]'] = "exps[1]", ['[{"iseq":[null]}]'] = "exps[1].iseq[1]", ['[{"iseq":["a",["b"]]}]'] =
      "exps[1].iseq[2]", ['[{"iseq":[]}]'] = "exps[1]", ['{"x":1}'] = "(exps)" } do
      refused(where, "export", "--experiments", exps(text), "--to", "csv")
    end
  end)
  it("is not what lines are in which the word occurs", function()
    local lines = '{"e":{"a":1},"cycles":1,"note":"ExperimentList"}\n'
    assert.matches("\na,1,ok", (done("export", "--experiments", write(lines), "--to", "csv")))
    assert.matches("\na,1,ok.*\na,1,ok", (done("export", "--experiments", write("\n" .. lines .. lines), "--to", "csv")))
    refused(":2:", "export", "--experiments", write(lines .. '{"e":'), "--to", "csv")
    refused(":3:", "export", "--experiments", write '{"kind":"ExperimentList",\n"exps":[\n}', "--to", "csv")
  end)
end)

describe("a mapping", function()
  it("must have a list of names as assumed ports", function()
    for _, value in ipairs { "[[1]]", "[null]", '"0"', '{"0":1}', "[1]" } do
      local path = write(mapping_text('{"a":{"uops":[[["0"]]],"assumed":' .. value .. "}}"))
      refused('(schemes."a".assumed)', "predict", "--mapping", path, "a")
    end
  end)
  it("must have an R_max that cycles can be computed with", function()
    for _, rmax in ipairs { "1e-50", "1e-310", "0.0001", "0", "1e7", '"4"' } do
      refused("from 0.001 to 1000000", "predict", "--schedule", "1", "--mapping", write(mapping_text('{"a":{"uops":[]}}', ',"rmax":' .. rmax)), "a")
    end
    for _, rmax in ipairs { "1e-50", "0.0001", "0", "1e7" } do
      refused("--rmax must be a number from 0.001 to 1000000", "eval", measured, "--mapping", toy, "--rmax", rmax)
    end
    done("predict", "--mapping", write(mapping_text('{"a":{"uops":[]}}', ',"rmax":0.001')), "a", "--method", "binder")
    done("eval", measured, "--mapping", toy, "--rmax", "1000000")
  end)
  it("must have measured throughputs that are no less than 0", function()
    local path = write(mapping_text '{"a":{"uops":[[["0"]]],"tp":-1}}')
    refused('(schemes."a".tp)', "export", path, "--to", "csv")
    local m = json.decode(mapping_text '{"a":{"uops":[[["0"]]],"tp":0}}')
    assert.is_true(mapping.validate(m))
    m.schemes.a.tp = math.huge
    assert.is_nil(mapping.validate(m))
    assert.is_nil(assert(mapping.parse '{"uarchname":"x","data":{"a":{"portusage":[[["0"],1]],"itp":-3}}}').schemes.a.tp)
  end)
  it("must have lists where lists belong", function()
    for text, where in pairs {
      [mapping_text '{"a":{"uops":{}}}'] = 'schemes."a"', [mapping_text '{"a":{"uops":[],"witnesses":{"x":1}}}'] = 'schemes."a".witnesses',
      ['{"kind":"Mapping3","assignment":{"a":{}}}'] = 'assignment."a"', ['{"kind":"Mapping3","assignment":{"a":{"x":[1]}}}'] = 'assignment."a"',
      ['{"uarchname":"x","data":{"a":{"portusage":{"x":1}}}}'] = 'data."a".portusage',
      ['{"uarchname":"x","data":{"a":{"portusage":"1*p0"}}}'] = 'data."a".portusage',
      ['{"uarchname":"x","data":{"a":{"portusage":[[["0"],"1"]]}}}'] = 'data."a".portusage[1]',
      ['{"kind":"Mapping3","arch":{"ports":{"x":1}},"assignment":{"a":[[0]]}}'] = "arch.ports",
    } do
      refused(where, "export", write(text), "--to", "csv")
    end
    refused("(resources)", "predict", "--mapping", write '{"format":"portolan-conjunctive","version":1,"resources":{},"schemes":{}}', "a")
    for class, where in pairs { ['{"resource_use":{"x":1}}'] = 'class_to_resources."c".resource_use',
      ['{"resource_use":[{"x":1}]}'] = "resource_use[1]" } do
      refused(where, "predict", "--mapping", write('{"instr_to_class":{"a":"c"},"class_to_resources":{"c":' .. class .. "}}"), "a")
    end
    refused("the class of an instruction must be a name", "predict", "--mapping",
      write '{"instr_to_class":{"a":null},"class_to_resources":{}}', "a")
  end)
  it("that is conjunctive has no ports", function()
    local palmed = write '{"instr_to_class":{"a":"c"},"class_to_resources":{"c":{"resource_use":[[1,"R"]]}}}'
    for _, path in ipairs { conjunctive, palmed } do
      refused("--rename: a conjunctive mapping has no ports", "compare", path, toy, "--rename", "renamed.json")
      refused(path .. ": a conjunctive mapping has no ports", "export", path, "--to", "csv")
      done("predict", "--mapping", path, "a")
    end
  end)
  it("that cannot be exported is named", function()
    local schemes = {}
    for i = 0, 31 do schemes[i + 1] = ('"s%d":{"uops":[[["%d","x"]]]}'):format(i, i) end
    local ports = { '"x"' }
    for i = 1, 31 do ports[i + 1] = ('"%d"'):format(i - 1) end
    local text = ('{"format":"portolan-mapping","version":1,"ports":[%s],"schemes":{%s}}'):format(table.concat(ports, ","),
      table.concat(schemes, ",", 1, 31))
    local path = write(text)
    refused(path .. ": more than", "export", path, "--to", "conjunctive")
  end)
  it("that does not exist is said to", function()
    refused("cannot read /no/such.xml: no such file or directory", "export", "/no/such.xml#SKL", "--to", "csv")
    refused("only uops.info's XML", "export", toy .. "#SKL", "--to", "csv")
    local name = '"x\\u0000y"'
    local described = write('{"processor_kind":"palmed","spm_path":' .. name .. ',"palmed_insnmap_path":"x"}')
    refused("NUL", "predict", "--mapping", described, "a")
  end)
end)

describe("tables and other files", function()
  it("say what is wrong with their first line", function()
    refused("separated by semicolons", "export", write "scheme;usage\na;1*p0\n", "--to", "csv")
    refused("separated by tabs", "export", write "scheme\tusage\na\t1*p0\n", "--to", "csv")
    refused("'Scheme' must be called 'scheme'", "export", write "Scheme,Usage\na,1*p0\n", "--to", "csv")
    refused("'Usage' must be called 'usage'", "export", write "scheme,Usage\na,1*p0\n", "--to", "csv")
  end)
  it("may begin with a byte order mark", function()
    local mark = "\239\187\191"
    for _, path in ipairs { toy, conjunctive } do
      assert.equal((done("predict", "--mapping", path, "2*a")), (done("predict", "--mapping", write(mark .. assert(file.read(path))), "2*a")))
    end
    local marked = write(mark .. assert(file.read(measured)))
    assert.equal((done("predict", "--mapping", toy, "--file", measured)), (done("predict", "--mapping", toy, "--file", marked)))
    local list = write(mark .. '{"kind":"ExperimentList","exps":[{"iseq":["a"],"result":{"cycles":1}}]}')
    assert.matches("\na,1,ok", (done("export", "--experiments", list, "--to", "csv")))
    local add = write(mapping_text '{"add r64, r64":{"uops":[[["0"]]]}}')
    assert.matches("add r64, r64\n$", (done("predict", "--mapping", add, "--file", write(mark .. "4801d8,3\n"))))
    assert.matches("1 experiment", (done("eval", write(mark .. "4801d8,100\n"), "--bhive", "--mapping", add)))
    assert.matches("\nadd", (done("export", write(mark .. "ports: ['0']\nisa: x86\ninstruction_forms:\n- name: add\n  port_pressure: [[1, '0']]\n"),
      "--to", "csv")))
  end)
  it("of blocks that all do not decode are one line", function()
    local path = write "ffff,100\n"
    refused("1 of 1 blocks do not decode", "eval", path, "--bhive", "--mapping", toy)
    refused("1 of 1 blocks do not decode", "predict", "--mapping", toy, "--file", path)
  end)
  it("of experiments give the line", function()
    local first = '{"e":{"a":1},"status":"unstable"}\n'
    refused(":2: field 'order' lists other schemes", "eval", write(first .. '{"e":{"a":1},"cycles":1,"order":["b"]}'), "--mapping", toy)
    refused(":2: field 'order' must be a list", "eval", write(first .. '{"e":{"a":1},"cycles":1,"order":{"x":1}}'), "--mapping", toy)
    refused(":2: field 'cycles' must be from 1e-30 to 1e+30", "eval", write(first .. '{"e":{"a":1},"cycles":1e300}'), "--mapping", toy)
  end)
end)

describe("options", function()
  it("that must be numbers are named", function()
    for option, command in pairs {
      ["--epsilon x"] = { "compare", toy, toy }, ["--epsilon inf"] = { "compare", toy, toy }, ["--seed 1.5"] = { "compare", toy, toy },
      ["--rmax x"] = { "eval", measured }, ["--worst 0"] = { "eval", measured }, ["--schedule 0"] = { "predict", "--mapping", toy, "a" },
      ["--patience x"] = { "bench", "nop" }, ["--cpu 1.5"] = { "bench", "nop" }, ["--seed y"] = { "bench", "nop" },
      ["--count 0"] = { "sample" }, ["--orders x"] = { "sample" }, ["--variants 7"] = { "sample" }, ["--seed -2"] = { "sample" },
      ["--cpu 4294967296"] = { "bench", "nop" }, ["--evaluate x"] = { "chart" }, ["--seed x"] = { "chart" },
    } do
      local name, value = option:match("^(%S+) (.+)$")
      local words = { table.unpack(command) }
      words[#words + 1], words[#words + 2] = name, value
      refused(name .. " must be a ", table.unpack(words))
    end
  end)
  it("that name a processor name one that is there", function()
    local words = "there is no processor 1023; the processors of this system are "
    refused(words, "chart", "--cpu", "1023", "--out", "/nowhere/chart")
    refused(words, "bench", "nop", "--cpu", "1023")
    refused(words, "predict", "--predictor", "hw,cpu=1023", "nop")
    refused(words, "infer", "cegis", "--oracle", "hw,cpu=1023", "add r64, r64")
  end)
  it("may be followed by negative numbers", function()
    refused("--rmax must be a number from 0.001 to 1000000, not '-1'", "eval", measured, "--mapping", toy, "--rmax", "-1")
    refused("--epsilon must be a number from 0 on, not '-.5'", "compare", toy, toy, "--epsilon", "-.5")
    done("compare", toy, toy, "--seed", "-3")
    refused("unknown option '-1'", "compare", toy, toy, "--json", "-1")
    refused("unknown option '-1'", "compare", "-1", toy)
  end)
  it("of patterns are checked where Lua does not", function()
    for _, pattern in ipairs { "/a(/", "/a[/", "/a%/", "/%f/", "/(()/" } do
      refused("--only " .. pattern .. " is not a Lua pattern", "compare", toy, toy, "--only", pattern)
    end
  end)
end)

describe("portolan predict", function()
  it("marks no port where issue slots are the limit", function()
    local path = write(mapping_text('{"a":{"uops":[[["0","1"]]]}}', ',"rmax":1'))
    local out = done("predict", "--mapping", path, "4*a")
    assert.is_nil(out:find("bottleneck", 1, true))
    assert.matches("limited by issue slots; 2.000 by the ports alone", out)
    local p = assert(json.decode((done("predict", "--mapping", path, "4*a", "--json"))))[1]
    assert.same({ "rmax", nil, nil }, { p.limit, p.bottleneck, p.inside })
    path = write(mapping_text('{"a":{"uops":[[["0"]]]}}', ',"rmax":1')) -- both: the port is full
    p = assert(json.decode((done("predict", "--mapping", path, "4*a", "--json"))))[1]
    assert.equal("ports", p.limit)
    assert.equal("0", p.bottleneck[1])
  end)
end)

describe("portolan eval", function()
  it("tells the whole command line in its report", function()
    process.in_directory(function(d)
      local report = d .. "/r.html"
      local function command(...)
        local r = process.run { args = { process.portolan, "eval", ... }, cwd = d }
        assert.equal(0, r.status, r.err)
        return (assert(file.read(report)):match("portolan eval [^<]*"))
      end
      assert(file.write(d .. "/-x.jsonl", assert(file.read(measured))))
      assert(file.write(d .. "/-m.json", assert(file.read(toy))))
      assert.equal("portolan eval --mapping=-m.json --unit cycles --by-length --orders --heatmap --worst 3 --report r.html -- -x.jsonl",
        command("--mapping=-m.json", "--by-length", "--orders", "--heatmap", "--worst", "3", "--report", "r.html", "--", "-x.jsonl"))
      assert(file.write(d .. "/b.csv", "4801d8,100\n"))
      assert(file.write(d .. "/add.json", mapping_text '{"add r64, r64":{"uops":[[["0"]]]}}'))
      assert.equal("portolan eval b.csv --bhive --mapping add.json --unit cpi --report r.html",
        command("b.csv", "--bhive", "--mapping", "add.json", "--unit", "cpi", "--report", "r.html"))
    end)
  end)
  it("does not overwrite what it reads", function()
    for _, path in ipairs { measured, toy } do
      local before = assert(file.read(path))
      refused("would overwrite " .. path, "eval", measured, "--mapping", "x=" .. toy, "--report", path)
      refused("would overwrite " .. path, "eval", measured, "--mapping", toy, "--report", "/tmp/.." .. path)
      assert.equal(before, (file.read(path)))
    end
  end)
end)

describe("control characters in files", function()
  -- The names of schemes, ports, tools and a status hold escape sequences.
  local esc = "\\u001b[31m\\u009b2J\\u0007"
  local function named(text) return (text:gsub("@", function() return esc end)) end
  local evil = write(named '{"format":"portolan-mapping","version":1,"ports":["0@","1"],"rmax":4,"schemes":{'
    .. named '"a@":{"uops":[[["0@"],1]],"assumed":["0@"]},"b":{"uops":[[["1"],1]]}}}')
  local other = write(named '{"format":"portolan-mapping","version":1,"ports":["0@","1","2"],"schemes":{'
    .. named '"a@":{"uops":[[["0@","2"],1]]},"b":{"uops":[[["1"],2]]}}}')
  local list = write(named '{"e":{"a@":2},"cycles":3,"others":{"t@":1}}\n{"e":{"b":2},"status":"s@"}\n{"e":{"c@":1},"cycles":1}\n')
  local name = assert(json.decode(named '"a@"'))
  it("do not reach the terminal", function()
    local resources = write(named '{"format":"portolan-conjunctive","version":1,"resources":["R@"],"schemes":{"a@":{"R@":1}}}')
    for _, words in ipairs {
      { "predict", "--mapping", evil, name }, { "predict", "--mapping", evil, name, "--schedule", "2" }, { "predict", "--mapping", resources, name },
      { "predict", "--mapping", evil, "--file", list }, { "compare", evil, other }, { "compare", evil, other, "--only", name },
      { "predict", "--mapping", evil, "c" .. name:sub(2) }, { "compare", evil, toy },
      { "eval", list, "--mapping", evil, "--by-length", "--worst", "2", "--heatmap", "--orders" }, { "eval", list, "--mapping", toy, "--common" },
    } do
      local r = portolan(table.unpack(words))
      local text = r.out .. r.err
      assert.truthy(r.status <= 2 and text ~= "", text)
      assert.is_nil(text:find("internal error", 1, true), text)
      assert.is_nil(text:gsub("\n", ""):find("%c"), text)
      assert.is_nil(text:find("\xC2\x9B", 1, true), text)
    end
  end)
end)
