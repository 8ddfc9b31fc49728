--- Predictors whose program is run once for each block, or once for many.
-- @module portolan.predictor.machinery.tool
local batch = require "portolan.predictor.machinery.batch"
local core = require "portolan.core"
local program = require "portolan.predictor.machinery.program"
local protocol = require "portolan.predictor.machinery.protocol"
local temporary = require "portolan.support.temporary"

local tool = {}

local seconds = 30 -- of processor time for a block, unless told otherwise

--- The last line of a text that is not empty, short enough for a message.
function tool.last_line(text)
  local last = ""
  for line in text:gmatch "[^\n]+" do
    if line:find "%S" then last = line end
  end
  last = last:match "^%s*(.-)%s*$"
  return #last > 120 and last:sub(1, 117):gsub("[\xC0-\xFF][\x80-\xBF]*$", "") .. "..." or last
end

--- The answer of a program that ended with an error status.
-- @param name of the program
-- @param result of `program.run`
function tool.complaint(name, result)
  local line = tool.last_line(result.err ~= "" and result.err or result.out)
  return { error = ("%s failed (exit status %d)%s"):format(name, result.status, line ~= "" and ": " .. line or ""),
    transient = (result.status == 126 or result.status == 127) or nil, -- a shell could not start it
    crash = result.err:find("Traceback (most recent call last)", 1, true) ~= nil or nil }
end

local Tool = {}

--- Facts for provenance.
function Tool:describe()
  local facts = { name = self.name, version = self.version, path = self.path }
  for key, value in pairs(self.facts or {}) do facts[key] = value end
  return facts
end

-- Adds to an answer what may be the reason if a tool that reads performance counters fails. The tool may run elsewhere (`program=` may be a script),
-- so it is no reason not to try.
local function without_counters(answer)
  local counted, reason = core.bench.counter()
  if not counted then answer.error = ("%s (it needs performance counters; here: %s)"):format(answer.error, reason or "none") end
  return answer
end

-- The answer of a run.
local function judge(self, result, plan)
  local ending, signal = program.failure(self.title, result)
  if not ending then return self.parse(result, plan) end
  if self.measures and ending.crash then
    ending.crash = nil -- of the block, not of a model
    ending.signal = signal
  end
  return ending
end

-- The answer for one block.
local function one(self, block, directory)
  local bytes, message = protocol.bytes(block, self.architecture)
  if not bytes then return protocol.unsupported(message) end
  local plan
  plan, message = self.prepare(self, bytes, directory, block)
  if not plan then return protocol.unsupported(message) end
  for name, text in pairs(plan.files or {}) do temporary.write(directory .. "/" .. name, text) end
  local result
  result, message = program.run(plan.path or self.path, plan.arguments,
    { input = plan.input, seconds = self.seconds or seconds, cwd = plan.cwd })
  if not result then return { error = message, transient = true } end
  local answer = judge(self, result, plan)
  if not (self.measures and answer.error) or answer.signal then return answer end
  return without_counters(answer)
end

-- One run over several blocks, as an attempt of `portolan.predictor.machinery.batch`.
local function attempt(self, list, directory)
  local plan = self.prepare(self, list, directory)
  local result, message = program.run(plan.path or self.path, plan.arguments,
    { input = plan.input, seconds = plan.seconds or self.seconds or seconds })
  if not result then return nil, message end
  local answers = {}
  for line in result.out:gmatch "([^\n]*)\n" do answers[#answers + 1] = self.parse(line, self) end
  local failure = program.failure(self.title, result)
  if not failure and #answers == #list then return answers end
  if not failure and result.status ~= 0 then failure = tool.complaint(self.title, result) end
  if failure and #answers < #list then return nil, failure, nil, answers end -- those before the failure
  return nil, failure or { error = ("%s wrote %d %s for %d blocks"):format(self.title, #answers, self.wrote, #list) } -- which is whose?
end

local function together(self, blocks)
  local function form(block)
    local bytes, message = protocol.bytes(block, self.architecture)
    if bytes and self.form then return self.form(self, bytes) end
    return bytes, message
  end
  return protocol.answers(blocks, form, function(list)
    return temporary.directory(function(directory)
      return batch.answer(list, function(some) return attempt(self, some, directory) end, { most = self.at_once })
    end)
  end)
end

function Tool:answer(blocks)
  if self.at_once then return together(self, blocks) end
  return temporary.directory(function(directory)
    local answers = {}
    for i, block in ipairs(blocks) do
      if core.base.interrupted() then break end
      answers[i] = one(self, block, directory)
    end
    return answers
  end)
end

protocol.class(Tool)

--- Makes a predictor.
-- @tparam table fields
-- @tparam string fields.name
-- @tparam string fields.version
-- @tparam string fields.title what the program is called in messages
-- @tparam string fields.path of the program
-- @tparam table fields.facts for `describe`
-- @tparam[opt] string fields.architecture of the processor, by Portolan's name; this machine's if left out
-- @tparam[opt=30] number fields.seconds processor time for a block
-- @tparam[opt=true] boolean fields.deterministic
-- @tparam[opt] boolean fields.exclusive nothing else may run meanwhile
-- @tparam[opt] boolean fields.measures it runs the block, and reads performance counters: a crash says nothing about a model, and the answer names
-- its `signal`
-- @tparam func fields.prepare function(self, bytes, directory, block) -> `{ arguments =, input =, files = { name = text }, path = other program,
-- cwd = }`, or nil and why the block is not supported
-- @tparam func fields.parse function(result, plan) -> answer
-- @tparam[opt] int fields.at_once blocks in one run, of a program that takes many: then `prepare` gets a list in place of bytes (`{ arguments =,
-- input =, path =, seconds = }`), and `parse` a line of what the program wrote, and the predictor: it returns an answer, nil for a line that is none
-- @tparam[opt] func fields.form function(self, bytes) -> what `prepare` gets of a block; or nil and why it is not supported
-- @tparam[opt] string fields.wrote what lines are called: "numbers"
-- @return predictor
function tool.new(fields)
  if fields.deterministic == nil then fields.deterministic = true end
  return setmetatable(fields, Tool)
end

--- `facts` says this of an adapter that was never run with the real program: it is tested against transcripts alone.
tool.never_run = "written from its documentation, never run on it"

--- `facts` says this of a tool that measures, and was run where there are no performance counters.
tool.never_seen = "the program takes what it is given; its measurements were never seen, as no machine with performance counters was at hand"

return tool
