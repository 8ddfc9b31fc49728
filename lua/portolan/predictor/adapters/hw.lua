--- This machine's processor as a predictor: it measures.
--
-- Blocks run as they are, with their dependencies, in a loop with all registers pointing into accessible memory (`portolan.block`, as
-- `portolan bench` does). Loop bodies of several lengths are tried; the fastest counts. Settings of the name say otherwise (`hw,code=loop`,
-- docs/predictors.md). With `pages=mapped` blocks of real programs are measured, of any registers and addresses (portolan.processor.real_blocks).
-- Measuring disturbs and is disturbed: the predictor is `exclusive`. Blocks that cannot be measured get the reason as `error`: never `crash`, as that
-- says nothing about the processor; those that were too noisy are `transient`.
-- @module portolan.predictor.adapters.hw
local block = require "portolan.block"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local name_settings = require "portolan.predictor.machinery.name_settings"
local processor = require "portolan.processor.hardware"
local protocol = require "portolan.predictor.machinery.protocol"
local real_blocks = require "portolan.processor.real_blocks"

local hardware = {}

local method = "b1" -- changes when blocks are measured in another way

local targets = { copies = { 40, 80, 200 }, loop = { 1 } } -- instructions in a loop body, about: one copy, or more
-- Lists what each setting may be. `usual` is what it is unless given; then the name does not say it. Which processor is measured is any word.
local choices = { code = { usual = "copies", copies = true, loop = true }, registers = { usual = "pointers", pointers = true, numbers = true },
  values = { usual = "small", small = true, large = true }, pages = { usual = "own", own = true, mapped = true }, cpu = {}, core_kind = {} }
local order = { "code", "registers", "values", "pages", "cpu", "core_kind" }

local transient = { unstable = true, interrupted = true, timeout = true }

local Hardware = { deterministic = false, exclusive = true }

--- Facts for provenance: the processor and its clock.
function Hardware:describe()
  local facts = self.processor:describe()
  facts.timeline = nil
  facts.name, facts.version = self.name, self.version
  facts.loop = self.settings.pages == "own" and targets[self.settings.code] or nil
  facts.assumptions = self.settings
  return facts
end

local function prepare(b)
  if type(b) == "table" and b.text then return block.from_text(b.text) end
  return block.from_bytes(protocol.bytes(b))
end

local function answer_of(result)
  if result.status == "ok" then return { cycles = result.cycles, spread = result.spread, n = result.n } end
  if result.status == "interrupted" then return { error = "interrupted", interrupted = true } end
  local why = result.message or result.status
  if why == "memory fault" then why = why .. "; hw,pages=mapped gives code all addresses that it touches" end
  return { error = "cannot be measured: " .. why, transient = transient[result.status],
    unsupported = result.status == "illegal instruction" or nil }
end

-- Answers of measured blocks of real programs.
local function answer_real(self, blocks)
  local bytes, places, answers = {}, {}, {}
  for i, b in ipairs(blocks) do
    local code, message
    if type(b) == "table" and b.text then code, message = core.isa.assemble(b.text) else code = { bytes = protocol.bytes(b) } end
    if code then bytes[#bytes + 1], places[#bytes + 1] = code.bytes, i else answers[i] = { error = message } end
  end
  local results, message = self.processor:measure_blocks(bytes)
  if not results then error(message, 0) end
  for k, result in ipairs(results) do
    local answer = answer_of(result)
    if result.unsteady then answer.transient = nil end
    answers[places[k]] = answer
  end
  return answers
end

--- Answers of `predict`.
function Hardware:answer(blocks)
  if self.settings.pages == "mapped" then return answer_real(self, blocks) end
  local answers, bodies, places = {}, {}, {}
  for i, b in ipairs(blocks) do
    local code, message = prepare(b)
    if code then
      bodies[#bodies + 1] = block.kernels(code, targets[self.settings.code])
      places[#bodies] = i
    else
      answers[i] = { error = message }
    end
  end
  if #bodies == 0 or core.base.interrupted() then return answers end
  local results, message, status = self.processor:measure_code(bodies)
  if not results and status == "interrupted" then return answers end
  if not results then error(message, 0) end
  for k, result in ipairs(results) do answers[places[k]] = answer_of(result) end
  return answers
end

--- Ends the measuring session. The predictor must not be used any more.
function Hardware:close() self.processor:close() end

protocol.class(Hardware)

-- The settings of a name; or nil and a message. Blocks of real programs are measured as such unless the name says how.
local function settings_of(text, real)
  local given, message = name_settings.parse(text, choices)
  if not given then return nil, message end
  if given[1] or given.program or given.seconds then return nil, "write hw, or settings behind a comma: hw,code=loop" end
  local all = {}
  if real and not lists.any(order, function(key) return choices[key].usual and given[key] end) then given.pages = "mapped" end
  for _, key in ipairs(order) do
    all[key] = given[key] or choices[key].usual
    if choices[key].usual and (all[key] == "usual" or not choices[key][all[key]]) then
      local words = lists.of_fields(choices[key], function(word) return word ~= "usual" and word or nil end)
      return nil, ("%s=%s: write %s"):format(key, all[key], table.concat(words, " or "))
    end
  end
  if all.pages == "mapped" and (all.code ~= "copies" or all.registers ~= "pointers" or all.values ~= "small") then
    return nil, "pages=mapped: such blocks start from one state in straight code; leave out code, registers and values"
  end
  local cpu = math.tointeger(tonumber(all.cpu))
  if all.cpu and not cpu then return nil, ("cpu=%s: write the number of a processor"):format(all.cpu) end
  all.cpu = cpu
  return all
end

-- "hw" and every setting that is not the usual one.
local function name_of(settings)
  local words = { "hw" }
  for _, key in ipairs(order) do
    if settings[key] ~= choices[key].usual then words[#words + 1] = key .. "=" .. settings[key] end
  end
  return table.concat(words, ",")
end

--- Opens this machine's processor: calibrates the clock; the session serves all blocks.
-- @tparam[opt=""] string rest what stands behind the name, settings: `code=loop` (one copy of the block in the loop), `registers=numbers`
-- (general registers start as small numbers), `values=large` (these as large ones, and vector registers with another double), or `pages=mapped`
-- without these; `cpu=N` and `core_kind=KIND` as of `options`
-- @param[opt] _ kind
-- @param[opt] options as of `portolan.processor.hardware`: `patience`, `cpu`, `core_kind`, `seed`; and `real_blocks`: what comes is of real programs,
-- and so `pages=mapped` is meant unless the name says how they are to run
-- @return predictor; or nil, message, status
function hardware.open(rest, _, options)
  local chosen = lists.copy(options or {})
  local settings, wrong = settings_of(rest or "", chosen.real_blocks and core.isa.host == real_blocks.architecture)
  if not settings then return nil, wrong end
  chosen.pointers, chosen.cpu, chosen.core_kind = settings.registers == "pointers", settings.cpu or chosen.cpu, settings.core_kind or chosen.core_kind
  chosen.real_blocks = nil
  local p, message, status = processor.open(chosen)
  if not p then return nil, message, status end
  p.session:operands(settings.values == "large")
  local version = ("%s, %s, loops of %s"):format(p.facts.key, method, table.concat(targets[settings.code], " "))
  if settings.pages == "mapped" then version = ("%s, %s"):format(p.facts.key, real_blocks.method) end
  return setmetatable({ name = name_of(settings), version = version, processor = p, settings = settings }, Hardware)
end

return hardware
