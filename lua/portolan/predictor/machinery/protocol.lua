--- All predictors have this in common.
--
--    P.name, P.version      strings; the version changes when answers may
--    P.method               string or absent: of asking; changes when Portolan asks in another way, so that answers may differ
--    P.deterministic        whether the same block always gets the same answer
--    P.exclusive            true if nothing else may run meanwhile: it measures
--    P.width                issue slots a cycle, where it is known
--    P.architecture         of the processor that it predicts, by Portolan's name; absent: this machine's
--    P:describe()           table: facts for provenance, and what the predictor assumes
--    P:predict(blocks)      list, per block `{ cycles = per iteration of the block in a loop }` or `{ error = one line, crash = true if the
--                           predictor crashed or hung on it, unsupported = true if it does not know an instruction, interrupted = true }`
--    P:start(blocks)        the same in the background: a job; `job:wait()` returns the list
--
-- A block is machine code (a string), or `{ bytes = machine code }`, or `{ text = assembler text, Intel syntax for x86-64 }`.
-- @module portolan.predictor.machinery.protocol
local architectures = require "portolan.support.architectures"
local core = require "portolan.core"
local task = require "portolan.predictor.machinery.task"

local protocol = {}

--- An answer for a block that the predictor does not know an instruction of.
function protocol.unsupported(message) return { error = message, unsupported = true } end

--- The architecture of predictors that are to answer the same blocks.
-- @param list of predictors
-- @return its name; or nil and a message if there are several
function protocol.architecture(list)
  local first
  for _, p in ipairs(list) do
    local architecture = p.architecture or architectures.default()
    first = first or { architecture = architecture, name = p.name }
    if architecture ~= first.architecture then
      return nil, ("%s is of %s, %s of %s; compare predictors of one architecture"):format(first.name, first.architecture, p.name, architecture)
    end
  end
  return first and first.architecture or architectures.default()
end

--- The machine code of a block.
-- @param block as above
-- @tparam[opt] string architecture by default the host's
-- @return bytes; or nil and a message
function protocol.bytes(block, architecture)
  if type(block) == "string" then return block end
  if block.bytes then return block.bytes end
  local code, message = core.isa.assemble(block.text, architecture)
  if not code then return nil, message end
  return code.bytes
end

--- Answers of a predictor that is asked about many blocks at once, in a form of its own.
-- @param blocks of `predict`
-- @param form function(block) -> what the predictor reads; or nil and a message: the block is unsupported
-- @param ask function(list of what it reads) -> list of answers
-- @return list of answers, those that are missing nil
function protocol.answers(blocks, form, ask)
  local list, places, answers = {}, {}, {}
  for i, block in ipairs(blocks) do
    local one, message = form(block)
    if one then
      list[#list + 1] = one
      places[#list] = i
    else
      answers[i] = protocol.unsupported(message)
    end
  end
  for k, answer in ipairs(ask(list)) do answers[places[k]] = answer end
  return answers
end

-- Equal blocks have equal keys.
local function key(block)
  if type(block) == "string" then return "b" .. block end
  return block.bytes and "b" .. block.bytes or "t" .. block.text
end

-- The blocks without repetitions; the place of each block's answer.
local function unique(blocks)
  local list, places, seen = {}, {}, {}
  for i, block in ipairs(blocks) do
    local k = key(block)
    if not seen[k] then
      list[#list + 1] = block
      seen[k] = #list
    end
    places[i] = seen[k]
  end
  return list, places
end

-- Turns an answer into one that a predictor may give: cycles that are a number, or an error.
local function checked(answer)
  if not answer then return { error = "interrupted", interrupted = true } end
  if answer.error and not utf8.len(answer.error) then answer.error = answer.error:gsub("[\x80-\xFF]+", "?") end
  local cycles = answer.cycles
  if not cycles or cycles >= 0 and cycles < math.huge then return answer end
  return { error = ("it answers %s cycles"):format(cycles), crash = true }
end

local function predict(self, blocks)
  local list, places = blocks, nil
  if self.deterministic then list, places = unique(blocks) end
  local answers, result = self:answer(list), {}
  for i = 1, #blocks do result[i] = checked(answers[places and places[i] or i]) end
  return result
end

local function start(self, blocks)
  return task.start(function() return self:predict(blocks) end)
end

--- Makes predictors of a class: gives it `predict` and `start`.
-- @param class table of methods with `answer(self, blocks)`, which returns a list of answers, and `describe(self)`
-- @return class, as a metatable
function protocol.class(class)
  class.__index, class.predict, class.start = class, predict, start
  return class
end

return protocol
