--- Keeps the answers of a predictor in a store (`portolan.experiment.store`), by its name, its version, how it is asked and the block: crash-safe,
-- and shared with other processes that use the same file.
--
-- What may be otherwise next time is not kept: answers after Ctrl-C, and those marked `transient` (a measurement that was too noisy).
-- @module portolan.predictor.machinery.cached
local block = require "portolan.block"
local failure = require "portolan.support.failure"
local protocol = require "portolan.predictor.machinery.protocol"
local store = require "portolan.experiment.store"

local cached = {}

local at_once = 500 -- new answers in one transaction: at most so many are lost

local Cached = {}

-- Machine code by its digits, so that it needs no quoting.
local function key(asked)
  if type(asked) == "string" then return block.to_hex(asked) end
  return asked.bytes and block.to_hex(asked.bytes) or "text " .. block.to_hex(asked.text)
end

local must = failure.check

--- Facts for provenance: the predictor's.
function Cached:describe() return self.predictor:describe() end

-- Asks the predictor about some blocks and keeps what it says.
local function ask(self, blocks, indices, answers)
  local list, entries = {}, {}
  for k, i in ipairs(indices) do list[k] = blocks[i] end
  for k, answer in ipairs(self.predictor:predict(list)) do
    answers[indices[k]] = answer
    if not answer.interrupted and not answer.transient then
      local result = { status = answer.cycles and "ok" or "error" }
      for name, value in pairs(answer) do result[name] = value end
      entries[#entries + 1] = { key = key(list[k]), result = result }
    end
  end
  must(self.store:put(self.machine, entries))
end

function Cached:answer(blocks)
  local answers, open = {}, {}
  for i, one in ipairs(blocks) do
    answers[i] = must(self.store:get(self.machine, key(one)))
    if answers[i] then answers[i].status = nil else open[#open + 1] = i end
  end
  for first = 1, #open, at_once do
    ask(self, blocks, table.move(open, first, math.min(#open, first + at_once - 1), 1, {}), answers)
  end
  self.known, self.asked = self.known + #blocks - #open, self.asked + #open
  return answers
end

--- Closes the store.
function Cached:close() self.store:close() end

protocol.class(Cached)

--- Gives a predictor a memory.
-- @param predictor of `portolan.predictor.machinery.protocol`
-- @param path of the store; made if there is none
-- @return predictor that answers as the given one, with `known` and `asked` (numbers of blocks so far) and `close()`; or nil and a message
function cached.wrap(predictor, path)
  local opened, message, status = store.open(path)
  if not opened then return nil, message, status end
  local machine = ("predictor %s, %s%s"):format(predictor.name, predictor.version, predictor.method and ", asked " .. predictor.method or "")
  return setmetatable({ predictor = predictor, store = opened, machine = machine, name = predictor.name, method = predictor.method,
    spec = predictor.spec, version = predictor.version, deterministic = predictor.deterministic,
    architecture = predictor.architecture, exclusive = predictor.exclusive, width = predictor.width, known = 0, asked = 0 }, Cached)
end

return cached
