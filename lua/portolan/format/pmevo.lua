--- Files of PMEvo and pmtestbench: `Mapping3` mappings, pmtestbench's port mapping files, `ExperimentList`s.
-- @module portolan.format.pmevo
local experiment = require "portolan.experiment"
local json = require "portolan.support.json"
local limits = require "portolan.support.limits"
local pmevo_a64 = require "portolan.format.pmevo_a64"
local port_set = require "portolan.mapping.ports"

local pmevo = {}

--- Tells whether a decoded JSON value is a mapping of theirs.
function pmevo.is_mapping(value)
  return type(value) == "table" and (value.kind == "Mapping3" or (type(value.data) == "table" and value.uarchname ~= nil))
end

--- Tells whether a decoded JSON value is a list of experiments of theirs.
function pmevo.is_experiments(value) return type(value) == "table" and value.kind == "ExperimentList" end

-- Their ports are numbers or names; ours are names.
local function port_name(port, where)
  if type(port) == "number" and math.tointeger(port) then return ("%d"):format(port) end
  if type(port) == "string" and port ~= "" then return port end
  return nil, ("a port is neither a number nor a name (%s)"):format(where)
end

-- Collects the port names that occur, and sorts them: numbers by size, before other names.
local Ports = {}
Ports.__index = Ports

function Ports:set(list, where)
  if not json.is_list(list) or #list == 0 then return nil, ("a uop must be a list of ports (%s)"):format(where) end
  local names = {}
  for i, port in ipairs(list) do
    local name, message = port_name(port, where)
    if not name then return nil, message end
    names[i], self.seen[name] = name, true
  end
  table.sort(names, port_set.before)
  return names
end

function Ports:list() return port_set.list(self.seen) end

local function ports_collector() return setmetatable({ seen = {} }, Ports) end

