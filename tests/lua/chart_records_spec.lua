-- What a chart knows is declared: all fields of a survey, its facts, classes and jobs; and what is declared is in use.
local chart = require "portolan.infer.chart"
local constants = require "portolan.infer.chart.constants"
local facts = require "portolan.infer.chart.facts"
local job = require "portolan.infer.chart.blocking.job"
local lfs = require "lfs"
local mapping = require "portolan.mapping"
local port_class = require "portolan.infer.chart.port_class"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"
local survey = require "portolan.infer.chart.survey"

-- Charts a small core; returns the survey that the chart was made of.
local function surveyed(m)
  local new, made = survey.new, nil
  survey.new = function(...)
    made = new(...)
    return made
  end
  local p = assert(simulated.new { mapping = m, seed = 1, noise = { kind = "gaussian", width = 0.01, unit = "relative" } })
  local ok, message = pcall(chart.run, p, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 5 })
  survey.new = new
  return assert(ok, message) and made
end

local function check(kind, fields, object)
  for key in pairs(object) do assert.is_truthy(fields[key], ("a %s has a field '%s'"):format(kind, tostring(key))) end
  assert.has_error(function() return object.no_such_field end)
end

-- The text of all files of a folder, without comments and without declarations of fields.
local function source(dir)
  local texts = {}
  for name in lfs.dir(dir) do
    local path = dir .. "/" .. name
    if lfs.attributes(path, "mode") == "directory" and not name:find "^%." then
      texts[#texts + 1] = source(path)
    elseif name:find "%.lua$" then
      local f = assert(io.open(path))
      texts[#texts + 1] = (f:read "a":gsub("\n[%w_]+%.fields = %b{}", ""):gsub("%-%-[^\n]*", ""))
      f:close()
    end
  end
  return table.concat(texts, "\n") .. "\n"
end

-- Is there `x.field`, but as what an assignment writes; or its name in quotes?
local function is_read(text, field)
  for rest in text:gmatch("%." .. field .. "%f[^%w_]([^\n]*)") do
    if not rest:find "^ = " and not rest:find "^, [%w_]+%.[%w_., ]* = " then return true end
  end
  return text:find('"' .. field .. '"', 1, true) ~= nil
end

-- Is there `field = value`, in a constructor, too; or `x.field` among several that are assigned?
local function is_written(text, field)
  return (text:find("%f[%w_]" .. field .. " = ") or text:find("%." .. field .. ", [^\n]* = ")
    or text:find("function [%w_]+%." .. field .. "%(")) ~= nil
end

describe("the records of a chart", function()
  it("have declared fields only", function()
    for _, core in ipairs { "golden_cove", "zen4", "skylake" } do
      local s = surveyed(small[core]())
      check("survey", survey.fields, s)
      for _, f in pairs(s.facts) do check("scheme's facts", facts.fields, f) end
      for _, class in ipairs(s.classes) do check("class", port_class.fields, class) end
      for _, jobs in pairs(s.blocked) do
        for _, j in ipairs(jobs) do check("job", job.fields, j) end
      end
    end
  end)

  it("declare what is read and written, and say who writes it", function()
    local text = source(os.getenv "PORTOLAN_SOURCE" .. "/lua/portolan/infer/chart")
    for kind, record in pairs { survey = survey, facts = facts, class = port_class, job = job } do
      for field, says in pairs(record.fields) do
        assert.is_true(is_read(text, field), ("nobody reads the %s's '%s'"):format(kind, field))
        assert.is_true(is_written(text, field), ("nobody writes the %s's '%s'"):format(kind, field))
        assert.is_truthy(says:find "; [%w_/:, ]+$", ("nobody is said to write the %s's '%s'"):format(kind, field))
      end
    end
  end)
end)

describe("the constants of a chart", function()
  it("say what they are and how they were found, and are in use", function()
    local text, seen = source(os.getenv "PORTOLAN_SOURCE" .. "/lua/portolan/infer/chart"), {}
    for _, c in ipairs(constants.all) do
      local name, value, unit, meaning, found = table.unpack(c)
      assert.is_nil(seen[name], name)
      seen[name] = true
      assert.equal(constants[name], value)
      assert.is_number(value)
      for _, words in ipairs { unit, meaning, found, c.apart or c.lacks } do assert.is_true(#words > 3, name) end
      assert.is_true(text:find("%." .. name .. "%f[^%w_]") ~= nil, name .. " is not used")
    end
    assert.has_error(function() return constants.no_such_constant end, "there is no constant 'no_such_constant'")
  end)
end)
