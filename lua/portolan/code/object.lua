--- ELF files with code of an architecture that Portolan knows: object files, programs, shared libraries. Only what tells where code is and where
-- it goes on: sections, symbols, and relocations of branches.
--
-- Every offset comes from the file and is checked before it is followed. The source is the ELF-64 object file format, version 1.5.
-- @module portolan.code.object
local facts = require "portolan.code.facts"
local limits = require "portolan.support.limits"
local printable = require "portolan.support.printable"
local relocations = require "portolan.code.relocations"

local object = {}

local header_size, section_size, symbol_size = 64, 64, 24
local machines = { [3] = "i386", [8] = "MIPS", [20] = "PowerPC", [21] = "PowerPC", [40] = "ARM", [62] = "x86-64", [183] = "AArch64",
  [243] = "RISC-V" }
local kinds = { none = 0, symbols = 2, relocations = 4, no_bits = 8, dynamic_symbols = 11 } -- sh_type
local executable = 4 -- SHF_EXECINSTR
local relocatable = 1 -- ET_REL: symbols count from the beginning of their section
local is_function, is_label = 2, 0 -- STT_FUNC, STT_NOTYPE

-- Faults are thrown as tables within this file, and returned by `object.read`.
local function fault(...) error({ message = (...):format(select(2, ...)) }, 0) end

local function titles() return select(2, facts.of_machine(0)) end

local function header_of(bytes)
  if #bytes < header_size then fault "the file is truncated: it ends in its header" end
  local class, order = bytes:byte(5, 6)
  if class ~= 2 or order ~= 1 then fault("code for another machine than %s: it is not 64 bits wide and little-endian", titles()) end
  local kind, machine, _, _, _, sections_at, _, _, _, _, entry, count, names = ("<I2I2I4I8I8I8I4I2I2I2I2I2I2"):unpack(bytes, 17)
  local architecture = facts.of_machine(machine)
  if not architecture then
    fault("code for another machine than %s: %s", titles(), machines[machine] or ("number %d of ELF's list"):format(machine))
  end
  if sections_at == 0 then fault "it has no sections, so nothing tells where its code is" end
  if entry ~= section_size then fault("entries of the table of sections have %d bytes, not %d", entry, section_size) end
  return { kind = kind, architecture = architecture, sections_at = sections_at, count = count, names = names }
end

