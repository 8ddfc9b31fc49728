-- Sections of reports of the user's own: in their places, harmless, and an error in one costs that section only.
local file = require "portolan.support.file"
local html = require "portolan.report.html"
local json = require "portolan.support.json"
local lxp = require "lxp"
local process = require "process"
local synthetic_campaign = require "synthetic_campaign"
local synthetic_chart = require "synthetic_chart"

local examples = os.getenv "PORTOLAN_SOURCE" .. "/scripts/examples"

-- `portolan report` in a folder that has the chart or the campaign, and `mine.lua` with this code among its sections.
local function report(d, code, ...)
  assert(file.make_directory(d .. "/own/sections"))
  if code then assert(file.write(d .. "/own/sections/mine.lua", code)) end
  local r = process.run { args = { process.portolan, "report", d, ... }, env = { PORTOLAN_PATH = d .. "/own:" .. examples }, seconds = 60 }
  return r, file.read(d .. "/report.html")
end

local function well_formed(page)
  local parser = lxp.new {}
  assert(parser:parse((page:gsub("^<!DOCTYPE html>", ""))))
  assert(parser:parse())
  parser:close()
end

local function in_chart(visit)
  process.in_directory(function(d)
    assert(file.write(d .. "/chart.json", assert(json.encode(synthetic_chart.of "starter"))))
    visit(d)
  end)
end

local function in_campaign(visit)
  process.in_directory(function(d)
    local result = synthetic_campaign.of { discoveries = 5 }
    assert(file.write(d .. "/campaign.json", assert(json.encode(result.campaign))))
    assert(file.write(d .. "/discoveries.json", assert(json.encode(result))))
    visit(d)
  end)
end

describe("a section of one's own", function()
  it("stands in the report of a chart, behind the one that it names", function()
    in_chart(function(d)
      local r, page = report(d, nil, "--section", "extremes")
      assert.same({ 0, "" }, { r.status, r.err })
      well_formed(page)
      local schemes, own, misfits = page:find('id="schemes"', 1, true), page:find('id="own-extremes"', 1, true), page:find('id="accuracy"', 1, true)
      assert.is_true(schemes < own and own < misfits)
      assert.is_truthy(page:find('<a href="#own-extremes">Extremes</a>', 1, true))
      assert.matches("<th>[^<]+</th><td class=\"number\">%d", page:sub(own))
    end)
  end)

  it("stands in the report of a campaign, at the end if what it names is not there", function()
    in_campaign(function(d)
      local r, page = report(d, nil, "--section", examples .. "/sections/extremes.lua")
      assert.same({ 0, "" }, { r.status, r.err })
      well_formed(page)
      assert.is_true(page:find('id="campaign"', 1, true) < page:find('id="own-extremes"', 1, true))
    end)
  end)

  it("may be one of Portolan's, and is only loaded when it is asked for", function()
    in_chart(function(d)
      local r, page = report(d, "error 'loaded'", "--section", "extensions")
      assert.same({ 0, "" }, { r.status, r.err })
      assert.matches('id="own%-extensions".*<th scope="row">BASE</th>', page)
      r, page = report(d)
      assert.equal(0, r.status)
      assert.is_nil(page:find("own-", 1, true))
      r = report(d, nil, "--list")
      assert.same({ 0, "extensions\nextremes\nmine\n" }, { r.status, r.out })
    end)
  end)

  it("gets a copy of the chart, and may be left out", function()
    in_chart(function(d)
      local _, before = report(d)
      local code = "return { title = 'x', render = function(chart) chart.mapping.schemes = nil end, after = 'mapping' }"
      local r, page = report(d, code, "--section", "mine")
      assert.same({ 0, "" }, { r.status, r.err })
      assert.equal(before, page)
    end)
  end)

  it("shows names as text, whatever they hold", function()
    in_chart(function(d)
      local r, page = report(d, [[return { title = "<b>", name = "a'b", render = function(_, html)
        return html.tag.p { title = "\"<", "<script>\27[31m" } end }]], "--section", "mine")
      assert.same({ 0, "" }, { r.status, r.err })
      well_formed(page)
      assert.is_truthy(page:find('<section id="own-a-b"><h2>&lt;b&gt;</h2><p title="&quot;&lt;">&lt;script&gt;\u{FFFD}[31m</p>', 1, true))
    end)
  end)

  it("that fails is one line and a note; the rest of the report is written", function()
    local faults = {
      ["error 'no idea'"] = "mine%.lua:1: no idea", ["return data.x.y"] = "mine%.lua:1: attempt to index",
      ["return nil, 'not today'"] = ": not today",
      ["return html.tag.script 'x'"] = "'script' is not for sections", ["return { { html.tag.p { onclick = 'x' } } }"] = "'onclick'",
      ["return html.tag.a { href = 'https://x', 'y' }"] = "href must begin with #", ["return html.tag.p { style = 'x' }"] = "'style'",
      ["return html.tag.p(print)"] = "a function is no text", ["return require('portolan.report.html').raw '<p>'"] = "finished markup",
      ["local t = {} t[1] = t return t"] = "more than 100 deep", ["return html.tag.rect { fill = 'url(x)' }"] = "outside of the page",
      ["return html.tag['p x']()"] = "'p x' is not for sections", ["return html.tag.p { id = 'mapping' }"] = "'id'",
    }
    in_chart(function(d)
      for code, said in pairs(faults) do
        local r, page = report(d, "return { title = 'x', render = function(data, html) " .. code .. " end }", "--section", "mine",
          "--section", "extremes")
        assert.equal(1, r.status, code)
        assert.matches("^portolan report: [^\n]*own/sections/mine%.lua[^\n]*\n$", r.err)
        assert.matches(said, r.err)
        assert.matches('id="own%-mine"><h2>x</h2><p class="missing">This section could not be made: ', page)
        assert.matches('id="own%-extremes"', page)
        well_formed(page)
      end
    end)
  end)

  it("that is no section, or not there, is one line, and nothing is written", function()
    in_chart(function(d)
      local function refused(words, code, ...)
        local r, page = report(d, code, ...)
        assert.equal(2, r.status, r.err)
        assert.matches("^portolan report: %-%-section[^\n]*\n$", r.err)
        assert.is_truthy(r.err:find(words, 1, true), r.err)
        assert.is_nil(page)
      end
      for _, code in ipairs { "return 1", "return {}", "return { title = 1, render = print }", "return { title = 'x', render = print, name = 1 }" } do
        refused("it must return a section", code, "--section", "mine")
      end
      refused("there is no section 'x' to stand after; there are: accuracy", "return { title = 'x', render = print, after = 'x' }",
        "--section", "mine")
      refused("mine.lua:1: ", "return {", "--section", "mine")
      refused("no section 'yours'; give a Lua file; there are: extensions, extremes, mine", "return 1", "--section", "yours")
      refused("cannot read ./yours.lua", "return 1", "--section", "./yours.lua")
      refused("a section of this name already", "return { title = 'x', render = print }", "--section", "extremes", "--section", "extremes")
    end)
  end)
end)

describe("html elements", function()
  it("are told from finished markup and from tables", function()
    assert.same({ true, false, false }, { html.is_element(html.tag.p "x"), html.is_element(html.raw "x"), html.is_element {} })
    assert.same({ false, true, false }, { html.is_raw(html.tag.p "x"), html.is_raw(html.raw "x"), html.is_raw "x" })
  end)
end)
