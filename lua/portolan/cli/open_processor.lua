--- This module opens for commands the processor that an oracle's text names: with messages while the machine is too noisy, and with what the
-- processor has to say of itself.
-- @module portolan.cli.open_processor
local duration = require "portolan.support.duration"
local oracle = require "portolan.processor.oracle"
local progress = require "portolan.progress.line"
local terminal = require "portolan.support.terminal"

local open_processor = {}

local waits = "waiting for a quiet machine"

local function words(left, why) return ("for at most %s more: %s"):format(duration.text(left), why) end

--- Returns what a command that has a progress of its own does while it waits.
-- @param update function(stage, done, total, note)
-- @param[opt] stage that waiting is a part of; by default it is a stage of its own
-- @return function(seconds left, why)
function open_processor.update(update, stage)
  return function(left, why)
    if stage then update(stage, nil, nil, waits .. ", " .. words(left, why)) else update(waits, nil, nil, words(left, why)) end
  end
end

-- Opens it with these words while waiting.
local function open(spec, command, seed, waiting)
  local processor, names, status = oracle.open(spec, { seed = seed, waiting = waiting })
  if processor and processor.note then terminal.say(("portolan %s: %s"):format(command, processor.note)) end
  return processor, names, status
end

--- Opens a processor.
-- @param spec of `oracle.parse`
-- @param command its name, for messages
-- @tparam[opt] table options
-- @tparam[opt] int options.seed where the oracle's text gives none
-- @tparam[opt] func options.update function(stage, done, total, note) of a command that shows its own progress; others get a line while they wait
-- @return processor, names of the schemes that it knows; or nil, message, status
function open_processor.open(spec, command, options)
  options = options or {}
  if options.update then return open(spec, command, options.seed, open_processor.update(options.update)) end
  local line
  local processor, names, status = open(spec, command, options.seed, function(left, why)
    line = line or progress.new { title = waits }
    line:update(nil, words(left, why))
  end)
  if line then line:finish(processor and "it is quiet" or nil) end
  return processor, names, status
end

--- Opens the processor of an option `--oracle`.
-- @param text of the option
-- @param command its name, for messages
-- @return processor, `spec` of `oracle.parse`; or nil, message, status
function open_processor.of_option(text, command)
  local spec, message = oracle.parse(text)
  if not spec then return nil, "--oracle: " .. message end
  local processor, why, status = open_processor.open(spec, command)
  if not processor then return nil, why, status end
  return processor, spec
end

return open_processor
