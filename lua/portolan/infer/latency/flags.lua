--- Finds which flags behave as one: cores rename them in groups, and a latency to one flag of a group is one to all.
--
-- Where the architecture does not say it (arch/x86_64/connectors.lua), all flags of some schemes are measured one by one; flags whose latencies are
-- equal in all of these are a group.
-- @module portolan.infer.latency.flags
local all_pairs = require "portolan.infer.latency.pairs"
local constants = require "portolan.infer.latency.constants"
local decide = require "portolan.infer.latency.decide"
local isa = require "portolan.scheme.isa"
local kinds = require "portolan.infer.latency.kinds"
local lists = require "portolan.support.lists"

local flags = {}

-- Schemes that write all of these flags and read a general register: some of one uop, some of several, whose flags may come from different ones.
local function sample(state)
  local one, several, alone = {}, {}, state.network.flags.alone
  for _, name in ipairs(state.names) do
    local scheme = isa.scheme(name)
    local written = table.concat(scheme.flags_written, " ")
    local all = true
    for _, flag in ipairs(alone) do all = all and written:find(flag, 1, true) end
    if all and scheme.operands[1] and scheme.operands[1].kind == "register" and kinds.read(name, "1") == "gpr" then
      table.insert(state.cost:least(name, "1") == 1 and one or several, name)
    end
  end
  local half = constants.flag_sample // 2
  return lists.joined(lists.spread(one, half), lists.spread(several, half))
end

-- Latencies of the sample to each flag.
local function measured(state, names)
  local list, of, alone = {}, {}, lists.set(state.network.flags.alone)
  for _, name in ipairs(names) do
    for _, p in ipairs(all_pairs.of(state, name)) do
      if p.from == "1" and not p.same and alone[p.to] then
        all_pairs.plan(state, p)
        list[#list + 1] = p
      end
    end
  end
  local asked = {}
  for _, p in ipairs(list) do table.move(p.rounds, 1, #p.rounds, #asked + 1, asked) end
  state.meter:measure(asked)
  for _, p in ipairs(list) do
    decide.pair(state, p)
    of[p.to] = of[p.to] or {}
    of[p.to][p.scheme] = p.status == "determined" and p.cycles or nil
  end
  return of
end

-- Tells whether two flags have the same latencies; false if hardly any are known.
local function alike(a, b)
  local common = 0
  for name, cycles in pairs(a or {}) do
    local other = b and b[name]
    if other and math.abs(other - cycles) > constants.differs then return false end
    common = common + (other and 1 or 0)
  end
  return common >= constants.flag_common
end

--- Finds the groups.
-- @param state the state; `flags` is filled
function flags.run(state)
  local order = state.network.flags.alone
  if state.network.flags.as_one then
    for _, flag in ipairs(order) do state.flags[flag] = order[1] end
    return
  end
  local of, groups = measured(state, sample(state)), {}
  for i, flag in ipairs(order) do
    groups[flag] = flag
    for k = i - 1, 1, -1 do
      if groups[order[k]] == order[k] and alike(of[order[k]], of[flag]) then groups[flag] = order[k] end
    end
  end
  state.flags = groups
end

return flags
