--- Kinds of processors of the user's own, Lua programs: `--oracle mine:REST,OPTION=VALUE`, if `mine.lua` is in a folder `processors` of
-- PORTOLAN_PATH.
--
-- Such a file returns what those of portolan.processor.oracle do. The processor that it opens may answer whatever the built-in ones do
-- (docs/architecture.md, "Objects that pass between the pieces"); `measure` it must. Errors in its functions end the command with one line.
-- @module portolan.processor.own
local failure = require "portolan.support.failure"
local own_file = require "portolan.support.own_file"

local own = {}

local function fits(value)
  if type(value) ~= "table" or type(value.open) ~= "function" then return false end
  if value.options ~= nil and type(value.options) ~= "table" then return false end
  for name, converter in pairs(value.options or {}) do
    if type(name) ~= "string" or type(converter) ~= "function" then return false end
  end
  return true
end

-- Calls a function of the file, and returns what it returns; an error in it ends the command.
local function checked(path, ...)
  local result = table.pack(own_file.call(path, ...))
  if result[3] == true and result[1] == nil then failure.raise(result[2]) end
  return table.unpack(result, 1, result.n)
end

-- Returns what is wrong with the answers to so many experiments, in words; nil if nothing is.
local function fault(method, results, n)
  if type(results) ~= "table" or #results ~= n then return ("%s must return %d results, one for each that is asked for"):format(method, n) end
  for i, result in ipairs(results) do
    if type(result) ~= "table" or type(result.status) ~= "string" then return ("%s: result %d is no { status =, cycles = }"):format(method, i) end
    local cycles = result.cycles
    if result.status == "ok" and not (type(cycles) == "number" and cycles > 0 and cycles < math.huge) then
      return ("%s: result %d has the status ok, and no number of cycles"):format(method, i)
    end
  end
end

-- The processor that a file opened, with its calls checked.
local function guarded(path, inner)
  local outer = { name = own_file.words(inner.name or path) }
  for _, method in ipairs { "measure", "measure_chains" } do
    local own_method = inner[method]
    outer[method] = type(own_method) == "function" and function(_, list, options)
      local results, message, status = checked(path, own_method, inner, list, options)
      if results == nil and message ~= nil then return nil, own_file.words(message), status end
      local wrong = fault(method, results, #list)
      if wrong then failure.raise(("%s: %s"):format(path, wrong)) end
      return results
    end or nil
  end
  return setmetatable(outer, { __index = function(_, key)
    local value = inner[key]
    if type(value) ~= "function" then return value end
    return function(_, ...) return checked(path, value, inner, ...) end
  end })
end

local function are_names(names)
  if type(names) ~= "table" then return false end
  for _, name in ipairs(names) do
    if type(name) ~= "string" or name == "" then return false end
  end
  return #names > 0
end

-- The kind with its functions checked.
local function kind_of(path, loaded)
  local kind = { usage = loaded.usage and own_file.words(loaded.usage), options = loaded.options and {} }
  for name, convert in pairs(loaded.options or {}) do
    kind.options[name] = function(text) return (checked(path, convert, text)) end
  end
  function kind.open(rest, options, about)
    local processor, names, status = own_file.call(path, loaded.open, rest, options, about)
    if processor == nil then return nil, own_file.words(names or path .. ": open returned nothing"), type(status) == "string" and status or nil end
    if type(processor) ~= "table" or type(processor.measure) ~= "function" or not are_names(names) then
      return nil, path .. ": open must return a processor, { measure = function(self, experiments) ... end }, and the names of its schemes"
    end
    return guarded(path, processor), names
  end
  return kind
end

--- Loads a kind.
-- @param path of the file
-- @return kind; or nil and a message
function own.load(path)
  local loaded, message = own_file.load(path, "a kind of processors, { open = function(rest, options) ... end, options = { name = tonumber } } "
    .. "(docs/extending.md)", fits)
  if not loaded then return nil, message end
  return kind_of(path, loaded)
end

return own
