--- uops.info's instructions.xml: port usage of all instructions on many microarchitectures, measured with nanoBench.
--
-- The file has well over 100 MB, so it is read as a stream, and only what concerns one microarchitecture is kept. Where
-- instructions share a scheme (encodings; addressing modes of lea) the first one counts. Elements and attributes whose names begin with `portolan:`
-- are those of `portolan.format.uops_info_write`.
-- @module portolan.format.uops_info
local lxp = require "lxp"
local input = require "portolan.support.input"
local limits = require "portolan.support.limits"
local measurement = require "portolan.format.uops_info_measurement"
local naming = require "portolan.format.uops_info_name"
local port_set = require "portolan.mapping.ports"

local uops_info = {}

--- Tells whether the beginning of a text looks like XML.
function uops_info.is_xml(text) return text:find("^\239?\187?\191?%s*<") ~= nil end

local quote = measurement.quote

local piece_bytes = 256 << 10

local Reader = {}
Reader.__index = Reader

function Reader:fail(message)
  if not self.fault then self.fault = ("%s:%d: %s"):format(self.name, (self.parser:pos()), message) end
  self.parser:stop()
end

-- The copy drops the list of attribute names that the parser adds.
local function copy(attributes)
  local c = {}
  for key, value in pairs(attributes) do
    if type(key) == "string" then c[key] = value end
  end
  return c
end

local starts = {}

function starts.instruction(reader, attributes)
  if not attributes.string then return reader:fail("an <instruction> needs the attribute 'string'") end
  reader.instruction = copy(attributes)
  reader.instruction.operands, reader.measurement, reader.inside = {}, nil, nil
end

function starts.operand(reader, attributes)
  if not reader.instruction then return end
  if #reader.instruction.operands == limits.xml.operands then
    return reader:fail(("%s has more than %d operands"):format(quote(reader.instruction.string), limits.xml.operands))
  end
  reader.operand = copy(attributes)
  reader.operand.text = ""
  table.insert(reader.instruction.operands, reader.operand)
end

function starts.architecture(reader, attributes)
  if not attributes.name then return reader:fail("an <architecture> needs the attribute 'name'") end
  reader.current = attributes.name
  if not reader.seen[attributes.name] then
    if #reader.architectures == limits.xml.architectures then
      return reader:fail(("more than %d microarchitectures"):format(limits.xml.architectures))
    end
    reader.seen[attributes.name] = true
    table.insert(reader.architectures, attributes.name)
  end
end

-- Without a choice the first architecture is kept, until a second one shows that there is one to make.
function starts.measurement(reader, attributes)
  local wanted = reader.architecture or reader.architectures[1]
  if not (reader.instruction and reader.current and reader.current == wanted) then return end
  reader.measurement = { attributes = copy(attributes), latencies = {}, exact = {}, assumed = {} }
  reader.inside = reader.measurement
end

