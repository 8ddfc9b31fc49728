--- This module holds what reading code needs to know of an architecture: `arch/ARCHITECTURE/code.lua`.
-- @module portolan.code.facts
local architectures = require "portolan.support.architectures"
local lists = require "portolan.support.lists"
local paths = require "portolan.support.paths"

local facts = {}

local known = {} -- by architecture

--- Those of an architecture.
-- @param architecture its name
-- @treturn table `title`, `machine` (e_machine of ELF files), `assembler`, `word` and `disassembler` (where instructions are words of one size),
-- `foreign_lines` (patterns), `marks` (list of `{ begin =, stop = }`, bytes), `direct`, `ends`, `anywhere` (patterns of schemes), `distance`,
-- `relocations` (by type: first bit and number of bits)
function facts.of(architecture)
  known[architecture] = known[architecture] or paths.data(architecture, "code.lua")
  return known[architecture]
end

--- The architecture of an ELF file.
-- @param machine its e_machine
-- @return name; or nil and the titles of all architectures
function facts.of_machine(machine)
  for _, name in ipairs(architectures.names()) do
    if facts.of(name).machine == machine then return name end
  end
  return nil, table.concat(lists.map(architectures.names(), function(name) return facts.of(name).title end), " or ")
end

--- Tells whether a text matches one of some patterns.
-- @param text string
-- @param patterns list
function facts.matches(text, patterns)
  return lists.any(patterns, function(pattern) return text:find(pattern) end)
end

return facts
