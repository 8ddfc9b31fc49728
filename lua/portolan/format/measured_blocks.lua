--- Tables of measured blocks: `hex,cycles` a line, or `hex,,why there are no cycles`; the first line may be `block,cycles,status`.
-- @module portolan.format.measured_blocks
local block = require "portolan.block"
local byte_order_mark = require "portolan.support.byte_order_mark"
local file = require "portolan.support.file"
local limits = require "portolan.support.limits"
local lines = require "portolan.support.lines"

local measured_blocks = {}

local title = "block,cycles,status"

-- A row: code, result; nil and a message.
local function row_of(line)
  local hex, value, status = line:match "^%s*(%x+)%s*,%s*([^,]-)%s*,([^,]*)$"
  if not hex then hex, value, status = line:match "^%s*(%x+)%s*,%s*([^,]-)%s*()$" end
  if not hex then return nil, "a row must have the fields block, cycles and status, as 4801d8,1.0,ok" end
  local code, message = block.from_hex(hex)
  if not code then return nil, message end
  status = type(status) == "string" and status:match "^%s*(.-)%s*$" or "" -- the third field may be missing
  if value == "" then return code, { status = status ~= "" and status ~= "ok" and status or "not recorded" } end
  local cycles = not value:find "[xXnN]" and tonumber(value)
  if not cycles or cycles < limits.cycles.least or cycles > limits.cycles.most then
    return nil, ("field 2 (cycles): '%s' is no positive number"):format(value:sub(1, 40):gsub("%c", "?"))
  end
  if status ~= "" and status ~= "ok" then return nil, "field 3 (status): there are cycles, so it must be ok" end
  return code, { status = "ok", cycles = cycles + 0.0 }
end

--- Reads the text of a table.
-- @param text string
-- @param name of the text, for messages
-- @return table: machine code -> `{ status =, cycles = of one run of the block }`; or nil and a message (`name:line: field: what`)
function measured_blocks.parse(text, name)
  local each, too_many = lines.of(byte_order_mark(text), name)
  if not each then return nil, too_many end
  local results, any = {}, false
  for number, line in each do
    if line:find "%S" and not (number == 1 and line:match "^%s*block%s*,") then
      local code, result = row_of(line:gsub("\r$", ""))
      if not code then return nil, ("%s:%d: %s"):format(name, number, result) end
      if results[code] and (results[code].cycles ~= result.cycles) then
        return nil, ("%s:%d: the block is there already, with other cycles"):format(name, number)
      end
      results[code], any = result, true
    end
  end
  if not any then return nil, name .. ": there is no block in it" end
  return results
end

--- Reads a table.
-- @param path of the file
-- @return as of `parse`
function measured_blocks.load(path)
  local text, message, status = file.read(path)
  if not text then return nil, message, status end
  return measured_blocks.parse(text, path)
end

--- Writes a table.
-- @param path of the file
-- @param rows list of `{ hex =, result = { status =, cycles = } }`
-- @return true; or nil, message, status
function measured_blocks.save(path, rows)
  local list = { title }
  for i, row in ipairs(rows) do
    local cycles = row.result.cycles and ("%.6g"):format(row.result.cycles) or ""
    list[i + 1] = ("%s,%s,%s"):format(row.hex, cycles, (row.result.status:gsub("[,%c]", " ")))
  end
  list[#list + 1] = ""
  return file.write(path, table.concat(list, "\n"))
end

return measured_blocks
