--- The course of `portolan infer cegis` and `portolan infer grow`: opens the oracle, prepares, infers, writes and prints.
-- @module portolan.cli.infer.session
local must = require("portolan.support.failure").check
local open = require "portolan.cli.infer.open"
local oracle = require "portolan.processor.oracle"
local output = require "portolan.cli.infer.outcome_output"
local progress = require "portolan.progress.line"

local session = {}

local exit = { contradiction = 1, limit = 1, interrupted = 130 }

-- Infers with an open processor. The outcome; or nil, message, exit status.
local function infer(strategy, processor, spec, given, o, known, update)
  local names, message, status = strategy.prepare(processor, spec, #given > 0 and given or nil, known, o, update)
  if not names then return nil, message, status end
  local ok
  ok, message = strategy.check(o, names)
  if not ok then return nil, message end
  o.progress = function(s)
    update("inferring", s.experiments, nil, "experiments, " .. (s.search or ("round %d, %d of %d schemes, %d ports"):format(s.rounds, s.schemes,
      s.of, s.ports)))
  end
  return strategy.infer(processor, names, o)
end

--- Runs a strategy.
-- @tparam table args of the command line
-- @tparam table context of the command
-- @tparam table strategy
-- @tparam string strategy.method its name
-- @tparam func strategy.read function(args, spec) -> options; or nil and a message
-- @tparam func strategy.prepare function(processor, spec, names or nil, known names, options, update) -> names; or nil, message, exit status
-- @tparam func strategy.check function(options, names) -> true; or nil and a message
-- @tparam func strategy.infer function(processor, names, options) -> outcome; or nil and a message
-- @return what a command returns
function session.run(args, context, strategy)
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, message end
  local o = must(strategy.read(args, spec))
  local named
  named, message = open.named(args) -- a file that cannot be read is said before the machine is calibrated
  if not named then return nil, message end
  must(open.writable(args.out, args.smtlib))
  local update, finish = progress.by_stage(false)
  local processor, known, trouble, status = open.processor(spec, args.seed, update, finish)
  if not processor then return known, trouble, status end
  local outcome
  outcome, message, status = infer(strategy, processor, spec, named, o, known, update)
  finish()
  local ok, kind
  if outcome then ok, trouble, kind = output.write(outcome, args, processor, spec, strategy.method) end
  if processor.close then processor:close() end
  if not outcome then return nil, message, status end
  if context.json then output.show_json(outcome, context) else output.show(outcome, args, context) end
  if not ok then return nil, trouble, kind end
  return exit[outcome.status] or 0
end

return session
