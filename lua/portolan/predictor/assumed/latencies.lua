--- Latencies of schemes as a predictor may assume them: none, a number for all, those of a file, of a mapping, or of one of LLVM's models.
--
-- A latency is the time from the last operand of an instruction to its results: one number for a scheme, whatever operand.
-- @module portolan.predictor.assumed.latencies
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local json = require "portolan.support.json"
local known_latencies = require "portolan.mapping.latencies"
local lists = require "portolan.support.lists"
local llvm_mca = require "portolan.predictor.llvm_mca"
local tables = require "portolan.predictor.llvm_mca.tables"

local latencies = {}

local unknown = 100 -- and more: what LLVM's models say of microcoded instructions

local most = 1e6 -- cycles that a file may give

local function is_latency(x) return type(x) == "number" and x >= 0 and x <= most end

local function of_number(cycles)
  return { name = ("%.14g"):format(cycles), version = "", of = function() return cycles end }
end

local function of_table(name, text, known)
  return { name = name, version = fingerprint.of(text), of = function(scheme)
    if known[scheme] then return known[scheme] end
    return nil, ("%s has no latency of %s"):format(name, scheme)
  end }
end

local function of_file(path)
  local text, message = file.read(path)
  if not text then return nil, message end
  local known
  known, message = json.decode(text, path)
  if known == nil then return nil, message end
  if type(known) ~= "table" then return nil, path .. ": write an object, scheme: cycles" end
  for scheme, cycles in pairs(known) do
    if type(scheme) ~= "string" or not is_latency(cycles) then
      return nil, ("%s: '%s': write a latency as a number of cycles from 0 on"):format(path, tostring(scheme))
    end
  end
  return of_table(path, text, known)
end

local function of_mapping(m)
  local known, text = {}, {}
  for name, scheme in pairs(m and m.schemes or {}) do
    known[name] = known_latencies.longest(scheme, name) or is_latency(scheme.latency) and scheme.latency or nil
  end
  if next(known) == nil then
    return nil, "the mapping has no latencies ('portolan infer latency' finds them); give a number, a file, or llvm-mca-16:skylake"
  end
  for name, cycles in pairs(known) do text[#text + 1] = name .. "=" .. cycles end
  table.sort(text)
  return of_table("mapping", table.concat(text, "\n"), known)
end

-- Those of LLVM's model, read when they are asked for: `prepare` reads those of many schemes at once.
local function of_llvm(name)
  local version, cpu = name:match "^llvm%-mca%-?(%d*):([%w_.-]+)$"
  if not cpu then return nil, ("'%s': write llvm-mca-16:CPU"):format(name) end
  local tool, message = llvm_mca.open { version = version ~= "" and version or nil, cpu = cpu }
  if not tool then return nil, message end
  local entries = {}
  local function prepare(schemes)
    local new = lists.where(schemes, function(scheme) return not entries[scheme] end)
    if #new == 0 then return end
    for scheme, entry in pairs((tables.read(tool, new))) do entries[scheme] = entry end
  end
  return { name = tool.name, version = tool.version, prepare = prepare, of = function(scheme)
    prepare { scheme }
    local entry = entries[scheme]
    if entry.latency and entry.latency < unknown then return entry.latency end
    return nil, ("%s has no latency of %s%s"):format(tool.name, scheme, entry.error and ": " .. entry.error or "")
  end }
end

--- Opens latencies.
-- @tparam string what `none`, a number of cycles, `mapping`, a file (its name ends in .json), or `llvm-mca-16:skylake`
-- @tparam[opt] table m the mapping, for `mapping`
-- @return `{ name =, version =, of = function(scheme) -> cycles; or nil and why not, prepare = function(schemes) or nil }`; false for none;
-- or nil and a message
function latencies.open(what, m)
  if what == "none" then return false end
  if what == "mapping" then return of_mapping(m) end
  if is_latency(tonumber(what)) then return of_number(tonumber(what)) end
  if what:find "^llvm%-mca" then return of_llvm(what) end
  if what:find "%.json$" then return of_file(what) end
  return nil, ("'%s'; write none, a number of cycles, mapping, FILE.json, or llvm-mca-16:CPU"):format(what)
end

return latencies
