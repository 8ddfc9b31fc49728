-- The report of a campaign: well-formed, escaped, complete, self-contained; readable from whatever part of a campaign there is.
local abstract_block = require "portolan.report.campaign.abstract_block"
local answers = require "portolan.report.campaign.answers"
local campaign = require "portolan.report.campaign"
local discoveries = require "portolan.report.campaign.discoveries"
local html = require "portolan.report.html"
local json = require "portolan.support.json"
local lxp = require "lxp"
local synthetic_campaign = require "synthetic_campaign"

local hostile = [[</script><b>&"' ]] .. "\0\27\xff\u{FFFE}]]>"

-- Parses a page; counts elements and classes, collects text and ids.
local function parse(text)
  local seen, content = { classes = {}, elements = {}, ids = {} }, {}
  local parser = lxp.new {
    StartElement = function(_, name, attributes)
      seen.elements[name] = (seen.elements[name] or 0) + 1
      for class in (attributes.class or ""):gmatch "%S+" do seen.classes[class] = (seen.classes[class] or 0) + 1 end
      if attributes.id then
        assert(not seen.ids[attributes.id], attributes.id)
        seen.ids[attributes.id] = true
      end
    end,
    CharacterData = function(_, data) content[#content + 1] = data end,
  }
  local ok, message, line, column = parser:parse(text)
  if ok then ok, message, line, column = parser:parse() end
  assert(ok, ("not well-formed: %s at %s:%s"):format(tostring(message), tostring(line), tostring(column)))
  parser:close()
  seen.content = table.concat(content)
  return seen
end

local function page_of(tables) return assert(campaign.page(tables)) end

-- The JSON that the script reads.
local function data_of(text) return assert(json.decode((assert(text:match('<script id="campaign%-data" type="application/json">(.-)</script>'))))) end

-- A deep copy through JSON, as a file would give it.
local function reread(tables) return assert(json.decode(assert(json.encode(tables)))) end

-- Calls visit(container, key, path) for every field and list element below a table, parents first; of lists longer than `most` elements for the
-- last ones only.
local function each(value, path, visit, most)
  local keys = {}
  for key in pairs(value) do
    if type(key) == "string" or key > #value - (most or math.huge) then keys[#keys + 1] = key end
  end
  table.sort(keys, function(x, y) return tostring(x) < tostring(y) end)
  for _, key in ipairs(keys) do
    local here = type(key) == "number" and ("%s[%d]"):format(path, key) or path .. "." .. key
    visit(value, key, here)
    if type(value[key]) == "table" then each(value[key], here, visit, most) end
  end
end

-- A sample as the script puts it together.
local function unfold(data, index)
  local b = data.blocks[index + 1]
  local function answer(a)
    if a == json.null then return nil end
    if type(a) == "number" then return { cycles = a } end
    return { error = a[1], crash = a[2] == 2 or nil, unsupported = a[2] == 1 or nil }
  end
  return { hex = b[1], text = b[2], a = answer(b[3]), b = answer(b[4]) }
end

describe("the report of a campaign", function()
  local result = synthetic_campaign.of { discoveries = 30, steps = 25 }
  local text = page_of(result)
  local page, data = parse(text), data_of(text)

  it("has a row for each discovery, with its abstract block, its shortest witness and both predictions", function()
    for place, d in ipairs(result.discoveries) do
      local row = assert(text:match(('<tr[^>]* id="discovery%%-%d".-</tr>'):format(place)), d.id)
      assert.truthy(row:find(d.id, 1, true))
      local plain = row:gsub("<[^>]+>", "")
      local parts = abstract_block.parts(d.text)
      for _, features in ipairs(parts.instructions) do
        for _, feature in ipairs(features) do assert.truthy(plain:find(feature, 1, true), feature) end
      end
      for _, line in ipairs(parts.aliasing) do assert.truthy(plain:find(line, 1, true), line) end
      for line in d.block.text:gmatch "[^;]+" do assert.truthy(plain:find(line:match "^%s*(.*)$", 1, true), line) end
      for _, side in ipairs { "a", "b" } do assert.truthy(row:find(">" .. answers.word(d.block[side]) .. "<", 1, true)) end
    end
    assert.equal(30, page.classes.id)
  end)

  it("holds every witness, counter-witness and step for the script", function()
    local function same(expected, indices)
      assert.equal(#expected, #indices)
      for i, sample in ipairs(expected) do assert.same(sample, unfold(data, indices[i])) end
    end
    local function lines(indices)
      local list = {}
      for i, k in ipairs(indices) do list[i] = data.lines[k + 1] end
      return list
    end
    for place, d in ipairs(result.discoveries) do
      local known = data.of[tostring(place)]
      assert.same(d.block, unfold(data, known.b))
      assert.same(d.original, unfold(data, known.o))
      same(d.witnesses, known.w)
      assert.equal(#d.tree, #known.t)
      local counters = {}
      for i, step in ipairs(d.tree) do
        local s = known.t[i]
        assert.equal(step.accepted, s[1] ~= 1)
        assert.same({ step.from, step.samples }, { s[3], s[4] })
        assert.same(step.text, lines(s[5]))
        assert.same(step.expansions, lines(s[6]))
        same(step.witnesses, s[7])
        same(step.counter, s[8])
        for _, index in ipairs(s[8]) do counters[index] = true end
      end
      for _, pair in ipairs(known.c) do
        assert.is_true(counters[pair[1]])
        counters[pair[1]] = nil
        assert.is_false(d.tree[pair[2]].accepted)
      end
      assert.is_nil(next(counters))
    end
  end)

  it("lists what covers most first, subsumed ones last, and has the keys of every order", function()
    local list, key = discoveries.ordered(result)
    assert.equal("covers", key)
    for i = 2, #list do
      local x, y = list[i - 1].d, list[i].d
      if x.subsumed_by then assert.truthy(y.subsumed_by) elseif not y.subsumed_by then assert.is_true(x.covers >= y.covers) end
    end
    for _, entry in ipairs(list) do
      local d, row = entry.d, text:match(('<tr[^>]* id="discovery%%-%d".-</tr>'):format(entry.place))
      local far = row:match 'number interestingness" data%-value="([^"]+)"'
      assert.equal(d.infinite and "Infinity" or ("%.14g"):format(d.interestingness), far)
      assert.equal(d.generality, tonumber(row:match 'number generality" data%-value="([^"]+)"'))
      assert.equal(d.covers, tonumber(row:match 'number covers" data%-value="([^"]+)"'))
      assert.equal(d.infinite == true, row:find('data-crash="1"', 1, true) ~= nil)
      assert.equal(d.subsumed_by ~= nil, row:find('data-subsumed="1"', 1, true) ~= nil)
    end
    for _, entry in ipairs(discoveries.keys) do assert.truthy(text:find(('<option value="%s">'):format(entry[1]), 1, true)) end
  end)

  it("is sorted by generality where nothing was covered", function()
    local list, key = discoveries.ordered { discoveries = { { id = "d1", generality = 2 }, { id = "d2" }, { id = "d3", generality = 5 } } }
    assert.equal("generality", key)
    assert.same({ 3, 1, 2 }, { list[1].place, list[2].place, list[3].place })
  end)

  it("refers to nothing outside, and every link inside has its target", function()
    for _, outside in ipairs { "://", "@import", "url(", " src=" } do assert.is_nil(text:find(outside, 1, true), outside) end
    for target in text:gmatch 'href="#([^"]*)"' do assert.is_true(page.ids[target], target) end
    assert.equal(1, page.elements.noscript)
  end)

  it("is the same text for the same campaign, and for what a file holds", function()
    assert.equal(text, page_of(synthetic_campaign.of { discoveries = 30, steps = 25 }))
    assert.equal(text, page_of(reread(result)))
  end)

  it("tells the figures of coverage and of the campaign", function()
    local plain = text:gsub("<[^>]+>", " "):gsub("\u{202F}", ""):gsub("%s+", " ")
    for _, words in ipairs {
      "Of 4200 random blocks, the two disagree on 23%", "29 abstract blocks describe where", "They account for 97% of the 2300 disagreements",
      "the best ten alone for 80%", "covered by the best 10 1847 80.3%",
      "interesting 2300 23.0%", "1 h 23 min", "1284332",
      "Debian LLVM version 14.0.6",
      "portolan campaign --a llvm-mca-14:znver1 --b llvm-mca-16:znver1 --threshold 0.5 --seed 1 --samples 100",
      "as many discoveries as were wanted",
      "not supported by llvm-mca-14:znver1: 112" } do
      assert.truthy(plain:find(words, 1, true), words)
    end
  end)
end)

describe("whatever names and texts there are", function()
  it("the page is well-formed, its script cannot be ended, and no markup gets in", function()
    local result = reread(synthetic_campaign.of { discoveries = 4, steps = 6 })
    local format = result.format
    each(result, "result", function(container, key)
      if type(container[key]) == "string" and key ~= "id" then container[key] = container[key] .. hostile end
    end)
    result.format, result.command, result.portolan, result.date, result.failure = format, hostile, hostile, hostile, hostile
    for _, d in ipairs(result.discoveries) do
      d.id = d.id .. hostile
      d.tree[2].failure = hostile
    end
    local text = page_of(result)
    assert.is_nil(text:find("<b>&", 1, true))
    assert.is_nil(text:find("\0", 1, true))
    local page = parse(text)
    assert.equal(2, page.elements.script)
    assert.truthy(page.content:find(html.plain(hostile), 1, true))
    assert.truthy(data_of(text).blocks[1][2]:find("</script><b>&", 1, true))
  end)
end)

describe("parts that are missing", function()
  it("leave a page of the others", function()
    local whole = reread(synthetic_campaign.of { discoveries = 3, steps = 4 })
    local tried = 0
    each(whole, "result", function(container, key, path)
      if type(key) ~= "string" or path == "result.format" or path == "result.version" or key == "id" then return end
      local value = container[key]
      for _, without in ipairs { false, json.null } do -- false: left out
        container[key] = without or nil
        local text, message = campaign.page(whole)
        assert(text, path .. ": " .. tostring(message))
        if not without then parse(text) end
      end
      container[key] = value
      tried = tried + 1
    end, 1)
    assert.is_true(tried > 80)
  end)

  it("may be all of them", function()
    local page = parse(page_of { format = "portolan-discoveries", version = 1 })
    assert.truthy(page.content:find("None: on no class of blocks do the predictors disagree throughout", 1, true))
    assert.truthy(page.content:find("It was not determined how much", 1, true))
    assert.is_nil(page.ids.heat)
    page = parse(page_of { format = "portolan-discoveries", version = 1, partial = true, discoveries = { { id = "d1" } },
      coverage = { interesting = 0, top = { { k = 1 }, { k = 2, covered = 0 } } },
      heat = { predictors = { "x", "y" }, share = { { 0, json.null } } } })
    assert.truthy(page.content:find("Partial result", 1, true))
    assert.truthy(page.ids["discovery-1"] and page.ids.heat)
  end)
end)

describe("what is no campaign", function()
  it("is refused in one line that names the place", function()
    for _, wrong in ipairs { 5, "x", {}, { format = "portolan-campaign", version = 1 }, { format = "portolan-discoveries", version = 2 },
      { format = "portolan-discoveries" } } do
      local page, message = campaign.page(wrong)
      assert.is_nil(page)
      assert.matches("^[^\n]+$", message)
    end
    local whole, tried = reread(synthetic_campaign.of { discoveries = 2, steps = 4 }), 0
    local free = { rank = true, keys = true, version = true, portolan = true }
    each(whole, "", function(container, key, path)
      local name = path:gsub("^%.", "")
      if free[key] or path:find "rank%." or path:find "keys%[" or path:find "limits%." or path:find "features%[" or key == "seed" then return end
      local value = container[key]
      container[key] = type(value) == "table" and "wrong" or { wrong = { 1 } }
      local page, message = campaign.page(whole)
      assert.is_nil(page, path)
      assert.matches("^[^\n]+$", message)
      if name ~= "format" then assert.truthy(message:find(name, 1, true), ("%s: %s"):format(path, message)) end
      container[key] = value
      tried = tried + 1
    end, 1)
    assert.is_true(tried > 60, tried)
  end)

  it("has ids twice, steps from later steps, negative or broken numbers", function()
    local function refused(words, change)
      local result = synthetic_campaign.of { discoveries = 2, steps = 3 }
      change(result)
      local page, message = campaign.page(result)
      assert.is_nil(page)
      assert.truthy(message:find(words, 1, true), message)
    end
    refused("discoveries[2].id: 'd1' is there twice", function(r) r.discoveries[2].id = "d1" end)
    refused("discoveries[2].id is missing", function(r) r.discoveries[2].id = nil end)
    refused("discoveries[1].tree[2].from must be the number of an earlier step", function(r) r.discoveries[1].tree[2].from = 2 end)
    refused("discoveries[1].block.a.cycles must be a number from 0 to 1e15", function(r) r.discoveries[1].block.a = { cycles = 0 / 0 } end)
    refused("coverage.covered must be a whole number", function(r) r.coverage.covered = -1 end)
  end)
end)

describe("150 discoveries of 60 steps each", function()
  it("are a page below 10 MB", function()
    local result = synthetic_campaign.of { discoveries = 150, steps = 60 }
    local text = page_of(result)
    assert.is_true(#text < 10e6, #text)
    local _, rows = text:gsub('<tr data%-[^>]* id="discovery%-', "")
    assert.equal(150, rows)
  end)
end)
