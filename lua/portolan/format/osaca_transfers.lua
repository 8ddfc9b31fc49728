--- Loads and stores of OSACA's machine models: what an operand in memory adds to the form for registers.
-- @module portolan.format.osaca_transfers
local lists = require "portolan.support.lists"
local yaml = require "portolan.format.yaml"

local transfers = {}

local function given(value) return value ~= nil and value ~= yaml.null end

local function fits_index(form, index)
  if form.index == "*" then return true end
  if index then return form.index == index end
  return not given(form.index) and (not given(form.scale) or form.scale == "*" or form.scale == 1)
end

--- Does an address as OSACA writes it fit?
-- @param form operand or entry with `base`, `offset`, `index`, `scale`
-- @param probe `{ offset = true }`: base and displacement, `{}`: base alone, `{ any = true }`
-- @param[opt] index class of a vector of indices
function transfers.fits_address(form, probe, index)
  if probe.any then return true end
  if form.base ~= "*" and form.base ~= "gpr" then return false end
  if form.offset ~= "*" and given(form.offset) ~= (probe.offset or false) then return false end
  return fits_index(form, index)
end

-- The class of a register as OSACA sees it: a vector's by its name; all others are general-purpose ones, and so is a wildcard.
local vectors = { mm = true, xmm = true, ymm = true, zmm = true }
local function class_of(name) return vectors[name] and name or "gpr" end

-- The entries of base and displacement, otherwise those of base alone.
local function addressed(entries)
  for _, probe in ipairs { { offset = true }, {} } do
    local list = lists.where(entries, function(entry) return transfers.fits_address(entry, probe) end)
    if #list > 0 then return list end
  end
  return {}
end

local function for_class(entries, field, class)
  return lists.first(entries, function(entry) return given(entry[field]) and class_of(entry[field]) == class end)
end

-- OSACA's choices: the entry for the class of registers; without one the first load, whatever it is for, but the default store.
local function load_of(memory, class)
  local entries = addressed(memory.loads)
  return for_class(entries, "dst", class) or entries[1] or memory.load
end

local function store_of(memory, class) return for_class(addressed(memory.stores), "src", class) or memory.store end

-- The uops, so many times; nil and the reason if that gives no whole number.
local function multiplied(entry, factor)
  if not entry.uops then return nil, entry.reason end
  if type(factor) ~= "number" or factor == 1 then return entry.uops end
  local list = {}
  for i, uop in ipairs(entry.uops) do
    local count = math.tointeger(uop[2] * factor)
    if not count or count < 1 then return nil, ("%g uops of a load or store are no whole number"):format(uop[2] * factor) end
    list[i] = { uop[1], count }
  end
  return list
end

local Memory = {}
Memory.__index = Memory

--- Loads and stores of a model.
-- @tparam table fields
-- @tparam table fields.loads entries with address, `dst`, and `uops` or `reason`
-- @tparam table fields.stores entries with address, `src`, and `uops` or `reason`
-- @tparam table fields.load by default: `{ uops = }` or `{ reason = }`
-- @tparam table fields.store likewise
-- @tparam table fields.load_factors class of registers -> factor
-- @tparam table fields.store_factors likewise
function transfers.new(fields) return setmetatable(fields, Memory) end

--- The uops of an operand in memory.
-- @param name of the register's class in the form for registers
-- @param reads boolean: is it read?
-- @param writes boolean: is it written?
-- @return list of uops; nil and the reason if there is no such number
function Memory:moved(name, reads, writes)
  local class, list = class_of(name), {}
  local parts = {}
  if reads then parts[1] = { load_of(self, class), self.load_factors } end
  if writes then parts[#parts + 1] = { store_of(self, class), self.store_factors } end
  for _, part in ipairs(parts) do
    local uops, reason = multiplied(part[1], part[2] and part[2][class])
    if not uops then return nil, reason end
    table.move(uops, 1, #uops, #list + 1, list)
  end
  return list
end

return transfers
