--- Blocks of code under a mapping: bounds by ports, units that stay busy, the front end and dependencies, in the engine.
--
-- A mapping says which ports a scheme's uops run on. What else it records counts, too: `latencies` from place to place, `front_end`, units
-- that are busy for longer (portolan.mapping.busy_units). This module turns all of it into the facts that the engine works with
-- (engine/predict/block_model.h), and is where what the mapping does not say is decided. docs/predicting.md says how good that is.
-- @module portolan.block.model
local best_known = require "portolan.mapping.best_known"
local block_forms = require "portolan.block.forms"
local cache_facts = require "portolan.mapping.first_cache"
local core = require "portolan.core"
local idioms = require "portolan.scheme.idioms"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local mappings = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"
local stand_ins = require "portolan.mapping.stand_ins"

local block_model = {}

local Model = {}
Model.__index = Model

--- Says what bounds a block, as people say it, by the engine's word for it.
block_model.limits = { dependencies = "dependencies", unit = "a unit that stays busy", ports = "ports", ["front end"] = "issue slots",
  code = "many short instructions in a line of code",
  branch = "the taken branch of the loop", memory = "banks or lines of the first cache" }

--- This may be known of registers and memory at first: nothing (`apart`), or that all general registers and all words of memory hold one number
-- (`alike`), as where blocks are measured without their data.
block_model.starts = { apart = true, alike = true }

local function is_address(place) return place:find(".", 1, true) ~= nil end

-- The most cycles of a scheme's pairs from values, from registers of addresses; nil if there are none.
local function longest(latencies)
  local value, address
  for _, latency in ipairs(latencies) do
    if is_address(latency.from) then address = math.max(address or 0, latency.cycles)
    else value = math.max(value or 0, latency.cycles) end
  end
  return value, address
end

