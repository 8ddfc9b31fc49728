--- An execution schedule as text: cycles down, ports across, and in each cell which scheme of which iteration.
local experiment = require "portolan.experiment"

local schedule_text = {}

local widest = 80
local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

-- The label of the n-th scheme where mnemonics are ambiguous: A ... z, then by number.
local function letter(n) return n <= #letters and letters:sub(n, n) or ("#%d"):format(n) end

-- Labels of schemes: their mnemonics, if no two share one; otherwise letters.
local function mnemonics(names)
  local labels, seen = {}, {}
  for _, name in ipairs(names) do
    local word = name:match("^[%w_.]+") or ""
    if word == "" or seen[word] then return nil end
    labels[name], seen[word] = word, true
  end
  return labels
end

local function lettered(names)
  local labels = {}
  for i, name in ipairs(names) do labels[name] = letter(i) end
  return labels
end

-- A cell: the scheme's label, a mark for each of its kinds of uops but the first, the iteration where there are several.
local function cell(slot, labels, several)
  if not slot then return nil end
  return labels[slot.scheme] .. ("'"):rep(slot.uop - 1) .. (several and "." .. slot.iteration or "")
end

local function widths_of(schedule, ports, labels)
  local widths, several = {}, schedule.iterations > 1
  local total = #"cycle"
  for k, port in ipairs(ports) do
    widths[k] = #port
    for _, row in ipairs(schedule.table) do
      widths[k] = math.max(widths[k], #(cell(row[port], labels, several) or ""))
    end
    total = total + 2 + widths[k]
  end
  return widths, total
end

--- The lines of a table.
-- @param schedule what the engine's `schedule` gives
-- @param ports list of port names
-- @param e the experiment
-- @param utf8_output whether the output may hold other than ASCII
-- @return list of lines, labels (scheme -> label)
function schedule_text.lines(schedule, ports, e, utf8_output)
  local names = experiment.schemes(e)
  local labels = mnemonics(names) or lettered(names)
  local widths, total = widths_of(schedule, ports, labels)
  if total > widest - 2 then
    labels = lettered(names)
    widths = widths_of(schedule, ports, labels)
  end
  local function line(first, text_of)
    local parts = { ("%5s"):format(first) }
    for k, port in ipairs(ports) do
      local text = text_of(port)
      parts[k + 1] = text .. (" "):rep(widths[k] - (utf8.len(text) or #text))
    end
    return (table.concat(parts, "  "):gsub("%s+$", ""))
  end
  local idle, lines = utf8_output and "·" or ".", { line("cycle", function(port) return port end) }
  for c, row in ipairs(schedule.table) do
    lines[c + 1] = line(tostring(c), function(port) return cell(row[port], labels, schedule.iterations > 1) or idle end)
  end
  return lines, labels
end

return schedule_text