-- Adds an element of a measurement to one of its lists.
local function add_to(reader, list, attributes)
  if #list == limits.xml.latencies then
    return reader:fail(("%s has more than %d latencies"):format(quote(reader.instruction.string), limits.xml.latencies))
  end
  list[#list + 1] = copy(attributes)
end

function starts.latency(reader, attributes)
  if reader.inside then add_to(reader, reader.inside.latencies, attributes) end
end

starts["portolan:latency"] = function(reader, attributes)
  if reader.inside then add_to(reader, reader.inside.exact, attributes) end
end

-- Of the latency around it.
starts["portolan:bypass"] = function(reader, attributes)
  local exact = reader.inside and reader.inside.exact
  local latency = exact and exact[#exact]
  if not latency or not attributes.domain then return end
  latency.bypass = latency.bypass or {}
  latency.bypass[attributes.domain] = attributes.cycles or ""
end

starts["portolan:assumed"] = function(reader, attributes)
  if reader.inside and attributes.port then add_to(reader, reader.inside.assumed, attributes) end
end

function starts.root(reader, attributes)
  local message
  reader.rmax, message = measurement.number(attributes["portolan:rmax"], "portolan:rmax")
  if message then reader:fail(message) end
end

-- A port with the letter that stands for it in usages.
starts["portolan:port"] = function(reader, attributes)
  local letter, name = attributes.letter, attributes.name
  if not letter or not name then return reader:fail "a <portolan:port> needs the attributes 'letter' and 'name'" end
  if #reader.ports == limits.xml.ports then return reader:fail(("more than %d ports"):format(limits.xml.ports)) end
  reader.letters = reader.letters or {}
  if reader.letters[letter] then return reader:fail(("the letter %s stands for two ports"):format(quote(letter))) end
  reader.letters[letter], reader.ports[#reader.ports + 1] = name, name
end

local ends = {}

function ends.operand(reader) reader.operand = nil end
function ends.architecture(reader) reader.current = nil end
function ends.measurement(reader) reader.inside = nil end

function ends.instruction(reader)
  local instruction, measured = reader.instruction, reader.measurement
  reader.instruction, reader.measurement = nil, nil
  if not instruction or not measured then return end
  local name, ours = naming.scheme(instruction)
  local scheme, message = measurement.scheme(measured, ours and name or nil, instruction.operands, reader.letters)
  if not scheme then return reader:fail(("%s of %s"):format(message, quote(instruction.string))) end
  if reader.schemes[name] then
    reader.counts.same_scheme = reader.counts.same_scheme + 1
    return
  end
  reader.schemes[name] = scheme
  local kind = ours and "named" or "other_names"
  reader.counts[kind] = reader.counts[kind] + 1
end

local function new_reader(name, architecture)
  local reader = setmetatable({
    name = name, architecture = architecture, architectures = {}, seen = {}, schemes = {}, ports = {}, depth = 0, elements = 0, fed = 0,
    counts = { named = 0, other_names = 0, same_scheme = 0 },
  }, Reader)
  reader.parser = lxp.new {
    StartElement = function(_, tag, attributes)
      reader:enter()
      if starts[tag] and not reader.fault then starts[tag](reader, attributes) end
    end,
    EndElement = function(_, tag)
      reader.depth = reader.depth - 1
      if ends[tag] and not reader.fault then ends[tag](reader) end
    end,
    CharacterData = function(_, text)
      local operand = reader.operand
      if operand and #operand.text < 400 then operand.text = operand.text .. text end
    end,
    StartDoctypeDecl = function() reader:fail("a document type is not expected here (<!DOCTYPE>)") end,
  }
  return reader
end

function Reader:enter()
  self.depth, self.elements = self.depth + 1, self.elements + 1
  if self.depth > limits.xml.depth then return self:fail("the elements are nested too deeply") end
  if self.elements > limits.xml.elements then return self:fail(("more than %d elements"):format(limits.xml.elements)) end
end

-- Feeds one piece of the text; nil: its end. Nil and a message.
function Reader:feed(piece)
  local ok, message, line
  if piece then ok, message, line = self.parser:parse(piece) else ok, message, line = self.parser:parse() end
  if self.fault then return nil, self.fault end
  if not ok then return nil, ("%s:%d: this is not well-formed XML: %s"):format(self.name, line or 0, message) end
  self.fed = self.fed + #(piece or "")
  local at, _, behind = self.parser:pos()
  if self.fed - behind > limits.xml.tag_bytes + piece_bytes then
    return nil, ("%s:%d: a tag or a comment is longer than %d bytes"):format(self.name, at, limits.xml.tag_bytes)
  end
  return true
end

local function choices(names)
  table.sort(names)
  return table.concat(names, ", ")
end

-- The mapping; nil and a message if it is not clear which architecture is meant, or there is nothing of it.
function Reader:finish()
  if #self.architectures == 0 then
    return nil, self.name .. ": no measurements: there is no <architecture> in it; is this uops.info's instructions.xml?"
  end
  local known = choices(self.architectures)
  if not self.architecture and #self.architectures > 1 then
    return nil, ("%s: which microarchitecture? Name one behind a '#', as in %s#%s; it has %s")
      :format(self.name, self.name, self.architectures[1], known)
  end
  local architecture = self.architecture or self.architectures[1]
  if not self.seen[architecture] then
    return nil, ("%s: there is no microarchitecture %s; it has %s"):format(self.name, quote(architecture), known)
  end
  local ports = self.letters and self.ports or port_set.used(self.schemes)
  if #ports == 0 then return nil, ("%s: no port usage was measured on %s"):format(self.name, architecture) end
  local provenance = { source = "uops.info", schemes_named = self.counts.named, schemes_with_other_names = self.counts.other_names,
    instructions_of_named_schemes = self.counts.same_scheme }
  return { format = "portolan-mapping", version = 1, ports = ports, schemes = self.schemes, rmax = self.rmax,
    processor = { name = architecture }, provenance = provenance }
end

--- Reads a text in pieces.
-- @param pieces function that returns the next piece, or nil at the end, or nil and a message
-- @param name of the text, for messages
-- @param[opt] architecture uops.info's name of the microarchitecture, such as "SKL"; needed if the text has several
-- @return mapping (not yet validated); or nil and `name:line: what`
function uops_info.mapping(pieces, name, architecture)
  local reader = new_reader(name, architecture)
  repeat
    local piece, trouble = pieces()
    if trouble then return nil, trouble end
    local ok, message = reader:feed(piece ~= "" and piece or piece and " " or nil)
    if not ok then return nil, message end
  until not piece
  return reader:finish()
end

--- Reads a text.
function uops_info.parse(text, name, architecture)
  local given = text
  return uops_info.mapping(function()
    local piece = given
    given = nil
    return piece
  end, name, architecture)
end

--- Reads a file, of any size.
-- @return mapping; or nil and a message
function uops_info.load(path, architecture)
  local handle <close>, message = input.open(path)
  if not handle then return nil, message end
  return uops_info.mapping(function()
    local piece, trouble = handle:read(piece_bytes)
    if piece == "" then return nil end
    return piece, trouble
  end, path, architecture)
end

return uops_info
