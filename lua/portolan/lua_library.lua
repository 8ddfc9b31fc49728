--- What Lua files of data (sets, domains, ...) and filters see of Lua's library: nothing that tells one run from another, and nothing
-- that a hook cannot end (portolan.lua_file), as no hook runs within a call of C code.
-- @module portolan.lua_library
local lua_library = {}

-- The methods of strings are those below while such code runs.
local find, format, gsub, sub = string.find, string.format, string.gsub, string.sub

local most_steps = 1e9 -- of one call; some seconds

local function copy(t)
  local c = {}
  for key, value in pairs(t) do c[key] = value end
  return c
end

local addressed = { table = true, ["function"] = true, userdata = true, thread = true }

-- The same text in every run: not the address of a table.
local function text_of(value) return addressed[type(value)] and type(value) or tostring(value) end

-- How often a pattern may be tried at most, about: every repetition may begin and end at any place.
local function steps(text, pattern)
  local plain = gsub(gsub(pattern, "%%.", "x"), "%[%^?%]?[^%]]*%]", "x")
  local _, repetitions = gsub(plain, "[*+-]", "")
  local _, options = gsub(plain, "%?", "")
  return (#text + 1) ^ (repetitions + (sub(plain, 1, 1) == "^" and 0 or 1)) * 2 ^ options
end

local function guarded(name)
  local original = string[name]
  return function(text, pattern, ...)
    if type(text) == "number" then text = tostring(text) end
    if type(text) == "string" and type(pattern) == "string" and steps(text, pattern) > most_steps then
      error(format("the pattern %q may take too long on a text of %d characters; use fewer repetitions", sub(pattern, 1, 60), #text), 2)
    end
    return original(text, pattern, ...)
  end
end

local text = copy(string)
for _, name in ipairs { "find", "match", "gmatch", "gsub" } do text[name] = guarded(name) end
text.dump = nil

function text.rep(s, n, separator)
  if type(n) == "number" and n > most_steps then error("so many repetitions may take too long", 2) end
  return string.rep(s, n, separator)
end

function text.format(form, ...)
  if type(form) == "string" and find(gsub(form, "%%%%", ""), "%%[^%a]*p") then error("%p is another one in every run", 2) end
  local values = table.pack(...)
  for i = 1, values.n do
    if addressed[type(values[i])] then values[i] = text_of(values[i]) end
  end
  return format(form, table.unpack(values, 1, values.n))
end

local lists = copy(table)

function lists.move(from, first, last, at, to)
  if type(first) == "number" and type(last) == "number" and last - first > most_steps then error("so many items may take too long", 2) end
  return table.move(from, first, last, at, to)
end

local numbers = copy(math)
numbers.random, numbers.randomseed = nil, nil

--- The methods of strings: what `("x"):find` is while such code runs.
lua_library.string = text

--- Everything, for one file: no file changes another's.
-- @return table for `load`
function lua_library.environment()
  local env = { string = copy(text), table = copy(lists), math = copy(numbers), tostring = text_of }
  for _, name in ipairs { "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawlen", "select", "tonumber", "type" } do
    env[name] = _G[name]
  end
  return env
end

return lua_library
