--- This module reads what stands behind the colon of a predictor's name: `SKX,program=/opt/osaca,seconds=5`.
-- @module portolan.predictor.machinery.name_settings
local lists = require "portolan.support.lists"
local program = require "portolan.predictor.machinery.program"

local name_settings = {}

--- Splits a list at commas.
function name_settings.words(text)
  return lists.found(text, "[^,]+")
end

--- Reads settings.
-- @param text words between commas: at most one without `=`, the others KEY=VALUE
-- @param known set of keys; `program` and `seconds` always are
-- @return table, the word without a key as `[1]`; or nil and a message
function name_settings.parse(text, known)
  local found = {}
  for _, word in ipairs(name_settings.words(text)) do
    local key, value = word:match "^([%w_-]+)=(.*)$"
    if not key and found[1] then return nil, ("'%s': write settings as KEY=VALUE"):format(word) end
    if key and not known[key] and key ~= "program" and key ~= "seconds" then
      local names = { "program", "seconds" }
      for name in pairs(known) do names[#names + 1] = name end
      table.sort(names)
      return nil, ("there is no setting '%s'; there are %s"):format(key, table.concat(names, ", "))
    end
    if key then found[key] = value else found[1] = word end
  end
  if found.seconds and not (tonumber(found.seconds) and tonumber(found.seconds) > 0) then
    return nil, ("seconds=%s: write a number above 0"):format(found.seconds)
  end
  found.seconds = tonumber(found.seconds)
  return found
end

--- Finds the program of a predictor.
-- @param found settings
-- @param names what it is usually called
-- @param hint what to do if there is none
-- @return path; or nil and a message
function name_settings.program(found, names, hint)
  if found.program then
    local path = program.find(found.program)
    if path then return path end
    return nil, ("there is no program %s; give the path of %s"):format(found.program, names[1])
  end
  for _, name in ipairs(names) do
    local path = program.find(name)
    if path then return path end
  end
  return nil, ("%s is not in the search path; %s, or give program=PATH"):format(names[1], hint)
end

return name_settings
