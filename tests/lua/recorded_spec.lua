-- The same seeds give the same results, byte for byte: what each inference, a campaign and the reports gave when it was recorded
-- (tests/lua/recorded.lua, digests). A change that is not meant to change results changes none; one that is records anew, and says why:
-- PORTOLAN_RECORD=1 ctest -R lua/recorded
local file = require "portolan.support.file"
local hash = require "portolan.support.hash"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"
local random_mapping = require "support.random_mapping"
local small = require "cores.small"
local small_core = require "support.small_core"

local path = os.getenv "PORTOLAN_SOURCE" .. "/tests/lua/recorded.lua"
local recording = os.getenv "PORTOLAN_RECORD" == "1"
local recorded = recording and {} or dofile(path)

-- What differs from run to run.
local volatile = { seconds = true, date = true, command = true, version = true, directory = true, at = true }

local function settled(value)
  if type(value) ~= "table" then return value end
  local copy = setmetatable({}, getmetatable(value))
  for key, inner in pairs(value) do
    if not volatile[key] then copy[key] = settled(inner) end
  end
  return copy
end

-- The text of a file without what is volatile: one JSON value, or one a line.
local function text_of(name)
  local text = assert(file.read(name))
  if not name:find "%.jsonl?$" then return text end
  local list = {}
  for part in (name:find "l$" and text or text:gsub("\n", " ") .. "\n"):gmatch "[^\n]+" do
    list[#list + 1] = json.encode(settled((assert(json.decode(part)))))
  end
  return table.concat(list, "\n")
end

-- Each case: what is written where, the command, and the files that it leaves.
local cases = {}

local function inference(name, truth, arguments, files)
  local function prepare(d) assert(mapping.save(truth, d .. "/truth.json")) end
  cases[#cases + 1] = { name = name, files = files or { "m.json" }, prepare = prepare, arguments = arguments }
end

for _, core in ipairs { "golden_cove", "zen4", "skylake", "gracemont" } do
  inference("infer explain, " .. core, small[core](), { "infer", "explain", "--oracle", "sim:D/truth.json,noise=0.01,seed=3", "--evaluate", "20",
    "--out", "D/m.json" })
end
inference("infer uops-info", small_core.mapping(), { "infer", "uops-info", "--oracle", "sim:D/truth.json,counters=uops+ports,seed=2",
  "--out", "D/m.json" })
inference("infer cegis, symmetric", random_mapping.two_level { ports = 5, schemes = 8, seed = 4, rmax = 4 },
  { "infer", "cegis", "--oracle", "sim:D/truth.json,noise=0.005,seed=4", "--seed", "2", "--out", "D/m.json" })
inference("infer cegis, asymmetric", random_mapping.two_level { ports = 4, schemes = 6, seed = 5, rmax = 4 },
  { "infer", "cegis", "--oracle", "sim:D/truth.json,binder=late", "--reading", "asymmetric", "--out", "D/m.json" })
inference("infer pmevo", small_core.mapping(), { "infer", "pmevo", "--oracle", "sim:D/truth.json", "--evaluate", "50", "--seed", "3",
  "--threads", "2", "--generations", "30", "--out", "D/out" }, { "out/mapping.json" })

cases[#cases + 1] = { name = "campaign", files = { "out/journal.jsonl", "out/discoveries.json" },
  arguments = { "campaign", "--universe", "measurable", "--a", "mapping:D/a.json", "--b", "mapping:D/b.json", "--dry", "2", "--coverage", "20",
    "--length", "3", "--seed", "5", "--out", "D/out" },
  prepare = function(d)
    assert(mapping.save(small_core.mapping(), d .. "/a.json"))
    assert(mapping.save(small_core.mapping { ["vpand ymm, ymm, ymm"] = small_core.uops(1, "0") }, d .. "/b.json"))
  end }

local function run(case)
  local digests = {}
  process.in_directory(function(d)
    case.prepare(d)
    local words = { process.portolan }
    for i, word in ipairs(case.arguments) do words[i + 1] = word:gsub("D/", d .. "/") end
    local r = process.run { args = words, seconds = 280, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
    assert.equal(0, r.status, r.err)
    for _, name in ipairs(case.files) do
      digests[name] = hash.hex((text_of(d .. "/" .. name):gsub(d:gsub("%p", "%%%0"), "D")))
    end
  end)
  return digests
end

describe("what was recorded before comes again:", function()
  for _, case in ipairs(cases) do
    it(case.name, function()
      local digests = run(case)
      if recording then recorded[case.name] = digests else assert.same(recorded[case.name], digests) end
    end)
  end

  teardown(function()
    if not recording then return end
    local lines = { "-- Digests of results: written by tests/lua/recorded_spec.lua.", "return {" }
    for _, case in ipairs(cases) do
      local files = {}
      for i, name in ipairs(case.files) do files[i] = ("[%q] = %q"):format(name, recorded[case.name] and recorded[case.name][name] or "") end
      lines[#lines + 1] = ("  [%q] = { %s },"):format(case.name, table.concat(files, ", "))
    end
    lines[#lines + 1] = "}\n"
    assert(file.write(path, table.concat(lines, "\n")))
  end)
end)
