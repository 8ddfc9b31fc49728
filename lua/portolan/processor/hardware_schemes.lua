--- This module answers what strategies ask of schemes on this machine's processor that nobody needs to measure; its functions are methods of
-- portolan.processor.hardware.
-- @module portolan.processor.hardware_schemes
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"

local methods = {}

--- Returns how many zeroing idioms go ahead of each instance of a scheme, so that it does not wait for the one before (engine/isa/breaker.h).
-- They take issue slots beside its own.
function methods.breakers(_, name)
  local scheme = core.isa.scheme(name)
  return scheme and scheme.breakers or 0
end

--- The names of the schemes that stand around each instance of a scheme (portolan.mapping.companions); nil: there are none.
function methods.companions(_, name)
  local scheme = core.isa.scheme(name)
  return scheme and scheme.companions
end

--- Lists what may fill the front end (portolan.processor.filler). Tools that measure borrow this, and know no facts.
-- @return names; schemes to test them beside
function methods:fillers()
  local marks = landmarks.of(self.facts and self.facts.architecture)
  return lists.map(marks.fillers, function(candidate) return candidate.name end), marks.various
end

--- The mode that a scheme brings the core into: the bits of its widest vectors (many cores lower their clock for wide ones).
function methods.mode(_, name) return isa.vector_bits(name) end

local vector = { xmm = true, ymm = true, zmm = true, b = true, h = true, s = true, d = true, q = true, v = true }

-- Immediates that hold up some decoders. 16-bit ones change the length of the instruction that a prefix announces, which stalls now and then; 64-bit
-- ones take the room of two in caches of decoded instructions (on Zen 3 three go a cycle, to four adders).
local function has_long_immediate(scheme)
  return scheme.architecture == "x86_64" and (scheme.name:find("imm16", 1, true) or scheme.name:find("imm64", 1, true)) ~= nil
end

-- Does an instance wait for others by registers that no choice of operands keeps apart? What reads fixed registers waits for whatever writes them.
-- What updates a vector register (masked operations, FMA) is a chain of several cycles a link, which the one beside it becomes part of.
local function waits(scheme)
  for _, operand in ipairs(scheme.operands) do
    local register = operand.kind == "register"
    if register and operand.fixed and operand.class ~= "flags" and operand.access:find("r", 1, true) then return true end
    if register and vector[operand.class] and operand.access == "rw" then return true end
  end
  return false
end

--- Is a scheme unfit to be repeated many times beside another one, though its uops are not to blame? "waits": for registers that others write;
-- "decoder": it holds that up; "flags": it reads flags, and waits for what writes them (cmovb for vcomiss); nil: it is fit.
function methods.avoids(_, name)
  local scheme = core.isa.scheme(name)
  if not scheme or waits(scheme) then return "waits" end
  if has_long_immediate(scheme) then return "decoder" end
  if #scheme.flags_read > 0 then return "flags" end
end

return methods
