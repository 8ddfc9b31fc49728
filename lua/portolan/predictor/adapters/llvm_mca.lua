--- LLVM's llvm-mca by its name: `llvm-mca-19:skylake,noalias=false,steady`.
--
-- Words after the processor become flags of the program, `steady` asks for the steady state. Without a version the newest one answers; `native` is
-- this processor.
-- @module portolan.predictor.adapters.llvm_mca
local lists = require "portolan.support.lists"
local llvm_mca = require "portolan.predictor.llvm_mca"
local name_settings = require "portolan.predictor.machinery.name_settings"

local adapter = { versions = true } -- of the program: llvm-mca-19

--- Opens llvm-mca.
-- @param rest `CPU[,WORD...]`
-- @param kind `llvm-mca`, `llvm-mca-19`
-- @param[opt] options of `portolan.predictor.llvm_mca.open`
-- @return predictor; or nil and a message
function adapter.open(rest, kind, options)
  local cpu, words = rest:match "^([%w_.-]+)(.*)$"
  if not cpu or words ~= "" and words:sub(1, 1) ~= "," then
    return nil, ("no predictor '%s'; write llvm-mca-19:CPU or llvm-mca:CPU, for CPU see llvm-mca -mcpu=help"):format(kind .. ":" .. rest)
  end
  local all = { version = kind:match "%d+$", cpu = cpu, flags = {} }
  for _, setting in ipairs(name_settings.words(words)) do
    if setting == "steady" then all.steady = true else all.flags[#all.flags + 1] = setting end
  end
  for key, value in pairs(options or {}) do all[key] = value end
  local p, message = llvm_mca.open(all)
  if not p then return nil, message end
  p.spec = p.name -- it says the version that answers
  return p
end

--- The versions that are installed, for this processor.
-- @return list of `{ name =, path = }`
function adapter.installed()
  return lists.map(llvm_mca.installed(), function(one) return { name = one.name .. ":native", path = one.path } end)
end

return adapter
