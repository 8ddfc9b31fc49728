--- Checks the certificate of an inferred mapping from the file alone, with a solver of its own.
--
-- Two claims: the mapping admits every experiment, at the least price; and no other mapping that admits them can be told from it by any
-- experiment, as long as it agrees on the sets of schemes that the certificate names as undecided. What the certificate leaves out as open is
-- checked as well: every number of ports and every overlap that it does not list has one value only.
-- A certificate may also name the schemes whose ports are the same in all mappings that admit the experiments (portolan.infer.cegis.certain), and
-- a rival for each of the others: both are checked, rivals by the formula alone.
-- @module portolan.infer.cegis.verify
local certain = require "portolan.infer.cegis.certain"
local certificate = require "portolan.infer.cegis.certificate"
local core = require "portolan.core"
local encodings = require "portolan.infer.cegis.encodings"
local experiment = require "portolan.experiment"
local fixed = require "portolan.infer.cegis.fixed"
local bounds = require "portolan.infer.bounds"
local lists = require "portolan.support.lists"
local one_uop = require "portolan.infer.one_uop"
local printable = require "portolan.support.printable"
local state = require "portolan.infer.cegis.state"
local stop = require "portolan.infer.stop"
local unknowns = require "portolan.infer.cegis.unknowns"

local verify = {}

local slack = 1e-9 -- cycles; as the solver's

-- Number of the port of each name in the solver's mapping.
local function columns(m, u)
  local column, n = {}, 0
  local function number(port)
    if not column[port] then
      column[port] = n
      n = n + 1
    end
  end
  for _, port in ipairs(u.given_ports) do number(port) end
  for _, port in ipairs(m.ports) do number(port) end
  return column
end

