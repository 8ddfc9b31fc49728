--- Filters: Lua expressions over the fields of a scheme.
--
--    extension == "AVX2" and not memory
--    category == "SHIFT" and width == 64 and immediate
--    uses("ymm") and store
--    mnemonic:match("^vp") and #flags_written == 0
--
-- An expression sees the fields of the scheme (see portolan.scheme.isa) and what `scheme_filter.names` lists; nothing else.
-- @module portolan.scheme.filter
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local lua_file = require "portolan.support.lua_file"
local lua_library = require "portolan.support.lua_library"
local printable = require "portolan.support.printable"

local scheme_filter = {}

local any = lists.any

local function reads(operand) return operand.access:find("r", 1, true) ~= nil end
local function writes(operand) return operand.access:find("w", 1, true) ~= nil end
local function is_kind(kind) return function(operand) return operand.kind == kind end end

-- Names that are computed from the scheme.
local computed = {
  memory = function(s) return any(s.operands, is_kind "memory") end,
  load = function(s) return any(s.operands, function(o) return o.kind == "memory" and reads(o) end) end,
  store = function(s) return any(s.operands, function(o) return o.kind == "memory" and writes(o) end) end,
  address = function(s) return any(s.operands, is_kind "address") end,
  immediate = function(s) return any(s.operands, is_kind "immediate") end,
  relative = function(s) return any(s.operands, is_kind "relative") end,
  absolute = function(s) return any(s.operands, function(o) return o.absolute or false end) end,
  lock = function(s) return s.prefixes[1] == "lock" end,
  rep = function(s) return s.prefixes[1] ~= nil and s.prefixes[1]:sub(1, 3) == "rep" end,
  x87 = function(s) return s.category == "X87_ALU" or s.category == "FCMOV" end,
  width = function(s)
    local widest = 0
    for _, o in ipairs(s.operands) do
      if o.visibility ~= "hidden" and (o.kind == "register" or o.kind == "memory") then widest = math.max(widest, o.width) end
    end
    return widest
  end,
}

-- Names that are functions; they get the scheme first.
local functions = {
  -- uses("xmm", ...): has an operand, printed or not, of one of these register classes
  uses = function(s, ...)
    local classes = {}
    for _, class in ipairs { ... } do classes[class] = true end
    return any(s.operands, function(o) return classes[o.class] or classes[o.index] or false end)
  end,
  -- between("gpr64", ...): prints exactly two operands, registers of one of these classes
  between = function(s, ...)
    local classes, printed = {}, 0
    for _, class in ipairs { ... } do classes[class] = true end
    for _, o in ipairs(s.operands) do
      if o.visibility ~= "hidden" then
        printed = printed + 1
        if o.kind ~= "register" or not classes[o.class] then return false end
      end
    end
    return printed == 2
  end,
  -- among(value, a, b, ...): value is a or b or ...
  among = function(_, value, ...)
    for _, other in ipairs { ... } do
      if value == other then return true end
    end
    return false
  end,
}

-- Schemes are shared by all who ask for them: a filter gets copies of what it could change.
local fields = {
  "name", "mnemonic", "encoding", "category", "isa_set", "extension", "prefixes", "operands", "flags_read", "flags_written",
  "breakers", "stack_bytes", "companions",
}
local flags = { "masked", "zeroing", "rounding", "sae", "branch", "updates_fixed", "unbreakable", "taken" }

local known = {}
for _, name in ipairs(fields) do known[name] = function(s) return lua_library.copy(s[name]) end end
for _, name in ipairs(flags) do known[name] = function(s) return s[name] or false end end
known.scheme = lua_library.copy
for name, compute in pairs(computed) do known[name] = compute end
for name, f in pairs(functions) do
  known[name] = function(s) return function(...) return f(s, ...) end end
end

--- The names that an expression may use, sorted.
scheme_filter.names = {}
for name in pairs(known) do table.insert(scheme_filter.names, name) end
table.sort(scheme_filter.names)

local function clean(message, expression)
  message = tostring(message):gsub("^%[string .-%]:%d+: ", ""):gsub("^filter:%d+: ", ""):gsub("%s*\n%s*", " ")
  expression = expression:gsub("%s+", " ")
  if #expression > 200 then expression = expression:sub(1, 200) .. "..." end
  return printable(("bad filter '%s': %s"):format(expression, message))
end

--- Compiles a filter.
-- @param expression string: a Lua expression
-- @return function(scheme) -> boolean | nil, message; or nil, message if it does not compile
function scheme_filter.compile(expression)
  local current
  local call = lua_file.calls()
  local environment = setmetatable({}, {
    __index = function(_, name)
      local compute = known[name]
      if not compute then
        error(("unknown name '%s'; known: %s"):format(name, table.concat(scheme_filter.names, ", ")), 0)
      end
      return compute(current)
    end,
    __newindex = function(_, name) error(("'%s' cannot be set"):format(name), 0) end,
  })
  if #expression > limits.code_bytes then return nil, ("the filter is longer than %d bytes"):format(limits.code_bytes) end
  local chunk, message = load("return " .. expression .. "\n", "=filter", "t", environment)
  if not chunk then return nil, clean(message, expression) end
  return function(scheme)
    current = scheme
    local ok, result = call(chunk)
    if not ok then return nil, clean(result, expression) end
    return not not result
  end
end

return scheme_filter
