--- This machine's processor as a predictor: it measures.
--
-- Blocks run as they are, with their dependencies, in a loop with all registers pointing into accessible memory (`portolan.block`, as
-- `portolan bench` does). Loop bodies of several lengths are tried; the fastest counts. Measuring disturbs and is disturbed: the predictor is
-- `exclusive`. Blocks that cannot be measured get the reason as `error`: never `crash`, as that says nothing about the processor; those that
-- were too noisy are `transient`.
-- @module portolan.predictor.adapters.hw
local block = require "portolan.block"
local core = require "portolan.core"
local processor = require "portolan.processor.hardware"
local protocol = require "portolan.predictor.machinery.protocol"

local hardware = {}

local targets = { 40, 80, 200 } -- instructions in a loop body, about
local method = "b1" -- changes when blocks are measured in another way

local transient = { unstable = true, interrupted = true, timeout = true }

local Hardware = { deterministic = false, exclusive = true }

--- Facts for provenance: the processor and its clock.
function Hardware:describe()
  local facts = self.processor:describe()
  facts.timeline = nil
  facts.name, facts.version, facts.loop = self.name, self.version, targets
  facts.assumptions = "registers point into accessible memory; the fastest of several loop lengths"
  return facts
end

local function prepare(b)
  if type(b) == "table" and b.text then return block.from_text(b.text) end
  return block.from_bytes(protocol.bytes(b))
end

local function answer_of(result)
  if result.status == "ok" then return { cycles = result.cycles, spread = result.spread, n = result.n } end
  if result.status == "interrupted" then return { error = "interrupted", interrupted = true } end
  return { error = "cannot be measured: " .. (result.message or result.status), transient = transient[result.status],
    unsupported = result.status == "illegal instruction" or nil }
end

--- Answers of `predict`.
function Hardware:answer(blocks)
  local answers, lists, places = {}, {}, {}
  for i, b in ipairs(blocks) do
    local code, message = prepare(b)
    if code then
      lists[#lists + 1] = block.kernels(code, targets)
      places[#lists] = i
    else
      answers[i] = { error = message }
    end
  end
  if #lists == 0 or core.base.interrupted() then return answers end
  local results, message, status = self.processor:measure_code(lists)
  if not results and status == "interrupted" then return answers end
  if not results then error(message, 0) end
  for k, result in ipairs(results) do answers[places[k]] = answer_of(result) end
  return answers
end

--- Ends the measuring session. The predictor must not be used any more.
function Hardware:close() self.processor:close() end

protocol.class(Hardware)

--- Opens this machine's processor: calibrates the clock; the session serves all blocks.
-- @param rest what stands behind the name: nothing
-- @param _ kind
-- @param[opt] options as of `portolan.processor.hardware`: `patience`, `cpu`, `seed`
-- @return predictor; or nil, message, status
function hardware.open(rest, _, options)
  if rest ~= "" then return nil, ("'%s' is not understood; write hw"):format(rest) end
  local chosen = { pointers = true }
  for key, value in pairs(options or {}) do chosen[key] = value end
  local p, message, status = processor.open(chosen)
  if not p then return nil, message, status end
  local version = ("%s, %s, loops of %s"):format(p.facts.key, method, table.concat(targets, " "))
  return setmetatable({ name = "hw", version = version, processor = p }, Hardware)
end

return hardware
