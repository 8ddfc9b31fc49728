--- The connectors that a processor has, and the paths that they make from kind to kind.
-- @module portolan.infer.latency.network
local architectures = require "portolan.support.architectures"
local constants = require "portolan.infer.latency.constants"
local file = require "portolan.support.file"
local kinds = require "portolan.infer.latency.kinds"
local lists = require "portolan.support.lists"
local paths = require "portolan.support.paths"

local network = {}
network.__index = network

local longest = 4 -- connectors in a path: from a narrow register through memory to another file

--- Connectors of arch/ARCHITECTURE/connectors.lua.
-- @param usable function(scheme) -> whether the processor has it, and it can be measured
-- @tparam[opt] string architecture by default the host's
-- @return network: `connectors` and `delays` (`{ from =, to =, scheme =, input =, output =, domain = }`), `gauges`, and `flags`
-- (arch/x86_64/connectors.lua); or nil and a message
function network.new(usable, architecture)
  architecture = architecture or architectures.default()
  local path = paths.arch(architecture, "connectors.lua")
  if file.kind(path) ~= "file" then return nil, ("no latencies of %s: Portolan knows no chains there (it has no %s)"):format(architecture, path) end
  local data = paths.data(architecture, "connectors.lua")
  local self = setmetatable({ connectors = {}, delays = {}, gauges = {}, flags = data.flags, known = {} }, network)
  for _, c in ipairs(data.connectors) do
    if usable(c.scheme) then self.connectors[#self.connectors + 1] = c end
  end
  for _, d in ipairs(data.delays) do
    if usable(d.scheme) then
      d.from, d.to = d.kind, d.kind
      self.delays[#self.delays + 1] = d
    end
  end
  for _, g in ipairs(data.gauges) do
    if usable(g.scheme) then self.gauges[#self.gauges + 1] = g end
  end
  return self
end

-- All paths of so many connectors, in the order of the file; no kind twice.
local function extend(self, path, at, to, length, found)
  if length == 0 then
    if kinds.feed(at, to) then found[#found + 1] = table.move(path, 1, #path, 1, {}) end
    return
  end
  for _, c in ipairs(self.connectors) do
    local again = false
    for _, before in ipairs(path) do again = again or before.from == c.to end
    if kinds.feed(at, c.from) and not again and not kinds.feed(at, c.to) then
      path[#path + 1] = c
      extend(self, path, c.to, to, length - 1, found)
      path[#path] = nil
    end
  end
end

-- Those that share as little as possible, the first one among them.
local function varied(found, most)
  local chosen, used = { found[1] }, {}
  for _, c in ipairs(found[1] or {}) do used[c.scheme] = true end
  while #chosen < math.min(most, #found) do
    local best, least
    for _, path in ipairs(found) do
      local shared = lists.sum(path, function(c) return used[c.scheme] and 1 or 0 end)
      if not least or shared < least then best, least = path, shared end
    end
    if least == #best then break end
    for _, c in ipairs(best) do used[c.scheme] = true end
    chosen[#chosen + 1] = best
  end
  return chosen
end

--- The shortest paths between two kinds.
-- @param from kind that is written
-- @param to kind that is read
-- @tparam[opt] int most paths; as different as they can be
-- @tparam[opt=0] int detour connectors by which paths may be longer than the shortest
-- @return list of paths, each a list of connectors; an empty path where the one feeds the other; an empty list where nothing connects them
function network:paths(from, to, most, detour)
  most = most or constants.paths
  if kinds.feed(from, to) then return { {} } end
  local key = ("%s %s %d %d"):format(from, to, most, detour or 0)
  if not self.known[key] then
    local found = {}
    local last = longest
    for length = 1, longest do
      extend(self, {}, from, to, length, found)
      if #found > 0 then last = math.min(last, length + (detour or 0)) end
      if length >= last then break end
    end
    self.known[key] = varied(found, most)
  end
  return self.known[key]
end

--- Paths with a place for delays in them.
-- @param from kind that is written
-- @param to kind that is read
-- @tparam[opt] string domain only delays of this domain
-- @return shortest list of connectors before, list of them behind, the delay; nil if there is no such path
function network:delayed(from, to, domain)
  local best, least
  for _, delay in ipairs(self.delays) do
    local before, behind = self:paths(from, delay.from, 1)[1], self:paths(delay.to, to, 1)[1]
    local length = before and behind and #before + #behind
    if length and (not domain or delay.domain == domain) and (not least or length < least) then best, least = { before, behind, delay }, length end
  end
  if best then return best[1], best[2], best[3] end
end

return network