-- The mapping as the solver's: masks per uop, schemes in the certificate's order; or nil and a message.
local function masks_of(m, c, u)
  local column, masks, used = columns(m, u), {}, 0
  for i, name in ipairs(u.names) do
    local scheme = m.schemes[name]
    if not scheme or not scheme.uops then return nil, ("the certificate is about '%s', but the mapping has no ports for it"):format(name) end
    local sets = #scheme.uops > 0 and fixed.uops(scheme.uops) or {}
    if #sets ~= u.uops[i] then return nil, ("'%s' has %d uops, but the certificate is about %d"):format(name, #sets, u.uops[i]) end
    for _, set in ipairs(sets) do
      local mask = 0
      for port in pairs(set) do mask = mask | 1 << column[port] end
      masks[#masks + 1], used = mask, used | mask
    end
    if (scheme.slots or 1) ~= u.slots[i] then
      return nil, ("'%s' takes %d issue slots, but the certificate is about %d"):format(name, scheme.slots or 1, u.slots[i])
    end
  end
  if m.rmax ~= c.rmax then return nil, "the mapping's R_max is not that of the certificate" end
  if unknowns.count(used) > c.ports or used >> c.ports ~= 0 then
    return nil, ("the mapping uses more than the %d ports that the certificate considers"):format(c.ports)
  end
  return masks
end

-- What was found by the slow encoding is checked by the other one: both mean the same, and here a second way is welcome.
local function options_of(c, limits)
  return { epsilon = c.epsilon, rmax = c.rmax, slots = c.slots, uops = c.uops, port_counts = c.port_counts, fixed = c.fixed,
    same_uop = c.same_uop, reading = c.reading, encoding = c.encoding == "lira" and "union" or c.encoding, slack = c.slack,
    ports = c.ports, batch = 1, seed = limits.seed or 1, time_limit = limits.time_limit or math.huge, experiment_limit = 0, deviation = c.noise or 0 }
end

-- The state in which the inference ended, with a new solver; or nil and a message.
local function resume(c, limits)
  local o = options_of(c, limits)
  local encoding, message = encodings.of(o)
  if not encoding then return nil, message end
  local u
  u, message = unknowns.new(c.schemes, o)
  if not u then return nil, message end
  local run = state.empty({ name = "certificate" }, u, o, encoding)
  run.search.stage = #u.names
  for _, record in ipairs(c.experiments) do
    state.observe(run, { terms = assert(u:terms(record.e)), cycles = record.cycles, floor = record.floor })
  end
  for k, names in ipairs(c.undecided) do
    local set = 0
    for _, name in ipairs(names) do set = set | 1 << (u.number[name] - 1) end
    run.search.exhausted[k] = set
  end
  state.set_up(run, c.ports)
  return run
end

-- Claim (a): names the experiments that the mapping does not admit; the price of the others.
local function admit(run, masks, faults)
  local price = 0
  for _, o in ipairs(run.observations.list) do
    local t, floor = run.unknowns:predict(masks, o.terms), run.unknowns:floor(o.terms)
    local admitted = t <= math.max(o.bounds.upper, floor) + slack
    for _, lower in ipairs(o.bounds) do
      local below = t < lower.bound - slack
      admitted = admitted and not (below and lower.weight == 0)
      price = price + (below and lower.weight or 0)
    end
    if not admitted then
      faults[#faults + 1] = { kind = "experiment", experiment = run.unknowns:experiment(o.terms), cycles = o.cycles, predicted = t,
        text = ("the mapping does not admit %s: %.3f cycles measured, %.3f predicted")
          :format(experiment.format(run.unknowns:experiment(o.terms)), o.cycles, t) }
    end
  end
  return price
end

local function say_rival(run, masks, terms, faults)
  local u = run.unknowns
  local mine, theirs = u:predict(masks, terms), u:predict(run.search.rival, terms)
  local e = u:experiment(terms)
  faults[#faults + 1] = { kind = "other", rival = u:mapping(run.search.rival, "another mapping that admits the same experiments"), experiment = e,
    predicted = mine, other = theirs,
    text = ("another mapping admits all experiments, too; %s would tell: %.3f cycles with this one, %.3f with the other")
      :format(experiment.format(e), mine, theirs) }
end

local function names_of(u, set) return lists.map(unknowns.members(set), function(i) return u.names[i] end) end

-- Claim (b).
local function search_other(run, masks, price, faults)
  local least, cost = stop.need(run.search.solver:mapping())
  if not least then
    faults[#faults + 1] = { kind = "none", text = "no mapping at all admits the experiments" }
    return
  end
  if price > cost and #faults == 0 then
    faults[#faults + 1] = { kind = "price", price = price, least = cost, rival = run.unknowns:mapping(least, "a mapping that fits better"),
      text = ("another mapping fits the slow experiments better, at a price of %d rather than %d"):format(cost, price) }
    return
  end
  local stated = #run.search.exhausted
  local others = run.encoding.others(run, masks)
  if #others > 0 then
    say_rival(run, masks, others[1], faults)
  elseif #run.search.exhausted > stated then
    local names = names_of(run.unknowns, run.search.exhausted[#run.search.exhausted])
    faults[#faults + 1] = { kind = "undecided", schemes = names,
      text = ("another mapping differs in the number of ports of { %s }; the experiments do not decide, and the certificate does not say so")
        :format(table.concat(names, "; ")) }
  end
end

-- Another number of ports than that of the mapping?
local function varies(run, masks, set)
  local c = core.smt.union(masks, set)
  for _, range in ipairs { { 1, c - 1 }, { c + 1, run.search.ports } } do
    if range[1] <= range[2] and stop.need(run.search.solver:possible(set, range[1], range[2])) then return true end
  end
  return false
end

-- Whatever the certificate does not list as open has one value.
local function check_open(run, masks, c, faults)
  local u, listed, counts = run.unknowns, {}, {}
  for _, point in ipairs(c.open) do
    if point.b then
      listed[point.a .. "\0" .. point.b], listed[point.b .. "\0" .. point.a] = true, true
    else
      counts[point.a] = true
    end
  end
  for j, b in ipairs(u.names) do
    for i = 1, j do
      local a = u.names[i]
      local known = counts[a] or counts[b] or listed[a .. "\0" .. b]
      if not known and varies(run, masks, 1 << (i - 1) | 1 << (j - 1)) then
        local what = i == j and ("how many ports %s runs on"):format(a) or ("how many ports %s and %s share"):format(a, b)
        faults[#faults + 1] = { kind = "open", text = what .. " is open, and the certificate does not say so" }
        return
      end
    end
  end
end

-- The ports that a certificate's rival gives the schemes, as a mapping.
local function rival_mapping(c, name)
  local ports, schemes = {}, {}
  for _, scheme in ipairs(c.schemes) do
    local uops = c.rivals[name][scheme]
    schemes[scheme] = { uops = type(uops[1]) == "table" and uops or { { uops, 1 } }, slots = c.slots and c.slots[scheme] or 1 }
    for _, uop in ipairs(schemes[scheme].uops) do table.move(uop[1], 1, #uop[1], #ports + 1, ports) end
  end
  return { ports = lists.distinct(ports), rmax = c.rmax, schemes = schemes }
end

-- Returns what is wrong with a rival, in words; nil if nothing is. It must admit the experiments, at a price that counts, and have other ports.
local function rival_fault(run, masks, c, name, price)
  local rival, message = masks_of(rival_mapping(c, name), c, run.unknowns)
  if not rival then return message end
  local faults = {}
  local its_price = admit(run, rival, faults)
  if faults[1] then return faults[1].text end
  if its_price > price + (c.slack or c.reading == "asymmetric" and 6 or 0) then return "it fits worse" end
  if not certain.differs(run.unknowns, masks, rival, c.certain, name) then return "it has the same ports" end
end

local function check_rivals(run, masks, c, price, faults)
  for _, name in ipairs(c.schemes) do
    local fault = c.rivals[name] and rival_fault(run, masks, c, name, price)
    if fault then faults[#faults + 1] = { kind = "rival", text = ("the rival for '%s' is none: %s"):format(name, fault) } end
  end
end

-- What is said to be certain is so, and what has a rival is not.
local function check_certain(run, masks, c, price, faults)
  local ok, name, rival = certain.check(run.unknowns, run.search.solver, masks, run.search.ports, c.certain)
  if not ok then
    faults[#faults + 1] = { kind = "certain", rival = rival and run.unknowns:mapping(rival, "another mapping that admits the same experiments"),
      text = ("'%s' is not certain: another mapping admits all experiments, and has other ports"):format(name) }
    return
  end
  check_rivals(run, masks, c, price, faults)
end

-- Both claims, and the others that it makes. True: the solver got to an end.
local function check(run, m, c, faults)
  local masks, message = masks_of(m, c, run.unknowns)
  if not masks then
    faults[#faults + 1] = { kind = "mapping", text = message }
    return true
  end
  local given = run.unknowns.given or {}
  for r, mask in ipairs(given) do
    if mask ~= 0 and mask ~= masks[r] and run.unknowns.rows == #run.unknowns.names then
      faults[#faults + 1] = { kind = "fixed", text = ("'%s' does not have the ports that were given"):format(run.unknowns.names[r]) }
    end
  end
  local price = admit(run, masks, faults)
  if c.certain then check_certain(run, masks, c, price, faults) end
  if not verify.is_partial(c) then search_other(run, masks, price, faults) end
  if #faults == 0 and not c.uops then check_open(run, masks, c, faults) end
  return true
end

--- Is a certificate only about the schemes that it calls certain? So it is where a record leaves schemes of several uops undecided.
function verify.is_partial(c) return c.certain ~= nil and c.uops ~= nil and c.status == "undecided" end

--- Checks a mapping with a certificate.
-- @param m mapping table
-- @tparam[opt] table limits `seed` of the solver (1), `time_limit` (s)
-- @return `{ verified = boolean, faults = { { kind =, text =, ... }, ... }, experiments =, schemes =, ports =, assumed = text about schemes
-- whose numbers of uops are not given (nil: all are), doubtful = those of them that have several by issue slots and memory operands, checks =,
-- seconds = }`; a fault may have `experiment`, `predicted`, `other` (cycles), `rival` (a mapping); or nil, message, status for a file without a
-- sound certificate, and for a solver that was interrupted or out of time
function verify.mapping(m, limits)
  local c = m.certificate
  if c == nil then
    return nil, "it has no certificate: 'portolan infer cegis' writes one, unless it ends early; other strategies write none"
  end
  local ok, message = certificate.check(c)
  if not ok then return nil, message end
  if not bounds.known[c.reading] then return nil, ("no reading '%s' (certificate.reading)"):format(printable(c.reading)) end
  local began, faults = core.base.now(), {}
  if certificate.digest(c) ~= c.digest then
    faults[1] = { kind = "digest", text = "the certificate was changed since it was written (certificate.digest)" }
  end
  local changed = #faults > 0
  local run, why = stop.guard(resume, c, limits or {})
  if not run then return nil, why end
  local own = {}
  local done, trouble, status = stop.guard(check, run, m, c, own)
  local checks = run.search.solver:statistics().checks
  run.search.solver:close()
  if not done then return nil, trouble, status end
  table.move(own, 1, #own, #faults + 1, faults)
  local assumption = one_uop.assumed(c.schemes, c)
  return { verified = #faults == 0, faults = faults, sound = changed and #own == 0 or nil, experiments = #c.experiments,
    schemes = #c.schemes, ports = c.ports, assumed = assumption and assumption.text,
    doubtful = assumption and one_uop.doubtful(assumption.schemes, c.slots) or {}, checks = checks, seconds = core.base.now() - began }
end

return verify
