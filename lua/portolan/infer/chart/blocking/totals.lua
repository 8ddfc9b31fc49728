--- How many uops should a scheme have?
--
-- A counter says so, or issue slots say how many they are at least (portolan.infer.chart.stages.counts). Where the same operation is known
-- on registers, memory adds to that: one for a load, two for a store; more where wide operands are split.
-- @module portolan.infer.chart.blocking.totals
local lists = require "portolan.support.lists"
local port_class = require "portolan.infer.chart.port_class"
local port_set = require "portolan.mapping.ports"

local totals = {}

local register_of = { m8 = "r8", m16 = "r16", m32 = "r32", m64 = "r64", m128 = "xmm", m256 = "ymm", m512 = "zmm" }

--- The uops of the same operation on registers; nil if these are not known.
function totals.like(survey, name)
  local other = survey.facts[name:gsub("%f[%w]m%d+%f[%W]", register_of)]
  return other and other.status == "explained" and other.uops or nil
end

--- The number to expect.
-- @param survey the survey
-- @param name scheme with `total`
-- @param[opt] located uops that were found: where they are more than the operation on registers and its memory account for, it is another
-- operation (`adc m16, r16` on Skylake has a uop more than `adc r16, r16`)
-- @return whole number; and whether it is as good as counted
function totals.expected(survey, name, located)
  local f = survey.facts[name]
  if f.total.least == f.total.most then return f.total.least, true end
  local like = totals.like(survey, name)
  local n = like and port_set.uops(like)
  local pieces = f.pieces or 1
  n = n and n + (f.memory.reads and pieces or 0) + (f.memory.writes and 2 * pieces or 0)
  local updates = f.memory.reads and f.memory.writes
  if n and n > f.total.most and updates then n = n - pieces end -- the load's address may serve the store
  -- not the same operation, if that is out of bounds: vcvtps2pd ymm, m128 loads what the form with registers has to shuffle
  if n and n >= math.max(f.total.least, located or 0) and n <= f.total.most then return n, true end
  return f.total.most, false
end

--- Do so many uops take it for granted that a uop of one issue slot keeps a second unit busy, too?
-- @param total of the facts
-- @param uops their number
function totals.has_second_unit(total, uops) return total.second_unit and uops > total.most or false end

-- Does a class work on nothing that the scheme works on? Nobody knows of what has no members. (A sequencer has jumps of its own.)
local function is_foreign(survey, name, class)
  local own, theirs = port_class.domains(name, survey.facts[name].memory), port_class.domains_of_members(class, survey.facts)
  if own.unknown or theirs.unknown then return false end
  return next(own) ~= nil and next(theirs) ~= nil and not lists.any(lists.keys(own), function(domain) return theirs[domain] end)
end

--- Returns what is known of a scheme for portolan.infer.chart.blocking.prior.
-- @param survey the survey
-- @param name scheme with `total`
-- @param hidden true if there are ports that cannot be blocked
-- @return table
function totals.known(survey, name, hidden)
  local f = survey.facts[name]
  local n, sure = totals.expected(survey, name)
  local t, counted = f.total, f.total.least == f.total.most
  local sequenced = t.sequenced and not hidden
  local total = { least = sequenced and 1 or t.least, most = t.most, second_unit = t.second_unit, doubtful = t.doubtful, sequenced = sequenced }
  local function foreign(class) return not t.sequenced and is_foreign(survey, name, class) end
  return { total = total, expected = not counted and sure and n or nil, like = totals.like(survey, name), hidden = hidden,
    relative = f.relative, foreign = foreign, memory = f.memory,
    alone = f.single.cycles, floor = f.issued / survey.rmax }
end

return totals
