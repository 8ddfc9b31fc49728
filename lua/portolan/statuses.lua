--- The classes that an inference sorts schemes into (`status` in mapping.json), what they mean, and how a scheme is recognised
-- as one of them.
--
-- `kind`: "good" (the ports account for it), "settled" (known, but not by ports, or not all of it) or "bad" (not known).
-- @module portolan.statuses
local statuses = {}

--- All of them in the order in which reports tell of them: `{ name =, kind =, means =, recognised = }`.
statuses.list = {
  { name = "explained", kind = "good", means = "its uops and their ports are found, and explain what it takes alone",
    recognised = "By blocking: against floods on each set of ports as many cycles are added as its uops need that cannot evade it, and "
      .. "the ports found allow what it takes alone." },
  { name = "partly explained", kind = "settled", means = "explained, but for a store's second uop, which is not located",
    recognised = "Its data uop is found by blocking. The other uop of the store shares an issue slot with it, and no flood holds it up." },
  { name = "by elimination", kind = "settled", means = "some of its uops evade every set of ports that can be blocked",
    recognised = "It has more issue slots than uops that blocking finds; the rest is given to the widest set, which the front end hides." },
  { name = "eliminated at rename", kind = "settled", means = "no port executes it: it takes issue slots only",
    recognised = "It runs as fast as the front end allows, and a chain of dependent instances takes less than a cycle a link." },
  { name = "microcoded", kind = "settled", means = "a sequence of uops from the microcode store, which takes the front end for itself",
    recognised = "It takes many issue slots, and instructions next to it pay for more than its slots: the front end switches." },
  { name = "slower than ports", kind = "settled", means = "something other than ports limits it: a unit that is not pipelined, or a dependency",
    recognised = "Alone it takes clearly longer than its uops keep any ports busy." },
  { name = "not pipelined", kind = "settled", means = "one issue slot, but more than a cycle: its unit is busy for longer",
    recognised = "It has a single issue slot, and takes longer than a cycle alone." },
  { name = "limited elsewhere", kind = "settled", means = "it competes with next to nothing: a limit of its own, perhaps in the front end",
    recognised = "It is slower than the front end allows, yet what runs next to it hardly slows it down." },
  { name = "input-dependent", kind = "settled", means = "its time depends on the values it works on",
    recognised = "It takes different times with different values in its operands." },
  { name = "ambiguous", kind = "bad", means = "other ports agree with the measurements, too",
    recognised = "The front end, or noise, hides what would tell the possible port sets apart." },
  { name = "incomplete", kind = "bad", means = "some of its uops evade every set of ports",
    recognised = "It has more issue slots than uops that blocking finds, and no set of ports could have been missed." },
  { name = "contradicting", kind = "bad", means = "its measurements do not fit any mapping",
    recognised = "What it takes in some experiments, measured again, agrees with no number of uops on the ports. The experiments are listed." },
  { name = "unstable", kind = "bad", means = "it could not be measured: no two readings agree",
    recognised = "Too few samples that were taken while the machine was quiet agree." },
  { name = "unsupported here", kind = "settled", means = "this processor, or this way of measuring, does not have it",
    recognised = "It raises an exception, or no code can be made for it that would run in a loop." },
  { name = "not reached", kind = "bad", means = "the run ended before it was looked at", recognised = "The run ended early." },
}

local by_name = {}
for place, status in ipairs(statuses.list) do
  status.place = place
  by_name[status.name] = status
end

-- What older runs, other tools and failed measurements say.
local others = {
  ["no port used"] = { kind = "settled" }, excluded = { kind = "settled", means = "left out on purpose" },
  ["illegal instruction"] = { kind = "bad", means = "this processor does not have it" },
  ["memory fault"] = { kind = "bad", means = "it cannot be measured: it accesses memory that is not there" },
  ["arithmetic fault"] = { kind = "bad", means = "it cannot be measured: it divides by zero, or a quotient overflows" },
}

--- What is known of a status.
-- @param name text, or nil
-- @return `{ name =, kind =, means =, recognised =, place = }`; all but `name`, `kind` and `place` may be missing
function statuses.get(name)
  name = tostring(name or "not measured")
  local known = by_name[name] or others[name] or {}
  return { name = name, kind = known.kind or "bad", means = known.means, recognised = known.recognised, place = known.place or math.huge }
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
