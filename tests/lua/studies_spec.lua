-- The studies of scripts/campaigns: they run, say what is published beside what they find, and say in one line what they lack.
local file = require "portolan.support.file"
local process = require "process"

local root = os.getenv "PORTOLAN_SOURCE"

local function study(name, env, ...)
  env.LANG, env.LC_ALL, env.NO_COLOR = "C", false, "1"
  return process.run { args = { process.portolan, "run", root .. "/scripts/campaigns/" .. name, ... }, env = env }
end

local function recorded()
  for _, above in ipairs { "/../shared/data", "/../../shared/data" } do
    if file.kind(root .. above .. "/pmevo-skl") == "directory" then return root .. above end
  end
end

describe("the study of times", function()
  it("has a row of a figure, with the published time", function()
    local r = study("cegis_times.lua", {}, "--", "--runs", "1", "4x4", "4x16")
    assert.equal(0, r.status, r.err)
    assert.matches("\n4x4 +%d+%.%d%d +%d+%.%d%d%-%d+%.%d%d +%d+ +%d%.%d%d%d +0 ", r.out)
    assert.matches("\n4x16[^\n]+about 10 s\n", r.out)
  end)
  it("refuses what it does not know in one line", function()
    for _, words in ipairs { { "four" }, { "--", "--runs" }, { "--", "--runs", "1.5" }, { "--", "--speed", "3" } } do
      local r = study("cegis_times.lua", {}, table.unpack(words))
      assert.equal(2, r.status)
      assert.equal("", r.out)
      assert.matches("^cegis_times.lua: [^\n]+\n$", r.err)
    end
  end)
end)

describe("the study of PMEvo's accuracy", function()
  it("says in one line that there are no data", function()
    for _, words in ipairs { {}, { "/nosuch" }, { "/nosuch", "soon" } } do
      local r = study("pmevo_accuracy.lua", { PORTOLAN_DATA = false }, table.unpack(words))
      assert.equal(2, r.status)
      assert.equal("", r.out)
      assert.matches("^pmevo_accuracy.lua: [^\n]+\n$", r.err)
    end
  end)
  it("finds in recorded data what was published", function()
    local data = recorded()
    if not data then return pending "shared/data is not here" end
    local r = study("pmevo_accuracy.lua", { PORTOLAN_DATA = data }, data, "recorded")
    assert.equal(0, r.status, r.err)
    assert.matches("counted in the published mapping: 17 uops", r.out)
    assert.matches("counted in uops.info's: 12 uops", r.out)
    assert.matches("\nPMEvo +14%.7%% +0%.98 +0%.72 +14%.6%% 0%.98 0%.76\n", r.out)
    assert.matches("\nIACA +7%.9%% +0%.87 +0%.69 +8%.0%% 0%.86 0%.71\n", r.out)
  end)
end)
