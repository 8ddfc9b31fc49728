--- Predictors by name, and the mappings of those that have one.
--
--    llvm-mca-19:skylake,noalias=false   LLVM 19's llvm-mca for Skylake; words after the processor become its flags, `steady` asks for the
--                                        steady state. Without a version the newest one; `native` is this processor
--    hw,code=loop                        this processor, measured; settings behind commas
--    mapping:FILE                        a port mapping
--    assume:FILE,width=6,...             ports, front end and dependencies with every assumption named (portolan.predictor.adapters.assume)
--    command:PROGRAM ARGUMENTS           any program (also command-batch:)
--    lua:FILE                            a Lua program of the user's own (portolan.predictor.adapters.own); FILE.lua in a folder `predictors` of
--                                        PORTOLAN_PATH goes by the name FILE
--    osaca:SKX  uica:SKL  iaca:SKL  ithemal:  difftune:  cqa:  nanobench:  bhive:    other tools, where they are installed
--
-- A mapping is for a set of schemes, `llvm-mca-19:skylake#avx512`; if none is named, for every scheme that the decoder knows, as programs have
-- more instructions than those that can be measured alone. Mappings are kept in the user's cache, by the exact version.
-- @module portolan.predictor.named
local core = require "portolan.core"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local isa = require "portolan.isa"
local llvm_mca = require "portolan.predictor.llvm_mca"
local mapping = require "portolan.mapping"
local own_file = require "portolan.support.own_file"
local paths = require "portolan.support.paths"
local scheme_set = require "portolan.scheme_set"
local name_settings = require "portolan.predictor.machinery.name_settings"

local named = {}

local method = "2" -- of making mappings: those of another one are made anew

