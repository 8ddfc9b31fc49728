--- Assembler files as compilers write them, in AT&T or Intel syntax, with directives: assembled by GNU's assembler.
--
-- Comments that mark regions (LLVM-MCA's, OSACA's) become labels first, as comments leave nothing in an object file.
-- @module portolan.code.assembly
local core = require "portolan.core"
local facts = require "portolan.code.facts"
local file = require "portolan.support.file"
local limits = require "portolan.support.limits"
local object = require "portolan.code.object"
local program = require "portolan.predictor.machinery.program"
local temporary = require "portolan.support.temporary"

local assembly = {}

local prefix = "portolan.region." -- of the labels
local seconds = 60

--- Tells whether a text needs an assembler that knows directives, and AT&T syntax or symbols. Other text is Portolan's own (docs/assembler.md).
-- @param text string
-- @param architecture of its code
function assembly.is(text, architecture)
  local foreign = facts.of(architecture).foreign_lines
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    if line:match "^%s*%.%a[%w_]*%f[%s\0]" or facts.matches(line, foreign) then return true end
  end
  return false
end

-- Tells what a line marks: "begin" or "end", the name behind it ("" if there is none), and whose mark it is; nil if it marks nothing.
local function mark_of(line)
  local words, name = line:match "^%s*[#/;]+%s*LLVM%-MCA%-(%u+)%s*(.-)%s*$"
  if words then return words:lower(), name, "LLVM-MCA" end
  words, name = line:match "^%s*[#/;]+%s*OSACA%-(%u+)%s*(.-)%s*$"
  if words then return words:lower(), name, "OSACA" end
end

-- The open region of this name, the last one of any name if it has none.
local function open_region(regions, name)
  for i = #regions, 1, -1 do
    if not regions[i].closed and (name == "" or regions[i].name == name) then return i, regions[i] end
  end
end

--- Makes labels of the comments that mark regions.
-- @param text of an assembler file
-- @param name of the file, for messages
-- @treturn string|nil the text, as many lines as before
-- @treturn table|string list of `{ name = "" or the user's, line =, begin = label, stop = label }`; or "NAME:LINE: what is wrong"
function assembly.mark(text, name)
  local lines, regions, number = {}, {}, 0
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local kind, title, whose = mark_of(line)
    if kind == "begin" then
      local k = #regions + 1
      regions[k] = { name = title, line = number, whose = whose, begin = prefix .. "begin." .. k, stop = prefix .. "end." .. k }
      line = regions[k].begin .. ":"
    elseif kind == "end" then
      local _, region = open_region(regions, title)
      if not region then return nil, ("%s:%d: the end of a region that does not begin; write # %s-BEGIN before it"):format(name, number, whose) end
      region.closed, line = true, region.stop .. ":"
    elseif line:match "^%s*%.addrsig" then
      line = "" -- clang's, for its linker alone
    end
    lines[number] = line
  end
  local _, left = open_region(regions, "")
  if left then return nil, ("%s:%d: this region has no end; write # %s-END behind it"):format(name, left.line, left.whose) end
  return table.concat(lines, "\n") .. "\n", regions
end

-- The first line of what the assembler complains about.
local function complaint(result, name)
  local line, words = result.err:match "{standard input}:(%d+): Error: ([^\n]+)"
  if line then return ("%s:%s: %s (GNU assembler)"):format(name, line, words) end
  return ("%s: the GNU assembler failed: %s"):format(name, program.failure("as", result) or result.err:match "[^\n]+" or "no reason given")
end

-- The GNU assembler of an architecture: its path; or nil and which one is missing, and in which package it is.
local function assembler_of(architecture)
  local a = facts.of(architecture).assembler
  local path = core.isa.host == architecture and program.find(a.here) or program.find(a.elsewhere)
  if path then return path end
  local at_home = core.isa.host == architecture
  return nil, ("it needs the GNU assembler, %s, which is not installed; install the package %s"):format(at_home and a.here or a.elsewhere,
    at_home and "binutils" or a.package)
end

local function assembled(path, options, text, name)
  return temporary.directory(function(directory)
    local target = directory .. "/code.o"
    local arguments = table.move({ "-o", target, "--", "-" }, 1, 4, #options + 1, { table.unpack(options) })
    local result, message, status = program.run(path, arguments, { input = text, seconds = seconds })
    if not result then return nil, message, status end
    if result.status ~= 0 then return nil, complaint(result, name) end
    return file.read(target)
  end)
end

--- Assembles a text.
-- @param text of an assembler file
-- @param name of the file, for messages
-- @param architecture of its code
-- @treturn table|nil what `object.read` gives
-- @treturn table|string list of regions (see `mark`); or what is wrong, in one line
function assembly.read(text, name, architecture)
  if #text > limits.bytes then return nil, ("%s: more than %d bytes"):format(name, limits.bytes) end
  local path, missing = assembler_of(architecture)
  if not path then return nil, ("%s: %s"):format(name, missing) end
  local marked, regions = assembly.mark(text, name)
  if not marked then return nil, regions end
  local bytes, message, status = assembled(path, facts.of(architecture).assembler.arguments, marked, name)
  if not bytes then return nil, message, status end
  local o
  o, message = object.read(bytes, name)
  if not o then return nil, message end
  return o, regions
end

return assembly
