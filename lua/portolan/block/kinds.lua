--- Kinds of basic blocks: what their instructions work on, and what they do with memory. Every block is of one kind.
-- @module portolan.block.kinds
local core = require "portolan.core"

local block_kinds = {}

--- All kinds, in the order in which tables have them.
block_kinds.list = { "scalar", "scalar, loads", "scalar, stores", "scalar, loads and stores",
  "vector", "vector, loads", "vector, stores", "vector, loads and stores" }

local memory_words = { [true] = { [true] = ", loads and stores", [false] = ", loads" }, [false] = { [true] = ", stores", [false] = "" } }

--- The kind of a block: "vector" if an instruction names a vector register, "loads" if one reads memory, "stores" if one writes it. Pushes store,
-- pops load, an addition to memory does both.
-- @param bytes machine code
-- @return one of `block_kinds.list`; or nil and a message
function block_kinds.of(bytes)
  local accesses, message = core.isa.accesses(bytes)
  if not accesses then return nil, message end
  local vector, loads, stores = false, false, false
  for _, access in ipairs(accesses) do
    for _, set in ipairs { access.read, access.written, access.address } do
      for _, name in ipairs(set) do vector = vector or name:find "^[xyz]mm" ~= nil end
    end
    for _, memory in ipairs(access.memory) do loads, stores = loads or memory.reads, stores or memory.writes end
  end
  return (vector and "vector" or "scalar") .. memory_words[loads][stores]
end

return block_kinds
