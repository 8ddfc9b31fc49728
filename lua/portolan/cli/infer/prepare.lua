--- This module finds out what `portolan infer` must know before it infers: which schemes there are, how wide the front end is, how many issue slots
-- each takes.
-- @module portolan.cli.infer.prepare
local architectures = require "portolan.support.architectures"
local classes = require "portolan.infer.chart.stages.classes"
local lists = require "portolan.support.lists"
local one_uop = require "portolan.infer.one_uop"
local open = require "portolan.cli.infer.open"
local scheme_set = require "portolan.scheme.set"
local survey = require "portolan.infer.chart.survey"

local prepare = {}

local most = 16 -- classes of the starter set whose representatives are inferred

local alone = { "singletons", "filler", "counts", "rename" } -- stages that ask of each scheme by itself

-- Runs stages of the chart over a set. Returns the survey, or nil, message, status.
local function run_stages(processor, set, seed, update, stages)
  local s = survey.new(processor, set, { seed = seed, progress = update })
  local ok, trouble = xpcall(function()
    for _, stage in ipairs(stages) do require("portolan.infer.chart.stages." .. stage)(s) end
  end, function(e) return e == survey.stop and e or debug.traceback(e, 2) end)
  if ok then return s end
  if trouble ~= survey.stop then error(trouble, 0) end
  return nil, s.failure or "interrupted", s.failure and 1 or 130
end

