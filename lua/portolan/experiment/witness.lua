--- Witnesses: measured experiments that a claim about a scheme rests on (docs/formats.md).
--
-- `{ experiment = TEXT, cycles = measured, expected = cycles, without = measured without the scheme, ports = that the others
-- flood, says = TEXT, role = "shows" | "bounds" | "contradicts" }`; a witness of which no more than the experiment is known may be just its text.
-- @module portolan.experiment.witness
local experiment = require "portolan.experiment"
local limits = require "portolan.support.limits"
local printable = require "portolan.support.printable"

local witness = {}

--- A witness does one of these for the claim: it shows that a uop cannot evade some ports; it bounds the ports and the number of uops from the other
-- side; or it does not fit.
witness.roles = { shows = true, bounds = true, contradicts = true }

--- A reading may be so far from what is expected. Cores are slower than the model at times, never faster (docs/inference.md, "Two
-- readings of a measurement"), so the two sides differ.
--
-- Faster: by `noise`, a share of the cycles, or by `per_instruction` cycles per instance, whichever is more. Where one set of ports is
-- flooded, which cores do well, a reading must tell the number of uops on it: it is off by at most `uops` of one, to either side.
-- Otherwise it is slower by at most the share `slower` than ports that are chosen greedily; and, where several sets of ports must be
-- balanced, which cores do badly, by up to `balanced`, or as slow as it was when it was recorded.
witness.tolerance = { noise = 0.02, per_instruction = 0.01, uops = 0.5, slower = 0.1, balanced = 0.25 }

--- The tolerance in words.
function witness.tolerance_text()
  local t = witness.tolerance
  return ("Confirmed is what is at most %g%% or %g cycles per instruction faster than expected; cores are slower than the model at times, never "
    .. "faster. Where a set of ports is flooded: less than %g uops off. Alone: at most %g%% slower than ports chosen greedily. Where several "
    .. "sets must be balanced: at most %g%% slower, or %g%% than that or than recorded."):format(100 * t.noise, t.per_instruction, t.uops,
    100 * t.slower, 100 * t.balanced, 100 * t.slower)
end

local function are_ports(list)
  if type(list) ~= "table" or #list == 0 then return false end
  for key, name in pairs(list) do
    if not math.type(key) or type(name) ~= "string" then return false end
  end
  return true
end

--- Returns what is wrong with a witness.
-- @param w anything
-- @return nil if nothing is; or the name of the field ("" for the witness itself), and what is wrong with it
function witness.fault(w)
  if type(w) == "string" then w = { experiment = w } end
  if type(w) ~= "table" then return "", "must be an experiment's text or an object with a field 'experiment'" end
  if type(w.experiment) ~= "string" then return "experiment", "must be the text of an experiment" end
  local e, message = experiment.parse(w.experiment)
  if not e then return "experiment", "is no experiment: " .. message end
  for _, field in ipairs { "cycles", "expected", "without", "count", "expected_count" } do
    if w[field] ~= nil and not limits.is_amount(w[field]) then return field, "must be " .. limits.amount end
  end
  if w.ports ~= nil and not are_ports(w.ports) then return "ports", "must be a list of names of ports" end
  if w.says ~= nil and type(w.says) ~= "string" then return "says", "must be a text" end
  if w.role ~= nil and not witness.roles[w.role] then return "role", "must be \"shows\", \"bounds\" or \"contradicts\"" end
end

--- A witness with its experiment read, whichever form it has.
-- @param w witness that has no fault
-- @return `{ experiment = table of counts, text =, cycles =, expected =, without =, ports =, count =, says =, role = }`
function witness.read(w)
  if type(w) == "string" then w = { experiment = w } end
  local e = assert(experiment.parse(w.experiment))
  return { experiment = e, text = experiment.format(e), cycles = w.cycles, expected = w.expected, without = w.without, ports = w.ports,
    count = w.count, says = w.says, role = w.role }
end

--- The cycles between which a reading agrees with what is expected.
-- @param expected cycles per experiment
-- @param length instances in the experiment
-- @param[opt] kind the number of ports that it floods, or "balanced" where several sets must be balanced
-- @param[opt] slow cycles that are no news: of ports chosen greedily, of an earlier reading
-- @return least, most
function witness.limits(expected, length, kind, slow)
  local t = witness.tolerance
  local faster = math.max(t.noise * expected, t.per_instruction * length)
  if math.type(kind) then return expected - math.min(faster, t.uops / kind), expected + t.uops / kind end
  local slower = expected * (1 + (kind == "balanced" and t.balanced or t.slower))
  return expected - faster, math.max(expected + faster, slower, (slow or 0) * (1 + t.slower))
end

--- Does a reading agree with what is expected?
-- @param cycles the reading
-- @param expected as for `limits`, and the others
-- @param length
-- @param[opt] kind
-- @param[opt] slow
-- @return "agrees", "faster" or "slower"
function witness.compare(cycles, expected, length, kind, slow)
  local least, most = witness.limits(expected, length, kind, slow)
  return cycles < least and "faster" or cycles > most and "slower" or "agrees"
end

--- Cycles for people: three decimals.
function witness.cycles(x) return x and ("%.3f"):format(x) or "?" end

--- The experiment as seen from one of its schemes: `8*vpermd ymm, ymm, ymm + 1 of it`.
-- @param e table of counts
-- @param name the scheme
function witness.about(e, name)
  local rest = experiment.without(e, name)
  if not e[name] then return experiment.format(e) end
  if next(rest) == nil then return ("%d of it alone"):format(e[name]) end
  return ("%s + %d of it"):format(experiment.format(rest), e[name])
end

--- A witness as one line: `shows: 8*a + b takes 9.000 cycles, 9.000 expected: one uop on port 5`.
-- @param w witness that has no fault
-- @return text that is safe to print
function witness.line(w)
  local r = witness.read(w)
  local parts = { (r.role and r.role .. ": " or "") .. r.text }
  if r.cycles then parts[#parts + 1] = (" takes %s cycles"):format(witness.cycles(r.cycles)) end
  if r.expected then parts[#parts + 1] = ("%s %s expected"):format(r.cycles and "," or ":", witness.cycles(r.expected)) end
  if r.says then parts[#parts + 1] = ": " .. r.says end
  return printable(table.concat(parts))
end

return witness
