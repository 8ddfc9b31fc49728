--- This module finds which of Portolan's schemes an instruction form of OSACA's stands for: the other way round, as OSACA itself looks an
-- instruction up, the first form that fits.
--
-- OSACA does not tell the widths of general-purpose registers, of memory and of constants, but addressing modes, which
-- schemes do not. So a form stands for several schemes; and of the forms with different addresses the one counts that fits
-- base register and displacement, otherwise base register alone, otherwise any.
-- @module portolan.format.osaca_match
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local names = require "portolan.format.osaca_names"
local pressure = require "portolan.format.osaca_pressure"
local transfers = require "portolan.format.osaca_transfers"
local yaml = require "portolan.format.yaml"

local match = {}

local probes = { { offset = true }, {}, { any = true } }

local vector_classes = { mmx = "mm", xmm = "xmm", ymm = "ymm", zmm = "zmm" }

local function given(value) return value ~= nil and value ~= yaml.null end

local function fits_mask(form, masked) return form.mask == "*" or given(form.mask) == masked end

local function fits_register(form, operand, masked, zeroing)
  if form.name == "*" then return true end
  local vector = vector_classes[operand.class]
  if vector then
    return form.name == vector and fits_mask(form, masked) and (form.zeroing == "*" or not masked or given(form.zeroing) == zeroing)
  end
  return form.name == "gpr" and ((operand.class or ""):find("^gpr") ~= nil or operand.class == "mask")
end

local function fits_memory(form, operand, probe) return form.class == "memory" and transfers.fits_address(form, probe, operand.index) end

local fits = {
  register = function(form, operand, _, masked, zeroing)
    return form.class == "register" and fits_register(form, operand, masked, zeroing)
  end,
  memory = fits_memory,
  address = fits_memory,
  immediate = function(form) return form.class == "immediate" end,
  relative = function(form) return form.class == "identifier" end,
  wildcard = function(form, _, _, masked) return form.class == "register" and fits_mask(form, masked) end,
}

-- Does the form take these operands, of a spelling of the scheme?
local function fits_form(form, scheme, operands, probe)
  if #form.operands ~= #operands then return false end
  for i, operand in ipairs(operands) do
    local masked = i == 1 and scheme.masked or false
    if not fits[operand.kind](form.operands[i], operand, probe, masked, scheme.zeroing or false) then return false end
  end
  return true
end

local Finder = {}
Finder.__index = Finder

-- The first form of a name that fits.
function Finder:first(name, scheme, operands, probe)
  return lists.first(self.by_name[name] or {}, function(form) return fits_form(form, scheme, operands, probe) end)
end