-- Bytes that the file says it has, at an offset from 0 on.
local function piece(bytes, offset, size, what)
  if math.ult(#bytes, offset) or math.ult(#bytes - offset, size) then fault("the file is truncated: it ends before %s does", what) end
  return bytes:sub(offset + 1, offset + size)
end

local function name_in(strings, at)
  local stop = math.ult(at, #strings) and strings:find("\0", at + 1, true)
  if not stop then fault "a name lies outside of the table of names" end
  return strings:sub(at + 1, stop - 1)
end

local function section_at(bytes, header, i)
  local entry = piece(bytes, header.sections_at + i * section_size, section_size, "the table of sections")
  local name, kind, flags, address, offset, size, link, info = ("<I4I4I8I8I8I8I4I4"):unpack(entry)
  return { name_at = name, kind = kind, executable = flags & executable ~= 0, address = address, offset = offset, size = size, link = link,
    info = info }
end

local function content(bytes, section)
  if section.kind == kinds.no_bits then return "" end
  return piece(bytes, section.offset, section.size, ("section '%s'"):format(printable(section.name or "")))
end

-- All sections, by their number from 0 on. Files with very many of them keep the number in the first one.
local function sections_of(bytes, header)
  local first = section_at(bytes, header, 0)
  local count = header.count > 0 and header.count or first.size
  local names = header.names == 0xffff and first.link or header.names
  if math.ult(limits.object.sections, count) then fault("it has more than %d sections", limits.object.sections) end
  local list = {}
  for i = 0, count - 1 do list[i] = section_at(bytes, header, i) end
  if not list[names] then fault "there is no table of the names of sections" end
  local strings = content(bytes, list[names])
  for i = 0, count - 1 do list[i].name = name_in(strings, list[i].name_at) end
  return list, count
end

local function table_of_symbols(sections, count)
  for _, kind in ipairs { kinds.symbols, kinds.dynamic_symbols } do
    for i = 0, count - 1 do
      if sections[i].kind == kind then return sections[i] end
    end
  end
end

-- Names that only say where code and data begin on A64.
local function is_mapping_symbol(name) return name:find "^%$[xd]%f[.\0]" ~= nil end

-- Functions and labels in code: `{ name, section, offset, size, is_function }`.
local function symbols_of(bytes, header, sections, count)
  local where, list = table_of_symbols(sections, count), {}
  if not where then return list end
  local entries, strings = content(bytes, where), sections[where.link]
  if not strings then fault "there is no table of the names of symbols" end
  strings = content(bytes, strings)
  if #entries // symbol_size > limits.object.symbols then fault("it has more than %d symbols", limits.object.symbols) end
  for at = 1, #entries - symbol_size + 1, symbol_size do
    local name, info, _, index, value, size = ("<I4BBI2I8I8"):unpack(entries, at)
    local section, kind = sections[index], info & 15
    if section and section.executable and (kind == is_function or kind == is_label) and name > 0 then
      local text = name_in(strings, name)
      list[#list + 1] = not is_mapping_symbol(text) and { name = text, section = section, size = size, is_function = kind == is_function,
        offset = header.kind == relocatable and value or value - section.address } or nil
    end
  end
  return list
end

-- Symbols with their ends: what has no size ends where the next symbol begins.
local function with_ends(symbols)
  table.sort(symbols, function(a, b)
    if a.section ~= b.section then return a.section.offset < b.section.offset end
    if a.offset ~= b.offset then return math.ult(a.offset, b.offset) end
    return a.name < b.name
  end)
  for i = #symbols, 1, -1 do
    local s, k = symbols[i], i + 1
    while symbols[k] and symbols[k].section == s.section and symbols[k].offset == s.offset do k = k + 1 end
    local next_one = symbols[k] and symbols[k].section == s.section and symbols[k].offset or #s.section.bytes
    if s.size == 0 then s.size = math.max(next_one - s.offset, 0) end
    if math.ult(#s.section.bytes, s.offset) or math.ult(#s.section.bytes - s.offset, s.size) then
      fault("symbol '%s' lies outside of its section", printable(s.name))
    end
  end
  return symbols
end

-- Returns a function that says what a relocation needs to know of a symbol, by its number: its offset in the section, nil if it lies elsewhere.
local function targets_in(sections, section, entries)
  return function(number)
    if #entries // symbol_size <= number then return nil end
    local _, _, _, index, value = ("<I4BBI2I8"):unpack(entries, number * symbol_size + 1)
    return sections[index] == section and value or nil
  end
end

-- Fills in what the linker would, of branches within a section; relocations of object files alone.
local function link(bytes, header, sections, count)
  local fields, read = facts.of(header.architecture).relocations, 0
  if header.kind ~= relocatable or not next(fields) then return end
  for i = 0, count - 1 do
    local where, section = sections[i], sections[sections[i].info]
    local symbols = where.kind == kinds.relocations and section and section.bytes and sections[where.link]
    if symbols then
      read = read + where.size // 24
      if math.ult(limits.object.relocations, read) then fault("it has more than %d relocations", limits.object.relocations) end
      symbols.content = symbols.content or content(bytes, symbols)
      relocations.fill(section, content(bytes, where), targets_in(sections, section, symbols.content), fields)
    end
  end
end

local function read(bytes)
  local header = header_of(bytes)
  local sections, count = sections_of(bytes, header)
  local code = {}
  for i = 0, count - 1 do
    if sections[i].executable then
      sections[i].bytes, sections[i].leaving = content(bytes, sections[i]), {}
      code[#code + 1] = sections[i]
    end
  end
  link(bytes, header, sections, count)
  return { architecture = header.architecture, sections = code, symbols = with_ends(symbols_of(bytes, header, sections, count)) }
end

--- Tells whether bytes are an ELF file.
function object.is(bytes) return bytes:sub(1, 4) == "\127ELF" end

--- Reads an ELF file.
-- @param bytes its content
-- @param name of the file, for messages
-- @treturn table|nil `{ architecture =, sections = list of { name =, address =, bytes =, leaving = offsets of branches that go to what only a linker
--   knows, as a set } with code, symbols = list of { name =, section =, offset = bytes into
--   the section, size = bytes, is_function = } in the order of their places }`
-- @treturn[opt] string "NAME: what is wrong"
function object.read(bytes, name)
  local ok, result = pcall(read, bytes)
  if ok then return result end
  if type(result) ~= "table" or not result.message then error(result, 0) end
  return nil, ("%s: %s"):format(name, result.message)
end

return object
