--- Portolan: charts the execution ports of processors.
--
--    local portolan = require "portolan"
--    local model = assert(portolan.model.load("mapping.json"))
--    print(model:throughput{ ["add r64, r64"] = 2 })
--
-- Parts are loaded when they are first used: modules by their names (`portolan.infer.cegis`), those in the folders of nouns and in support without
-- the folder, too (`portolan.isa`, `portolan.model`, `portolan.json`; `portolan.block_model` is `portolan.block.model`), and the layers of the engine
-- (`portolan.core.isa`, `portolan.bench`, `portolan.smt`, `portolan.base`). Requiring this module also enters what reads other tools' formats, and
-- what else may stand where a mapping file is expected (portolan.support.foreign).
-- @module portolan

local folders = { format = true, processor = true, predictor = true, infer = true, report = true, argument = true, measuring = true, anica = true,
  scheme = true, machine = true, loop = true, support = true, progress = true, ["predictor.adapters"] = true, ["predictor.machinery"] = true }

local foreign = require "portolan.support.foreign"
foreign.sources["llvm-mca"] = function(name) return require("portolan.predictor.named").mapping(name) end
foreign.sources.core = function(name) return require("portolan.predictor.met_cores").mapping(name) end
setmetatable(foreign.readers, { __index = function(_, kind) return require("portolan.format.readers")[kind] end })

-- Folders whose modules are found without their names, too.
local aliases = { experiments = "experiment.list", predictors = "prediction.compared", program = "support.linear_program", real_block = "block.real",
  real_loop = "block.loop" }
local without_name = { "prediction", "scheme", "experiment", "mapping", "block", "machine", "support" } -- `portolan.model` is of predictions

local function exists(module) return package.searchpath(module, package.path) ~= nil end

local function folder(name)
  return setmetatable({}, {
    __index = function(self, key)
      if type(key) ~= "string" then return nil end
      local inner = ("%s.%s"):format(name, key)
      local module, value = "portolan." .. inner, nil
      if exists(module) then value = require(module) elseif folders[inner] then value = folder(inner) end
      rawset(self, key, value)
      return value
    end,
  })
end

local function load(name)
  if type(name) ~= "string" then return nil end
  if name == "core" then return require "portolan.core" end
  if name == "version" then return require("portolan.core").version end
  name = aliases[name] or name
  if exists("portolan." .. name) then return require("portolan." .. name) end
  if folders[name] then return folder(name) end
  for _, noun in ipairs(without_name) do
    local inner = name:match("^" .. noun .. "_(.+)$") or name
    local module = ("portolan.%s.%s"):format(noun, inner)
    if exists(module) then return require(module) end
  end
  return require("portolan.core")[name]
end

return setmetatable({}, {
  __index = function(self, name)
    local value = load(name)
    if value ~= nil then rawset(self, name, value) end
    return value
  end,
})
