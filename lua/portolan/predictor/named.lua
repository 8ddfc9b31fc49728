--- Predictors by name, and the mappings of those that have one: `llvm-mca-19:skylake` is LLVM 19's llvm-mca for Skylake, `llvm-mca:native`
-- the newest one for this processor. A mapping is that of a set of schemes, `llvm-mca-19:skylake#avx512` (default: all). Mappings are kept
-- in the user's cache, by the exact version.
-- @module portolan.predictor.named
local core = require "portolan.core"
local file = require "portolan.file"
local llvm_mca = require "portolan.predictor.llvm_mca"
local mapping = require "portolan.mapping"
local paths = require "portolan.paths"
local scheme_set = require "portolan.scheme_set"

local named = {}

local method = "1" -- of making mappings: those of another one are made anew

-- The words behind the first one, between commas.
local function settings_of(text)
  local list = {}
  for word in text:gmatch "[^,]+" do list[#list + 1] = word end
  return list
end

-- llvm-mca-19:skylake,noalias=false,steady
local function open_llvm_mca(name, options)
  local version, cpu, rest = name:match "^llvm%-mca%-?(%d*):([%w_.-]+)(.*)$"
  if not cpu or rest ~= "" and rest:sub(1, 1) ~= "," then
    return nil, ("no predictor '%s'; write llvm-mca-19:CPU or llvm-mca:CPU, for CPU see llvm-mca -mcpu=help"):format(name)
  end
  local all = { version = version ~= "" and version or nil, cpu = cpu, flags = {} }
  for _, setting in ipairs(settings_of(rest)) do
    if setting == "steady" then all.steady = true else all.flags[#all.flags + 1] = setting end
  end
  for key, value in pairs(options or {}) do all[key] = value end
  return llvm_mca.open(all)
end

--- Opens a predictor.
-- @param name e.g. `llvm-mca-19:skylake`, `llvm-mca:native,noalias=false`
-- @param[opt] options as of `portolan.predictor.llvm_mca`
-- @return predictor (`portolan.predictor.protocol`); or nil and a message
function named.open(name, options) return open_llvm_mca(name, options) end

-- The names of the schemes of a set.
local function schemes_of(set)
  local groups, message = scheme_set.load(set)
  if not groups then return nil, message end
  local names = {}
  for _, group in ipairs(groups) do table.move(group.schemes, 1, #group.schemes, #names + 1, names) end
  return names
end

-- FNV-1a, 64 bits.
local function hash(text)
  local h = 0xcbf29ce484222325
  for i = 1, #text do h = (h ~ text:byte(i)) * 0x100000001b3 end
  return ("%016x"):format(h)
end

-- The mapping of the cache, if it is there and whole.
local function kept(path, key)
  if not file.kind(path) then return nil end
  local m = mapping.load(path)
  return m and m.provenance and m.provenance.key == key and m or nil
end

-- Keeps a mapping; a cache that cannot be written is none.
local function keep(m, path)
  if file.make_directory(path:match "^(.*)/") then mapping.save(m, path) end
  return m
end

--- The mapping of a predictor's model.
-- @param name of the predictor, with `#SET` behind it if it is not to be the set "all"
-- @return mapping; or nil and a message
function named.mapping(name)
  local base, set = name:match "^(.-)#(.+)$"
  local p, message = named.open(base or name)
  if not p then return nil, message end
  local schemes
  schemes, message = schemes_of(set or "all")
  if not schemes then return nil, message end
  local key = hash(table.concat({ method, p.version, p.name, table.unpack(schemes) }, "\n"))
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
