--- The certificate of an inference: all that it takes to check, from the file alone, that no other mapping fits
-- (docs/formats.md; `portolan.infer.cegis.verify` checks it).
-- @module portolan.infer.cegis.certificate
local experiment = require "portolan.experiment"
local hash = require "portolan.support.hash"
local json = require "portolan.support.json"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local unknowns = require "portolan.infer.cegis.unknowns"

local certificate = { version = 1 }

-- Only what differs from the default, or nil.
local function exceptions(u, values, default)
  local result = {}
  for i, name in ipairs(u.names) do result[name] = values[i] ~= default and values[i] or nil end
  return next(result) and result or nil
end

local function experiments(run)
  local list = json.array {}
  for k, o in ipairs(run.observations.list) do list[k] = { e = run.unknowns:experiment(o.terms), cycles = o.cycles, floor = o.floor } end
  return list
end

-- Sets of schemes about which the experiments do not decide, and on which other mappings are therefore taken to agree.
local function undecided(run)
  return json.array(lists.map(lists.distinct(run.search.exhausted), function(set)
    return lists.map(unknowns.members(set), function(i) return run.unknowns.names[i] end)
  end))
end

-- Lists that are empty are lists nevertheless, also within.
local function listed(list)
  local result = json.array {}
  for k, item in ipairs(list) do result[k] = item end
  return result
end

--- A number that changes with anything in the certificate.
function certificate.digest(c)
  local rest = lists.copy(c)
  rest.digest = nil
  return hash.hex(json.encode(rest) or "") -- what cannot be written was not read from a file
end

-- Rivals by the schemes that they are about: uops of all schemes.
local function rivals_of(certain)
  local result = json.object {}
  for name, m in pairs(certain.rivals) do
    local schemes = {}
    for scheme, entry in pairs(m.schemes) do schemes[scheme] = entry.uops end
    result[name] = schemes
  end
  return result
end

--- @param run the state of cegis.infer, ended
-- @param outcome of the inference
-- @return certificate, a table for JSON
function certificate.of(run, outcome)
  local o, u = run.options, run.unknowns
  local c = {
    version = certificate.version, method = "cegis", encoding = o.encoding or "union", reading = o.reading, epsilon = o.epsilon,
    noise = run.observations.noise > 0 and run.observations.noise or nil,
    rmax = o.rmax,
    ports = run.search.ports, ports_given = o.ports ~= nil, seed = o.seed, slack = o.slack,
    schemes = listed(u.names), slots = exceptions(u, u.slots, 1), uops = unknowns.picked(o.uops, u.names),
    port_counts = unknowns.picked(o.port_counts, u.names), fixed = o.fixed, same_uop = o.same_uop and listed(o.same_uop) or nil,
    experiments = experiments(run), undecided = undecided(run), wanted = listed(outcome.wanted), open = listed(outcome.open),
    assumed = listed(outcome.assumed),
  }
  if o.uops and not c.uops then c.uops = json.object {} end
  if outcome.certain then c.status, c.certain, c.rivals = outcome.status, listed(outcome.certain.schemes), rivals_of(outcome.certain) end
  c.digest = certificate.digest(c)
  return c
end

local types = { encoding = "string", reading = "string", epsilon = "number", ports = "number", schemes = "table", experiments = "table",
  undecided = "table", open = "table", digest = "string", method = "string" }
local optional = { rmax = "number", noise = "number", slack = "number", slots = "table", uops = "table",
  port_counts = "table", fixed = "table", same_uop = "table", certain = "table", rivals = "table", status = "string" }

local function check_fields(c)
  for field, kind in pairs(types) do
    if type(c[field]) ~= kind then return nil, ("'%s' must be a %s (certificate.%s)"):format(field, kind, field) end
  end
  for field, kind in pairs(optional) do
    if c[field] ~= nil and type(c[field]) ~= kind then return nil, ("'%s' must be a %s (certificate.%s)"):format(field, kind, field) end
  end
  if not (c.epsilon >= 0 and c.epsilon < 1) then return nil, "'epsilon' must be from 0 to 1 (certificate.epsilon)" end
  if c.noise and not (c.noise >= 0 and c.noise < 1) then return nil, "'noise' must be from 0 to 1 (certificate.noise)" end
  if math.type(c.ports) ~= "integer" or c.ports < 1 or c.ports > 32 then return nil, "'ports' must be from 1 to 32 (certificate.ports)" end
  if c.slack and (math.type(c.slack) ~= "integer" or c.slack < 0 or c.slack > 1000) then
    return nil, "'slack' must be a whole number up to 1000 (certificate.slack)"
  end
  if c.rmax and not (c.rmax > 0 and c.rmax <= 1000) then return nil, "'rmax' must be positive, 1000 at most (certificate.rmax)" end
  return true
end

local function check_numbers(c)
  for field, most in pairs { slots = 1000, uops = 64, port_counts = 32 } do
    for name, n in pairs(c[field] or {}) do
      if type(name) ~= "string" or math.type(n) ~= "integer" or n < 1 or n > most then
        return nil, ("a whole number from 1 to %d is expected (certificate.%s.\"%s\")"):format(most, field, tostring(name))
      end
    end
  end
  return true
end

