--- The classes that an inference sorts schemes into (`status` in mapping.json), what they mean, and how a scheme is recognised
-- as one of them.
--
-- `kind`: "good" (the ports account for it), "settled" (known, but not by ports, or not all of it) or "bad" (not known).
-- @module portolan.mapping.statuses
local lists = require "portolan.support.lists"

local statuses = {}

--- All of them in the order in which reports tell of them: `{ name =, kind =, means =, recognised = }`.
statuses.list = {
  { name = "explained", kind = "good", means = "its uops and their ports are found, and explain what it takes alone",
    recognised = "One uop: by how it competes with the others of its kind. Several: floods on each set of ports last as much longer as its "
      .. "uops need that cannot evade it. Either way the ports found allow what it takes alone." },
  { name = "eliminated at rename", kind = "settled", means = "no port executes it: it takes issue slots only",
    recognised = "It runs as fast as the front end allows, and a chain of dependent instances takes less than a cycle a link." },
  { name = "slower than ports", kind = "settled", means = "a unit that is not pipelined, a dependency or another limit holds it up, not its ports",
    recognised = "Alone it takes clearly longer than its uops keep any ports busy, or it competes with next to nothing." },
  { name = "microcoded", kind = "settled", means = "a sequencer issues its uops, and takes the front end for itself",
    recognised = "It takes more issue slots than the front end is wide, and whatever ports are flooded, it adds the time that these slots need." },
  { name = "input-dependent", kind = "settled", means = "its time depends on the values that it works on",
    recognised = "It takes different times with different values in its operands." },
  { name = "not told apart", kind = "settled", means = "its uops are known only with those of what stands around it where it is measured",
    recognised = "An instance leaves what it found only with others around it (the x87 stack), and their uops cannot be taken off." },
  { name = "contradicting", kind = "bad", means = "its measurements contradict each other, or all port usages",
    recognised = "What it takes in some experiments, measured again, agrees with no number of uops on the ports, or these do not add up." },
  { name = "unstable", kind = "bad", means = "it could not be measured: no two readings agree, or the machine was never quiet enough",
    recognised = "Too few samples that were taken while the machine was quiet agree." },
  { name = "unsupported here", kind = "settled", means = "this processor does not have it, or no operands can be given to it",
    recognised = "It raises an exception, or no code can be made for it that would run in a loop." },
  { name = "not recorded", kind = "bad", means = "open: the record that was charted lacks experiments that decide it",
    recognised = "Of records only: an experiment that a decision needs was not measured, or the recorded ones leave its ports open." },
  { name = "not reached", kind = "bad", means = "the run ended before it was looked at", recognised = "The run ended early." },
}

local by_name = {}
for place, status in ipairs(statuses.list) do
  status.place = place
  by_name[status.name] = status
end

-- Older charts and other tools say these.
local others = {
  ["partly explained"] = { kind = "settled", means = "explained, but for a store's second uop, which is not located" },
  ["by elimination"] = { kind = "settled", means = "some of its uops evade every set of ports that can be blocked" },
  ["not pipelined"] = { kind = "bad", means = "one issue slot, but more than a cycle: its unit is busy for longer" },
  ["no port used"] = { kind = "settled" }, excluded = { kind = "settled", means = "left out on purpose" },
}

--- Tells what is known of a status.
-- @param name text, or nil
-- @return `{ name =, kind =, means =, recognised =, place = }`; all but `name`, `kind` and `place` may be missing
function statuses.get(name)
  name = tostring(name or "not measured")
  local known = by_name[name] or others[name] or {}
  return { name = name, kind = known.kind or "bad", means = known.means, recognised = known.recognised, place = known.place or math.huge }
end

--- Is it one of the classes that an inference ends with?
-- @param name text
function statuses.is_class(name) return name ~= nil and by_name[name] ~= nil end

-- Gives the class that a measurement that failed means, by its status.
local of_result = { unstable = "unstable", timeout = "unstable", derailed = "contradicting", interrupted = "not reached",
  ["not recorded"] = "not recorded" }

--- The class of a scheme that cannot be measured.
-- @param result with a status that is not "ok"
-- @return class, note
function statuses.of_result(result)
  local class = of_result[result.status] or "unsupported here"
  return class, result.message or ("measuring it ended with: %s"):format(result.status)
end

--- Says how many schemes have each status, in words: `5 explained, 1 unstable`.
-- @tparam {string,...} list statuses of schemes
-- @param[opt] by_count true: the most frequent ones first; otherwise in the order of the list
function statuses.tally(list, by_count)
  local counts = lists.tally(list)
  local order = lists.keys(counts)
  if by_count then
    table.sort(order, lists.by_value(counts))
  else
    statuses.sort(order)
  end
  for i, name in ipairs(order) do order[i] = ("%d %s"):format(counts[name], name) end
  return table.concat(order, ", ")
end

--- Sorts names of statuses: those of the list in its order, then the others by name.
-- @param names list, sorted in place
-- @return names
function statuses.sort(names)
  table.sort(names, function(a, b)
    local i, j = statuses.get(a).place, statuses.get(b).place
    if i ~= j then return i < j end
    return a < b
  end)
  return names
end

return statuses
