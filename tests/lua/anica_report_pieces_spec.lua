-- Pieces of the report of a campaign: differences, abstract blocks, trees, drawings, commands; and `portolan report` of a campaign's directory.
local abstract_block = require "portolan.report.campaign.abstract_block"
local answers = require "portolan.report.campaign.answers"
local argparse = require "argparse"
local commands = require "portolan.report.campaign.commands"
local coverage = require "portolan.report.campaign.coverage"
local file = require "portolan.support.file"
local heat = require "portolan.report.campaign.heat"
local html = require "portolan.report.html"
local json = require "portolan.support.json"
local process = require "process"
local report = require "portolan.report"
local synthetic_campaign = require "synthetic_campaign"
local tree = require "portolan.report.campaign.tree"

describe("pieces of the report", function()
  it("differences are as campaigns judge them", function()
    local relative, absolute = { kind = "relative" }, { kind = "absolute" }
    local function sample(a, b) return { a = a, b = b } end
    assert.equal(1, answers.difference(relative, sample({ cycles = 1 }, { cycles = 3 })))
    assert.equal(2, answers.difference(absolute, sample({ cycles = 1 }, { cycles = 3 })))
    assert.equal(0, answers.difference(relative, sample({ cycles = 0 }, { cycles = 0 })))
    assert.equal(math.huge, answers.difference(relative, sample({ error = "x", crash = true }, { cycles = 3 })))
    assert.equal(0, answers.difference(relative, sample({ error = "x", crash = true }, { error = "y", crash = true })))
    assert.is_nil(answers.difference(relative, sample({ error = "x", crash = true }, { error = "y", unsupported = true })))
    assert.is_nil(answers.difference(relative, sample({ cycles = 1 }, { error = "y" })))
    assert.is_nil(answers.difference(relative, nil))
    local words = { (answers.word { cycles = 3.25 }), (answers.word { error = "x", crash = true }),
      (answers.word { error = "x", unsupported = true }), (answers.word { error = "x" }), (answers.word(nil)) }
    assert.same({ "3.25", "crashes", "not supported", "no answer", "—" }, words)
  end)

  it("abstract blocks are read from their lines, whatever marks these have", function()
    local parts = abstract_block.parts { "Instructions:", "  1. mnemonic: bsf + 1 edit; memory: read, written", " 2. any", "3. ⊤", "Aliasing:",
      " • operand 1 of instruction 1 must not alias with operand 2 of instruction 1", "- operand 1" }
    assert.same({ { "mnemonic: bsf + 1 edit", "memory: read, written" }, {}, {} }, parts.instructions)
    assert.same({ "operand 1 of instruction 1 must not alias with operand 2 of instruction 1", "operand 1" }, parts.aliasing)
    assert.same({ {} }, abstract_block.parts({ "Instructions:", " 1. any", "Aliasing: ⊤" }).instructions)
    assert.same({}, abstract_block.parts({ "Instructions:", " 1. any", "Aliasing: ⊤" }).aliasing)
    assert.same({ "free text" }, abstract_block.parts({ "free text" }).rest)
    local lines = { "Aliasing:" }
    for i = 1, 9 do lines[i + 1] = ("operand %d of instruction 1 must alias with operand 1 of instruction 2"):format(i) end
    local text = html.render(abstract_block.render(lines))
    assert.truthy(text:find("<summary>5 more about aliasing</summary>", 1, true))
    for i = 1, 9 do assert.truthy(text:find(lines[i + 1], 1, true)) end
  end)

  it("the spine of a tree leads to the discovery; what hangs off it is rejected or given up", function()
    local a, b, c, d = { "a" }, { "b" }, { "c" }, { "d" }
    local steps = { { accepted = true, from = 0, text = a }, { accepted = false, from = 1, text = b }, { accepted = true, from = 1, text = b },
      { accepted = true, from = 3, text = c }, { accepted = false, from = 4, text = d }, { accepted = false, from = 4, text = c },
      { accepted = true, from = 1, text = d }, { accepted = false, from = 7, text = c } }
    local kinds, lanes = tree.kinds(steps, d)
    assert.same({ "spine", "rejected", "given up", "given up", "rejected", "rejected", "spine", "rejected" }, kinds)
    assert.same({ 0, 1, 1, 1, 2, 2, 0, 1 }, lanes)
    assert.is_true(tree.has_root { { accepted = true, from = 0, expansions = {} } })
    assert.is_false(tree.has_root { { accepted = true, from = 0, expansions = { "x" } } })
    assert.same({ "spine", "given up" }, (tree.kinds({ { accepted = true, text = a }, { accepted = true, from = 1, text = b } }, a)))
    assert.same({}, (tree.kinds({}, nil)))
  end)

  it("the curve has a point for each size, at its share", function()
    local text = html.render(coverage.curve { interesting = 100, covered = 80, top = { { k = 4, covered = 75 }, { k = 1, covered = 25 } } })
    local points = {}
    for x, y in text:gmatch '<circle class="point" cx="([%d.]+)" cy="([%d.]+)"' do points[#points + 1] = { tonumber(x), tonumber(y) } end
    assert.equal(2, #points)
    local left = points[1][1] - (points[2][1] - points[1][1]) / 3 -- k = 0
    local zero = points[1][2] + (points[1][2] - points[2][2]) / 2 -- share 0
    assert.truthy(text:find(('d="M %g %g L'):format(left, zero), 1, true))
    assert.truthy(text:find("all: 80%", 1, true))
  end)

  it("the heat map has a cell for each pair, darker where predictors disagree more", function()
    local share = { { 0, 0.05, 0.3 }, { 0.05, 0, false }, { 0.9, 0.2, 0 } }
    local text = html.render(heat.draw { predictors = { "x<", "y", "z" }, share = share, blocks = 7 })
    local cells = {}
    for class in text:gmatch '<rect class="bin (h%d)"' do cells[#cells + 1] = class end
    assert.same({ "h1", "h4", "h1", "h6", "h3" }, cells)
    assert.truthy(text:find("x&lt; and z disagree on 30.0% of 7 blocks", 1, true))
    assert.is_nil(heat.draw { predictors = { "x" } })
  end)

  it("commands are quoted for shells, and repeat what the header says", function()
    local result = { campaign = { a = { name = "command:it's" }, b = { name = "hw" }, seed = "7", interest = { kind = "absolute", threshold = 2 },
      strategy = "plain", domain = { file = "my domain.lua" }, filters = { exclude = "extension == 'X87'" }, limits = { seconds = "60", dry = "3" } },
      heat = { predictors = { "a", "b", "osaca:ZEN1" } } }
    assert.equal([[portolan campaign --a 'command:it'\''s' --b hw --absolute 2 --seed 7 --plain --domain 'my domain.lua' ]]
      .. [[--exclude 'extension == '\''X87'\''' --dry 3 --time 60 --heat osaca:ZEN1]], commands.campaign(result))
    local words, parser = {}, argparse "campaign"
    local said = process.run { args = { "sh", "-c", "portolan() { printf '%s\\n' \"$@\"; }; " .. commands.campaign(result) } }
    for word in said.out:gmatch "[^\n]+" do words[#words + 1] = word end
    require("portolan.cli.campaign").configure(parser)
    local ok, args = parser:pparse(table.move(words, 2, #words, 1, {}))
    assert.is_true(ok, args)
    assert.same({ "command:it's", "hw", 2, 7, true, "my domain.lua", "extension == 'X87'", 3, 60, { "osaca:ZEN1" } },
      { args.a, args.b, args.absolute, args.seed, args.plain, args.domain, args.exclude, args.dry, args.time, args.heat })
    local list = commands.for_blocks(result)
    assert.equal([[portolan predict --predictor 'command:it'\''s' --predictor hw --hex ]], list[1].before)
    assert.equal("portolan bench --hex ", list[2].before)
    assert.equal(1, #commands.for_blocks { campaign = {} })
  end)
end)

describe("portolan report", function()
  local function run(...) return process.run { args = { process.portolan, "report", ... } } end
  local function write(path, value) assert(file.write(path, assert(json.encode(value)))) end

  it("writes the report of a campaign, of one that is not done from its journal", function()
    process.in_directory(function(d)
      local result = synthetic_campaign.of { discoveries = 4, steps = 5 }
      write(d .. "/campaign.json", result.campaign)
      local r = run(d)
      assert.equal(0, r.status, r.err)
      assert.truthy(assert(file.read(d .. "/report.html")):find("Partial result", 1, true))
      local lines = {}
      for i, found in ipairs(result.discoveries) do
        found.event = "discovery"
        lines[i] = assert(json.encode(found))
      end
      table.insert(lines, 1, lines[1]) -- a wave that was run again
      lines[#lines + 1] = assert(json.encode { event = "batch", n = 100, figures = result.figures })
      assert(file.write(d .. "/journal.jsonl", table.concat(lines, "\n") .. '\n{"event":"disco'))
      assert.equal(0, run(d, "--out", d .. "/other.html").status)
      local text = assert(file.read(d .. "/other.html"))
      local _, rows = text:gsub('id="discovery%-%d', "")
      assert.equal(4, rows)
      assert.truthy(text:find("Partial result", 1, true) and text:find("1 h 23 min", 1, true))
      write(d .. "/discoveries.json", result)
      assert.equal(0, run(d).status)
      assert.equal(report.campaign.page(result), (file.read(d .. "/report.html")))
    end)
  end)

  it("refuses broken files in one line", function()
    process.in_directory(function(d)
      local function refused(words)
        local r = run(d)
        assert.equal(2, r.status)
        assert.matches("^[^\n]+\n$", r.err)
        assert.truthy(r.err:find(words, 1, true), r.err)
      end
      assert(file.write(d .. "/campaign.json", "[1]"))
      refused "campaign.json: this is no campaign"
      write(d .. "/campaign.json", synthetic_campaign.of { discoveries = 1, steps = 1 }.campaign)
      assert(file.write(d .. "/journal.jsonl", "{}\n5\n"))
      refused "journal.jsonl: line 2"
      assert(file.write(d .. "/discoveries.json", "{"))
      refused "discoveries.json:1:"
      assert(file.write(d .. "/discoveries.json", "null"))
      refused "no discoveries of a campaign"
      assert(file.write(d .. "/discoveries.json", '{"format":"portolan-discoveries","version":1,"discoveries":[{"id":"d1","tree":[{"text":5}]}]}'))
      refused "discoveries[1].tree[1].text must be a list"
    end)
  end)
end)
