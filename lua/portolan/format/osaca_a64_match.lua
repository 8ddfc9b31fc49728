--- This module finds which A64 schemes an instruction form of OSACA's stands for: as OSACA itself looks an instruction up, the first form that fits.
--
-- OSACA tells addresses with an offset of 0 from others, which schemes do not: the one with an offset counts, then the one without. An instruction
-- in memory without a form is composed of the form with a register in its place and a load, as OSACA does; stores add nothing then, as OSACA takes
-- them away again.
-- @module portolan.format.osaca_a64_match
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local names = require "portolan.format.osaca_a64_names"
local pressure = require "portolan.format.osaca_pressure"
local yaml = require "portolan.format.yaml"

local match = {}

local function given(value) return value ~= nil and value ~= yaml.null and value or nil end

-- OSACA's rules for registers: a wildcard prefix does not spare the shape.
local function fits_register(form, operand)
  local shape = given(form.shape)
  if operand.shape and not (shape and (shape == "*" or shape:lower() == operand.shape)) then return false end
  return form.prefix == "*" or tostring(given(form.prefix) or ""):lower() == operand.prefix
end

local function fits_part(wanted, part) return wanted == "*" or given(wanted) == part end

--- Tells whether an address as OSACA writes it fits.
-- @param form operand, or entry of `load_throughput`
-- @param m operand of `portolan.format.osaca_a64_names`
function match.fits_address(form, m)
  local scale = given(form.scale)
  return fits_part(form.base, m.base) and fits_part(form.offset, m.offset) and fits_part(form.index, m.index)
    and (scale == "*" or scale == m.scale or m.scale ~= 1 and scale ~= 1)
    and (form.pre_indexed == "*" or (given(form.pre_indexed) or false) == m.pre)
    and (form.post_indexed == "*" or (given(form.post_indexed) or false) == m.post)
end

local fits = {
  register = fits_register,
  memory = match.fits_address,
  immediate = function(form, operand) return form.imd == "*" or form.imd == operand.kind end,
  condition = function() return true end,
  identifier = function() return true end,
  prfop = function() return true end,
}

local function fits_form(form, operands, wildcard)
  if #form.operands ~= #operands then return false end
  for i, operand in ipairs(operands) do
    local theirs = form.operands[i]
    if i == wildcard then
      if theirs.class ~= "register" then return false end
    elseif theirs.class ~= operand.class or not fits[operand.class](theirs, operand) then
      return false
    end
  end
  return true
end

local Finder = {}
Finder.__index = Finder

function Finder:first(spelling, operands, wildcard)
  return lists.first(self.by_name[spelling.name] or {}, function(form) return fits_form(form, operands, wildcard) end)
end

-- The position of the operand in memory; nil if there is none.
local function memory_place(operands)
  return lists.index(operands, function(operand) return operand.class == "memory" end)
end

-- The same operands with an address without offset; nil if it has none.
local function without_offset(operands)
  local place = memory_place(operands)
  if not place or not operands[place].offset then return nil end
  local copy = table.move(operands, 1, #operands, 1, {})
  copy[place] = lists.copy(operands[place])
  copy[place].offset = nil
  return copy
end

-- The entry of a load: one for this class of registers, or the first that fits, or the default.
local function load_of(memory, address, prefix)
  local list = lists.where(memory.loads, function(entry) return match.fits_address(entry, address) end)
  return lists.first(list, function(entry) return given(entry.dst) == prefix end) or list[1] or memory.load
end

-- Does what OSACA does without a form for an operand in memory; nil if there is no form with a register in its place.
function Finder:composed(scheme, spelling)
  local place = memory_place(spelling.operands)
  local form = place and self:first(spelling, spelling.operands, place)
  if not form then return nil end
  if not form.written then return { reason = form.reason } end
  local uops = table.move(form.written, 1, #form.written, 1, {})
  if lists.any(scheme.operands, function(o) return o.kind == "memory" and o.access:find("r", 1, true) ~= nil end) then
    local load = load_of(self.memory, spelling.operands[place], tostring(form.operands[place].prefix))
    if not load.uops then return { reason = load.reason } end
    table.move(load.uops, 1, #load.uops, #uops + 1, uops)
  end
  local kept, many = pressure.within_limits(uops)
  return { uops = kept, reason = many, busy = form.busy, tp = form.busy and form.tp }
end

function Finder:find(scheme)
  local spellings = lists.where(names.spellings(scheme), function(spelling) return not spelling.unwritten end)
  for _, spelling in ipairs(spellings) do
    if self.by_name[spelling.name] then
      local plain = without_offset(spelling.operands)
      local found = self:first(spelling, spelling.operands) or plain and self:first(spelling, plain)
      if found then
        found.ours = true
        return found
      end
    end
  end
  for _, spelling in ipairs(spellings) do
    local found = self:composed(scheme, spelling)
    if found then return found end
  end
end

--- Finds the schemes that forms stand for.
-- @param forms list of `{ names =, operands =, uops = or nil, written = the same or uops that say too little, ... }`; those with a scheme get
--   `ours = true`
-- @tparam table memory `loads`, `load` of `portolan.format.osaca_transfers`
-- @return scheme name -> form, or `{ uops = }` (`{ reason = }`) composed of a form and a load
function match.schemes(forms, memory)
  local by_name = {}
  for _, form in ipairs(forms) do
    for _, name in ipairs(form.names) do lists.into(by_name, name, form) end
  end
  local finder, found = setmetatable({ by_name = by_name, memory = memory }, Finder), {}
  for _, scheme in ipairs(isa.everything "aarch64" or {}) do found[scheme.name] = finder:find(scheme) end
  return found
end

return match
