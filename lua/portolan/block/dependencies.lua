--- This module tells what the instructions of a block wait for, when it runs in a loop, and how fast that lets it run.
--
-- An instruction waits for the last one before it, in this iteration or the one before, that wrote a register, a flag or memory that it
-- reads. Registers count as a whole, whatever part of them is named; flags one by one. The bound is the largest cycle ratio of these
-- waits (engine/schedule/cycle_ratio.h): latencies round a cycle by its iterations. Nothing else is known here: how long a result takes,
-- and whether memory of two addresses is the same, is up to the caller.
-- @module portolan.block.dependencies
local core = require "portolan.core"
local idioms = require "portolan.scheme.idioms"
local lists = require "portolan.support.lists"

local dependencies = {}

--- This may be assumed of memory: `no` load waits for a store; those of the `same` address do, written alike, with registers that nothing
-- changes in between; `all` do.
dependencies.aliasing = { no = true, same = true, all = true }

-- Does a zeroing idiom stand here? All that it reads is one register.
local function is_zeroing(access) return #access.read == 1 and idioms.is(access.scheme) end

-- Holds who wrote what, in program order: place -> { instruction, iteration }.
local Writers = {}
Writers.__index = Writers

local function each_flag(bits, visit)
  local bit = 0
  while bits >> bit ~= 0 do
    if bits >> bit & 1 == 1 then visit("flag " .. bit) end
    bit = bit + 1
  end
end

-- Two accesses overlap if they are written alike but for displacements that are near enough.
local function overlap(x, y)
  return x.base == y.base and x.index == y.index and x.segment == y.segment and x.scale == y.scale
    and x.displacement < y.displacement + y.bytes and y.displacement < x.displacement + x.bytes
end

-- Tells whether a register of the address was written after a store that the writers know.
local function moved(self, memory, store)
  for _, name in ipairs { memory.base, memory.index } do
    local writer = self.of[name]
    if writer and writer.time >= store.time then return true end
  end
  return false
end

-- The last store that a load waits for.
local function store_before(self, memory)
  for i = #self.stores, 1, -1 do
    local store = self.stores[i]
    if self.aliasing == "all" or overlap(memory, store.memory) and not moved(self, memory, store) then return store end
  end
end

-- Notes what instruction i of an iteration writes.
function Writers:note(access, i, iteration, time)
  local entry = { instruction = i, iteration = iteration, time = time }
  for _, name in ipairs(access.written) do self.of[name] = entry end
  each_flag(access.flags_written, function(name) self.of[name] = entry end)
  for _, memory in ipairs(access.memory) do
    if memory.writes and self.aliasing ~= "no" then
      self.stores[#self.stores + 1] = { instruction = i, iteration = iteration, time = time, memory = memory }
    end
  end
end

-- Calls visit(kind, writer, what) for all that an instruction waits for.
function Writers:each(access, zeroing, visit)
  local function see(kind, name) if self.of[name] then visit(kind, self.of[name], name) end end
  if not zeroing then
    for _, name in ipairs(access.read) do see("value", name) end
  end
  for _, name in ipairs(access.address) do see("address", name) end
  each_flag(access.flags_read, function(name) see("value", name) end)
  for _, memory in ipairs(access.memory) do
    local store = memory.reads and store_before(self, memory)
    if store then visit("address", store, "memory") end
  end
end

--- The waits of a block.
-- @tparam string bytes machine code
-- @tparam[opt] table options
-- @tparam[opt="no"] string options.aliasing one of `dependencies.aliasing`
-- @tparam[opt=true] boolean options.idioms zeroing idioms wait for nothing
-- @tparam[opt] string options.architecture by default the host's
-- @return list of `{ from = instruction, to = instruction, through = register, flag or "memory", kind = "value" or "address": of memory or
-- what is read from it, distance = iterations }`; list of what instructions access (`core.isa.accesses`); or nil and a message
function dependencies.of(bytes, options)
  options = options or {}
  local accesses, message = core.isa.accesses(bytes, options.architecture)
  if not accesses then return nil, message end
  local writers, waits, time = setmetatable({ of = {}, stores = {}, aliasing = options.aliasing or "no" }, Writers), {}, 0
  for iteration = 0, 1 do
    for i, access in ipairs(accesses) do
      time = time + 1
      if iteration == 1 then
        writers:each(access, options.idioms ~= false and is_zeroing(access), function(kind, writer, what)
          waits[#waits + 1] = { from = writer.instruction, to = i, through = what, kind = kind, distance = 1 - writer.iteration }
        end)
      end
      writers:note(access, i, iteration, time)
    end
  end
  return waits, accesses
end

-- Two nodes for each instruction: its values and its addresses, whose latencies may differ.
local function node_of(instruction, kind) return 2 * instruction - (kind == "value" and 1 or 0) end

--- The fastest that waits let an iteration be.
-- @param waits of `of`
-- @tparam int count of instructions
-- @tparam func latency function(instruction, kind) -> cycles from what an instruction waits for, a value or an address, to its result
-- @return cycles per iteration, 0 if no iteration waits for another; the waits of a cycle that takes so long, in their order; or nil and a
-- message
function dependencies.bound(waits, count, latency)
  local edges, origin, waiting = {}, {}, {}
  for _, wait in ipairs(waits) do waiting[node_of(wait.to, wait.kind)] = true end
  for _, wait in ipairs(waits) do
    for _, kind in ipairs { "value", "address" } do
      local from = node_of(wait.from, kind)
      if waiting[from] then
        edges[#edges + 1] = { from, node_of(wait.to, wait.kind), latency(wait.from, kind), wait.distance }
        origin[#edges] = wait
      end
    end
  end
  local ratio, cycle = core.model.cycle_ratio(2 * count, edges)
  if not ratio then return nil, cycle end
  local list = lists.map(cycle, function(edge) return origin[edge] end)
  return ratio, list
end

return dependencies
