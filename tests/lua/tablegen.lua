-- For tests: reads the part of TableGen that scheduling models are written in, strictly.
local tablegen = {}

-- Tokens of the text without comments: names, numbers, signs.
local function tokens_of(text)
  local list = {}
  text = text:gsub("//[^\n]*", "")
  local at = text:match("^%s*()")
  while at <= #text do
    local token, behind = text:match("^([%a_][%w_]*)%s*()", at)
    if not token then token, behind = text:match("^(%-?%d+)%s*()", at) end
    if not token then token, behind = text:match("^([%[%]<>{}%(%);:,=])%s*()", at) end
    assert(token, "strange text: " .. text:sub(at, at + 30))
    list[#list + 1], at = token, behind
  end
  return list
end

local Reader = {}
Reader.__index = Reader

function Reader:peek() return self.tokens[self.at] end

function Reader:next(expected)
  local token = self.tokens[self.at]
  assert(token, "the text ends too early")
  assert(not expected or token == expected, ("'%s' where '%s' is expected"):format(token, tostring(expected)))
  self.at = self.at + 1
  return token
end

-- A value: number, name that is defined, list in brackets, dag in parentheses.
function Reader:value()
  local token = self:next()
  if tonumber(token) then return tonumber(token) end
  if token == "[" or token == "(" then
    local close, list = token == "[" and "]" or ")", {}
    if token == "(" then list.operator = self:next() end
    while self:peek() ~= close do
      if #list > 0 then self:next(",") end
      list[#list + 1] = list.operator and self:next() or self:value()
    end
    self:next(close)
    return list
  end
  return assert(self.defs[token], "not defined before: " .. token)
end

function Reader:def()
  self:next "def"
  local d = { name = self:peek() ~= ":" and self:next() or nil }
  self:next ":"
  d.class, d.arguments, d.fields = self:next(), {}, {}
  if self:peek() == "<" then
    repeat
      self:next()
      d.arguments[#d.arguments + 1] = self:value()
    until self:peek() ~= ","
    self:next ">"
  end
  if self:peek() == "{" then
    self:next "{"
    while self:peek() ~= "}" do
      self:next "let"
      local field = self:next()
      self:next "="
      assert(d.fields[field] == nil, "set twice: " .. field)
      d.fields[field] = self:value()
      self:next ";"
    end
    self:next "}"
  else
    self:next ";"
  end
  if d.name then
    assert(not self.defs[d.name], "defined twice: " .. d.name)
    self.defs[d.name] = d
  end
  self.list[#self.list + 1] = d
end

--- Reads definitions, also those in `let ... in { ... }`.
-- @return list of { name =, class =, arguments =, fields = }; throws what is wrong
function tablegen.read(text)
  local reader = setmetatable({ tokens = tokens_of(text), at = 1, defs = {}, list = {} }, Reader)
  local depth = 0
  while reader:peek() do
    local token = reader:peek()
    if token == "let" then
      reader:next "let"; reader:next "SchedModel"; reader:next "="; reader:value(); reader:next "in"; reader:next "{"
      depth = depth + 1
    elseif token == "}" then
      reader:next "}"
      depth = depth - 1
    else
      reader:def()
    end
  end
  assert(depth == 0, "braces do not close")
  return reader.list
end

return tablegen
