--- Mappings that were made, in files that are read fast: LLVM's models use 16,000 schemes in some 200 ways, so the file is the mapping of one scheme
-- of each way, and `provenance.alike` has the names of the others behind the name of that one.
-- @module portolan.predictor.kept_mapping
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local kept_mapping = {}

local between = "\t" -- names

--- Reads one.
-- @param path of the file
-- @param key what the mapping depends on
-- @return mapping; nil if there is none of this key, or not a whole one
function kept_mapping.read(path, key)
  local m = file.kind(path) and mapping.load(path)
  local provenance = m and m.provenance
  if not provenance or provenance.key ~= key or type(provenance.alike) ~= "table" then return nil end
  for name, others in pairs(provenance.alike) do
    if not m.schemes[name] or type(others) ~= "string" then return nil end
    for other in others:gmatch("[^" .. between .. "]+") do m.schemes[other] = lists.copy(m.schemes[name]) end
  end
  provenance.alike = nil
  return m
end

--- Writes one; a file that cannot be written is none.
-- @param m mapping; its `provenance.key` is set
-- @param path of the file
-- @param key what the mapping depends on
function kept_mapping.write(m, path, key)
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
  if file.make_directory(path:match "^(.*)/") then mapping.save(small, path) end
end

return kept_mapping
