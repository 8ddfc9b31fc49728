--- LLVM's programs, of which there may be several versions: llvm-mca-16, llvm-mca-19.
-- @module portolan.predictor.machinery.llvm_program
local program = require "portolan.predictor.machinery.program"
local tool = require "portolan.predictor.machinery.tool"

local llvm_program = {}

--- This table says what LLVM calls the architectures, by Portolan's names.
llvm_program.triples = { x86_64 = "x86_64-pc-linux-gnu", aarch64 = "aarch64-linux-gnu" }

--- Tells whether an LLVM knows a processor of an architecture, by one of its names.
-- @param path of llvm-mca
-- @param architecture Portolan's name
-- @param processor as of `-mcpu`
function llvm_program.knows(path, architecture, processor)
  local result = program.run(path, { "-mtriple=" .. llvm_program.triples[architecture], "-mcpu=" .. processor }, { input = "", seconds = 10 })
  return result ~= nil and result.status ~= nil and not result.err:find("is not a recognized processor", 1, true)
    and not result.err:find("unable to get target", 1, true)
end

--- The installed versions of a program.
-- @param name without a version: "llvm-mca"
-- @return list of `{ name = "llvm-mca-19", version = "19", path = }`, newest first; a program without a version in its name comes last
function llvm_program.installed(name)
  local list = {}
  for _, one in ipairs(program.names(name:gsub("%-", "%%-") .. "%-?%d*")) do
    list[#list + 1] = { name = one, version = one:match "%-(%d+)$", path = program.find(one) }
  end
  table.sort(list, function(a, b) return (tonumber(a.version) or 0) > (tonumber(b.version) or 0) end)
  return list
end

--- Returns what is said of a program that is not there.
-- @param name with its version, if one is meant: "llvm-mca-16"
-- @return message, which names Debian's package
function llvm_program.missing(name) return ("%s is not installed; install the package llvm%s"):format(name, name:match "%-%d+$" or "") end

--- Asks a program what it says of itself.
-- @param path of the program
-- @return "Debian LLVM version 19.1.7", 19; or nil and a message
function llvm_program.version(path)
  local result, message = program.run(path, { "--version" }, { seconds = 10 })
  if not result then return nil, message end
  local ending = program.failure(path .. " --version", result) or result.status ~= 0 and tool.complaint(path .. " --version", result)
  if ending then return nil, ending.error end
  local line, major = result.out:match "([^\n]*LLVM version (%d+)[^\n]*)"
  if not line then return nil, path .. " --version does not name a version of LLVM" end
  return line:match "^%s*(.-)%s*$", tonumber(major)
end

return llvm_program
