-- These features say how an instruction is encoded, on top of the usual ones: decoders care about lengths and prefixes.
--
--    portolan domain check scripts/examples/features/encoding.lua
--    portolan domain show scripts/examples/features/encoding.lua 'add ax, 1000; vaddps ymm0, ymm1, ymm2'

-- A lattice of one's own: lengths from a to b bytes, written { a, b }. Each step lets in one more length, up to all of 1 ... 15.
local longest = 15
local lengths = {
  represent = function(length) return { length, length } end,
  leq = function(x, y) return y[1] <= x[1] and x[2] <= y[2] end,
  concretize = function(x, length) return x[1] <= length and length <= x[2] end,
  expansions = function(x)
    local list = {}
    if x[1] > 1 then list[#list + 1] = { x[1] - 1, x[2] } end
    if x[2] < longest then list[#list + 1] = { x[1], x[2] + 1 } end
    return list
  end,
  join = function(x, y) return { math.min(x[1], y[1]), math.max(x[2], y[2]) } end,
  text = function(x) return x[1] == x[2] and ("%d bytes"):format(x[1]) or ("%d to %d bytes"):format(x[1], x[2]) end,
}

local legacy = { [0x66] = "66", [0xF2] = "F2", [0xF3] = "F3", [0xF0] = "F0", [0x67] = "67" }

-- The prefixes of a simple instance. A VEX prefix takes the place of all of them.
local function prefixes(scheme)
  local code, list = bytes(scheme), {}
  for k = 1, #code do
    local byte = code:byte(k)
    if scheme.encoding == "vex" then return { byte == 0xC5 and "VEX2" or "VEX3" } end
    if scheme.encoding == "evex" then return { "EVEX" } end
    if not legacy[byte] then
      if byte & 0xF0 == 0x40 then list[#list + 1] = byte & 8 ~= 0 and "REX.W" or "REX" end
      return list
    end
    list[#list + 1] = legacy[byte]
  end
  return list
end

return {
  "default",
  { name = "length", lattice = lengths, value = function(scheme) return #bytes(scheme) end },
  { name = "encoding", lattice = "singleton", value = function(scheme) return scheme.encoding end },
  { name = "prefixes", lattice = "subset", value = prefixes },
}
