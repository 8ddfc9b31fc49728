--- Loop bodies that ask how long a scheme takes for named kinds of values: divisions, and string instructions by length.
--
-- Every instance gets its values by moves ahead of it, so that none waits for the one before. These moves are far faster than what they are for.
-- @module portolan.processor.kind_probes
local core = require "portolan.core"

local kind_probes = {}

local instances = 40 -- in a loop body

local accumulators = { [8] = { "ah", "al" }, [16] = { "dx", "ax" }, [32] = { "edx", "eax" }, [64] = { "rdx", "rax" } }
local divisors = { [8] = "cl", [16] = "cx", [32] = "ecx", [64] = "rcx" }
local words = { [8] = "byte", [16] = "word", [32] = "dword", [64] = "qword" }

local function largest(bits) return bits == 64 and -1 or (1 << bits) - 1 end

-- Kinds of divisions: upper and lower half of the dividend, divisor. Quotients fit.
local function divisions(signed, bits)
  local most = signed and largest(bits) >> 1 & (1 << bits - 1) - 1 or largest(bits)
  local wide = 1 << bits - 2 | 1
  local list = {
    { "dividend 0, divisor 7", 0, 0, 7 },
    { "dividend 100, divisor 7", 0, 100, 7 },
    { ("dividend 2^%d - 1, divisor 3"):format(signed and bits - 1 or bits), 0, most, 3 },
    { ("dividend of more than %d bits, divisor above 2^%d"):format(bits, bits - 2), 1 << bits - 4, 5, wide },
  }
  if signed then list[#list + 1] = { "dividend -100, divisor 7", largest(bits), -100 & largest(bits), 7 } end
  return list
end

-- Returns the instructions that set the two halves: for 8 bits they are parts of one register.
local function dividend(bits, upper, lower)
  if bits == 8 then return ("mov eax, %d"):format(upper << 8 | lower) end
  local names = accumulators[bits]
  if bits == 16 then names = accumulators[32] end -- no prefix that changes a length
  return ("mov %s, %d\nmov %s, %d"):format(names[1], upper, names[2], lower)
end

-- A loop body: once `first`, then instances with `ahead`; or nil and a message.
local function body(first, ahead, text, count)
  local code, message = core.isa.assemble(first .. "\n" .. (ahead .. "\n" .. text .. "\n"):rep(count or instances))
  if not code then return nil, message end
  return { { bytes = code.bytes, copies = count or instances, vector_bits = 0 } }
end

local function of_division(scheme)
  local o = scheme.operands[1]
  local bits = o.width
  local operand = o.kind == "memory" and words[bits] .. " ptr [r14]" or divisors[bits]
  local list = {}
  for i, kind in ipairs(divisions(scheme.mnemonic == "idiv", bits)) do
    local values, upper, lower, divisor = table.unpack(kind)
    local first = ("mov rcx, %d\nmov qword ptr [r14], rcx"):format(divisor)
    list[i] = { values = values, kernels = function()
      return body(first, dividend(bits, upper, lower), scheme.mnemonic .. " " .. operand)
    end }
  end
  return list
end

local elements = { b = 1, w = 2, d = 4, q = 8 }
local repeated = { movs = "rep", stos = "rep", lods = "rep", cmps = "repe", scas = "repne" } -- prefix with which the whole length is worked on
local lengths = { 8, 64, 256, 1024 } -- bytes; the source is 2048 away
local to_destination, to_source = "mov rdi, r14", "lea rsi, [r14 + 2048]"
local pointers = { movs = to_destination .. "\n" .. to_source, stos = to_destination, lods = to_source, cmps = to_destination .. "\n" .. to_source,
  scas = to_destination }
local begin = "cld\nmov eax, 119" -- a number that no byte of memory has

-- The prefix, the operation and the bytes of an element; nil if it is no string instruction that can be asked.
local function string_parts(scheme)
  local operation, size = scheme.mnemonic:match("^(%l%l%l%l)([bwdq])$")
  local bytes = scheme.category == "STRINGOP" and operation and elements[size]
  local prefix = scheme.prefixes[1]
  if not bytes or not repeated[operation] or #scheme.prefixes > 1 then return nil end
  if prefix and prefix ~= repeated[operation] then return nil end
  return prefix, operation, bytes
end

local function of_string(scheme)
  local prefix, operation, bytes = string_parts(scheme)
  if not prefix then
    return { { values = "1 element", bytes = bytes, kernels = function() return body(begin, pointers[operation], scheme.mnemonic) end } }
  end
  local list = {}
  for i, length in ipairs(lengths) do
    list[i] = { values = ("%d bytes"):format(length), bytes = length, kernels = function()
      return body(begin, ("%s\nmov ecx, %d"):format(pointers[operation], length // bytes), prefix .. " " .. scheme.mnemonic, 4)
    end }
  end
  return list
end

local is_division = { div = true, idiv = true }

--- Is a scheme one that cannot be measured without values of its own? (Pointers and counts of string instructions.)
function kind_probes.only(scheme) return string_parts(scheme) ~= nil or scheme.category == "STRINGOP" end

--- Lists what to measure of a scheme.
-- @param scheme table of `portolan.scheme.isa`
-- @return list of `{ values = text, bytes = (of string instructions) worked on, kernels = function() -> variants, or nil and a message }`;
-- nil if no kinds of values are known for it
function kind_probes.of(scheme)
  if is_division[scheme.mnemonic] then return of_division(scheme) end
  local _, operation = string_parts(scheme)
  return operation and of_string(scheme) or nil
end

return kind_probes
