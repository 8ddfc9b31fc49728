--- The schemes whose ports are to be inferred, numbered for the solver, and the way back.
--
-- The solver (`core.smt`) knows scheme numbers, sets of them as bit masks, and mappings as lists of port masks: one mask
-- (a *row*) for each uop, scheme after scheme. In the two-level model, where every scheme is one uop, rows are schemes.
-- @module portolan.infer.cegis.unknowns
local experiment = require "portolan.experiment"
local fixed = require "portolan.infer.cegis.fixed"
local format = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"
local smt = require "portolan.core".smt

local unknowns = {}
unknowns.__index = unknowns

--- @tparam {string,...} schemes names, without repetition, at most 64
-- @tparam table options
-- @tparam[opt] number options.rmax instructions per cycle
-- @tparam[opt] table options.domains as of `cegis.infer`
-- @tparam[opt] table options.slots name -> issue slots per instance; otherwise 1
-- @tparam[opt] table options.uops name -> number of uops; otherwise 1
-- @tparam[opt] table options.fixed name -> given ports; these schemes come first
-- @return unknowns, or nil and a message
function unknowns.new(schemes, options)
  if #schemes == 0 then return nil, "no schemes to infer ports for; name at least one" end
  if #schemes > 64 then return nil, ("%d schemes, but one inference takes 64 at most; infer them in groups"):format(#schemes) end
  local self = setmetatable({ names = {}, number = {}, slots = {}, uops = {}, first = {}, rows = 0, rmax = options.rmax,
    domains = options.domains or {}, given_ports = {} }, unknowns)
  for i, name in ipairs(options.fixed and fixed.first(schemes, options.fixed) or schemes) do
    if self.number[name] then return nil, ("scheme '%s' is named twice"):format(name) end
    self.names[i], self.number[name] = name, i
    self.slots[i] = options.slots and options.slots[name] or 1
    self.uops[i] = options.uops and options.uops[name] or 1
    self.first[i], self.rows = self.rows + 1, self.rows + self.uops[i]
  end
  if options.fixed then
    local masks, ports = fixed.rows(self, options.fixed)
    if not masks then return nil, ports end
    self.given, self.given_ports = masks, ports
  end
  return self
end

--- The set of all schemes up to number n (all: #self.names) as a mask.
function unknowns.first(n) return n >= 64 and -1 or (1 << n) - 1 end

--- Members of a set, ascending.
function unknowns.members(set)
  local list = {}
  for i = 1, 64 do
    if set >> (i - 1) & 1 == 1 then list[#list + 1] = i end
  end
  return list
end

--- Returns what a table has for some names.
-- @param values name -> value; or nil
-- @param names list
-- @return another table; nil: nothing
function unknowns.picked(values, names)
  local some = {}
  for _, name in ipairs(names) do some[name] = values and values[name] end
  return next(some) and some or nil
end

--- Number of bits of a mask (ports of a scheme, schemes of a set).
unknowns.count = port_set.count

--- `{ [name] = copies }` -> `{ [number] = copies }`; nil and a message if it contains a scheme that is not inferred.
function unknowns:terms(e)
  local terms = {}
  for name, copies in pairs(e) do
    local i = self.number[name]
    if not i then return nil, ("scheme '%s' is not one of those to infer"):format(name) end
    terms[i] = copies
  end
  if not next(terms) then return nil, "an empty experiment" end
  return terms
end

--- `{ [number] = copies }` -> `{ [name] = copies }`.
function unknowns:experiment(terms)
  local e = {}
  for i, copies in pairs(terms) do e[self.names[i]] = copies end
  return e
end

--- Instructions in an experiment, |e|.
unknowns.length = experiment.length

--- One string per experiment: equal experiments, equal keys.
function unknowns:key(terms) return experiment.key(self:experiment(terms)) end

--- Cycles that the front end takes at least (§4.3).
function unknowns:floor(terms)
  if not self.rmax then return 0 end
  local slots = 0
  for i, copies in pairs(terms) do slots = slots + copies * self.slots[i] end
  return slots / self.rmax
end

-- `{ [row] = copies }`
local function rows(self, terms)
  if self.rows == #self.names then return terms end
  local expanded = {}
  for i, copies in pairs(terms) do
    for r = self.first[i], self.first[i] + self.uops[i] - 1 do expanded[r] = copies end
  end
  return expanded
end

--- Inverse throughput in cycles under a mapping of the solver, front end included.
function unknowns:predict(mapping, terms) return math.max(smt.cycles(mapping, rows(self, terms)), self:floor(terms)) end

-- The port sets of the uops of scheme i, equal ones added up.
local function usage(self, masks, i, label)
  local uops, place = {}, {}
  for r = self.first[i], self.first[i] + self.uops[i] - 1 do
    local list = {}
    for k = 0, 31 do
      if masks[r] >> k & 1 == 1 then list[#list + 1] = label[k] end
    end
    if not place[masks[r]] then
      uops[#uops + 1] = { list, 0 }
      place[masks[r]] = uops[#uops]
    end
    place[masks[r]][2] = place[masks[r]][2] + 1
  end
  return uops
end

--- A mapping of the solver as MAPPING table (the form of mapping.json); unused ports are left out.
function unknowns:mapping(masks, processor_name)
  local used, ports, label, names = 0, {}, {}, port_set.named(self.given_ports, 32)
  for r = 1, self.rows do used = used | masks[r] end
  for k = 0, 31 do
    if used >> k & 1 == 1 then
      label[k] = names[#ports + 1]
      ports[#ports + 1] = label[k]
    end
  end
  local mapping = { format = format.format, version = format.version, processor = { name = processor_name }, ports = ports,
    rmax = self.rmax, schemes = {} }
  for i, name in ipairs(self.names) do
    mapping.schemes[name] = { uops = usage(self, masks, i, label), tp = self:predict(masks, { [i] = 1 }), status = "explained",
      slots = self.slots[i] }
  end
  return mapping
end

return unknowns
