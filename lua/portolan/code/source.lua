--- Source code in C and its kin: compiled with the user's compiler and flags, so that its loops can be looked at.
-- @module portolan.code.source
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local program = require "portolan.predictor.machinery.program"
local temporary = require "portolan.support.temporary"

local source = {}

local seconds = 120 -- of a compiler

-- Endings of names -> the variable that names the user's compiler, and what is looked for without it.
local c, cpp = { variable = "CC", names = { "cc", "gcc", "clang" } }, { variable = "CXX", names = { "c++", "g++", "clang++" } }
local languages = { c = c, cc = cpp, cpp = cpp, cxx = cpp, C = cpp, ["c++"] = cpp, S = c }

local usual = { "-O2" } -- flags that count unless others are given

--- Is a file to be compiled?
-- @param path string
function source.is(path) return languages[path:match "%.([%w+]+)$" or ""] ~= nil end

-- The path of the compiler and its name; or nil and why there is none.
local function compiler_of(path, name)
  local language = languages[path:match "%.([%w+]+)$"]
  name = name or os.getenv(language.variable)
  if name and name ~= "" then
    local found = program.find(name)
    if found then return found, name end
    return nil, ("there is no compiler '%s'; give another with --compiler"):format(printable(name))
  end
  name = lists.first(language.names, program.find)
  if name then return program.find(name), name end
  return nil, ("%s: it needs a compiler, and neither %s is there; install gcc, or compile it and give the object file")
    :format(path, table.concat(language.names, " nor "))
end

-- The first thing that a compiler complains of, in its words.
local function complaint(result, path, name)
  local failed = program.failure(name, result)
  if failed then return ("%s: %s"):format(path, failed.error) end
  local line = result.err:match "([^\n]*error: [^\n]+)" or result.err:match "[^\n]+" or "no reason given"
  return ("%s does not compile: %s (%s)"):format(path, printable(line), name)
end

--- Compiles a file.
-- @param path of it
-- @tparam[opt] table options
-- @tparam[opt] string options.compiler its name or path; otherwise `CC` or `CXX` of the environment, or what is installed
-- @tparam[opt] {string,...} options.flags for it; -O2 if there are none
-- @treturn string|nil the object file's bytes
-- @treturn string how it was compiled, as a command; or what is wrong, and a status
function source.compile(path, options)
  options = options or {}
  if file.kind(path) ~= "file" then
    local _, message, status = file.read(path)
    return nil, message or path .. ": this is no file", status
  end
  local compiler, name = compiler_of(path, options.compiler)
  if not compiler then return nil, name end
  local flags = options.flags and #options.flags > 0 and options.flags or usual
  return temporary.directory(function(directory)
    local target = directory .. "/code.o"
    local words = lists.joined(flags, { "-c", "-o", target, path:sub(1, 1) == "-" and "./" .. path or path })
    local result, message, status = program.run(compiler, words, { seconds = seconds })
    if not result then return nil, message, status end
    if result.status ~= 0 then return nil, complaint(result, path, name) end
    local bytes, trouble, kind = file.read(target)
    if not bytes then return nil, trouble, kind end
    return bytes, ("%s %s -c %s"):format(name, table.concat(flags, " "), path)
  end)
end

return source
