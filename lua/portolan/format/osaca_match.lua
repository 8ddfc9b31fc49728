--- Which of Portolan's schemes an instruction form of OSACA's stands for: the other way round, as OSACA itself looks an
-- instruction up, the first form that fits.
--
-- OSACA does not tell the widths of general-purpose registers, of memory and of constants, but addressing modes, which
-- schemes do not. So a form stands for several schemes; and of the forms with different addresses the one counts that fits
-- base register and displacement, otherwise base register alone, otherwise any.
-- @module portolan.format.osaca_match
local isa = require "portolan.isa"
local names = require "portolan.format.osaca_names"
local yaml = require "portolan.format.yaml"

local match = {}

local probes = { { offset = true }, {}, { any = true } }

local vector_classes = { mmx = "mm", xmm = "xmm", ymm = "ymm", zmm = "zmm" }

local function given(value) return value ~= nil and value ~= yaml.null end

-- Does an address as OSACA writes it fit the probe? `index`: the class of a vector of indices.
local function fits_address(form, probe, index)
  if probe.any then return true end
  if form.base ~= "*" and form.base ~= "gpr" then return false end
  if form.offset ~= "*" and given(form.offset) ~= (probe.offset or false) then return false end
  if form.index == "*" then return true end
  if index then return form.index == index end
  return not given(form.index)
end

local function fits_register(form, operand, masked, zeroing)
  if form.name == "*" then return true end
  local vector = vector_classes[operand.class]
  if vector then
    local mask_fits = form.mask == "*" or given(form.mask) == masked
    return form.name == vector and mask_fits and (form.zeroing == "*" or not masked or given(form.zeroing) == zeroing)
  end
  return form.name == "gpr" and ((operand.class or ""):find("^gpr") ~= nil or operand.class == "mask")
end

local fits = {
  register = function(form, operand, _, masked, zeroing)
    return form.class == "register" and fits_register(form, operand, masked, zeroing)
  end,
  memory = function(form, operand, probe) return form.class == "memory" and fits_address(form, probe, operand.index) end,
  address = function(form, operand, probe) return form.class == "memory" and fits_address(form, probe, operand.index) end,
  immediate = function(form) return form.class == "immediate" end,
  relative = function(form) return form.class == "identifier" end,
}

local function fits_form(form, scheme, operands, probe)
  if #form.operands ~= #operands then return false end
  for i, operand in ipairs(operands) do
    local masked = i == 1 and scheme.masked or false
    if not fits[operand.kind](form.operands[i], operand, probe, masked, scheme.zeroing or false) then return false end
  end
  return true
end

-- The forms under the names that a scheme may have, the most special name first.
local function candidates(by_name, scheme, operands)
  local list = {}
  for _, name in ipairs(names.all(scheme, operands)) do
    for _, form in ipairs(by_name[name] or {}) do list[#list + 1] = form end
  end
  return list
end

local function first_fit(forms, scheme, operands)
  local found
  for _, probe in ipairs(probes) do
    for _, form in ipairs(forms) do
      if fits_form(form, scheme, operands, probe) then
        found = found or form
        if probe.any then form.ours = true end
      end
    end
  end
  return found
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

fits.wildcard = function(form) return form.class == "register" end

-- What OSACA does without a form for an operand in memory: the form for registers, and a load, a store or both.
local function composed(forms, scheme, operands, loads, stores)
  local copy, memory, place = in_register(operands)
  if not copy then return nil end
  for _, form in ipairs(forms) do
    if form.uops and fits_form(form, scheme, copy, probes[1]) then
      local uops = table.move(form.uops, 1, #form.uops, 1, {})
      local class = form.operands[place].name
      for _, kind in ipairs { memory.access:find("r") and loads, memory.access:find("w") and stores } do
        local more = kind and kind(class)
        if kind and not more then return nil end
        if more then table.move(more, 1, #more, #uops + 1, uops) end
      end
      return uops
    end
  end
end

--- What does not show in the operands that OSACA knows: locks, broadcasts, rounding. Such schemes have no form.
function match.expressible(scheme, operands)
  if #scheme.prefixes > 0 or scheme.rounding or scheme.sae then return false end
  for _, operand in ipairs(operands) do
    if operand.broadcast or not fits[operand.kind] then return false end
  end
  return true
end

-- The uops of a transfer between memory and a register of this class, by the first entry that fits; the default.
local function transfer(entries, default)
  return function(class)
    for _, probe in ipairs { probes[1], probes[2] } do
      for _, entry in ipairs(entries) do
        local register = entry.dst or entry.src
        if fits_address(entry, probe) and (not given(register) or register == class or class == "*") then return entry.uops end
      end
    end
    return default
  end
end

-- The forms by name, and the set of mnemonics that these may stand for.
local function index(forms)
  local by_name, mnemonics = {}, {}
  for _, form in ipairs(forms) do
    for _, name in ipairs(form.names) do
      by_name[name] = by_name[name] or {}
      table.insert(by_name[name], form)
      for _, mnemonic in ipairs(names.mnemonics(name)) do mnemonics[mnemonic] = true end
    end
  end
  return by_name, mnemonics
end

--- Finds the schemes that forms stand for.
-- @param forms list of `{ names =, operands = in Intel's order, uops = or nil, ... }`; those with a scheme get `ours = true`
-- @param memory `{ loads =, stores = lists of addresses with `uops`, load =, store = default uops or nil }`
-- @return scheme name -> form, or `{ uops = }` composed of a form and a load or store
function match.schemes(forms, memory)
  local by_name, mnemonics = index(forms)
  local found = {}
  local loads, stores = transfer(memory.loads, memory.load), transfer(memory.stores, memory.store)
  for _, scheme in ipairs(isa.schemes { legacy = true, vex = true, evex = true }) do
    local operands = mnemonics[scheme.mnemonic] and names.printed(scheme)
    if operands and match.expressible(scheme, operands) then
      local list = candidates(by_name, scheme, operands)
      local uops
      if #list > 0 then found[scheme.name] = first_fit(list, scheme, operands) end
      if #list > 0 and not found[scheme.name] then uops = composed(list, scheme, operands, loads, stores) end
      if uops then found[scheme.name] = { uops = uops } end
    end
  end
  return found
end

return match
