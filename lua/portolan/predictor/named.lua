--- Predictors by name, and the mappings of those that have one.
--
--    llvm-mca-19:skylake,noalias=false   LLVM 19's llvm-mca for Skylake; words after the processor become its flags, `steady` asks for the
--                                        steady state. Without a version the newest one; `native` is this processor
--    hw,code=loop                        this processor, measured; settings behind commas
--    mapping:FILE                        a port mapping
--    chart:FILE,by=simulation            a chart: ports, front end, first cache and dependencies of blocks (portolan.predictor.adapters.chart)
--    assume:FILE,width=6,...             ports, front end and dependencies with every assumption named (portolan.predictor.adapters.assume)
--    command:PROGRAM ARGUMENTS           any program (also command-batch:)
--    lua:FILE                            a Lua program of the user's own (portolan.predictor.adapters.lua); FILE.lua in a folder `predictors` of
--                                        PORTOLAN_PATH goes by the name FILE
--    osaca:SKX  uica:SKL  iaca:SKL  ithemal:  difftune:  cqa:  nanobench:  bhive:    other tools, where they are installed
--
-- A kind of names is a file of `portolan/predictor/adapters`, `{ open = function(what stands behind the colon, kind, options) }`.
--
-- A mapping is for a set of schemes, `llvm-mca-19:skylake#avx512`; if none is named, for every scheme that the decoder knows, as programs have
-- more instructions than those that can be measured alone. Mappings are kept in the user's cache, by the exact version.
-- @module portolan.predictor.named
local core = require "portolan.core"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local isa = require "portolan.isa"
local kept_mapping = require "portolan.predictor.kept_mapping"
local lists = require "portolan.support.lists"
local lua_program = require "portolan.predictor.adapters.lua"
local own_file = require "portolan.support.own_file"
local paths = require "portolan.support.paths"
local scheme_set = require "portolan.scheme_set"
local name_settings = require "portolan.predictor.machinery.name_settings"
local ticker = require "portolan.progress.ticker"

local named = {}

local method = "6" -- of making mappings: those of another one are made anew

-- The module of a kind. The kinds of adapters with `versions` may end with one: llvm-mca-19.
local function module_of(kind)
  local modules = own_file.modules "predictors"
  local module = modules[kind] or modules[(kind:gsub("%-?%d+$", ""))]
  return module and (modules[kind] or require(module).versions) and module or nil
end

--- The kinds of predictors, sorted.
function named.kinds()
  local list, ours = {}, own_file.modules "predictors"
  for kind in pairs(ours) do list[#list + 1] = kind end
  for _, name in ipairs(own_file.names "predictors") do list[#list + 1] = not ours[name] and name or nil end
  table.sort(list)
  return list
end

-- What opens the predictor of a name: function(rest, kind, options); nil if there is none.
local function opener(name, kind)
  local module = kind and module_of(kind)
  if module then return require(module).open end
  local mine, argument = name:match "^([^,]*),?(.*)$"
  local path = own_file.find("predictors", mine)
  return path and function() return lua_program.open_file(path, argument) end
end

--- Opens a predictor.
-- @param name as above
-- @param[opt] options of the adapter, e.g. `seconds`; for `hw` those of `portolan.processor.hardware`
-- @return predictor (`portolan.predictor.machinery.protocol`), with this name as `spec`; or nil and a message
function named.open(name, options)
  local kind, rest = name:match "^([%w-]+):?(.*)$"
  local open = opener(name, kind)
  if not open then return nil, ("no predictor '%s'; there are %s"):format(name, table.concat(named.kinds(), ", ")) end
  local p, message, status = open(rest, kind, options)
  if not p then
    local base = kind and kind:gsub("%-?%d+$", "") -- of llvm-mca-19
    local named_there = message:find "^no predictor" or base and message:sub(1, #base) == base
    return nil, named_there and message or ("%s: %s"):format(kind or name, message), status
  end
  p.spec = p.spec or name
  return p
end

--- The predictors that are installed, with names that `open` takes: what the adapters' own `installed` finds, or the first of `usual.programs`
-- that is there.
-- @return list of `{ name =, kind =, path = }`
function named.installed()
  local list, modules = {}, own_file.modules "predictors"
  local kinds = lists.keys(modules)
  for _, kind in ipairs(kinds) do
    local adapter = require(modules[kind])
    local found = adapter.installed and adapter.installed() or {}
    local path = adapter.usual and name_settings.program({}, adapter.usual.programs, "")
    if path then found[1] = { name = adapter.usual.name, path = path } end
    for _, one in ipairs(found) do list[#list + 1] = { name = one.name, kind = kind, path = one.path } end
  end
  return list
end

-- The names of the schemes of a set; those of all schemes if there is none.
local function schemes_of(set, architecture)
  if not set then
    local all, trouble = isa.everything(architecture)
    return all and lists.map(all, function(scheme) return scheme.name end), trouble
  end
  local groups, message = scheme_set.load(set, architecture)
  return groups and scheme_set.names(groups), message
end

-- What names depend on. Those of all schemes: on this library, which is linked with one version of the decoders; to list them takes long.
local function origin_of(names)
  return names and table.concat(names, "\n") or fingerprint.file(package.searchpath("portolan.core", package.cpath), true)
end

-- Makes a mapping, with a line of progress.
local function made(p, schemes)
  local line <close> = ticker.new { title = "mapping of " .. p.name, stages = p.mapping_stages }
  local m, message = p:mapping(schemes, function(...) line:update(...) end)
  if core.base.interrupted() then return nil, "interrupted" end
  return m, message
end

--- The mapping of a predictor's model.
-- @param name of the predictor, with `#SET` behind it if it is not to be all schemes
-- @tparam[opt] {string,...} schemes names, if it is to be of these
-- @return mapping, and the predictor's name; or nil and a message
function named.mapping(name, schemes)
  local base, set = name:match "^(.-)#(.+)$"
  local p, message = named.open(base or name)
  if not p then return nil, message end
  local m
  if set then schemes, message = schemes_of(set, p.architecture) end
  if message then return nil, message end
  local key = fingerprint.of(method .. (p.method or ""), p.version, p.name, origin_of(schemes))
  local path = paths.cache(("mappings/%s-%s.json"):format(p.name:gsub("[^%w.-]", "-"), key))
  m = kept_mapping.read(path, key)
  if m then return m, p.name end
  if not schemes then schemes, message = schemes_of(nil, p.architecture) end
  if schemes then m, message = made(p, schemes) end
  if m then kept_mapping.write(m, path, key) end
  return m, m and p.name or message
end

return named
