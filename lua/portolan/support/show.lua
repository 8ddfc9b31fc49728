--- Values as people read them: Lua syntax, sorted keys, one line for what fits, the rest indented; cut where it gets long.
-- @module portolan.support.show

local max_items, max_depth, max_text = 200, 8, 2000

local function text(s)
  local tail = ""
  if #s > max_text then s, tail = s:sub(1, max_text), (" ... (%d bytes)"):format(#s) end
  local quoted = s:gsub('[%c"\\]', function(c)
    return c == "\n" and "\\n" or c == "\t" and "\\t" or c:find("%c") and ("\\x%02X"):format(c:byte()) or "\\" .. c
  end)
  return '"' .. quoted .. '"' .. tail
end

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true until while")
  :gmatch("%a+") do keywords[word] = true end

local function key_text(key)
  if type(key) ~= "string" then return "[" .. tostring(key) .. "]" end
  return key:find("^[%a_][%w_]*$") and not keywords[key] and key or "[" .. text(key) .. "]"
end

local function before(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  if type(a) == "number" or type(a) == "string" then return a < b end
  return tostring(a) < tostring(b)
end

local show

local function table_text(t, width, indent, path)
  if path[t] then return "<the same again>" end
  if path.depth >= max_depth then return "{...}" end
  path[t], path.depth = true, path.depth + 1
  local parts, length = {}, #t
  for i = 1, math.min(length, max_items) do parts[i] = show(t[i], width, indent .. "  ", path) end
  local keys = {}
  for key in next, t do
    if math.type(key) ~= "integer" or key < 1 or key > length then keys[#keys + 1] = key end
  end
  table.sort(keys, before)
  for i = 1, math.min(#keys, max_items) do
    parts[#parts + 1] = key_text(keys[i]) .. " = " .. show(t[keys[i]], width, indent .. "  ", path)
  end
  local more = length + #keys - #parts
  if more > 0 then parts[#parts + 1] = ("... %d more"):format(more) end
  path[t], path.depth = nil, path.depth - 1
  if #parts == 0 then return "{}" end
  local line = "{ " .. table.concat(parts, ", ") .. " }"
  if #indent + #line <= width and not line:find("\n", 1, true) then return line end
  return "{\n  " .. indent .. table.concat(parts, ",\n  " .. indent) .. "\n" .. indent .. "}"
end

function show(value, width, indent, path)
  if type(value) == "string" then return text(value) end
  local meta = getmetatable(value)
  if type(value) ~= "table" or type(meta) == "table" and meta.__tostring then return tostring(value) end
  return table_text(value, width, indent, path)
end

--- A value as text.
-- @param value anything
-- @param[opt=100] width characters of a line
-- @return text, without a newline at the end
return function(value, width) return show(value, width or 100, "", { depth = 0 }) end
