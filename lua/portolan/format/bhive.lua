--- BHive's tables of basic blocks: `hex,number` a line, without a title line.
--
-- The number is how often the block was run (`frequency`: the files of blocks), or what 100 runs of it take in cycles
-- (`throughput`: the files of measurements); a file does not tell which, the reader must.
-- @module portolan.format.bhive
local byte_order_mark = require "portolan.support.byte_order_mark"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local input = require "portolan.support.input"
local limits = require "portolan.support.limits"

local bhive = {}

local runs = 100 -- what a measured number stands for

local piece_bytes = 16 << 10

local meanings = { frequency = true, throughput = true }

local function quote(text) return "'" .. (#text > 40 and text:sub(1, 37) .. "..." or text):gsub("%c", "?") .. "'" end

-- The bytes of a block, none for what BHive's own files have on one line each: time that belongs to no block. Nil and a message.
local function bytes_of(hex)
  local strange = hex:match("[^%x]")
  if strange then return nil, ("field 1 (code): %s is no hexadecimal digit"):format(quote(strange)) end
  if #hex % 2 == 1 then return nil, "field 1 (code): an odd number of hexadecimal digits" end
  return (hex:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

-- A line as a block; nil and a message.
local function block_of(line, meaning)
  local hex, value = line:match("^%s*([^,]-)%s*,%s*([^,]-)%s*$")
  if not hex then return nil, "a row must have two fields, code and number, as 4801d8,12" end
  local code, message = bytes_of(hex)
  if not code then return nil, message end
  local x = not value:find("[xXnN]") and tonumber(value) or nil
  if not limits.is_amount(x) or (meaning == "throughput" and x == 0) then
    return nil, ("field 2 (%s): %s is not a %s number"):format(meaning, quote(value), meaning == "throughput" and "positive" or "non-negative")
  end
  if meaning == "throughput" then return { code = code, cycles = x / runs } end
  return { code = code, frequency = x }
end

--- Tells whether a file looks like one of BHive's: its first line is hexadecimal digits, a comma and a number.
function bhive.is(path)
  local head = byte_order_mark(input.beginning(path, 4096) or "")
  return head:match("^%s*%x%x[%x]*%s*,%s*[%d.eE+-]+%s*\n") ~= nil or head:match("^%s*%x%x[%x]*%s*,%s*[%d.eE+-]+%s*$") ~= nil
end

--- Goes through the blocks of lines.
-- @param lines function that returns the next line, or nil
-- @param name of the text, for messages
-- @param[opt] meaning of the second field: "frequency" (the default) or "throughput"
-- @return iterator of blocks `{ code = bytes (may be empty), frequency = or cycles =, line = }`; it gives nil, message (`name:line: field: what`)
--   at a row that is not right
function bhive.blocks(lines, name, meaning)
  meaning = meaning or "frequency"
  assert(meanings[meaning], "the meaning must be frequency or throughput")
  local number = 0
  return function()
    while true do
      local line, trouble = lines()
      if not line then return nil, trouble end
      number = number + 1
      if number > limits.blocks.rows then return nil, ("%s:%d: more than %d rows"):format(name, number, limits.blocks.rows) end
      if number == 1 then line = byte_order_mark(line) end
      if line:find("%S") then
        local block, message = block_of(line, meaning)
        if not block then return nil, ("%s:%d: %s"):format(name, number, message) end
        block.line = number
        return block
      end
    end
  end
end

-- The lines of a file, none of which is taken to be longer than 1 MiB.
local function lines_of(handle, path)
  local buffer, at, number = "", 1, 0
  return function()
    while true do
      local newline = buffer:find("\n", at, true)
      if newline then
        local line = buffer:sub(at, newline - 1)
        at, number = newline + 1, number + 1
        return line
      end
      buffer, at = buffer:sub(at), 1
      if #buffer > limits.blocks.row_bytes then
        return nil, ("%s:%d: the row is longer than %d bytes"):format(path, number + 1, limits.blocks.row_bytes)
      end
      local piece, trouble = handle:read(piece_bytes)
      if not piece then return nil, trouble end
      if piece == "" then
        local line = buffer
        buffer = ""
        return line ~= "" and line or nil
      end
      buffer = buffer .. piece
    end
  end
end

--- Goes through the blocks of a file, without reading it whole.
-- @return iterator as of `blocks`; or nil and a message if the file cannot be read
function bhive.open(path, meaning)
  local handle, message = input.open(path)
  if not handle then return nil, message end
  return bhive.blocks(lines_of(handle, path), path, meaning)
end

-- Calls a function with all blocks of an iterator. True; or nil and a message.
local function all(next_block, f)
  while true do
    local block, message = next_block()
    if message then return nil, message end
    if not block then return true end
    f(block)
  end
end

--- Calls a function with every block of several files.
-- @param paths list of files
-- @param f function(block)
-- @return true; or nil and a message
function bhive.each(paths, f)
  for _, path in ipairs(paths) do
    local next_block, message = bhive.open(path)
    if not next_block then return nil, message end
    local ok, trouble = all(next_block, f)
    if not ok then return nil, trouble end
  end
  return true
end

--- The blocks of a text.
-- @return list; or nil and a message
function bhive.parse(text, name, meaning)
  local list, at = {}, 1
  local function lines()
    if at > #text then return nil end
    local line, behind = text:match("([^\n]*)\n?()", at)
    at = behind
    return line
  end
  local ok, message = all(bhive.blocks(lines, name or "blocks", meaning), function(block) list[#list + 1] = block end)
  if not ok then return nil, message end
  return list
end

--- The experiment of a block: the schemes of its instructions.
-- @return experiment; or nil and a message if there are none, or some bytes do not decode
function bhive.experiment(block)
  if block.code == "" then return nil, "there is no code" end
  local code, message = core.isa.decode(block.code)
  if not code then return nil, message end
  return experiment.of_instructions(code.instructions)
end

--- The blocks of a file as experiments.
-- @param path of the file
-- @param[opt] meaning "frequency" or "throughput"; with the latter the records have `cycles`, per run of the block
-- @return list of records `{ e =, code =, cycles =, frequency =, line =, status = }` as `portolan.experiment.list` has them, those without
--   cycles with the status "not recorded"; list of `{ line =, message = }`, the blocks that do not decode; or nil and a message
function bhive.experiments(path, meaning)
  local blocks, message = bhive.open(path, meaning)
  if not blocks then return nil, message end
  local list, strange = {}, {}
  local ok, fault = all(blocks, function(block)
    local e, why = bhive.experiment(block)
    if e then
      list[#list + 1] = { e = e, code = block.code, cycles = block.cycles, frequency = block.frequency, line = block.line,
        status = block.cycles and "ok" or "not recorded" }
    else
      strange[#strange + 1] = { line = block.line, message = why }
    end
  end)
  if not ok then return nil, fault end
  return list, strange
end

--- Returns what to say of blocks that do not decode: one line, or nil if all do.
-- @param strange, as of `experiments`
-- @param decoded how many do
-- @param path of the file
function bhive.undecoded(strange, decoded, path)
  if #strange == 0 then return nil end
  return ("%s: %d of %d blocks do not decode, the first in line %d: %s"):format(path, #strange, #strange + decoded, strange[1].line,
    strange[1].message)
end

return bhive
