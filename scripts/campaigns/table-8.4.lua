-- Table 8.4 of Ritter's dissertation: how predictors of Haswell treat dependencies through memory.
-- usage: portolan run scripts/campaigns/table-8.4.lua [PREDICTOR ...]
-- By default the versions of llvm-mca that are installed, the same assuming that all memory accesses may alias, OSACA, uiCA, IACA. `hw` is this
-- machine's processor, measured.
local named = require "portolan.predictor.named"

local blocks = { "add [rcx + 16], rbx; add [rcx + 16], rbx", "add [rcx + 16], rbx; add [rcx + 128], rbx",
  "add [rcx + 16], rbx; add [rdx + 16], rbx" }

local others = { osaca = "osaca:HSW", uica = "uica:HSW", iaca = "iaca:HSW" }

local function usual()
  local names = {}
  for _, one in ipairs(named.installed()) do
    local model = one.name:match "^(llvm%-mca%-.*):native$"
    if model then
      names[#names + 1] = model .. ":haswell"
      names[#names + 1] = model .. ":haswell,noalias=false"
    else
      names[#names + 1] = others[one.kind]
    end
  end
  return names
end

local questions = {}
for i, text in ipairs(blocks) do questions[i] = { text = text } end
for k, text in ipairs(blocks) do print(("block %d: %s"):format(k, text)) end
for _, name in ipairs(#arg > 0 and arg or usual()) do
  local p, cells = assert(named.open(name)), {}
  for i, answer in ipairs(p:predict(questions)) do cells[i] = answer.cycles and ("%7.2f"):format(answer.cycles) or answer.error end
  print(("%-36s %s"):format(name, table.concat(cells, " ")))
end
