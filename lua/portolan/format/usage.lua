--- Port usage as text, in the notation of uops.info: `1*p0156+2*p23`, a sum of so many uops for these ports.
--
-- A port whose name is one letter or digit stands for itself; any other name is put in braces, `1*p0{10}{DV}`, in which a
-- closing brace is doubled. `FP` before digits, as for AMD's floating-point ports, is short for the ports FP0, FP1, ...:
-- it is read, not written. `none`: no uop at all, eliminated at rename.
-- @module portolan.format.usage
local usage = {}

local function port_text(name)
  if name:find("^%w$") then return name end
  return "{" .. name:gsub("}", "}}") .. "}"
end

--- The text of a list of uops.
-- @param uops list of `{ ports, multiplicity }`
function usage.format(uops)
  local terms = {}
  for i, uop in ipairs(uops) do
    local names = {}
    for k, name in ipairs(uop[1]) do names[k] = port_text(name) end
    terms[i] = ("%d*p%s"):format(uop[2] or 1, table.concat(names))
  end
  return #terms > 0 and table.concat(terms, "+") or "none"
end

-- The name in braces at `at`, and the position behind it; nil if the braces do not close.
local function braced(text, at)
  local from = at + 1
  while true do
    local brace = text:find("}", from, true)
    if not brace then return nil end
    if text:sub(brace + 1, brace + 1) ~= "}" then
      local name = text:sub(at + 1, brace - 1):gsub("}}", "}")
      return name ~= "" and name or nil, brace + 1
    end
    from = brace + 2
  end
end

-- The list of ports at `at`, and the position behind it; nil if there is none, or one of them twice.
local function port_list(text, at, prefix)
  local names, seen = {}, {}
  while true do
    local name = text:match("^%w", at)
    local behind = at + 1
    if name then
      name = prefix .. name
    elseif text:sub(at, at) == "{" then
      name, behind = braced(text, at)
      if not name then return nil end
    else
      break
    end
    if seen[name] then return nil end
    names[#names + 1], seen[name], at = name, true, behind
  end
  if #names > 0 then return names, at end
end

-- The uop at `at`, and the position behind it and white space.
local function term(text, at)
  local count, from = text:match("^(%d+)%s*%*%s*()", at)
  local multiplicity = math.tointeger(tonumber(count or 1))
  local letters, behind = text:match("^(F?[pP])()", from or at)
  if not letters or letters == "Fp" or not multiplicity or multiplicity < 1 then return nil end
  local names
  names, behind = port_list(text, behind, letters == "FP" and "FP" or "")
  if names then return { names, multiplicity }, text:match("^%s*()", behind) end
end

--- Reads the text of a port usage.
-- @return list of `{ ports, multiplicity }`; or nil and a message
function usage.parse(text)
  local uops, at = {}, text:match("^%s*()")
  if text:match("^none%s*$", at) then return uops end
  while true do
    local uop, behind = term(text, at)
    if not uop then
      return nil, ("'%s' is no port usage such as 1*p0156+2*p{10}{DV}"):format(text:sub(1, 60):gsub("%c", "?"))
    end
    uops[#uops + 1] = uop
    if behind > #text then return uops end
    at = text:match("^%+%s*()", behind)
    if not at then return nil, ("a plus sign is missing in '%s'"):format(text:sub(1, 60):gsub("%c", "?")) end
  end
end

return usage
