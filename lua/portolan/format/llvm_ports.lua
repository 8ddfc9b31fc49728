--- Ports and sets of ports as LLVM's TableGen has them: `ProcResource` and `ProcResGroup`.
-- @module portolan.format.llvm_ports
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local llvm_ports = {}

local width = 120 -- of lines, where they can be broken

--- Text as part of an identifier.
function llvm_ports.identifier(text) return (text:gsub("[^%w]+", "_"):gsub("^_", ""):gsub("_$", "")) end

local identifier = llvm_ports.identifier

-- Names of ports and of sets of them, in TableGen: no two the same.
local function namer(m, prefix)
  local long, of_port, taken = false, {}, {}
  for _, port in ipairs(m.ports) do long = long or #identifier(port) ~= 1 end
  local function free(name) return lists.free_name(name, taken, "_") end
  for _, port in ipairs(m.ports) do of_port[port] = free(("%sPort%s"):format(prefix, identifier(port))) end
  return of_port, function(ports)
    local parts = lists.map(ports, identifier)
    return free(("%sPort%s"):format(prefix, table.concat(parts, long and "_" or "")))
  end
end

--- Items with commas, in lines that are not too long.
function llvm_ports.wrapped(items, indent)
  local lines, line = {}, ""
  for i, item in ipairs(items) do
    local word = item .. (i < #items and "," or "")
    if line ~= "" and #indent + #line + 1 + #word > width then
      lines[#lines + 1] = line
      line = word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n" .. indent)
end

-- The different sets of more than one port that uops of groups go to, in the order of the groups.
local function sets_of(groups)
  local sets, seen = {}, {}
  for _, group in ipairs(groups) do
    for _, uop in ipairs(group.uops) do
      local key = port_set.key(uop[1])
      if #uop[1] > 1 and not seen[key] then sets[#sets + 1] = uop[1] end
      seen[key] = true
    end
  end
  return sets
end

-- LLVM wants a group around any two that overlap. Is there one?
local function is_covered(sets, a, b)
  if not port_set.overlap(a, b) then return true end
  return lists.any(sets, function(set) return port_set.within(a, set) and port_set.within(b, set) end)
end

-- All ports of the sets, in the mapping's order, if that is a set that LLVM wants; otherwise nil.
local function wanted_set(m, sets)
  for i, a in ipairs(sets) do
    for k = 1, i - 1 do
      if not is_covered(sets, a, sets[k]) then
        local all = {}
        for _, port in ipairs(m.ports) do
          for _, set in ipairs(sets) do
            if port_set.within({ port }, set) then
              all[#all + 1] = port
              break
            end
          end
        end
        return all
      end
    end
  end
end

--- Defines the ports and the sets of them.
-- @param m mapping
-- @param groups list of `{ uops = }`, their ports in the mapping's order
-- @param prefix what all names begin with
-- @return names by the key of a set (portolan.mapping.ports; that of one port is the port); text
function llvm_ports.define(m, groups, prefix)
  local of_port, new_set = namer(m, prefix)
  local parts, names, sets = { "// Ports.\n" }, {}, sets_of(groups)
  local function add(set)
    local members = lists.map(set, function(port) return of_port[port] end)
    local name = new_set(set)
    names[port_set.key(set)] = name
    parts[#parts + 1] = ("def %s : ProcResGroup<[%s]>;\n"):format(name, llvm_ports.wrapped(members, "    "))
  end
  for _, port in ipairs(m.ports) do
    parts[#parts + 1] = ("def %s : ProcResource<1>;\n"):format(of_port[port])
    names[port] = of_port[port]
  end
  if #sets > 0 then parts[#parts + 1] = "\n// Sets of ports that uops can choose from.\n" end
  for _, set in ipairs(sets) do add(set) end
  local wanted = wanted_set(m, sets)
  if wanted then
    parts[#parts + 1] = "// Of no uop: LLVM wants a group around groups that overlap.\n"
    add(wanted)
  end
  return names, table.concat(parts)
end

return llvm_ports
