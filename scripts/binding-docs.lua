-- Writes the comments above the engine's Lua bindings as doc comments that LDoc reads: all of engine/lua/lua_PART*.c to
-- OUTPUT_DIR/PART.lua.
-- usage: lua5.4 scripts/binding-docs.lua SOURCE_DIR OUTPUT_DIR
local lfs = require "lfs"

local source, target = arg[1], arg[2]

local function read(path)
  local f <close> = assert(io.open(path))
  return assert(f:read "a")
end

local function write(path, text)
  local f <close> = assert(io.open(path, "w"))
  assert(f:write(text))
end

local function text_of(comment) return (comment:gsub("^%s+", ""):gsub("%s+$", ""):gsub("\n%s*%* ?", "\n")) end

-- `name(args) -> what` or `r:name(args) ...` of a comment; otherwise the C function's own name.
local function name_of(text, c_name) return text:match("^([%w_:%.]+)%s*[%({]") or c_name end

local function doc_comment(text, tag)
  local lines = { "---" }
  for line in (text .. "\n" .. tag .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = "-- " .. line end
  return table.concat(lines, "\n") .. "\n"
end

-- The first comment of a file says what it is about.
local function heading(code) return text_of(code:match("^%s*/%*(.-)%*/") or "") end

local function functions(code, list)
  for comment, c_name in code:gmatch("/%*([^\n].-)%*/\nstatic int l_([%w_]+)") do
    local text = text_of(comment:match(".*/%*(.*)$") or comment) -- the nearest, if another comment stands before it
    list[#list + 1] = doc_comment(text, "@function " .. name_of(text, c_name))
  end
end

local names, parts = {}, {}
for name in lfs.dir(source .. "/engine/lua") do
  if name:find("^lua_[%w_]+%.c$") then names[#names + 1] = name end
end
table.sort(names)
for _, name in ipairs(names) do
  local part = name:match("^lua_(%l+)")
  local code = read(source .. "/engine/lua/" .. name)
  parts[part] = parts[part] or { headings = {}, functions = {} }
  table.insert(parts[part].headings, heading(code))
  functions(code, parts[part].functions)
end

assert(lfs.mkdir(target))
for part, found in pairs(parts) do
  local text = doc_comment(table.concat(found.headings, "\n\n"), "@module portolan.core." .. part)
  write(("%s/%s.lua"):format(target, part), text .. "\n" .. table.concat(found.functions, "\n") .. "\nreturn {}\n")
end
