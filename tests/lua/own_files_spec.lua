-- Files of the user's own, of every kind: the examples of docs/extending.md, found by path and by name; what is wrong is one line. For sections of
-- reports see tests/lua/own_sections_spec.lua.
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"

local source = os.getenv "PORTOLAN_SOURCE"
local examples = source .. "/scripts/examples"

local function portolan(environment, ...)
  return process.run { args = { process.portolan, ... }, env = environment, seconds = 60 }
end

local function by_name(...) return portolan({ PORTOLAN_PATH = "/nowhere:" .. examples }, ...) end

local function write_script(d, code)
  assert(file.write(d .. "/script.lua", code))
  return d .. "/script.lua"
end

describe("a file of one's own", function()
  it("predicts, by name and by path", function()
    for _, name in ipairs { "quarter", "lua:" .. examples .. "/predictors/quarter.lua", "quarter,an argument" } do
      local r = by_name("predict", "--predictor", name, "add rax, rbx; imul rcx, rdx")
      assert.equal(0, r.status, r.err)
      assert.matches("add rax, rbx; imul rcx, rdx +0%.500\n", r.out)
    end
  end)

  it("gets its argument, which tells cached answers apart", function()
    process.in_directory(function(d)
      assert(file.make_directory(d .. "/predictors"))
      assert(file.write(d .. "/predictors/my_constant.lua", "return { version = 1, predict = function(_, n) return n and tonumber(n) or 1 end }"))
      local function predicts(name)
        local r = portolan({ PORTOLAN_PATH = d }, "predict", "--predictor", name, "nop", "--json")
        assert.equal(0, r.status, r.err)
        return json.decode(r.out)[1].predictions[1].cycles
      end
      assert.same({ 1, 7, 8, 9 }, { predicts "my_constant", predicts "my_constant,7", predicts(d .. "/predictors/my_constant.lua,8"),
        predicts("lua:" .. d .. "/predictors/my_constant.lua,9") })
      local function campaign(n)
        local r = portolan({ PORTOLAN_PATH = d .. ":" .. examples }, "campaign", "--a", "quarter", "--b", "my_constant," .. n, "--dry", "1",
          "--length", "1", "--coverage", "2", "--cache", d .. "/cache.db", "--out", d .. "/c" .. n)
        assert.equal(0, r.status, r.err)
        return r.out
      end
      assert.matches("my_constant.lua,100: 100%.00", campaign(100))
      assert.matches("my_constant.lua,10: 10%.00", campaign(10))
    end)
  end)

  it("crashes alone, whatever it raises, and gives way to nobody", function()
    process.in_directory(function(d)
      assert(file.make_directory(d .. "/predictors/folder.lua"))
      local function says(text)
        assert(file.write(d .. "/predictors/mine.lua", text))
        local r = portolan({ PORTOLAN_PATH = d }, "predict", "--predictor", "mine", "nop", "--json")
        assert.equal("", r.err)
        return json.decode(r.out)[1].predictions[1]
      end
      local hostile = "setmetatable({}, { __tostring = function() error 'no' end })"
      local raised = says("return { predict = function() error(" .. hostile .. ") end }")
      assert.is_true(raised.crash)
      assert.matches("mine.lua: a table$", raised.error)
      assert.equal("a table", says("return { predict = function() return nil, " .. hostile .. " end }").error)
      assert.matches("yield from outside a coroutine$", says("return { predict = function() return coroutine.yield() end }").error)
      assert.equal(3, says("local f = coroutine.wrap(function() coroutine.yield(3) end)\nreturn { predict = function() return f() end }").cycles)
      assert.equal(4, says([[return { predict = function()
        return select(2, coroutine.resume(coroutine.create(function() coroutine.yield(4) end))) end }]]).cycles)
      assert.is_nil(portolan({ PORTOLAN_PATH = d }, "predict", "--predictor", "none", "nop").err:find("folder", 1, true)) -- a name of no file
    end)
  end)

  it("answers experiments", function()
    for _, name in ipairs { "three_ports", examples .. "/oracles/three_ports.lua", "lua:" .. examples .. "/oracles/three_ports.lua" } do
      local r = by_name("infer", "cegis", "--oracle", name)
      assert.equal(0, r.status, r.err)
      assert.matches("^unique", r.out)
      assert.matches("add r64, r64 +p012\n", r.out)
    end
    local r = by_name("infer", "chart", "--oracle", "three_ports")
    assert.equal(2, r.status)
    assert.matches("chains; give hw or sim:MAPPING\n$", r.err)
  end)

  it("infers, and the mapping is written", function()
    process.in_directory(function(d)
      for _, name in ipairs { "widths", examples .. "/strategies/widths.lua" } do
        local r = by_name("infer", name, "--oracle", "three_ports", "--out", d .. "/m.json")
        assert.equal(0, r.status, r.err)
        local m = assert(mapping.load(d .. "/m.json"))
        assert.same({ "0", "1", "2" }, m.schemes["add r64, r64"].uops[1][1])
        assert.same({ "0" }, m.schemes["imul r64, r64"].uops[1][1])
      end
    end)
  end)

  it("takes part in a campaign", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/fifth.lua", "return { predict = function(block, n) return #block.schemes / tonumber(n) end }"))
      local r = by_name("campaign", "--a", "quarter", "--b", ("lua:%s/fifth.lua,20"):format(d), "--discoveries", "1", "--length", "2",
        "--coverage", "5", "--out", d .. "/c")
      assert.equal(0, r.status, r.err)
      assert.matches("^quarter against lua:[^\n]*: 1 discovery in ", r.out)
    end)
  end)

  it("says what is interesting", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/slow.lua", [[return { predict = function(block)
        local cycles = #block.schemes / 4
        for _, scheme in ipairs(block.schemes) do if scheme:find "^popcnt" then cycles = cycles + 3 end end
        return cycles
      end }]]))
      local r = by_name("campaign", "--a", ("lua:%s/slow.lua"):format(d), "--b", "quarter", "--heat", "quarter,again", "--interesting",
        examples .. "/interesting/slower.lua", "--schemes", "mnemonic == 'popcnt' or mnemonic == 'add' or mnemonic == 'shl'", "--dry", "1",
        "--coverage", "20",
        "--out", d .. "/c")
      assert.equal(0, r.status, r.err)
      assert.matches("d1, degree %d", r.out)
      local read = function(name) return assert(file.read(d .. "/c/" .. name)) end
      assert.matches('"kind": ?"own"', read "campaign.json")
      assert.matches('"threshold": ?2', read "campaign.json")
      for _, discovery in ipairs(json.decode(read "discoveries.json").discoveries) do
        local lines = table.concat(discovery.text, "\n")
        assert.is_truthy(lines:find "popcnt", lines)
      end
      assert.matches("slower.lua says, beyond 2", read "report.html")
      r = by_name("campaign", "--a", ("lua:%s/slow.lua"):format(d), "--b", "quarter", "--interesting", examples .. "/interesting/slower.lua",
        "--schemes", "mnemonic == 'popcnt' or mnemonic == 'add' or mnemonic == 'shl'", "--out", d .. "/c")
      assert.equal(2, r.status) -- the function got another predictor's answers
      assert.matches("another campaign", r.err)
    end)
  end)

  it("finds what crashes a predictor, exactly", function()
    process.in_directory(function(d)
      local r = by_name("campaign", "--a", "quarter", "--b", "no_imul", "--interesting", "crash-one", "--dry", "2",
        "--length", "3", "--coverage", "200", "--out", d .. "/c")
      assert.equal(0, r.status, r.err)
      local result = json.decode((assert(file.read(d .. "/c/discoveries.json"))))
      local standing = {}
      for _, one in ipairs(result.discoveries) do standing[#standing + 1] = not one.subsumed_by and one.text or nil end
      assert.same({ { "Instructions:", "  1. mnemonic: imul" } }, standing)
      assert.equal(result.coverage.interesting, result.coverage.covered)
      assert.is_true(result.coverage.interesting > 0)
    end)
  end)

  it("explains what decides a prediction", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/p.lua", [[return { predict = function(block)
        for _, scheme in ipairs(block.schemes) do if scheme:find "^popcnt" then return 3 end end
        return 1
      end }]]))
      local r = by_name("generalize", "--a", ("lua:%s/p.lua"):format(d), "--interesting", "same", "--minimize",
        "add rax, rbx; popcnt rcx, rdx; sub rsi, rdi")
      assert.equal(0, r.status, r.err)
      assert.matches("\n  1%. mnemonic: popcnt", r.out)
      assert.is_nil(r.out:find "  2%. ")
    end)
  end)

  it("says what is interesting, by its name", function()
    process.in_directory(function(d)
      local r = by_name("campaign", "--a", "quarter", "--b", "quarter,2", "--interesting", "slower", "--dry", "1", "--length", "1", "--coverage", "2",
        "--out", d .. "/c")
      assert.equal(0, r.status, r.err)
      assert.matches('"name": ?"[^"]*interesting/slower.lua"', (assert(file.read(d .. "/c/campaign.json"))))
    end)
  end)

  it("is a feature of domains", function()
    local r = by_name("domain", "check", "flags")
    assert.equal(0, r.status, r.err)
    assert.matches("\nflags +singleton +4 +5 +ok\n", r.out)
    r = by_name("domain", "show", "flags", "adc rax, rbx")
    assert.matches("flags: both", r.out)
    process.in_directory(function(d) -- a domain of one's own takes it over
      assert(file.make_directory(d .. "/domains"))
      assert(file.write(d .. "/domains/two.lua", "return { 'flags' }"))
      r = portolan({ PORTOLAN_PATH = d .. ":" .. examples }, "domain", "show", "two", "seta al")
      assert.equal(0, r.status, r.err)
      assert.matches("flags: reads", r.out)
    end)
  end)

  it("is a set of schemes", function()
    process.in_directory(function(d)
      local groups = portolan({ PORTOLAN_PATH = examples }, "run", write_script(d, "for _, g in ipairs(assert(portolan.scheme_set.load 'shifts')) do "
        .. "print(g.name, #g.schemes, g.schemes[#g.schemes]) end"))
      assert.equal(0, groups.status, groups.err)
      assert.matches("^Shifts\t48\t[^\n]+\nAdditions\t2\tlea r64, m\n$", groups.out)
      local none = portolan({}, "chart", "--set", "shifts", "--out", d .. "/chart")
      assert.equal(2, none.status)
      assert.matches("^portolan chart: no instruction set 'shifts' [^\n]*; give a Lua file, or one of: all, [^\n]+\n$", none.err)
    end)
  end)

  it("is a processor", function()
    process.in_directory(function(d)
      local m = { format = "portolan-mapping", version = 1, ports = { "0", "1" }, rmax = 4, schemes = {
        ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } } }, ["imul r64, r64"] = { uops = { { { "1" }, 1 } } } } }
      assert(file.write(d .. "/m.json", assert(json.encode(m))))
      local r = by_name("infer", "cegis", "--oracle", ("median:sim:%s/m.json,noise=0.02,kind=gaussian"):format(d), "--epsilon", "0.05")
      assert.equal(0, r.status, r.err)
      assert.matches("^unique", r.out)
      assert.matches("add r64, r64 +p01\n", r.out)
      for words, pattern in pairs {
        ["median:mars"] = "nanobench:program=FILE, replay:EXPERIMENTS, sim:MAPPING, median, three_ports",
        ["median:sim:/no.json"] = "cannot read /no.json",
        ["median:sim:m.json,x=1"] = "oracle sim has no option 'x'; there are: binder, " } do
        r = by_name("infer", "cegis", "--oracle", words)
        assert.equal(2, r.status)
        assert.is_truthy(r.err:find(pattern, 1, true), r.err)
      end
    end)
  end)

  it("is a campaign, or a script", function()
    process.in_directory(function(d)
      local r = by_name("campaign", "znver1", "--a", "quarter", "--b", "quarter,2", "--dry", "1", "--coverage", "2", "--out", d .. "/c")
      assert.equal(0, r.status, r.err)
      assert.matches('"length": ?3', (assert(file.read(d .. "/c/campaign.json")))) -- as the file says
      r = by_name("run", "front_end", examples .. "/code/raptor-cove.json", "12")
      assert.same({ 0, "" }, { r.status, r.err })
      assert.matches("^%d+ of 1000 experiments of 12 instructions\n$", r.out)
      assert(file.make_directory(d .. "/campaigns"))
      assert(file.write(d .. "/campaigns/study.lua", "print('study', ...)"))
      r = portolan({ PORTOLAN_PATH = d }, "run", "study", "12")
      assert.same({ 0, "study\t12\n" }, { r.status, r.out })
      for _, command in ipairs { "campaign", "run" } do
        r = portolan({ PORTOLAN_PATH = d }, command, "studies")
        assert.equal(2, r.status)
        assert.matches("^portolan %a+: cannot [^\n]*studies[^\n]*; there are: [^\n]*study[^\n]*\n$", r.err)
      end
    end)
  end)

  it("of ten lines is enough, in a folder outside of the tree", function()
    process.in_directory(function(d)
      for _, path in ipairs { "strategies/widths", "predictors/quarter", "oracles/three_ports", "interesting/slower", "features/flags",
        "sections/extremes" } do
        local code = assert(file.read(("%s/%s.lua"):format(examples, path)))
        assert.is_true(select(2, code:gsub("^%-%-[^\n]*\n", ""):gsub("\n", "")) <= 10, path)
        assert(file.make_directory(d .. "/portolan/" .. path:match "^[^/]+"))
        assert(file.write(("%s/portolan/%s.lua"):format(d, path), code))
      end
      for _, words in ipairs { { "infer", "widths", "--oracle", "three_ports" },
        { "campaign", "--a", "quarter", "--b", "quarter,2", "--interesting", "slower", "--domain", "flags", "--dry", "1", "--length", "1",
          "--coverage", "2", "--out", d .. "/c" }, { "report", d .. "/c", "--section", "extremes" } } do
        local r = portolan({ PORTOLAN_PATH = false, XDG_CONFIG_HOME = d }, table.unpack(words))
        assert.equal(0, r.status, r.err)
      end
      assert.is_truthy(assert(file.read(d .. "/c/report.html")):find('id="own-extremes"', 1, true))
    end)
  end)

  it("takes no name that is Portolan's", function()
    process.in_directory(function(d)
      for _, path in ipairs { "strategies/cegis", "predictors/mapping", "processors/sim", "domains/default", "sets/starter" } do
        assert(file.make_directory(d .. "/" .. path:match "^[^/]+"))
        assert(file.write(("%s/%s.lua"):format(d, path), "error 'theirs'"))
      end
      for _, words in ipairs { { "infer", "cegis", "--help" }, { "domain", "show", "default", "nop" },
        { "infer", "cegis", "--oracle", "sim:/none.json" }, { "predict", "--predictor", "mapping:/none.json", "nop" } } do
        local r = portolan({ PORTOLAN_PATH = d }, table.unpack(words))
        assert.is_nil((r.out .. r.err):find("theirs", 1, true))
      end
    end)
  end)

  it("is the same as the documentation prints", function()
    local text = assert(file.read(source .. "/docs/extending.md"))
    for _, path in ipairs { "predictors/quarter.lua", "oracles/three_ports.lua", "strategies/widths.lua", "interesting/slower.lua",
      "interesting/faster_with_more.lua", "features/flags.lua", "sections/extremes.lua", "processors/median.lua" } do
      local code = assert(file.read(examples .. "/" .. path)):gsub("^%-%-[^\n]*\n", ""):gsub("([^\n]+)", "    %1")
      assert.is_truthy(text:find(code, 1, true), path)
    end
  end)
