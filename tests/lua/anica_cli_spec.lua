-- portolan campaign, generalize and cover, with llvm-mca 14 and 16 where they are installed and a scripted predictor elsewhere.
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local process = require "process"
local program = require "portolan.predictor.machinery.program"

local a, b = "llvm-mca-14:znver1", "llvm-mca-16:znver1"
local installed = program.find "llvm-mca-14" and program.find "llvm-mca-16"

local function portolan(directory, ...)
  return process.run { args = { process.portolan, ... }, cwd = directory, seconds = 300, env = { XDG_CACHE_HOME = directory .. "/cache" } }
end

local function read(path) return assert(json.decode(assert(file.read(path)), path)) end

local few = 'not among(mnemonic, "bsr", "bsf", "add", "vphaddsw", "vphsubsw")'

describe("portolan campaign, llvm-mca 14 against 16", function()
  if not installed then
    pending "llvm-mca-14 and llvm-mca-16 are not installed"
    return
  end

  it("finds bit scans with operands that must not alias, and horizontal additions", function()
    process.in_directory(function(directory)
      local r = portolan(directory, "campaign", "--a", a, "--b", b, "--exclude", few, "--discoveries", "20", "--dry", "2", "--out", "c",
        "--length", "2", "--coverage", "50")
      assert.equal(0, r.status, r.err)
      local result = read(directory .. "/c/discoveries.json")
      local scan, horizontal = false, false
      for _, d in ipairs(result.discoveries) do
        local text = table.concat(d.text, "\n")
        if d.block.text:find "^bs[rf] " and text:find("operand 1 of instruction 1 must not alias with operand 2 of instruction 1", 1, true) then
          scan = true
        end
        horizontal = horizontal or d.block.text:find "^vph" ~= nil
      end
      assert.is_true(scan)
      assert.is_true(horizontal)
      assert.matches("^llvm%-mca%-14:znver1 against llvm%-mca%-16:znver1: %d+ discoveries in [^\n]+\n", r.out)
      assert.matches("Report: c/report.html", r.out)
      -- an end that has been reached is reached again, without a prediction
      local again = portolan(directory, "campaign", "--a", a, "--b", b, "--exclude", few, "--discoveries", "20", "--dry", "2", "--out", "c",
        "--length", "2", "--coverage", "0", "--json")
      assert.equal(0, again.status, again.err)
      assert.equal(result.figures.predictor_calls, assert(json.decode(again.out, "out")).figures.predictor_calls)
      -- the discoveries concern given blocks
      assert(file.write(directory .. "/blocks.csv", "490fbdcb,3\n4801d8,1\n"))
      r = portolan(directory, "cover", "c", "blocks.csv", "--json")
      assert.equal(0, r.status, r.err)
      local covered = assert(json.decode(r.out, "out"))
      assert.same({ 2, 1 }, { covered.blocks, covered.covered })
      r = portolan(directory, "cover", "c", "blocks.csv", "--interesting", "-k", "1")
      assert.equal(0, r.status, r.err)
      assert.matches("^1 block, 1 covered.\nThe best 1 cover 1.\n", r.out)
    end)
  end)

  it("goes on after kill -9 to the same discoveries", function()
    process.in_directory(function(directory)
      local function arguments(out)
        return { process.portolan, "campaign", "--a", a, "--b", b, "--schemes", 'category == "BITBYTE" or mnemonic == "add"', "--dry", "2",
          "--coverage", "0", "--out", directory .. "/" .. out }
      end
      assert.equal(0, process.run { args = arguments "whole", seconds = 300 }.status)
      for _ = 1, 3 do process.run_and_kill(arguments "killed", 2500) end
      assert.equal(0, process.run { args = arguments "killed", seconds = 300 }.status)
      local whole, killed = read(directory .. "/whole/discoveries.json"), read(directory .. "/killed/discoveries.json")
      assert.same(whole.discoveries, killed.discoveries)
      assert.is_true(#whole.discoveries > 0)
    end)
  end)

  it("runs a file of options, and says what is wrong with one", function()
    process.in_directory(function(directory)
      local text = "return { a = %q, b = %q, schemes = [[mnemonic == \"bsr\"]], out = \"x\", limits = { dry = 1 } }"
      assert(file.write(directory .. "/c.lua", text:format(a, b)))
      assert.equal(0, portolan(directory, "campaign", "c.lua", "--coverage", "20").status)
      assert.is_true(#read(directory .. "/x/discoveries.json").discoveries > 0)
      local r = portolan(directory, "campaign", "c.lua", "--seed", "2")
      assert.equal(2, r.status)
      assert.matches("another campaign", r.err)
      assert(file.write(directory .. "/c.lua", "return { tea = 1 }"))
      r = portolan(directory, "campaign", "c.lua")
      assert.equal(2, r.status)
      assert.matches("^portolan campaign: unknown option 'tea'[^\n]*\n$", r.err)
      for _, wrong in ipairs { "return 1", "x(", "error 'no'" } do
        assert(file.write(directory .. "/c.lua", wrong))
        assert.equal(2, portolan(directory, "campaign", "c.lua").status)
      end
    end)
  end)

  it("generalizes one block", function()
    process.in_directory(function(directory)
      local r = portolan(directory, "generalize", "--a", a, "--b", b, "bsr rcx, r11")
      assert.equal(0, r.status, r.err)
      assert.matches("operand 1 of instruction 1 must not alias with operand 2 of instruction 1\n", r.out)
      local parsed = portolan(directory, "generalize", "--a", a, "--b", b, "--minimize", "add rax, rbx; bsr rcx, r11", "--json", "--seed", "2")
      local t = assert(json.decode(parsed.out, "out"))
      assert.equal("bsr rcx, r11", t.block.text)
      assert.is_true(#t.tree > 2 and t.tree[1].accepted)
      r = portolan(directory, "generalize", "--a", a, "--b", b, "add rax, rbx")
      assert.equal(2, r.status)
      assert.matches("^portolan generalize: not interesting: add rax, rbx [^\n]+\n$", r.err)
    end)
  end)

  it("lets the user choose", function()
    process.in_directory(function(directory)
      local r = process.run { args = { process.portolan, "generalize", "--a", a, "--b", b, "-i", "--samples", "30", "bsr rcx, r11" },
        input = "16\n99\n2\nu\na\nw\nq\n", env = { XDG_STATE_HOME = directory }, seconds = 120 }
      assert.equal(0, r.status, r.err)
      assert.matches(" no  aliasing: operand 1 of instruction 1 and operand 2 of instruction 1 are free: after %d+ samples", r.out)
      assert.matches("'99' is none of the numbers from 1 to 16", r.out)
      assert.matches("yes  instruction 1: category bitbyte %-> any: all 30 samples are interesting", r.out)
      assert.matches("must not alias with operand 2 of instruction 1\n$", r.out)
    end)
  end)
end)

describe("portolan campaign, predictors of a line", function()
  -- The second one dislikes neg and not.
  local scripts = { "command:echo 1 #", "command:sh b.sh {}" }

  local function campaign(directory, ...)
    assert(file.write(directory .. "/b.sh", "case $1 in 4[89]f7*) echo 9;; *) echo 1;; esac\n"))
    return portolan(directory, "campaign", "--a", scripts[1], "--b", scripts[2], "--schemes", 'among(name, "add r64, r64", "neg r64", "not r64")',
      "--samples", "6", "--orders", "1", "--length", "1", "--out", "c", ...)
  end

  it("covers the blocks of a file, ends when nothing is found any more, and is read by cover", function()
    process.in_directory(function(directory)
      assert(file.write(directory .. "/blocks.csv", "48f7d8,3\n4801d8,1\n06,1\n"))
      local r = campaign(directory, "--discoveries", "100", "--dry", "1", "--coverage", "blocks.csv")
      assert.equal(0, r.status, r.err)
      local result = read(directory .. "/c/discoveries.json")
      assert.same({ "dry", nil, 1, 1 }, { result.reason, result.failure, result.coverage.interesting, result.coverage.covered })
      assert.equal(100, result.campaign.limits.discoveries)
      r = portolan(directory, "cover", "c", "blocks.csv", "--interesting")
      assert.equal(0, r.status, r.err)
      for _, wrong in ipairs { '{"format":"portolan-discoveries","version":1}', '{"format":"portolan-discoveries","version":1,"discoveries":5}',
        '{"format":"portolan-discoveries","version":1,"campaign":{"domain":{}},"discoveries":[{"id":"d1"}]}', "[]", "{" } do
        assert(file.write(directory .. "/c/discoveries.json", wrong))
        r = portolan(directory, "cover", "c", "blocks.csv")
        assert.equal(2, r.status, wrong)
        assert.matches("^portolan cover: c/discoveries.json[^\n]+\n$", r.err)
      end
    end)
  end)

  it("says what is wrong with a predictor that answers nothing, and asks it again once it is mended", function()
    process.in_directory(function(directory)
      assert(file.write(directory .. "/model.sh", "#!/bin/sh\necho 1\n"))
      local function run() return portolan(directory, "campaign", "--a", "command:" .. directory .. "/model.sh {}", "--b", scripts[1], "--schemes",
        'name == "neg r64"', "--samples", "3", "--dry", "1", "--length", "1", "--coverage", "0", "--out", "d") end
      local r = run()
      assert.equal(2, r.status)
      assert.matches("^portolan campaign: [^\n]+\n$", r.err)
      os.execute("chmod +x " .. directory .. "/model.sh")
      r = run()
      assert.equal(0, r.status, r.err)
    end)
  end)

  it("shows a message that is not UTF-8", function()
    process.in_directory(function(directory)
      local r = portolan(directory, "predict", "--json", "--predictor", "command:printf '\\377\\n'", "nop")
      assert.same({ 1, "" }, { r.status, r.err }) -- no prediction
      assert.is_string(assert(json.decode(r.out))[1].predictions[1].error)
    end)
  end)
end)

describe("a campaign of slow and of few words", function()
  -- Every block takes some milliseconds; additions take longer by the second.
  local function write_predictors(directory, milliseconds)
    assert(file.make_directory(directory .. "/predictors"))
    local text = [[local function wait() local ends = portolan.base.now() + %g while portolan.base.now() < ends do end end
      return { name = %q, predict = function(block)
        wait()
        return 1 + %d * (block.text:find "add" and 1 or 0)
      end }]]
    for i, name in ipairs { "one", "two" } do
      assert(file.write(("%s/predictors/%s.lua"):format(directory, name), text:format(milliseconds / 1000, name, 5 * i - 5)))
    end
  end

  local function run(directory, ...)
    local began = core.base.now()
    local r = process.run { args = { process.portolan, "campaign", ... }, cwd = directory, seconds = 300,
      env = { XDG_CACHE_HOME = directory .. "/cache", PORTOLAN_PATH = directory } }
    return r, core.base.now() - began
  end

  it("ends with its time in the search for schemes that are supported, says how far that is, and goes on there", function()
    process.in_directory(function(directory)
      write_predictors(directory, 100) -- so that some 300 schemes take 30 s
      local few_schemes = 'among(mnemonic, "add", "sub", "and", "or", "xor")'
      local r, seconds = run(directory, "--a", "one", "--b", "two", "--schemes", few_schemes, "--time", "8")
      assert.equal(1, r.status) -- nothing is wrong with the input
      local done = r.err:match "\nportolan campaign: its time was up when (%d+) of %d+ schemes[^\n]* supported by one or not; [^\n]+\n$"
      assert.truthy(done, r.err)
      assert.matches("^campaign, schemes that one supports, %d+ of %d+ %(%d+%%%)[^\n]*\n", r.err)
      assert.is_true(seconds < 8 + 8 * process.slowness, tostring(seconds))
      r = run(directory, "--a", "one", "--b", "two", "--schemes", few_schemes, "--time", "4")
      assert.is_true(tonumber(r.err:match "when (%d+) of") > tonumber(done), r.err)
    end)
  end)

  it("takes a file's options by the names that the command line has for them", function()
    process.in_directory(function(directory)
      write_predictors(directory, 0)
      assert(file.write(directory .. "/c.lua", [[return { a = "one", b = "two", schemes = 'mnemonic == "add"', dry = 1, discoveries = 3, time = "5m",
        absolute = 4, plain = true, samples = 5, coverage = 20, out = "x" }]]))
      local r = run(directory, "c.lua", "--discoveries", "2", "--samples", "6")
      assert.equal(0, r.status, r.err)
      local c = read(directory .. "/x/campaign.json")
      assert.same({ { dry = 1, discoveries = 2, seconds = 300 }, "absolute", 4, "plain", 6, 6 },
        { c.limits, c.interest.kind, c.interest.threshold, c.strategy, c.samples, c.provisional })
      local d = read(directory .. "/x/discoveries.json")
      assert.equal(20, d.coverage.blocks)
      assert.equal(5, d.discoveries[1].block.difference)
      assert.matches("\n  1%. d%d, 5%.00 cycles apart on average of its samples, [^\n]*\n", r.out)
      assert.matches("one: 1%.00, two: 6%.00 %(5%.00 cycles apart%)\n", r.out)
      local much = "100%% of random blocks are interesting: [^\n]* more than 4 asks [^\n]*\n"
      assert.matches(much, r.out)
      assert.matches("campaign: " .. much, r.err)
      for text, message in pairs { ["time = 'soon'"] = "option time: 'soon' is not a time",
        ["plain = 'no'"] = "option plain: 'no'; write true or false", ["plain = 1"] = "option plain: '1'; write true or false",
        ["limits = 3, dry = 1"] = "option limits: this is a number; it must be a table",
        ["dry = '3'"] = "option limits.dry: '3'; write a whole number of at least 1",
        ["coverage = 0.5"] = "option coverage.blocks: '0.5'; write a whole number of at least 0",
        ["seconds = 3"] = "unknown option 'seconds'; write limits = { seconds = ... }",
        ["blocks = 3"] = "unknown option 'blocks'; write coverage = { blocks = ... }" } do
        assert(file.write(directory .. "/c.lua", ("return { a = 'one', b = 'two', %s }"):format(text)))
        r = run(directory, "c.lua")
        assert.equal(2, r.status)
        assert.truthy(r.err:find("portolan campaign: " .. message, 1, true), r.err)
      end
    end)
  end)
end)

describe("wrong usage", function()
  it("is one line and status 2", function()
    process.in_directory(function(directory)
      for _, arguments in ipairs { { "campaign" }, { "campaign", "--a", "tea", "--b", "tea" }, { "campaign", "none.lua" },
        { "campaign", "--a", "tea", "--b", "tea", "--time", "soon" }, { "campaign", "--threshold", "3" }, { "generalize", "--a", "tea" },
        { "generalize", "--a", "tea", "--b", "tea", "nop" }, { "generalize", "--a", "tea", "--b", "tea" }, { "cover", "none", "none.csv" } } do
        local r = portolan(directory, table.unpack(arguments))
        assert.equal(2, r.status, table.concat(arguments, " ") .. r.err)
        assert.matches("^portolan %l+: [^\n]+\n$", r.err)
      end
    end)
  end)
end)