local function check_names(list, known, where)
  for k, name in ipairs(type(list) == "table" and list or { list }) do
    if type(name) ~= "string" or known and not known[name] then
      return nil, ("%s is not one of the schemes (%s[%d])"):format(type(name) == "string" and "'" .. name .. "'" or "this", where, k)
    end
  end
  if type(list) ~= "table" or #list == 0 then return nil, ("names of schemes are expected (%s)"):format(where) end
  return true
end

local function check_experiments(c, known)
  for k, record in ipairs(c.experiments) do
    local where = ("certificate.experiments[%d]"):format(k)
    if type(record) ~= "table" then return nil, ("an object is expected (%s)"):format(where) end
    local ok, message = experiment.check(record.e)
    if not ok then return nil, ("%s (%s.e)"):format(message, where) end
    for name, count in pairs(record.e) do
      if not known[name] then return nil, ("'%s' is not one of the schemes (%s.e)"):format(name, where) end
      if count > limits.solver.copies then return nil, ("the count of '%s' is too large (%s.e)"):format(name, where) end
    end
    if type(record.cycles) ~= "number" or not (record.cycles > 0 and record.cycles <= limits.solver.cycles) then
      return nil, ("'cycles' must be a positive number up to %g (%s.cycles)"):format(limits.solver.cycles, where)
    end
    local floor = record.floor or 0
    if type(floor) ~= "number" or not (floor >= 0 and floor <= limits.solver.cycles) then
      return nil, ("'floor' must be a number of cycles up to %g (%s.floor)"):format(limits.solver.cycles, where)
    end
  end
  return true
end

-- Uops as `{ ports, number }`, or the ports of one uop.
local function check_usage(usage, where)
  if type(usage) ~= "table" then return nil, ("ports of one of the schemes are expected (%s)"):format(where) end
  for _, uop in ipairs(type(usage[1]) == "table" and usage or { { usage, 1 } }) do
    local n = type(uop) == "table" and uop[2] or 1
    local fine = type(uop) == "table" and type(uop[1]) == "table" and #uop[1] > 0 and math.type(n) == "integer" and n >= 1 and n <= 64
    for _, port in ipairs(fine and uop[1] or {}) do fine = fine and type(port) == "string" end
    if not fine then return nil, ("lists of names of ports are expected (%s)"):format(where) end
  end
  return true
end

local function check_fixed(c, known)
  for name, ports in pairs(c.fixed or {}) do
    local where = ("certificate.fixed.\"%s\""):format(tostring(name))
    if not known[name] then return nil, ("ports of one of the schemes are expected (%s)"):format(where) end
    local ok, message = check_usage(ports, where)
    if not ok then return nil, message end
  end
  for k, same in ipairs(c.same_uop or {}) do
    local where = ("certificate.same_uop[%d]"):format(k)
    if type(same) ~= "table" or not known[same.scheme] then return nil, ("'scheme' must be one of the schemes (%s)"):format(where) end
    local ok, message = check_names(same.among, known, where .. ".among")
    if not ok then return nil, message end
  end
  return true
end

local function check_points(c, known)
  for k, names in ipairs(c.undecided) do
    local ok, message = check_names(names, known, ("certificate.undecided[%d]"):format(k))
    if not ok then return nil, message end
  end
  for k, point in ipairs(c.open) do
    if type(point) ~= "table" or not known[point.a] or point.b ~= nil and not known[point.b] then
      return nil, ("'a' and 'b' must be schemes (certificate.open[%d])"):format(k)
    end
  end
  return true
end

local function check_certain(c, known)
  if (c.certain == nil) ~= (c.rivals == nil) then return nil, "'certain' and 'rivals' go together (certificate.certain)" end
  if not c.certain then return true end
  local seen = {}
  for k, name in ipairs(c.certain) do
    if not known[name] or seen[name] then return nil, ("one of the schemes is expected, each once (certificate.certain[%d])"):format(k) end
    seen[name] = true
  end
  for name, schemes in pairs(c.rivals) do
    local where = ("certificate.rivals.\"%s\""):format(tostring(name))
    if not known[name] or type(schemes) ~= "table" then return nil, ("ports of all schemes are expected (%s)"):format(where) end
    for scheme in pairs(known) do
      local ok, message = check_usage(schemes[scheme], where)
      if not ok then return nil, message end
    end
  end
  return true
end

--- Is it a certificate that can be checked? It comes from a file, so nothing is taken for granted.
-- @return true; or nil and a message with the path to the field
function certificate.check(c)
  if type(c) ~= "table" then return nil, "an object is expected (certificate)" end
  if c.version ~= certificate.version then
    return nil, ("field 'version' is %s, this program reads %d (certificate.version); use a newer Portolan")
      :format(printable(tostring(c.version)), certificate.version)
  end
  local ok, message = check_fields(c)
  if ok then ok, message = check_names(c.schemes, nil, "certificate.schemes") end
  if ok then ok, message = check_numbers(c) end
  if not ok then return nil, printable(message) end
  local known = lists.set(c.schemes)
  ok, message = check_experiments(c, known)
  if ok then ok, message = check_fixed(c, known) end
  if ok then ok, message = check_points(c, known) end
  if ok then ok, message = check_certain(c, known) end
  return ok, message and printable(message)
end

return certificate