-- { [0, 1], [0, 1], [5] }: one list of ports per uop, repeated as often as there are such uops.
local function usage_of_list(ports, uops, where)
  if not json.is_list(uops) then return nil, ("a scheme must have a list of uops (%s)"):format(where) end
  local usage, by_key = {}, {}
  for i, list in ipairs(uops) do
    local names, message = ports:set(list, ("%s[%d]"):format(where, i))
    if not names then return nil, message end
    local key = port_set.key(names)
    if by_key[key] then
      by_key[key][2] = by_key[key][2] + 1
    else
      by_key[key] = { names, 1 }
      usage[#usage + 1] = by_key[key]
    end
  end
  return usage
end

-- { [[0, 1], 2], [[5], 1] }: ports and multiplicity.
local function usage_of_pairs(ports, uops, where)
  if not json.is_list(uops) then return nil, ("a port usage must be a list of uops (%s)"):format(where) end
  local usage = {}
  for i, pair in ipairs(uops) do
    if not json.is_list(pair) or type(pair[2]) ~= "number" or not math.tointeger(pair[2]) then
      return nil, ("a uop must be a pair of ports and multiplicity (%s[%d])"):format(where, i)
    end
    local names, message = ports:set(pair[1], ("%s[%d]"):format(where, i))
    if not names then return nil, message end
    usage[i] = { names, math.tointeger(pair[2]) }
  end
  return usage
end

local function header(ports, schemes, processor, rmax)
  return { format = "portolan-mapping", version = 1, ports = ports:list(), schemes = schemes, processor = processor, rmax = rmax }
end

-- The scheme that a name of theirs means: on AArch64 their names are templates of text; others stand for themselves.
local function scheme_of(name, where)
  if not pmevo_a64.is_name(name) then return name end
  local scheme, message = pmevo_a64.scheme(name)
  if not scheme then return nil, ("%s (%s)"):format(message, where) end
  return scheme
end

-- Several of their names may mean one scheme: what its own mnemonic says counts (sub, not neg), then the first in the order of names.
-- Returns a table of theirs by scheme, and the schemes in order; or nil, message.
local function by_scheme(entries, where)
  local chosen, theirs, order = {}, {}, {}
  for name in pairs(entries) do
    if type(name) ~= "string" then return nil, ("it must be an object, schemes by their names (%s)"):format(where) end
    theirs[#theirs + 1] = name
  end
  table.sort(theirs)
  for _, name in ipairs(theirs) do
    local scheme, message = scheme_of(name, ("%s.\"%s\""):format(where, name))
    if not scheme then return nil, message end
    local own = name:match "^[_%s]*(%w+)" == scheme:match "^%w+"
    if not chosen[scheme] then order[#order + 1] = scheme end
    if not chosen[scheme] or own and not chosen[scheme].own then chosen[scheme] = { name = name, own = own } end
  end
  return chosen, order
end

local function of_mapping3(value)
  if type(value.assignment) ~= "table" then return nil, "a Mapping3 needs an 'assignment' (assignment)" end
  local ports, schemes = ports_collector(), {}
  local listed = type(value.arch) == "table" and value.arch.ports
  if type(listed) == "table" and next(listed) ~= nil then
    local _, message = ports:set(listed, "arch.ports")
    if message then return nil, message end
  end
  local chosen, order = by_scheme(value.assignment, "assignment")
  if not chosen then return nil, order end
  for _, scheme in ipairs(order) do
    local name = chosen[scheme].name
    local usage, message = usage_of_list(ports, value.assignment[name], ("assignment.\"%s\""):format(name))
    if not usage then return nil, message end
    schemes[scheme] = { uops = usage, status = "explained" }
  end
  return header(ports, schemes)
end

local function of_port_mapping(value)
  local ports, schemes = ports_collector(), {}
  local chosen, order = by_scheme(value.data, "data")
  if not chosen then return nil, order end
  for _, scheme in ipairs(order) do
    local name = chosen[scheme].name
    local entry = value.data[name]
    local where = ("data.\"%s\".portusage"):format(name)
    if type(entry) ~= "table" then return nil, ("a scheme must be an object (data.\"%s\")"):format(name) end
    local usage, message
    if entry.portusage ~= nil and entry.portusage ~= json.null then
      usage, message = usage_of_pairs(ports, entry.portusage, where)
      if not usage then return nil, message end
    end
    local explained = usage ~= nil and #usage > 0
    schemes[scheme] = { uops = explained and usage or nil, status = explained and "explained" or "not explained" }
    schemes[scheme].tp = type(entry.itp) == "number" and entry.itp >= 0 and entry.itp or nil
    schemes[scheme].num_uops = type(entry.numuops) == "number" and entry.numuops or nil -- not issue slots: their R_max counts instructions
  end
  return header(ports, schemes, { name = value.uarchname }, type(value.peakipc) == "number" and value.peakipc or nil)
end

--- Turns a decoded mapping of theirs into ours.
-- @return mapping | nil, message with the path to the field
function pmevo.mapping(value)
  if value.kind == "Mapping3" then return of_mapping3(value) end
  return of_port_mapping(value)
end

-- One list of ports for every single uop.
local function list_of_usage(uops)
  local list = {}
  for _, uop in ipairs(uops) do
    for _ = 1, uop[2] or 1 do list[#list + 1] = json.array(table.move(uop[1], 1, #uop[1], 1, {})) end
  end
  return json.array(list)
end

--- The `Mapping3` text of a mapping; schemes that are not explained, issue slots and R_max have no place in it.
-- @param m mapping table
-- @return text
function pmevo.encode(m)
  local names, assignment = {}, json.object({})
  for name, scheme in pairs(m.schemes) do
    if scheme.uops then
      names[#names + 1], assignment[name] = name, list_of_usage(scheme.uops)
    end
  end
  table.sort(names)
  local arch = { kind = "Architecture", insns = json.array(names), ports = m.ports }
  return json.encode({ kind = "Mapping3", arch = arch, assignment = assignment }, { pretty = true })
end

-- Returns what other predictors said about an experiment; nil if there is nothing; or nil and a message.
local function others(entry, where)
  local list, given = {}, entry.other_results
  if given == nil or given == json.null then return nil end
  if not json.is_list(given) then return nil, ("'other_results' must be a list (%s.other_results)"):format(where) end
  for k, other in ipairs(given) do
    if type(other) ~= "table" then
      return nil, ("a result of another tool must be an object with 'id' and 'cycles' (%s.other_results[%d])"):format(where, k)
    end
    local id = other.id or other.result_id -- PMEvo's word, and pmtestbench's
    if type(id) == "string" and limits.is_amount(other.cycles) then list[id] = other.cycles end
  end
  return next(list) and list or nil
end

-- The multiset of an experiment's instructions; or nil and a message.
local function instructions(entry, where)
  if type(entry) ~= "table" or not json.is_list(entry.iseq) or #entry.iseq == 0 then
    return nil, ("an experiment needs 'iseq', a list of instructions (%s)"):format(where)
  end
  local schemes = {}
  for k, name in ipairs(entry.iseq) do
    if type(name) ~= "string" then return nil, ("an instruction must be a name (%s.iseq[%d])"):format(where, k) end
    local message
    schemes[k], message = scheme_of(name, ("%s.iseq[%d]"):format(where, k))
    if not schemes[k] then return nil, message end
  end
  return experiment.of_list(schemes)
end

-- A number of a result; their reader takes numbers in quotes as well.
local function number_of(value)
  local n = (type(value) == "number" or type(value) == "string") and tonumber(value)
  return n and n == n and n > 0 and n or nil
end

--- Turns a decoded list of experiments into ours.
-- @return list of `{ e = experiment, cycles =, uops = (counted), status = "ok", others = {predictor = cycles} }` | nil, message
function pmevo.experiments(value)
  if not json.is_list(value.exps) then return nil, "an ExperimentList needs 'exps', a list of experiments (exps)" end
  local list = {}
  for i, entry in ipairs(value.exps) do
    local where = ("exps[%d]"):format(i)
    local e, fault = instructions(entry, where)
    if not e then return nil, fault end
    local said, trouble = others(entry, where)
    if trouble then return nil, trouble end
    local result = type(entry.result) == "table" and entry.result or {}
    local cycles = number_of(result.cycles)
    if cycles and not (cycles >= limits.cycles.least and cycles <= limits.cycles.most) then
      return nil, ("'cycles' must be from %g to %g (%s.result.cycles)"):format(limits.cycles.least, limits.cycles.most, where)
    end
    local uops = number_of(result.num_uops)
    list[i] = { e = e, cycles = cycles, uops = uops and uops <= limits.cycles.most and uops or nil, status = cycles and "ok" or "not recorded",
      others = said }
  end
  return list
end

return pmevo
