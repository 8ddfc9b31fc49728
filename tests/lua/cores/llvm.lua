-- What llvm-mca 19 says of a core, repaired where hardware is known to differ. Needs llvm-19.
local core = require "portolan.core"
local memory_use = require "portolan.scheme.memory_use"
local mapping = require("portolan").mapping -- which reads llvm-mca's, too

local llvm = {}

--- The ports of a uop as one word.
function llvm.ports(uop) return table.concat(uop[1], " ") end

-- Moves between registers and NOPs may be eliminated; of other schemes without uops the tables just say nothing.
local function can_be_eliminated(name)
  local scheme = core.isa.scheme(name)
  return scheme and (scheme.mnemonic:find "^v?mov" or scheme.mnemonic == "nop" or scheme.mnemonic == "xchg")
end

-- What the tables have wrong beyond repair: no uop loads what is read or stores what is written, nothing is left of a scheme, or nothing merges
-- what a narrow load leaves of its register.
local function is_dubious(name, scheme, load, store)
  if scheme.status ~= "explained" then return false end
  if #scheme.uops == 0 or name:find "^mov[sz]?x? r8, m" or name:find "^mov[sz]?x? r16, m" then return true end
  local use = memory_use(name)
  local loads, stores = not use.reads, not use.writes
  for _, uop in ipairs(scheme.uops) do
    loads, stores = loads or llvm.ports(uop):find(load) ~= nil, stores or llvm.ports(uop):find(store) ~= nil
  end
  return not (loads and stores)
end

--- Takes out what the tables have wrong.
-- @param m mapping
-- @param load pattern of the ports of loads
-- @param store pattern of the ports of a store's data
function llvm.without_dubious(m, load, store)
  for name, scheme in pairs(m.schemes) do
    if is_dubious(name, scheme, load, store) then m.schemes[name] = nil end
  end
  return m
end

--- The mapping of a core; issue slots are left to micro-fusion (LLVM's count uops that cores fuse).
-- @param cpu LLVM's name of it
-- @param width issue slots a cycle
-- @param load pattern of the ports of loads
-- @param store pattern of the ports of a store's data
-- @param repair function(name, scheme) -> uops
function llvm.mapping(cpu, width, load, store, repair)
  local m = assert(mapping.load(("llvm-mca-19:%s#all"):format(cpu)))
  for name, scheme in pairs(m.schemes) do
    if scheme.status == "eliminated at rename" and not can_be_eliminated(name) then
      m.schemes[name] = nil
    elseif scheme.uops then
      scheme.uops = repair(name, scheme)
      scheme.slots, scheme.tp, scheme.note, scheme.assumed = nil, nil, nil, nil
    end
  end
  m.rmax = width
  return llvm.without_dubious(m, load, store)
end

--- Gives a mapping the ports that its schemes use.
function llvm.used_ports(m)
  local seen, list = {}, {}
  for _, scheme in pairs(m.schemes) do
    for _, uop in ipairs(scheme.uops or {}) do
      for _, port in ipairs(uop[1]) do
        if not seen[port] then seen[port], list[#list + 1] = true, port end
      end
    end
  end
  table.sort(list)
  m.ports = list
  return m
end

--- Gives a scheme, if the mapping has it, no uops and no latency: rename does its work.
function llvm.eliminate(m, names, misfit)
  for _, name in ipairs(names) do
    local scheme = m.schemes[name]
    if scheme then
      scheme.uops, scheme.slots, scheme.status, scheme.misfit = {}, 1, "eliminated at rename", misfit
      scheme.latency, scheme.latencies = nil, nil
    end
  end
end

--- Has rename do the work of a share of the instances of schemes.
function llvm.eliminate_partly(m, names, share, ports)
  for _, name in ipairs(names) do
    local scheme = m.schemes[name]
    if scheme then
      scheme.uops, scheme.slots, scheme.status, scheme.misfit = { { ports, 1 } }, 1, "eliminated at rename", { eliminated = share }
    end
  end
end

return llvm