-- llvm-mca-19:skylake,noalias=false,steady
local function open_llvm_mca(name, options)
  local version, cpu, rest = name:match "^llvm%-mca%-?(%d*):([%w_.-]+)(.*)$"
  if not cpu or rest ~= "" and rest:sub(1, 1) ~= "," then
    return nil, ("no predictor '%s'; write llvm-mca-19:CPU or llvm-mca:CPU, for CPU see llvm-mca -mcpu=help"):format(name)
  end
  local all = { version = version ~= "" and version or nil, cpu = cpu, flags = {} }
  for _, setting in ipairs(name_settings.words(rest)) do
    if setting == "steady" then all.steady = true else all.flags[#all.flags + 1] = setting end
  end
  for key, value in pairs(options or {}) do all[key] = value end
  return llvm_mca.open(all)
end

-- Kind of a name -> function(what stands behind the colon, kind, options). Each adapter is loaded when it is asked for.
local kinds = {
  hw = function(rest, _, options)
    if rest ~= "" and rest:sub(1, 1) ~= "," then return nil, ("'%s' is not understood; write hw, or hw,code=loop"):format(rest) end
    return require("portolan.predictor.adapters.hardware").open(options, rest)
  end,
  mapping = function(rest) return require("portolan.predictor.adapters.mapping").open(rest) end,
  assume = function(rest) return require("portolan.predictor.adapters.assume").open(rest) end,
  command = function(...) return require("portolan.predictor.adapters.command").open(...) end,
  ["command-batch"] = function(...) return require("portolan.predictor.adapters.command").open(...) end,
  lua = function(rest) return require("portolan.predictor.adapters.own").open(rest:match "^([^,]*),?(.*)$") end, -- FILE,ARGUMENT
  osaca = function(...) return require("portolan.predictor.adapters.osaca").open(...) end,
  uica = function(...) return require("portolan.predictor.adapters.uica").open(...) end,
  iaca = function(...) return require("portolan.predictor.adapters.iaca").open(...) end,
  ithemal = function(...) return require("portolan.predictor.adapters.ithemal").open(...) end,
  difftune = function(...) return require("portolan.predictor.adapters.difftune").open(...) end,
  cqa = function(...) return require("portolan.predictor.adapters.cqa").open(...) end,
  nanobench = function(...) return require("portolan.predictor.adapters.nanobench").open(...) end,
  bhive = function(...) return require("portolan.predictor.adapters.bhive").open(...) end,
}

--- The kinds of predictors, sorted.
function named.kinds()
  local list = { "llvm-mca" }
  for kind in pairs(kinds) do list[#list + 1] = kind end
  for _, name in ipairs(own_file.names "predictors") do list[#list + 1] = not kinds[name] and name or nil end
  table.sort(list)
  return list
end

--- Opens a predictor.
-- @param name as above
-- @param[opt] options of the adapter, e.g. `seconds`; for `hw` those of `portolan.processor.hardware`
-- @return predictor (`portolan.predictor.machinery.protocol`), with this name as `spec`; or nil and a message
function named.open(name, options)
  if name:find "^llvm%-mca" then return open_llvm_mca(name, options) end
  local kind, rest = name:match "^([%w-]+):?(.*)$"
  local open = kinds[kind]
  if not open then
    local mine, argument = name:match "^([^,]*),?(.*)$"
    local path = own_file.find("predictors", mine)
    open = path and function() return require("portolan.predictor.adapters.own").open(path, argument) end
  end
  if not open then return nil, ("no predictor '%s'; there are %s"):format(name, table.concat(named.kinds(), ", ")) end
  local p, message, status = open(rest, kind, options)
  if not p then return nil, ("%s: %s"):format(kind or name, message), status end
  p.spec = name
  return p
end

--- The predictors that are installed, with names that `open` takes.
-- @return list of `{ name =, kind =, path = }`
function named.installed()
  local list = {}
  for _, one in ipairs(llvm_mca.installed()) do list[#list + 1] = { name = one.name .. ":native", kind = "llvm-mca", path = one.path } end
  for _, usual in ipairs(name_settings.usual) do
    local path = name_settings.program({}, usual.programs, "")
    if path then list[#list + 1] = { name = usual.name, kind = usual.kind, path = path } end
  end
  return list
end

-- The names of the schemes of a set; those of all schemes if there is none.
local function schemes_of(set)
  local names = {}
  if not set then
    local all, trouble = isa.schemes { legacy = true, vex = true, evex = true }
    if not all then return nil, trouble end
    for i, scheme in ipairs(all) do names[i] = scheme.name end
    return names
  end
  local groups, message = scheme_set.load(set)
  if not groups then return nil, message end
  for _, group in ipairs(groups) do table.move(group.schemes, 1, #group.schemes, #names + 1, names) end
  return names
end

-- The mapping of the cache, if it is there and whole.
local function kept(path, key)
  if not file.kind(path) then return nil end
  local m = mapping.load(path)
  return m and m.provenance and m.provenance.key == key and m or nil
end

-- Keeps a mapping; a cache that cannot be written is ignored.
local function keep(m, path)
  if file.make_directory(path:match "^(.*)/") then mapping.save(m, path) end
  return m
end

--- The mapping of a predictor's model.
-- @param name of the predictor, with `#SET` behind it if it is not to be all schemes
-- @return mapping; or nil and a message
function named.mapping(name)
  local base, set = name:match "^(.-)#(.+)$"
  local p, message = named.open(base or name)
  if not p then return nil, message end
  local schemes
  schemes, message = schemes_of(set)
  if not schemes then return nil, message end
  local key = fingerprint.of(method .. (p.method or ""), p.version, p.name, table.concat(schemes, "\n"))
  local path = paths.cache(("mappings/%s-%s.json"):format(p.name:gsub("[^%w.-]", "-"), key))
  local m = kept(path, key)
  if m then return m end
  m, message = p:mapping(schemes)
  if not m then return nil, message end
  if core.base.interrupted() then return nil, "interrupted" end
  m.provenance.key = key
  return keep(m, path)
end

return named
