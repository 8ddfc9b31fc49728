--- The smallest ELF object file: machine code in `.text`, for tools that read nothing else.
-- @module portolan.predictor.machinery.elf
local elf = {}

local header_size, section_size, symbol_size = 64, 64, 24

local function padded(text, unit) return text .. ("\0"):rep(-#text % unit) end

-- A section header (Elf64_Shdr).
local function section(name, kind, flags, offset, size, link, info, align, entry)
  return ("<I4I4I8I8I8I8I4I4I8I8"):pack(name, kind, flags, 0, offset, size, link, info, align, entry)
end

--- An object file with one function.
-- @param bytes machine code
-- @param symbol name of the function
-- @return the file's content
function elf.object(bytes, symbol)
  local names = "\0.text\0.symtab\0.strtab\0.shstrtab\0"
  local strings = "\0" .. symbol .. "\0"
  local symbols = ("\0"):rep(symbol_size) .. ("<I4BBI2I8I8"):pack(1, 0x12, 0, 1, 0, #bytes) -- global function in section 1
  local parts, offsets, at = {}, {}, header_size
  for i, part in ipairs { bytes, symbols, strings, names } do
    parts[i], offsets[i] = padded(part, 16), at
    at = at + #parts[i]
  end
  local function where(word) return names:find("\0" .. word .. "\0", 1, true) end -- 0-based, behind the NUL
  local headers = ("\0"):rep(section_size) .. section(where ".text", 1, 6, offsets[1], #bytes, 0, 0, 16, 0)
    .. section(where ".symtab", 2, 0, offsets[2], #symbols, 3, 1, 8, symbol_size)
    .. section(where ".strtab", 3, 0, offsets[3], #strings, 0, 0, 1, 0)
    .. section(where ".shstrtab", 3, 0, offsets[4], #names, 0, 0, 1, 0)
  local header = "\127ELF\2\1\1" .. ("\0"):rep(9)
    .. ("<I2I2I4I8I8I8I4I2I2I2I2I2I2"):pack(1, 62, 1, 0, 0, at, 0, header_size, 0, 0, section_size, 5, 4) -- relocatable, x86-64
  return header .. table.concat(parts) .. headers
end

return elf