-- The representatives of the classes of the starter set, with their numbers of ports.
local function starter(processor, o, update)
  local set, s, message, status
  set, message = scheme_set.load("starter", architectures.default())
  if not set then return nil, message end
  s, message, status = run_stages(processor, set, o.seed, update, lists.joined(alone, { "classes", "elimination", "stores" }))
  if not s then return nil, message, status end
  local names = {}
  o.rmax, o.port_counts, o.improper = o.rmax or s.rmax, o.port_counts or {}, {}
  for _, class in ipairs(s.classes) do
    if #names < most then
      names[#names + 1] = class.representative
      o.port_counts[class.representative] = o.port_counts[class.representative] or class.count
      o.improper[class.representative] = class.improper or nil
    end
  end
  if #names == 0 then return nil, "no scheme of the starter set is a single uop with ports of its own", 1 end
  return names
end

-- Prepares schemes that were named: says at once which cannot be measured, and counts issue slots by measuring.
local function named(processor, names, o, update)
  local ok, message = open.all_schemes(names)
  if not ok then return nil, message end
  local s, trouble, status = run_stages(processor, { { name = "named", schemes = names } }, o.seed, update, alone)
  if not s then return nil, trouble, status end
  o.rmax, o.slots = o.rmax or s.width, {}
  for _, name in ipairs(names) do
    local f = s.facts[name]
    if f.status then return nil, ("'%s' cannot be inferred: %s"):format(name, f.note or f.status), 1 end
    o.slots[name] = f.slots and math.max(1, f.slots) or nil
  end
  return names
end

-- Issue slots as whole numbers, from 1 on; nil where the processor does not know them.
local function whole_slots(processor, names)
  local list, slots = {}, {}
  for i, name in ipairs(names) do list[i] = { name = name } end
  for i, n in ipairs(processor:issue_slots(list)) do slots[names[i]] = n and math.max(1, math.floor(n + 0.5)) or nil end
  return slots
end

--- The schemes to infer; fills in `rmax`, `slots` and `port_counts` of the options where the processor says more.
-- @param processor the oracle, opened
-- @param spec of `oracle.parse`
-- @param names that the user gave, or nil
-- @param known names that the oracle knows
-- @param o options of cegis.infer
-- @param update function(stage, done, total, note)
-- @return names; or nil, message, exit status
function prepare.schemes(processor, spec, names, known, o, update)
  if spec.measures then
    if names then return named(processor, names, o, update) end
    return starter(processor, o, update)
  end
  if names then
    local ok, message = open.all_known(names, known)
    if not ok then return nil, message end
  end
  names = names or known
  if not o.rmax and processor.issue_width then o.rmax = processor:issue_width() end
  if processor.issue_slots then
    o.slots = whole_slots(processor, names)
  end
  return names
end

-- Numbers of uops that nobody gives come from these: function(processor, names, options) -> name -> number; or nil and a message.
local sources = {
  record = function(processor) return processor:uops() end,
  slots = function(_, names, o)
    local numbers = {}
    for _, name in ipairs(names) do numbers[name] = one_uop.number(name, o.slots) end
    return numbers
  end,
}

--- Fills in the numbers of uops that a source tells, where `uops_of` asks for them and nobody gave one.
-- @param processor a record, if it is the source
-- @param names schemes to infer
-- @param o options of cegis.infer; `uops_of`: "record" or "slots" (issue slots and memory operands)
-- @return true; or nil and a message
function prepare.told_uops(processor, names, o)
  if not o.uops_of then return true end
  local told, message = sources[o.uops_of](processor, names, o)
  if not told then return nil, ("--uops %s: %s"):format(o.uops_of, message) end
  local uops, several = o.uops or {}, false
  for _, name in ipairs(names) do
    uops[name] = uops[name] or told[name]
    if not uops[name] then
      return nil, ("--uops record: the record does not tell the number of uops of '%s'; give it: --uops '%s=N'"):format(name, name)
    end
    several = several or uops[name] > 1
  end
  o.uops = (several or o.uops) and uops or nil
  return true
end

-- True, if no scheme whose number of uops nobody says has several by issue slots and memory operands; or nil and a message.
local function check_single(names, o)
  local assumed = not o.most_uops and one_uop.assumed(names, o)
  local several = one_uop.doubtful(assumed and assumed.schemes or {}, o.slots)
  if #several == 0 then return true end
  local name, more = several[1], #several == 1 and "' has" or ("' and %d more schemes have"):format(#several - 1)
  return nil, ("'%s%s several uops, by issue slots and memory operands: --uops slots takes these numbers, --uops '%s=%d' gives one")
    :format(name, more, name, one_uop.number(name, o.slots))
end

--- The schemes to infer, as `prepare.schemes` has them, and their numbers of uops where a source is to tell.
function prepare.with_uops(processor, spec, names, known, o, update)
  local found, message, status = prepare.schemes(processor, spec, names, known, o, update)
  if not found then return nil, message, status end
  local ok, fault = prepare.told_uops(processor, found, o)
  if ok and (names or not spec.measures) then ok, fault = check_single(found, o) end -- what stands for a class is known to be fit
  if not ok then return nil, fault end
  return found
end

-- Schemes of a set of one uop that keep a whole number of ports busy alone, as a machine shows them.
local function single_uops_of_set(processor, spec, o, update, args)
  local found, groups = open.of_set(args, spec)
  if not found then return nil, groups end
  local s, trouble, status = run_stages(processor, groups, o.seed, update, alone)
  if not s then return nil, trouble, status end
  local names = s:unsettled(function(_, f) return f.single_uop and classes.ports_of(f) end)
  o.rmax = o.rmax or s.width
  if #names == 0 then return nil, "no scheme of the set is a single uop with ports of its own", 1 end
  return names
end

--- The schemes of one uop each, for strategies that take no others: those that are named; otherwise all of the oracle's, and on this machine those
-- of a set. Fills in `rmax` and `slots` of the options where the processor says more.
-- @param processor the oracle, opened
-- @param spec of `oracle.parse`
-- @param given names that the user gave, or nil; those that are known to be of several uops are refused
-- @param known names that the oracle knows
-- @param o options of grow.infer; `left_out` becomes the number of schemes that are known to be of several uops
-- @param update function(stage, done, total, note)
-- @tparam table args of the command line: `set`, on this machine
-- @return names; or nil, message, exit status
function prepare.single_uops(processor, spec, given, known, o, update, args)
  if spec.measures and not given then return single_uops_of_set(processor, spec, o, update, args) end
  local names, message, status = prepare.schemes(processor, spec, given, known, o, update)
  if not names then return nil, message, status end
  local single = {}
  for _, name in ipairs(names) do
    local uops = one_uop.number(name, o.slots)
    if uops == 1 then
      single[#single + 1] = name
    elseif given then
      return nil, ("'%s' has %d uops, by its issue slots and memory operands: such schemes can't be grown; leave it out, or take another strategy")
        :format(name, uops)
    end
  end
  o.left_out = #names - #single
  if #single == 0 then return nil, "the oracle has no scheme of a single uop, by issue slots and memory operands" end
  return single
end

return prepare
