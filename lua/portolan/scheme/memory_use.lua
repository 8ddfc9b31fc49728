--- This module tells what a scheme's memory operands do, by Portolan's name of the scheme or pmtestbench's (`add dword ptr RW:MEM(32), R:GPR:32`).
-- @module portolan.scheme.memory_use
local core = require "portolan.core"
local landmarks = require "portolan.scheme.landmarks"

local function of_scheme(scheme)
  local moving = landmarks.of(scheme.architecture).moves
  local use = { reads = false, writes = false, moves = moving[scheme.category] or false, widths = {} }
  for _, operand in ipairs(scheme.operands) do
    if operand.kind == "memory" and scheme.category ~= "WIDENOP" then -- long NOPs name memory and leave it alone
      use.reads = use.reads or operand.access:find("r", 1, true) ~= nil
      use.writes = use.writes or operand.access:find("w", 1, true) ~= nil
      use.widths[#use.widths + 1] = operand.width
    end
  end
  return use
end

local function of_text(name)
  local mnemonic = name:match("^%S+") or ""
  local moves = mnemonic:find("^v?p?mov") or mnemonic:find("^v?p?broadcast") or mnemonic:find("^v?lddqu")
  local use = { reads = false, writes = false, moves = moves ~= nil, widths = {} }
  for access, width in name:gmatch("(%u+):MEM%((%d+)%)") do
    use.reads = use.reads or access:find("R", 1, true) ~= nil
    use.writes = use.writes or access:find("W", 1, true) ~= nil
    use.widths[#use.widths + 1] = tonumber(width)
  end
  return use
end

--- @param name of a scheme
-- @return `{ reads = boolean, writes = boolean, moves = boolean (the scheme only copies), widths = list of bits }`
return function(name)
  local scheme = core.isa.scheme(name)
  return scheme and of_scheme(scheme) or of_text(name)
end
