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
--    osaca:SKX  uica:SKL  nanobench:  bhive:    other tools, where they are installed
--    iaca:SKL  ithemal:  difftune:  cqa:        further ones; written from their documentation, never run on them
--
-- A kind of names is a row of portolan.predictor.tools, or a file of `portolan/predictor/adapters`, `{ open = function(what stands behind the colon,
-- kind, options) }`.
--
-- A mapping is for a set of schemes, `llvm-mca-19:skylake#avx512`; if none is named, for every scheme that the decoder knows, as programs have
-- more instructions than those that can be measured alone. Mappings are kept in the user's cache, by the exact version.
-- @module portolan.predictor.named
local core = require "portolan.core"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local lua_program = require "portolan.predictor.adapters.lua"
local mappings = require "portolan.mapping"
local own_file = require "portolan.support.own_file"
local paths = require "portolan.support.paths"
local scheme_set = require "portolan.scheme.set"
local ticker = require "portolan.progress.ticker"
local tools = require "portolan.predictor.tools"

local named = {}

local method = "6" -- of making mappings: those of another one are made anew

-- The module of a kind that has one. The kinds of adapters with `versions` may end with one: llvm-mca-19.
local function module_of(kind)
  local modules = own_file.modules "predictors"
  local module = modules[kind] or modules[(kind:gsub("%-?%d+$", ""))]
  return module and (modules[kind] or require(module).versions) and module or nil
end

--- The kinds of predictors, sorted.
function named.kinds()
  local list, ours = {}, own_file.modules "predictors"
  for kind in pairs(ours) do list[#list + 1] = kind end
  for kind in pairs(tools.rows) do ours[kind], list[#list + 1] = true, kind end
  for _, name in ipairs(own_file.names "predictors") do list[#list + 1] = not ours[name] and name or nil end
  table.sort(list)
  return list
end

-- Returns what opens the predictor of a name: function(rest, kind, options); nil if there is none.
local function opener(name, kind)
  local module = kind and module_of(kind)
  if module then return require(module).open end
  if tools.rows[kind] then return tools.opener(kind) end
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

--- The predictors that are installed, with names that `open` takes.
-- @return list of `{ name =, kind =, path =, doubt = how far it was not run as it is (portolan.predictor.machinery.tool) }`, sorted by kind
function named.installed()
  local list, modules = {}, own_file.modules "predictors"
  for _, kind in ipairs(named.kinds()) do
    local adapter = modules[kind] and require(modules[kind]) or {}
    for _, one in ipairs(adapter.installed and adapter.installed() or { tools.installed(kind) }) do
      list[#list + 1] = { name = one.name, kind = kind, path = one.path, doubt = one.doubt }
    end
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

-- Returns what names depend on. Those of all schemes depend on this library, which is linked with one version of the decoders; to list them takes
-- long.
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

local between = "\t" -- names

-- The mapping in a file of `keep`; nil if there is none of this key, or not a whole one.
local function read_kept(path, key)
  local m = file.kind(path) and mappings.load(path)
  local provenance = m and m.provenance
  if not provenance or provenance.key ~= key or type(provenance.alike) ~= "table" then return nil end
  for name, others in pairs(provenance.alike) do
    if not m.schemes[name] or type(others) ~= "string" then return nil end
    for other in others:gmatch("[^" .. between .. "]+") do m.schemes[other] = lists.copy(m.schemes[name]) end
  end
  provenance.alike = nil
  return m
end

-- Keeps a mapping in a file that is read fast: LLVM's models use 16,000 schemes in some 200 ways, so the file is the mapping of one scheme of each
-- way, and `provenance.alike` has the names of the others behind the name of that one. A file that cannot be written is none.
local function keep(m, path, key)
  local small, first, alike = lists.copy(m), {}, json.object {}
  m.provenance.key = key
  small.schemes, small.provenance = {}, lists.copy(m.provenance)
  small.provenance.alike = alike
  for _, name in ipairs(lists.keys(m.schemes)) do
    local way = json.encode(m.schemes[name])
    if first[way] then
      table.insert(alike[first[way]], name)
    else
      first[way], small.schemes[name], alike[name] = name, m.schemes[name], {}
    end
  end
  for name, others in pairs(alike) do alike[name] = table.concat(others, between) end
  if file.make_directory(path:match "^(.*)/") then mappings.save(small, path) end
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
  m = read_kept(path, key)
  if m then return m, p.name end
  if not schemes then schemes, message = schemes_of(nil, p.architecture) end
  if schemes then m, message = made(p, schemes) end
  if m then keep(m, path, key) end
  return m, m and p.name or message
end

return named
