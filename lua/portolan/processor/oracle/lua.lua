--- A processor of the user's own, a Lua program: `--oracle lua:mine.lua`, or `mine` if `mine.lua` is in a folder `oracles` of PORTOLAN_PATH.
--
-- The file returns `{ schemes = list of names, cycles = function(experiment) -> cycles; or nil, why not }`, and may say `name`, `rmax` (issue slots a
-- cycle) and `slots` (scheme -> issue slots). An experiment is a table scheme -> count; cycles are its inverse throughput.
-- @module portolan.processor.oracle.lua
local core = require "portolan.core"
local failure = require "portolan.support.failure"
local lists = require "portolan.support.lists"
local own_file = require "portolan.support.own_file"
local printable = require "portolan.support.printable"

local own = { usage = "lua:FILE", takes = "file", options = {} }

local Own = {}
Own.__index = Own

--- Facts for the provenance of results.
function Own:describe() return { kind = "lua", name = self.name, file = self.path } end

local most_cycles = 1e8 -- that an experiment may take

-- An error in the file ends the inference; that there are no cycles for an experiment does not.
local function one(self, e)
  local cycles, why, raised = own_file.call(self.path, self.file.cycles, e)
  if raised then failure.raise(why) end
  if type(cycles) == "number" and cycles > 0 and cycles <= most_cycles then return { status = "ok", cycles = cycles, n = 1 } end
  return { status = "unsupported", message = why and own_file.words(why) or "no number of cycles", n = 0 }
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
  return lists.map(list, function(scheme) return self.file.slots and self.file.slots[scheme.name] or 1 end)
end

local function fits(value)
  return type(value) == "table" and type(value.cycles) == "function" and type(value.schemes) == "table" and #value.schemes > 0
end

-- Returns what is wrong with a file's fields, in words; nil if nothing is.
local function fault(o)
  local seen = {}
  for _, name in ipairs(o.schemes) do
    if type(name) ~= "string" or name == "" or seen[name] then return "schemes must be names, each once" end
    seen[name] = true
  end
  if o.rmax ~= nil and not (type(o.rmax) == "number" and o.rmax > 0 and o.rmax <= 1000) then return "rmax must be a number from 0 to 1000" end
  if o.slots ~= nil and type(o.slots) ~= "table" then return "slots must be a table, scheme -> issue slots" end
  for name, n in pairs(o.slots or {}) do
    if not (math.type(n) == "integer" and n >= 1 and n <= 1000) then
      return ("slots of '%s' must be a whole number from 1 to 1000"):format(own_file.words(name))
    end
  end
end

--- Opens one.
-- @param path of the file
-- @return processor, names of its schemes; or nil and a message
function own.open(path)
  local loaded, message = own_file.load(path, "an oracle, { schemes = { ... }, cycles = function(e) ... end } (docs/extending.md)", fits)
  if not loaded then return nil, message end
  local wrong = fault(loaded)
  if wrong then return nil, ("%s: %s"):format(path, printable.line(wrong)) end
  local self = setmetatable({ name = own_file.words(loaded.name or "lua:" .. path), path = path, file = loaded }, Own)
  if loaded.rmax then self.issue_width, self.issue_slots = issue_width, issue_slots end
  return self, loaded.schemes
end

return own
