--- Experiments: multisets of instruction schemes (Definition 3.1).
--
-- An experiment is a table `{ ["add r64, r64"] = 2, ["imul r64, r64"] = 1 }`: scheme name -> positive whole count.
-- Its text is a sum, `2*add r64, r64 + imul r64, r64`; the plus signs have white space on both sides, as a scheme's name
-- may contain a plus sign of its own.
-- @module portolan.experiment
local lists = require "portolan.support.lists"
local experiment = {}

--- The largest count of a scheme in one experiment.
experiment.max_count = 1000000000

-- White space becomes one space, also after each comma that was followed by some.
local function tidy(name) return (name:gsub("%s+", " "):gsub(" ,", ","):gsub("^ ", ""):gsub(" $", "")) end

local function quote(text)
  if #text > 60 then text = text:sub(1, 57) .. "..." end
  return "'" .. text:gsub("%c", "?") .. "'"
end

local function parse_term(text, position)
  local where = (" (term %d of the experiment)"):format(position)
  local count, name = text:match("^%s*(%d+)%s*%*%s*(.-)%s*$")
  if not count then
    count, name = "1", text
    if text:match("^%s*[%-+]?[%d.]+%s*%*") then
      return nil, ("the count of %s is not a positive whole number%s"):format(quote(tidy(text)), where)
    end
  end
  name = tidy(name)
  if name == "" then return nil, "a scheme is missing" .. where .. "; write 2*add r64, r64 + imul r64, r64" end
  if name:match("^[%-+]?[%d.]+ ?%*") or (" " .. name .. " "):find(" + ", 1, true) then
    -- its canonical text would be read as something else
    return nil, ("%s is not the name of a scheme%s"):format(quote(name), where)
  end
  local n = math.tointeger(tonumber(count))
  if not n or n < 1 or n > experiment.max_count then
    return nil, ("the count of %s must be from 1 to %d%s"):format(quote(name), experiment.max_count, where)
  end
  return name, n
end

--- Reads the text of an experiment.
-- @param text e.g. `2*add r64, r64 + imul r64, r64`
-- @return experiment | nil, message
function experiment.parse(text)
  if type(text) ~= "string" then return nil, "an experiment must be a string" end
  text = " " .. text .. " "
  local e, start, position = {}, 1, 0
  while start do
    local from, to = text:find("%s%+%s", start)
    position = position + 1
    local name, count = parse_term(text:sub(start, (from or #text + 1) - 1), position)
    if not name then return nil, count end
    e[name] = (e[name] or 0) + count
    if e[name] > experiment.max_count then return nil, ("the count of %s is too large"):format(quote(name)) end
    start = to -- the white space after a plus sign may belong to the next one as well
  end
  return e
end

--- The names of an experiment's schemes.
-- @return sorted list
function experiment.schemes(e) return lists.keys(e) end

--- The canonical text: schemes sorted by name, counts only above 1.
function experiment.format(e)
  local terms = lists.map(experiment.schemes(e), function(name)
    return e[name] == 1 and name or ("%d*%s"):format(e[name], name)
  end)
  return table.concat(terms, " + ")
end

--- A string that two experiments share if and only if they are equal: the canonical text.
experiment.key = experiment.format

--- The schemes of decoded instructions, counted.
-- @param instructions list of `core.isa.decode`
function experiment.of_instructions(instructions)
  return experiment.of_list(lists.map(instructions, function(instruction) return instruction.scheme end))
end

--- The other schemes of an experiment.
-- @param e table
-- @param name of a scheme
-- @return another table, without it
function experiment.without(e, name)
  local rest = lists.copy(e)
  rest[name] = nil
  return rest
end

--- |e|: the number of instances.
function experiment.length(e)
  local n = 0
  for _, count in pairs(e) do n = n + count end
  return n
end

--- Tells whether two experiments have the same counts.
function experiment.equal(a, b)
  for name, count in pairs(a) do
    if b[name] ~= count then return false end
  end
  for name in pairs(b) do
    if not a[name] then return false end
  end
  return true
end

--- An experiment with every count multiplied by a positive whole number.
function experiment.scale(e, factor)
  local scaled = {}
  for name, count in pairs(e) do scaled[name] = count * factor end
  return scaled
end

--- An experiment with every count divided by what all have in common.
-- @param e experiment
-- @return another one; the divisor, which makes `e` of it (`experiment.scale`)
function experiment.reduced(e)
  local divisor = 0
  for _, count in pairs(e) do
    while count > 0 do divisor, count = count, divisor % count end
  end
  local smaller = {}
  for name, count in pairs(e) do smaller[name] = count // divisor end
  return smaller, divisor
end

--- The sum of two experiments.
function experiment.merge(a, b)
  local sum = lists.copy(a)
  for name, count in pairs(b) do sum[name] = (sum[name] or 0) + count end
  return sum
end

--- The multiset of a list of scheme names.
function experiment.of_list(names) return lists.tally(names) end

--- Checks whether a value is an experiment.
-- @return true | nil, message
function experiment.check(e)
  if type(e) ~= "table" then return nil, "an experiment must be a table of counts by scheme" end
  if next(e) == nil then return nil, "the experiment is empty" end
  for name, count in pairs(e) do
    if type(name) ~= "string" then return nil, "an experiment's schemes must be strings" end
    if math.type(count) ~= "integer" or count < 1 or count > experiment.max_count then
      return nil, ("the count of %s must be a whole number from 1 to %d"):format(quote(name), experiment.max_count)
    end
  end
  return true
end

return experiment
