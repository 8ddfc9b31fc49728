--- Branches of object files whose distance the linker fills in: those to a place of the same section get it here, the others go elsewhere.
-- @module portolan.code.relocations
local relocations = {}

local entry_size = 24 -- Elf64_Rela

-- The word of a branch with its distance, in the bits [first, first + count); nil if it does not reach.
local function with_distance(word, distance, field)
  local first, count = field[1], field[2]
  local units = distance // 4
  if distance % 4 ~= 0 or units < -(1 << count - 1) or units >= 1 << count - 1 then return nil end
  local mask = (1 << count) - 1
  return word & ~(mask << first) | (units & mask) << first
end

--- Fills in the distances of branches within a section of an object file, and notes those that go elsewhere: in the file they go to themselves.
-- @tparam table section `bytes` of code, changed in place; gets `leaving`, the offsets of branches that go elsewhere, as a set
-- @tparam string entries of its table of relocations
-- @tparam function target_of (number of a symbol) -> its offset in this section, or nil if it lies elsewhere
-- @tparam table fields by type of relocation, the first bit and the number of bits
function relocations.fill(section, entries, target_of, fields)
  local patches, offsets = {}, {}
  for at = 1, #entries - entry_size + 1, entry_size do
    local offset, kind, symbol, addend = ("<I8I4I4i8"):unpack(entries, at)
    if fields[kind] and math.ult(offset, #section.bytes - 3) and #section.bytes > 3 then
      local target = target_of(symbol)
      local word = target and with_distance(("<I4"):unpack(section.bytes, offset + 1), target + addend - offset, fields[kind])
      section.leaving[offset] = not word or nil
      if word and not patches[offset] then offsets[#offsets + 1] = offset end
      patches[offset] = word
    end
  end
  table.sort(offsets)
  local parts, from = {}, 1
  for _, offset in ipairs(offsets) do
    if offset + 1 >= from and patches[offset] then
      parts[#parts + 1] = section.bytes:sub(from, offset) .. ("<I4"):pack(patches[offset])
      from = offset + 5
    end
  end
  section.bytes = table.concat(parts) .. section.bytes:sub(from)
end

return relocations
