--- Strategies of the user's own, Lua programs: `portolan infer ./mine.lua`, or `mine` if `mine.lua` is in a folder `strategies` of PORTOLAN_PATH.
--
-- The file returns `{ infer = function(processor, schemes, options) -> mapping; or nil, why not }`, and may say `summary`. The processor answers
-- `processor:measure({ experiment, ... })` with a list of `{ status =, cycles = }`; `options` holds `seed` and what the user gave as `NAME=VALUE`.
-- @module portolan.cli.infer.own
local core = require "portolan.core"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local own_file = require "portolan.support.own_file"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"

local own = {}

-- `NAME=VALUE`, any number of times; numbers are numbers.
local function settings(words)
  local list = {}
  for _, word in ipairs(words) do
    local name, value = word:match "^([%w_]+)=(.*)$"
    if not name then return nil, ("--option %s: write NAME=VALUE"):format(word) end
    if name == "seed" then return nil, "--option seed: write --seed N" end
    list[name] = tonumber(value) or value
  end
  return list
end

local function show(m, context)
  for _, name in ipairs(mapping.schemes(m, true)) do
    context.out("%s\n", ("  %-40s %s"):format(printable(name), printable(mapping.usage(m.schemes[name]))))
  end
end

-- A copy of plain data, without metatables; or nil and a message.
local function copied(value)
  if type(value) ~= "table" then return nil, "it returned a " .. type(value) end
  local text, message = json.encode(value)
  if not text then return nil, (message:sub(1, 100)) end
  return json.decode(text)
end

-- The mapping that the file's function gives, checked; or nil and a message.
local function infer(strategy, processor, names, given)
  local m, why = own_file.call(strategy.path, strategy.file.infer, processor, names, given)
  if m == nil then return nil, type(why) == "string" and why or strategy.path .. ": infer returned nothing" end
  local whole, message = copied(m)
  if whole then
    whole.format, whole.version = whole.format or mapping.format, whole.version or mapping.version
    local fine
    fine, message = mapping.validate(whole)
    if fine then return whole end
  end
  return nil, ("%s: infer must return a mapping: %s"):format(strategy.path, message)
end

local function run(strategy, args, context)
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, message end
  local given = must(settings(args.option))
  must(open.writable(args.out))
  given.seed = args.seed
  local update, finish = progress.by_stage(false)
  local processor, known, why, status = open.processor(spec, args.seed, update, finish)
  if not processor then return known, why, status end
  finish()
  local names, m
  names, message = open.schemes(args, spec, known)
  if names then m, message = infer(strategy, processor, names, given) end
  if processor.close then processor:close() end
  if core.base.interrupted() then return 130 end
  if not m then return nil, message end
  show(m, context)
  if args.out then
    m.provenance = m.provenance or { method = strategy.path, version = core.version, oracle = args.oracle, seed = args.seed }
    return mapping.save(m, args.out)
  end
  return 0
end

--- Makes a strategy of a file.
-- @param path of it
-- @return strategy; or nil and a message
function own.strategy(path)
  local loaded, message = own_file.load(path, "a strategy, { infer = function(processor, schemes, options) ... end } (docs/extending.md)",
    function(value) return type(value) == "table" and type(value.infer) == "function" end)
  if not loaded then return nil, message end
  local strategy = { path = path, file = loaded, summary = own_file.words(loaded.summary or "a strategy of your own: " .. path) }
  function strategy.configure(parser)
    parser:description(strategy.summary)
    open.declare(parser, "write the mapping", "FILE")
    parser:option("--option", "what the strategy is told"):argname("NAME=VALUE"):count("*")
    parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
  end
  function strategy.run(args, context) return run(strategy, args, context) end
  return strategy
end

return own
