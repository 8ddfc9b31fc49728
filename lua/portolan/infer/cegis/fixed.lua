--- Schemes whose ports are given: where they go among the unknowns, and what their ports are called.
--
-- The solver orders ports lexicographically by the schemes that they run, since ports have no names (and the uops of a scheme
-- likewise). Given ports have names. They fit in if the given schemes come first, and their ports are numbered so that their
-- columns descend: ports with equal columns are interchangeable as far as is given, all others are apart by what is given
-- already, and no order of the rest can contradict that.
-- @module portolan.infer.cegis.fixed
local port_set = require "portolan.mapping.ports"

local fixed = {}

--- The names with those first that have given ports, otherwise in the same order.
function fixed.first(names, given)
  local order = {}
  for _, wanted in ipairs { true, false } do
    for _, name in ipairs(names) do
      if (given[name] ~= nil) == wanted then order[#order + 1] = name end
    end
  end
  return order
end

--- One set of port names per uop.
-- @param ports list of port names (a single uop), or the uops of mapping.json: list of `{ ports, multiplicity }`
-- @treturn {{[string]=true},...}
function fixed.uops(ports)
  local sets = {}
  for _, uop in ipairs(type(ports[1]) == "table" and ports or { { ports, 1 } }) do
    for _ = 1, uop[2] or 1 do
      sets[#sets + 1] = port_set.of(uop[1])
    end
  end
  return sets
end

-- The names of all ports in the rows.
local function port_names(rows)
  local all = {}
  for _, row in ipairs(rows) do
    for port in pairs(row.set) do all[port] = true end
  end
  return port_set.list(all)
end

-- Sorts by what each item has, descending lexicographically; stable. has(item, k) for k = 1 .. n. True if that moved anything.
local function sort(list, first, last, n, has)
  local moved = false
  local function before(a, b)
    for k = 1, n do
      local x, y = has(a, k), has(b, k)
      if x ~= y then return x end
    end
    return false
  end
  for i = first + 1, last do
    local item, at = list[i], i
    while at > first and before(item, list[at - 1]) do
      list[at] = list[at - 1]
      at = at - 1
    end
    list[at] = item
    moved = moved or at ~= i
  end
  return moved
end

-- Rows (uops of one scheme) and ports in turn until both are in order: every move raises the matrix, read row by row.
local function settle(rows, ports)
  repeat
    local moved = sort(ports, 1, #ports, #rows, function(port, r) return rows[r].set[port] or false end)
    local first = 1
    for r = 1, #rows do
      if r == #rows or rows[r + 1].scheme ~= rows[r].scheme then
        moved = sort(rows, first, r, #ports, function(row, k) return row.set[ports[k]] or false end) or moved
        first = r + 1
      end
    end
  until not moved
end

--- Puts what is given into the solver's terms.
-- @param u unknowns, whose first schemes are those with given ports
-- @param given name -> ports, see `uops`
-- @return port masks per row (0: not given), names of the ports in the solver's order; or nil and a message
function fixed.rows(u, given)
  local rows, masks = {}, {}
  for name in pairs(given) do
    if not u.number[name] then return nil, ("the ports of '%s' are given, but it is not one of the schemes"):format(name) end
  end
  for i, name in ipairs(u.names) do
    if not given[name] then break end
    local sets = fixed.uops(given[name])
    if #sets ~= u.uops[i] then
      return nil, ("the given ports of '%s' are those of %d uops, but it has %d; leave it out, or say how many uops it has")
        :format(name, #sets, u.uops[i])
    end
    for _, set in ipairs(sets) do
      if not next(set) then return nil, ("the given ports of '%s' are none; leave it out"):format(name) end
      rows[#rows + 1] = { scheme = i, set = set }
    end
  end
  local ports = port_names(rows)
  if #ports > 32 then return nil, ("%d ports are given, but a mapping has 32 at most"):format(#ports) end
  settle(rows, ports)
  for r = 1, u.rows do
    masks[r] = 0
    for k, port in ipairs(ports) do
      if rows[r] and rows[r].set[port] then masks[r] = masks[r] | 1 << (k - 1) end
    end
  end
  return masks, ports
end

return fixed