function Finder:has_arity(name, n) return lists.any(self.by_name[name] or {}, function(form) return #form.operands == n end) end

-- The names under which OSACA looks, one after the other: the whole one; that of the same instruction with or without VEX if there
-- is no form with as many operands, otherwise the one without the suffix.
function Finder:ways(spelling)
  local list, alternate, n = { spelling.long }, names.alternate(spelling.long), #spelling.operands
  if not self:has_arity(spelling.long, n) and self:has_arity(alternate, n) then list[2] = alternate end
  local short = names.stripped(spelling.long) or spelling.short
  if not list[2] and short ~= spelling.long then list[2] = short end
  if spelling.short ~= spelling.long then list[#list + 1] = spelling.short end
  alternate = names.alternate(spelling.short) -- for compilers that write no suffix: movd
  if not self:has_arity(spelling.short, n) and self:has_arity(alternate, n) then list[#list + 1] = alternate end
  return list
end

-- The form that has all operands. Its forms that differ in addresses only are ours as well.
function Finder:whole(scheme, spellings)
  local found
  for _, probe in ipairs(probes) do
    for _, spelling in ipairs(spellings) do
      for _, name in ipairs(self:ways(spelling)) do
        found = found or self:first(name, scheme, spelling.operands, probe)
      end
    end
  end
  return found
end

function Finder:claim(scheme, spelling)
  for _, name in ipairs { spelling.long, spelling.short } do
    for _, form in ipairs(self.by_name[name] or {}) do
      if fits_form(form, scheme, spelling.operands, probes[3]) then form.ours = true end
    end
  end
end

-- The operands with a wildcard for the one in memory, that operand, and its position; nil if there is no such form.
local function in_register(operands)
  local copy, memory, place = {}, nil, nil
  for i, operand in ipairs(operands) do
    if operand.kind == "memory" then
      if memory or operand.index then return nil end
      copy[i], memory, place = { kind = "wildcard" }, operand, i
    else
      copy[i] = operand
    end
  end
  return memory and copy, memory, place
end

-- Does what OSACA does without a form for an operand in memory: it takes the form for registers, and a load, a store or both. Nil if there is no such
-- form.
function Finder:composed(scheme, spelling)
  local operands, memory, place = in_register(spelling.operands)
  if not operands then return nil end
  for _, name in ipairs(self:ways(spelling)) do
    local form = self:first(name, scheme, operands, probes[1])
    if form and not form.written then return { reason = form.reason } end
    if form then
      local class = form.operands[place].name
      local moved, reason = self.memory:moved(class, memory.access:find "r" ~= nil, memory.access:find "w" ~= nil)
      if not moved then return { reason = reason } end
      local all = table.move(moved, 1, #moved, #form.written + 1, table.move(form.written, 1, #form.written, 1, {}))
      local uops, many = pressure.within_limits(all)
      return { uops = uops, reason = many, busy = form.busy, tp = form.busy and form.tp }
    end
  end
end

--- Tells whether a scheme shows in the operands that OSACA knows. Locks, broadcasts and rounding do not: such schemes have no form.
function match.expressible(scheme, operands)
  if #scheme.prefixes > 0 or scheme.rounding or scheme.sae then return false end
  return not lists.any(operands, function(operand) return operand.broadcast or not fits[operand.kind] end)
end

local function words_of(spellings)
  local words = {}
  for _, spelling in ipairs(spellings) do
    for _, name in ipairs { spelling.long, spelling.short, names.stripped(spelling.long) or spelling.long, names.alternate(spelling.long),
      names.alternate(spelling.short) } do
      words[#words + 1] = name
    end
  end
  return words
end

-- All schemes that OSACA can tell, as compilers write them, with all names that OSACA may find them by: made once, it takes a while.
local catalogue
local function schemes_and_names()
  if catalogue then return catalogue end
  catalogue = {}
  for _, scheme in ipairs(isa.schemes { legacy = true, vex = true, evex = true }) do
    local operands = names.printed(scheme)
    if match.expressible(scheme, operands) then
      local spellings = lists.where(names.spellings(scheme, operands), function(spelling) return spelling.written end)
      catalogue[#catalogue + 1] = { scheme = scheme, spellings = spellings, words = words_of(spellings) }
    end
  end
  return catalogue
end

function Finder:has_any(words) return lists.any(words, function(word) return self.by_name[word] end) end

function Finder:find(scheme, spellings)
  for _, spelling in ipairs(spellings) do self:claim(scheme, spelling) end
  local found = self:whole(scheme, spellings)
  for _, spelling in ipairs(spellings) do found = found or self:composed(scheme, spelling) end
  return found
end

local function index(forms)
  local by_name = {}
  for _, form in ipairs(forms) do
    for _, name in ipairs(form.names) do lists.into(by_name, name, form) end
  end
  return by_name
end

--- Finds the schemes that forms stand for.
-- @param forms list of `{ names =, operands = in Intel's order, uops = or nil, written = the same or uops that say too little, ... }`;
--   those with a scheme get `ours = true`
-- @param memory loads and stores, of `portolan.format.osaca_transfers`
-- @return scheme name -> form, or `{ uops = }` (`{ reason = }`) composed of a form and a load or store
function match.schemes(forms, memory)
  local finder = setmetatable({ by_name = index(forms), memory = memory }, Finder)
  local found = {}
  for _, entry in ipairs(schemes_and_names()) do
    if finder:has_any(entry.words) then found[entry.scheme.name] = finder:find(entry.scheme, entry.spellings) end
  end
  return found
end

return match
