-- Cuts programs and object files into basic blocks, for `portolan eval --blocks`: blocks of code that nobody looked at while rules were found.
-- A block begins at a function, behind a branch and where a branch leads to, and ends before the next of these; branches are left out, as in
-- BHive's tables. What holds zeros is no code: objdump reads padding between functions as `add %al,(%rax)`, and what follows it from the wrong byte.
-- Reads what objdump says. Each block is taken once.
-- usage: lua5.4 tests/bench/cut_blocks.lua COUNT SEED FILE ... > blocks.csv     (LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
--   COUNT  how many blocks are drawn in all
local core = require "portolan.core"

local count, seed = tonumber(arg[1]), tonumber(arg[2])
if not seed or not arg[3] then
  io.stderr:write "usage: lua5.4 tests/bench/cut_blocks.lua COUNT SEED FILE ...\n"
  os.exit(2)
end

-- What ends a block; objdump prints prefixes (bnd, notrack, repz) first.
local function is_branch(text)
  local word = text:gsub("^bnd ", ""):gsub("^notrack ", ""):gsub("^rep[nz]* (ret)", "%1"):match "^%S+" or ""
  return word:find "^j" or word:find "^call" or word:find "^ret" or word:find "^loop" or word == "ud2" or word == "hlt" or word == "syscall"
end

local function quoted(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

-- Lists of lines `{ address =, hex =, text = }`, one for each function.
local function functions_of(path)
  local all, now = {}, nil
  local pipe = assert(io.popen("objdump -d -w --insn-width=16 " .. quoted(path)))
  for line in pipe:lines() do
    if line:find "^%x+ <.*>:$" then
      now = {}
      all[#all + 1] = now
    end
    local address, hex, text = line:match "^%s*(%x+):%s+([%x ]-)%s*\t(.*)$"
    if address and now then now[#now + 1] = { address = tonumber(address, 16), hex = hex:gsub(" ", ""), text = text } end
  end
  pipe:close()
  return all
end

local function leaders_of(list)
  local leads = {}
  for _, line in ipairs(list) do
    local target = is_branch(line.text) and line.text:match "%s(%x+) <"
    if target then leads[tonumber(target, 16)] = true end
  end
  return leads
end

local blocks, seen = {}, {}

local padding = "0000"

local function finish(words)
  local hex, holds_padding = table.concat(words), false
  for _, word in ipairs(words) do holds_padding = holds_padding or word == padding end
  if hex ~= "" and not holds_padding and not seen[hex] then
    seen[hex] = true
    blocks[#blocks + 1] = hex
  end
end

local function cut(list)
  local leads, words = leaders_of(list), {}
  for _, line in ipairs(list) do
    local branch = is_branch(line.text)
    if branch or leads[line.address] then
      finish(words)
      words = {}
    end
    if not branch and not line.text:find "^%(bad%)" then words[#words + 1] = line.hex end
  end
  finish(words)
end

for i = 3, #arg do
  for _, list in ipairs(functions_of(arg[i])) do cut(list) end
end
local order = {}
for i = 1, #blocks do order[i] = i end
order = core.base.rng(seed):shuffle(order)
for i = 1, math.min(count, #order) do print(blocks[order[i]] .. ",1") end
