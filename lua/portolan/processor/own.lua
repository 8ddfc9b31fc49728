--- A processor of the user's own, a Lua program: `--oracle lua:mine.lua`, or `mine` if `mine.lua` is in a folder `oracles` of PORTOLAN_PATH.
--
-- The file returns `{ schemes = list of names, cycles = function(experiment) -> cycles; or nil, why not }`, and may say `name`, `rmax` (issue slots a
-- cycle) and `slots` (scheme -> issue slots). An experiment is a table scheme -> count; cycles are its inverse throughput.
-- @module portolan.processor.own
local core = require "portolan.core"
local own_file = require "portolan.support.own_file"

local own = {}

local Own = {}
Own.__index = Own

--- Facts for the provenance of results.
function Own:describe() return { kind = "lua", name = self.name, file = self.path } end

local function one(self, e)
  local cycles, why = own_file.call(self.path, self.file.cycles, e)
  if type(cycles) == "number" and cycles > 0 and cycles < math.huge then return { status = "ok", cycles = cycles, n = 1 } end
  return { status = "unsupported", message = why and tostring(why) or "no number of cycles", n = 0 }
end

--- Answers experiments.
-- @param list experiments
-- @tparam[opt] table options
-- @tparam[opt] func options.progress function(done, total)
-- @return list of results in the same order
function Own:measure(list, options)
  local results, progress = {}, options and options.progress
  for i, e in ipairs(list) do
    results[i] = core.base.interrupted() and { status = "interrupted", n = 0 } or one(self, e)
    if progress then progress(i, #list) end
  end
  return results
end

-- Of files that say `rmax`.
local function issue_width(self) return self.file.rmax end

local function issue_slots(self, list)
  local slots = {}
  for i, scheme in ipairs(list) do slots[i] = self.file.slots and self.file.slots[scheme.name] or 1 end
  return slots
end

local function fits(value)
  if type(value) ~= "table" or type(value.cycles) ~= "function" or type(value.schemes) ~= "table" or #value.schemes == 0 then return false end
  for _, name in ipairs(value.schemes) do
    if type(name) ~= "string" then return false end
  end
  return true
end

--- Opens one.
-- @param path of the file
-- @return processor, names of its schemes; or nil and a message
function own.open(path)
  local loaded, message = own_file.load(path, "an oracle, { schemes = { ... }, cycles = function(e) ... end } (docs/extending.md)", fits)
  if not loaded then return nil, message end
  local self = setmetatable({ name = tostring(loaded.name or "lua:" .. path), path = path, file = loaded }, Own)
  if type(loaded.rmax) == "number" then self.issue_width, self.issue_slots = issue_width, issue_slots end
  return self, loaded.schemes
end

return own