-- Cycles from the base of an address to what is loaded; nil if the mapping does not tell.
local function load_latency(m)
  for _, name in ipairs(landmarks.of(mappings.architecture(m)).loads) do
    local scheme = m.schemes[name]
    local based = lists.where(scheme and scheme.latencies or {}, function(latency) return latency.from:find("%.base$") end)
    local _, address = longest(#based > 0 and based or scheme and scheme.latencies or {})
    if address then return address end
  end
end

-- Cycles of a store and a load of what it stored, as the rounds of portolan.processor.first_cache_probes have them, by the mapping: from the load's
-- address, if that comes last. nil if the mapping does not tell.
local function handing_cycles(m, code)
  local function cycles_of(access)
    for _, latency in ipairs(access and (m.schemes[access.name] or {}).latencies or {}) do
      if latency.from == access.from and latency.to == access.to then return latency.cycles end
    end
  end
  local load, store = cycles_of(code.load), cycles_of(code.store)
  return load and store and load + store
end

-- The ports of schemes of one uop, of those that are named.
local function ports_of(m, names)
  return port_set.union(lists.map(names, function(name)
    local scheme = m.schemes[name]
    return scheme and scheme.uops and #scheme.uops == 1 and scheme.uops[1][1] or {}
  end))
end

-- Flags beside which auxiliary carry is neither read nor written alone, so that no chain tells it: it counts as parity, which is written with it.
local auxiliary, like = "af", "pf"

local function add_auxiliary(list)
  local known = {}
  for _, latency in ipairs(list) do known[latency.from .. ">" .. latency.to] = true end
  for i = 1, #list do
    local latency = list[i]
    for _, from in ipairs(latency.from == like and { like, auxiliary } or { latency.from }) do
      for _, to in ipairs(latency.to == like and { like, auxiliary } or { latency.to }) do
        if not known[from .. ">" .. to] then
          known[from .. ">" .. to] = true
          list[#list + 1] = { from = from, to = to, cycles = latency.cycles, same = latency.same, independent = latency.independent }
        end
      end
    end
  end
end

-- Returns the scheme that instances stand for which are of another form than those that were measured, where these are eliminated at rename;
-- nil if they are like those.
local function other_form(name, m, code)
  local scheme, other = m.schemes[name], code.executing_form(name)
  if code.moves(name) and m.forms and m.forms.itself and m.forms.itself.eliminated then return nil end
  local there = other and m.schemes[other]
  if not there or not scheme.uops or #scheme.uops > 0 or scheme.alone then return nil end
  return there.uops and #there.uops > 0 and other or nil
end

-- The stack pointer's own latencies, for what moves it at the front end: it waits for nothing but itself, and is there at once.
local function add_stack_pointer(name, list, code)
  if not code.stack_engine[name:match "^%S+"] then return end
  local scheme, known = core.isa.scheme(stand_ins.of_operands(name)), {}
  for _, latency in ipairs(list) do known[latency.from .. ">" .. latency.to] = true end
  for i, moved in ipairs(scheme and scheme.operands or {}) do
    for k, operand in ipairs(moved.fixed == "rsp" and moved.kind == "register" and scheme.operands or {}) do
      local own = k == i
      for _, from in ipairs { tostring(k), operand.kind == "memory" and k .. ".base" or nil } do
        if not known[from .. ">" .. i] then list[#list + 1] = { from = from, to = tostring(i), cycles = 0, independent = not own or nil } end
      end
    end
  end
end

-- With one register for both sources the first source's latency counts for the second: a chain is through both.
local function share_same(list)
  local same = {}
  for _, latency in ipairs(list) do same[latency.to] = same[latency.to] or latency.same end
  for _, latency in ipairs(list) do
    if not latency.same and latency.from:find "^%d+$" then latency.same = same[latency.to] end
  end
end

-- Pairs of a scheme, and what its others count. A pair that is missing is taken to be the scheme's longest of the kind; from an address it is
-- a load longer than from a value. Where no port executes the scheme, its results are there at once. `guesses`: what an update of memory in place
-- takes is said by `first_cache`, for the address that it has; else the scheme's own time in place counts.
local function set_latencies(facts, name, scheme, load, guesses, code)
  local list = {}
  for i, latency in ipairs(scheme.latencies or {}) do
    list[i] = { from = latency.from, to = latency.to, cycles = not guesses and latency.in_place or latency.cycles, same = latency.same,
      independent = latency.independent }
  end
  share_same(list)
  local value, address = longest(list)
  value = value or (type(scheme.latency) == "number" and scheme.latency) or nil
  if not value and not address and scheme.uops and #scheme.uops == 0 and not scheme.alone then value = 0 end
  if not value and not address and load and code.pops[name:match "^%S+"] then value, address = 0, load end
  facts.other_value = value or address
  facts.other_address = address or value and load and value + load or value
  add_stack_pointer(name, list, code)
  add_auxiliary(list)
  if #list > 0 then facts.latencies = list end
end

-- Tells whether the mapping measured that an instance with one register for both sources waits all the same.
local function refuted(scheme)
  return lists.any(scheme.latencies or {}, function(latency)
    return latency.same and latency.same > 0 and not is_address(latency.from)
  end)
end

-- Units by number, with the times of the schemes that use them.
local function set_units(m, facts, code)
  local units, number, busy = {}, {}, mappings.busy_units(m)
  for _, name in ipairs(lists.keys(busy)) do
    local unit = not m.schemes[name].unit and code.changes_length(name) and block_forms.prefixes or busy[name].unit
    if not number[unit] then units[#units + 1], number[unit] = unit, #units + 1 end
    facts[name].unit, facts[name].unit_cycles = number[unit], busy[name].cycles
  end
  return units
end

local function facts_of(m)
  local function late(form) return m.forms and m.forms[form] and m.forms[form].later end
  local front_end, first_cache = m.front_end or {}, m.first_cache or {}
  local all, load, any, known = {}, load_latency(m), false, landmarks.of(mappings.architecture(m))
  local code, sums = known.code, known.sums or {}
  local guesses = load ~= nil and (first_cache.straight_plain or 0) >= load
  for name, scheme in pairs(m.schemes) do
    local mnemonic = name:match "^%S+"
    local facts = { gives_late = code.gives_late[mnemonic], takes_late = code.takes_late(mnemonic),
      idiom = idioms.is(name) and not refuted(scheme), fuses = (front_end.fuses or {})[name],
      is_sum = sums[mnemonic], indexed_slots = (front_end.indexed_slots or {})[name],
      takes_copy = (front_end.takes_copy or {})[name], other_form = other_form(name, m, code) }
    set_latencies(facts, name, scheme, load, guesses, code)
    any = any or scheme.latencies ~= nil and #scheme.latencies > 0 or type(scheme.latency) == "number"
    all[name] = facts
  end
  local units, handing = set_units(m, all, code), handing_cycles(m, code)
  local facts = { schemes = all, units = units, shapes = block_forms.shapes(m, units), late_flags = late("flags"), late_sums = late("sums"),
    stack_sync = front_end.stack_sync, stack_sync_address = front_end.stack_sync_address or front_end.stack_sync,
    straight_lines = front_end.straight_lines, taken_branch = front_end.loop or front_end.taken_branch,
    load_ports = ports_of(m, known.loads), add_ports = ports_of(m, known.additions), load_cycles = load, handed_alone = first_cache.handed ~= nil,
    in_loops = block_forms.renaming(first_cache, "in_place", load, handing),
    in_straight_code = block_forms.renaming(first_cache, "straight", load, handing), stand_ins = stand_ins.all(m) }
  for _, amount in ipairs(cache_facts.amounts) do facts[amount[1]] = first_cache[amount[1]] end -- the engine takes those that it knows
  return facts, any
end

--- A model of blocks.
-- @param m mapping table
-- @return object with `mapping` (as it is for code, with the best that is known of each scheme: portolan.mapping.best_known), `latencies` (whether
-- the mapping has any) and the methods below; or nil, message, status
function block_model.of(m)
  m = best_known.of(stand_ins.add(mappings.of_code(m)))
  local compiled, message, status = mappings.compile(m)
  if not compiled then return nil, message, status end
  local facts, latencies = facts_of(m)
  local engine
  engine, message, status = core.predict.model(compiled, facts)
  if not engine then return nil, message, status end
  return setmetatable({ mapping = m, compiled = compiled, engine = engine, latencies = latencies, stand_ins = facts.stand_ins }, Model)
end

--- The times of many blocks, by the bounds.
-- @tparam {string,...} blocks machine code
-- @tparam[opt] table options
-- @tparam[opt="same"] string options.aliasing which stores loads wait for, as of portolan.block.dependencies
-- @tparam[opt="apart"] string options.start one of block_model.starts
-- @tparam[opt=1] int options.threads 0: one per processor
-- @treturn table `{ cycles =, limit =, unknown =, lacking_latency = }`, a list each, with false where a block could not be decoded, and `error`:
-- block -> why
function Model:bounds(blocks, options) return self.engine:bounds(blocks, options) end

--- The same, simulated cycle by cycle (engine/predict/simulate.h): never less than the bounds, and slower to get.
-- @param blocks machine code
-- @param options as of `bounds`
-- @return as `bounds`; `limit` is that of the bounds
function Model:simulate(blocks, options) return self.engine:simulate(blocks, options) end

--- Tells what bounds one block, and why.
-- @tparam string bytes machine code
-- @tparam[opt] table options `aliasing`; `loop`: true if it runs as a loop, even if its last jump does not tell;
-- `simulate`: also `simulated_cycles`, unless it has too many uops
-- @treturn table `cycles`; `limit`, one of block_model.limits; `bounds`, limit -> cycles; `load`, port -> cycles; `bottleneck`, ports; `unit`,
-- its name; `slots`, `uops`; `loop`, boolean; `items`, list of `{ scheme =, known_as = scheme that it is taken for, known =, uops = list,
-- slots =, fused = with the one before, with_next = a copy in one slot with the next one, lacks_latency = something waits through it for unknown
-- cycles }`; `critical`, list of `{ from = item, to = item, through = register, flag or "memory", out = place of from, at = place of to,
-- result = place of to, latency = cycles from at to result, distance = iterations }`; or nil, message, status
function Model:explain(bytes, options) return self.engine:explain(bytes, options) end

--- The schemes of a block that the mapping does not explain.
-- @param bytes machine code that can be decoded
-- @return sorted list of names
function Model:unknown(bytes)
  local items = lists.where(assert(self.engine:explain(bytes)).items, function(item) return not item.known end)
  return lists.keys(lists.set(lists.map(items, function(item) return item.scheme end)))
end

--- Tells what single changes would give, by the bounds.
-- @param bytes machine code
-- @param[opt] options as of `explain`
-- @treturn table `without`, cycles by instruction, which blocks of more than 512 instructions do not have; `port`, port -> cycles with a second
-- one of its kind; `slot`, cycles with one more issue slot a cycle; or nil, message, status
function Model:what_if(bytes, options) return self.engine:what_if(bytes, options) end

--- The first iterations of a block, simulated in a core that is empty at first: for pictures. `simulate` says how long later ones take.
-- @param bytes machine code
-- @tparam[opt] table options `aliasing`, `start`, `loop` as of `explain`; `iterations` (4), at most 64
-- @treturn table list of `{ iteration =, item = from 1; issued = the cycle from 0; uops = list of { cycle = in which it begins, port = name or
-- nil }; done = the cycle from which all its results are there, nil if that was not to be seen }`, in the order of issue; or nil, message, status
function Model:timeline(bytes, options) return self.engine:timeline(bytes, options) end

return block_model