end)

describe("a wrong file of one's own", function()
  it("is one line and status 2", function()
    process.in_directory(function(d)
      local function fails(code, pattern, ...)
        local path = d .. "/mine file.lua"
        assert(file.write(path, code))
        local arguments = { ... }
        for i, word in ipairs(arguments) do arguments[i] = word:gsub("FILE", path) end
        local r = by_name(table.unpack(arguments))
        assert.equal(2, r.status, r.err)
        assert.matches("^portolan %a+: [^\n]*" .. pattern .. "[^\n]*\n$", r.err)
      end
      fails("return 1 +", "mine file.lua:1: unexpected symbol", "infer", "FILE", "--oracle", "three_ports")
      fails("error 'no\\nway'", "mine file.lua:1: no", "infer", "FILE", "--oracle", "three_ports")
      fails("return {}", "mine file.lua: it must return a strategy", "infer", "FILE", "--oracle", "three_ports")
      fails("return { infer = function() end }", "infer returned nothing", "infer", "FILE", "--oracle", "three_ports")
      fails("return { infer = function() return nil, 'too hard' end }", "too hard", "infer", "FILE", "--oracle", "three_ports")
      fails("return { infer = function() return { ports = { 1 } } end }", "infer must return a mapping: ", "infer", "FILE", "--oracle", "three_ports")
      fails("return { infer = function(p) return p.x.y end }", "attempt to index", "infer", "FILE", "--oracle", "three_ports")
      fails("return { infer = print }", "write NAME=VALUE", "infer", "FILE", "--oracle", "three_ports", "--option", "x")
      fails("return { schemes = {}, cycles = print }", "it must return an oracle", "infer", "cegis", "--oracle", "lua:FILE")
      local function interesting(code, pattern)
        fails(code, pattern, "campaign", "--a", "quarter", "--b", "quarter", "--dry", "1", "--out", d .. "/" .. #code, "--interesting", "FILE")
      end
      interesting("return 1", "it must return a function")
      interesting("return function() return {} end", "it must return a number, true, false or nil")
      interesting("return function(a) return a.x.y end", "attempt to index")
      fails("return 1", "write a Lua file, or absolute, crash%-all, crash%-any, crash%-one", "campaign",
        "--a", "quarter", "--b", "quarter", "--interesting", "crash-some")
      fails("return 1", "missing option '%-%-b'", "generalize", "--a", "quarter", "nop")
      local oracle = { "infer", "cegis", "--oracle", "lua:FILE" }
      fails("return { schemes = { 'a', 'b' }, cycles = function() error 'broken' end }", "mine file.lua:1: broken", table.unpack(oracle))
      for _, wrong in ipairs { "rmax = -1", "rmax = '4'", "slots = 5", "slots = { a = 0.5 }", "slots = { a = 'x' }" } do
        fails(("return { schemes = { 'a' }, cycles = print, %s }"):format(wrong), "mine file.lua: %a+", table.unpack(oracle))
      end
      fails("return { schemes = { '' }, cycles = print }", "schemes must be names, each once", table.unpack(oracle))
      fails("local m = {} m.x = m return { infer = function() return m end }", "infer must return a mapping: ", "infer", "FILE", "--oracle",
        "three_ports")
      fails("return { infer = print }", "write %-%-seed N", "infer", "FILE", "--oracle", "three_ports", "--option", "seed=9")
      local function processor(code, pattern, text)
        assert(file.make_directory(d .. "/processors"))
        assert(file.write(d .. "/processors/mine.lua", code))
        local r = portolan({ PORTOLAN_PATH = d }, "infer", "cegis", "--oracle", text or "mine:x")
        assert.equal(2, r.status, r.err)
        assert.matches("^portolan infer: [^\n]*" .. pattern .. "[^\n]*\n$", r.err)
      end
      processor("return 1", "mine.lua: it must return a kind of processors")
      processor("return { open = print, options = { 1 } }", "it must return a kind of processors")
      processor("return { open = function(x) error(x) end }", "mine.lua:1: x")
      processor("return { open = function() return nil, 'shut' end }", "shut")
      processor("return { open = print }", "open returned nothing")
      processor("return { open = function() return {}, { 'a' } end }", "open must return a processor")
      processor("return { open = function() return { measure = print }, {} end }", "the names of its schemes")
      processor("return { open = function() return { measure = error }, { 'a' } end }", "mine.lua")
      processor("return { open = function() return { measure = print }, { 'a' } end }", "mine.lua: measure must return %d+ results")
      local answers = "return { open = function() return { measure = function(_, l) local r = {} for i = 1, #l do r[i] = %s end return r end }, "
        .. "{ 'a' } end }"
      for _, wrong in ipairs { "1", "{}", "{ status = 'ok' }", "{ status = 'ok', cycles = -1 }", "{ status = 'ok', cycles = 0/0 }" } do
        processor(answers:format(wrong), "mine.lua: measure: result 1")
      end
      processor("return { open = print, options = { n = tonumber } }", "'y' is no value for n", "mine:x,n=y")
      processor("return { open = print, options = { n = tonumber } }", "has no option 'm'; there are: n", "mine:x,m=y")
      fails("return { predict = 1 }", "it must return a predictor", "predict", "--predictor", "lua:FILE", "nop")
      fails("return { predict = print, open = function() return nil, 'no model' end }", "no model", "predict", "--predictor", "lua:FILE", "nop")
    end)
  end)

  it("is said of each block that it cannot do", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/p.lua", "return { predict = function(b) if #b.schemes > 1 then return nil, 'too long' end return 'x' end }"))
      local r = by_name("predict", "--predictor", ("lua:%s/p.lua"):format(d), "nop; nop", "--json")
      assert.matches("too long", r.out)
      r = by_name("predict", "--predictor", ("lua:%s/p.lua"):format(d), "nop", "--json")
      assert.matches("predict returned string, and no number", r.out)
    end)
  end)
end)

describe("a function that says what is interesting", function()
  local own_interest = require "portolan.anica.own_interest"

  it("is told from an edited one", function()
    local function content(code) return own_interest.new(assert(load("return " .. code))()).content end
    assert.equal(content "function(a) return a[1].cycles end", content "function(a) return a[1].cycles end")
    assert.not_equal(content "function(a) return a[1].cycles end", content "function(a) return a[2].cycles end")
  end)
end)

describe("portolan run", function()
  it("runs a script with its arguments", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/s.lua", "print(portolan.version == portolan.core.version, #arg, ...)"))
      local r = portolan({}, "run", d .. "/s.lua", "a", "b")
      assert.same({ 0, "true\t2\ta\tb\n", "" }, { r.status, r.out, r.err })
      assert(file.write(d .. "/s.lua", "error 'x'"))
      r = portolan({}, "run", d .. "/s.lua")
      assert.equal(1, r.status)
      assert.matches("^portolan run: .*s%.lua:1: x\n$", r.err)
    end)
  end)
end)
