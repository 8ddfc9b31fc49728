--- This predictor answers what a chart says of blocks of code: ports, units that stay busy, issue slots, the first cache and dependencies
-- (portolan.block.model).
--
--    chart:charts/mine                 a chart's directory, or a mapping file; the largest of the bounds
--    chart:mapping.json,by=simulation  simulated cycle by cycle
--
-- Settings, behind commas:
--
--    by=bounds|simulation   what is answered
--    alias=same|no|all      which stores loads wait for (portolan.block.dependencies)
--    start=apart|alike      what registers hold first: nothing is known, or all general registers and all memory hold one number, as where blocks of
--                           real programs are measured without their data (hw,pages=mapped)
--
-- A block that does not end in a jump to its start runs as one copy behind the other. Blocks with a scheme of which the mapping knows
-- nothing are unsupported, one that was measured alone counts with that (portolan.mapping.best_known); a latency that is not known counts as 0.
-- @module portolan.predictor.adapters.chart
local block_model = require "portolan.block.model"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local mapping = require "portolan.mapping"
local name_settings = require "portolan.predictor.machinery.name_settings"
local protocol = require "portolan.predictor.machinery.protocol"

local chart = {}

local Chart = { deterministic = true }

local method = "bounds and simulation of blocks, 5" -- part of the version: other answers are not mixed with these

local words = { by = { "bounds", "simulation" }, alias = { "same", "no", "all" }, start = { "apart", "alike" } }

--- Facts for provenance.
function Chart:describe()
  local m = self.model.mapping
  return { name = self.name, version = self.version, file = self.path, rmax = m.rmax, processor = m.processor and m.processor.name,
    by = self.by, options = self.options, latencies = self.model.latencies,
    assumptions = "all loads hit the first cache, jumps are predicted right; a latency that is not known counts as 0" }
end

-- The answer for block k of those that were asked.
local function answer_of(self, result, bytes, k)
  if not result.cycles[k] then return protocol.unsupported(result.error[k]) end
  if result.unknown[k] > 0 then
    return protocol.unsupported("the mapping does not explain " .. table.concat(self.model:unknown(bytes), ", "))
  end
  return { cycles = result.cycles[k] }
end

--- Answers of `predict`.
function Chart:answer(blocks)
  return protocol.answers(blocks, function(block) return protocol.bytes(block, self.architecture) end, function(codes)
    local result = self.by == "simulation" and self.model:simulate(codes, self.options) or self.model:bounds(codes, self.options)
    local answers = {}
    for k, bytes in ipairs(codes) do answers[k] = answer_of(self, result, bytes, k) end
    return answers
  end)
end

protocol.class(Chart)

-- One setting, checked; the first word unless it is given.
local function check(given, key)
  local value = given[key] or words[key][1]
  for _, word in ipairs(words[key]) do
    if word == value then return value end
  end
  return nil, ("%s=%s: write %s"):format(key, value, table.concat(words[key], " or "))
end

local function settings_of(text)
  local given, message = name_settings.parse(text, words)
  if not given then return nil, message end
  if not given[1] then return nil, "which chart? write chart:charts/mine or chart:mapping.json" end
  if given.program or given.seconds then return nil, "it runs no program; leave out program= and seconds=" end
  local s = { path = given[1] }
  for _, key in ipairs { "by", "alias", "start" } do
    s[key], message = check(given, key)
    if not s[key] then return nil, message end
  end
  return s
end

--- Opens a chart.
-- @param text what stands behind the colon
-- @return predictor; or nil and a message
function chart.open(text)
  local s, message = settings_of(text)
  if not s then return nil, message end
  local path = file.kind(s.path) == "directory" and s.path .. "/mapping.json" or s.path
  local m, model
  m, message = mapping.load(path)
  if not m then return nil, message end
  model, message = block_model.of(m)
  if not model then return nil, ("%s: %s"):format(path, message) end
  local options = { aliasing = s.alias, start = s.start }
  return setmetatable({ name = "chart:" .. text, version = fingerprint.of(method, mapping.encode(m)), path = path, model = model, by = s.by,
    options = options, architecture = mapping.architecture(m), width = m.rmax, ignores = not model.latencies and "dependencies" or nil }, Chart)
end

return chart
