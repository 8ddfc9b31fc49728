--- Code as users have it: assembler files of compilers, object files, programs; as a list of pieces to predict.
--
-- A piece is what runs again and again: a marked region, a loop, or a function without a loop.
-- @module portolan.code
local assembly = require "portolan.code.assembly"
local architectures = require "portolan.support.architectures"
local core = require "portolan.core"
local facts = require "portolan.code.facts"
local file = require "portolan.support.file"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local loop_pieces = require "portolan.code.loop_pieces"
local loops = require "portolan.code.loops"
local object = require "portolan.code.object"
local printable = require "portolan.support.printable"
local undecoded = require "portolan.code.undecoded"

local code = {}

local function where(section, offset) return ("0x%x"):format(section.address + offset) end

-- A piece of a section's code, decoded; or nil and a message.
local function piece(section, offset, size, title, kind)
  local bytes = section.bytes:sub(offset + 1, offset + size)
  local decoded, message = undecoded.decode(bytes, section.architecture)
  if not decoded then return nil, ("%s: %s"):format(title, message) end
  return { title = title, kind = kind, bytes = bytes, instructions = decoded.instructions, address = section.address + offset }
end

-- Regions between marks of machine code in a section.
local function add_marked(pieces, section, mark)
  local from = 1
  while true do
    local begin, after = section.bytes:find(mark.begin, from, true)
    if not begin then return true end
    local stop, behind = section.bytes:find(mark.stop, after + 1, true)
    if not stop then return nil, ("the region marked at %s has no end"):format(where(section, begin - 1)) end
    local p, message = piece(section, after, stop - 1 - after, "region at " .. where(section, after), "region")
    if not p then return nil, message end
    pieces[#pieces + 1], from = p, behind + 1
  end
end

-- Regions between labels that assembly.mark has made.
local function add_labelled(pieces, o, regions)
  local labels = {}
  for _, symbol in ipairs(o.symbols) do labels[symbol.name] = symbol end
  for _, region in ipairs(regions) do
    local title = ("region %sof line %d"):format(region.name ~= "" and printable(region.name) .. " " or "", region.line)
    local begin, stop = labels[region.begin], labels[region.stop]
    if not begin or not stop or begin.section ~= stop.section or stop.offset < begin.offset then
      return nil, title .. " does not begin and end in the same section of code"
    end
    local p, message = piece(begin.section, begin.offset, stop.offset - begin.offset, title, "region")
    if not p then return nil, message end
    pieces[#pieces + 1] = p
  end
  return true
end

-- The branches of a function that go to what only a linker knows, by their offsets in it.
local function leaving_of(symbol, instructions)
  local set, leaving = {}, symbol.section.leaving or {}
  for _, instruction in ipairs(instructions) do set[instruction.offset] = leaving[symbol.offset + instruction.offset] end
  return set
end

-- The loops of a function, the likely hot ones first, or all of it if there is none. What is left out of it goes to the notes.
local function add_function(pieces, notes, symbol)
  local name = printable(symbol.name)
  local all, message = piece(symbol.section, symbol.offset, symbol.size, name, "function")
  if not all then return table.insert(notes, message) end
  local found, unclear = loops.find(all.instructions, symbol.section.architecture, leaving_of(symbol, all.instructions))
  if not found then return table.insert(notes, ("%s: %s"):format(name, unclear)) end
  for _, i in ipairs(unclear) do
    notes[#notes + 1] = ("%s: the loop at %s may go through an indirect jump or begin in several places, so nothing tells what runs in it; mark a "
      .. "region"):format(name, where(symbol.section, symbol.offset + all.instructions[i].offset))
  end
  if #found == 0 and #unclear == 0 and #all.instructions > 0 then pieces[#pieces + 1] = all end
  for _, loop in ipairs(loop_pieces.of(found, all, symbol.section.architecture)) do
    loop.title = ("%s: loop at 0x%x"):format(name, loop.address) .. (loop.within and (", within that at 0x%x"):format(loop.within) or "")
    pieces[#pieces + 1] = loop
  end
end

local function functions_of(o)
  local list = lists.where(o.symbols, function(symbol) return symbol.is_function end)
  return #list > 0 and list or o.symbols
end

-- Symbols of the names that the user wants; or nil and a message.
local function named(o, names)
  local list = {}
  for _, name in ipairs(names) do
    local found
    for _, symbol in ipairs(o.symbols) do found = found or symbol.name == name and symbol end
    if not found then
      local known = {}
      for i, symbol in ipairs(functions_of(o)) do known[i] = i <= 5 and printable(symbol.name) or nil end
      return nil, ("there is no function '%s'; %s"):format(printable(name), #known > 0 and "there are " .. table.concat(known, ", ")
        .. (#functions_of(o) > 5 and ", ..." or "") or "it names none")
    end
    list[#list + 1] = found
  end
  return list
end

-- All marked regions; or nil and a message.
local function of_regions(o, regions)
  local pieces = {}
  local ok, message = add_labelled(pieces, o, regions)
  if not ok then return nil, message end
  for _, section in ipairs(o.sections) do
    for _, mark in ipairs(facts.of(section.architecture).marks) do
      ok, message = add_marked(pieces, section, mark)
      if not ok then return nil, message end
    end
  end
  return pieces
end

-- The pieces of functions, and notes of what is left out.
local function of_functions(symbols)
  local pieces, notes = {}, {}
  for _, symbol in ipairs(symbols) do add_function(pieces, notes, symbol) end
  return pieces, notes
end

-- Chooses what to predict of an object: the functions of these names, or else its regions, or else all that it has.
local function pieces_of(o, regions, names)
  if #names > 0 then
    local symbols, message = named(o, names)
    if not symbols then return nil, message end
    return of_functions(symbols)
  end
  local pieces, message = of_regions(o, regions)
  if not pieces or #pieces > 0 then return pieces, message end
  local symbols = functions_of(o)
  for i, section in ipairs(#symbols == 0 and o.sections or {}) do
    symbols[i] = { name = section.name, section = section, offset = 0, size = #section.bytes }
  end
  local notes
  pieces, notes = of_functions(symbols)
  if #pieces == 0 then return nil, notes[1] or "there is no code in it" end
  return pieces, notes
end

-- Text that is no compiler's: Portolan's own assembler.
local function of_plain_text(text, name, architecture)
  if #text > limits.code_bytes then return nil, ("%s: more than %d bytes of assembler text"):format(name, limits.code_bytes) end
  local decoded, message = core.isa.assemble(text, architecture)
  if not decoded then return nil, ("%s: %s"):format(name, message) end
  if #decoded.instructions == 0 then return nil, name .. ": there is no instruction in it" end
  return { architecture = architecture, sections = { { name = name, address = 0, bytes = decoded.bytes } }, symbols = {} }, {}
end

-- Sections and symbols of a text or an object file, and the regions that comments mark; or nil, a message and a status.
local function read(bytes, name, architecture)
  if object.is(bytes) then
    local o, message = object.read(bytes, name)
    return o, o and {} or message
  elseif bytes:sub(1, 7) == "!<arch>" then
    return nil, name .. ": this is an archive; take the object file out of it (ar x)"
  elseif bytes:find("\0", 1, true) then
    return nil, name .. ": neither an ELF file nor text"
  elseif assembly.is(bytes, architecture) then
    return assembly.read(bytes, name, architecture)
  end
  return of_plain_text(bytes, name, architecture)
end

--- The pieces of code in a text or an object file.
-- @param bytes its content
-- @param name of it, for messages
-- @tparam[opt] table functions names of functions; then only their loops count, not regions
-- @tparam[opt] string architecture of the code; without it, an object file's own, and of text what is meant where nothing says one
-- @treturn table|nil list of `{ title =, kind = "region" | "loop" | "function", bytes =, instructions = (as of portolan.code.undecoded), address =,
--   branches = (of a loop) how many branches on its path are not taken, within = (of a loop) the address of the loop around it, around =, through =
--   addresses of loops within that its path leaves out or passes, left_out = how many instructions of it are on no path }`; instructions of a loop
--   need not follow each other in the file
-- @treturn table|string list of notes, of functions that cannot be decoded, and of loops whose path nothing tells; or what is wrong, in one line
function code.of(bytes, name, functions, architecture)
  local o, regions, status = read(bytes, name, architecture or architectures.default())
  if not o then return nil, regions, status end
  if architecture and o.architecture ~= architecture then
    return nil, ("%s: this is code of %s; code of %s is asked for"):format(name, o.architecture, architecture)
  end
  for _, section in ipairs(o.sections) do section.architecture = o.architecture end
  local pieces, notes = pieces_of(o, regions, functions or {})
  if not pieces or #pieces == 0 then return nil, ("%s: %s"):format(name, pieces and notes[1] or notes) end
  return pieces, notes or {}
end

--- The same of a file; `-` is standard input.
-- @param path string
-- @tparam[opt] table functions names of functions
-- @tparam[opt] string architecture of the code
function code.open(path, functions, architecture)
  local bytes, message, status = file.read(path == "-" and "/dev/stdin" or path)
  if not bytes then return nil, message, status end
  return code.of(bytes, path == "-" and "standard input" or path, functions, architecture)
end

return code
