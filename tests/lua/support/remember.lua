--- Charts of one simulated core, again and again: what does not change from one to the next is found once.
local ask = require "portolan.measuring.ask"
local cegis = require "portolan.infer.cegis"
local experiment = require "portolan.experiment"
local hash = require "portolan.support.hash"

local remember = {}

--- Are two values, or tables of such, alike?
function remember.alike(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in pairs(a) do
    if not remember.alike(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

local function plain(result)
  local copy = {}
  for key, value in pairs((getmetatable(result) or {}).__index or {}) do copy[key] = value end
  for key, value in pairs(result) do copy[key] = value end
  return copy
end

-- Noise depends on an experiment and on how often it was read before: what was asked before, of an experiment in the same state, has the same
-- answer. Those at the constants' own values are kept, which saves two thirds of the time; what many readings of one experiment have in common
-- is found once. Returns a function that ends it, and gives the number of readings.
local function remember_readings(processor, of, keep)
  local all, key_of, number_of, saved = ask.all, experiment.key, hash.number, 0
  local now, key, number, cycles
  function experiment.key(e) return e == now and key or key_of(e) end
  function hash.number(text) return text == key and number or number_of(text) end
  function processor:cycles(e, large)
    if e ~= now or large then return getmetatable(self).cycles(self, e, large) end
    cycles = cycles or table.pack(getmetatable(self).cycles(self, e))
    return cycles[1], cycles[2]
  end
  local function one(read, e, noise, precision)
    now, key, cycles = e, key_of(e), nil
    number = number_of(key)
    local state = ("%s %s %s %s"):format(key, processor.repeats[key] or 0, precision, noise)
    local known = of.answers[state]
    if known then
      processor.repeats[key], saved = known.after, saved + known.readings
      return plain(known.result)
    end
    local before = processor.measured
    local result = all(read, { e }, noise, { precision = { precision } })[1]
    if keep then of.answers[state] = { result = plain(result), after = processor.repeats[key], readings = processor.measured - before } end
    return result
  end
  function ask.all(read, list, noise, how)
    local results = {}
    for k, e in ipairs(list) do results[k] = one(read, e, noise, how and how.precision and how.precision[k]) end
    return results
  end
  return function()
    ask.all, experiment.key, hash.number = all, key_of, number_of
    return processor.measured + saved
  end
end

local function copy_of(value, seen)
  if type(value) ~= "table" then return value end
  if not seen[value] then
    seen[value] = setmetatable({}, getmetatable(value))
    for k, v in pairs(value) do seen[value][k] = copy_of(v, seen) end
  end
  return seen[value]
end

-- An inference that asks the same and gets the same answers as one before has the same outcome; where an answer differs, it goes on by itself.
local function remember_inferences(of, keep)
  local infer = cegis.infer
  local function replay(processor, known)
    local answered = {}
    for n, call in ipairs(known.calls) do
      answered[n] = processor.measure(processor, call.list, call.how)
      for k, result in ipairs(answered[n]) do
        if (result.cycles or false) ~= call.cycles[k] then return answered end
      end
    end
    return answered, true
  end
  function cegis.infer(processor, names, how)
    local given, calls, answered, whole, known = { names = names }, {}, {}, false, nil
    for key, value in pairs(how) do given[key] = type(value) ~= "function" and value or nil end
    given = copy_of(given, {})
    for _, before in ipairs(of.inferences) do
      if remember.alike(before.given, given) then known = before end
    end
    if known then answered, whole = replay(processor, known) end
    if whole then return copy_of(known.outcome, {}) end
    local outcome, message = infer({ name = processor.name, measure = function(_, list, ...)
      local results = answered[#calls + 1] or processor.measure(processor, list, ...)
      local cycles = {}
      for k, result in ipairs(results) do cycles[k] = result.cycles or false end
      calls[#calls + 1] = { list = copy_of(list, {}), how = copy_of(... or {}, {}), cycles = cycles }
      return results
    end }, names, how)
    if keep and outcome then of.inferences[#of.inferences + 1] = { given = given, calls = calls, outcome = copy_of(outcome, {}) } end
    return outcome, message
  end
  return function() cegis.infer = infer end
end

--- Remembers what charts of a core have in common, from the charts that are made to be kept.
-- @param processor simulated, new
-- @param of table `{ answers = {}, inferences = {} }` of the core, the same one each time
-- @param keep true: what this chart finds is remembered
-- @return function() -> number of readings; it ends the remembering
function remember.start(processor, of, keep)
  local readings, forget = remember_readings(processor, of, keep), remember_inferences(of, keep)
  return function()
    forget()
    return readings()
  end
end

return remember
