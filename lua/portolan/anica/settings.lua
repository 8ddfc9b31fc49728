--- Checks what a campaign may be told, and says what it does unless told (section 8.2.2).
-- @module portolan.anica.settings
local file = require "portolan.support.file"
local interest = require "portolan.anica.interest"
local lists = require "portolan.support.lists"
local own_interest = require "portolan.anica.own_interest"

local settings = {}

--- The defaults; `settings.check` says what each option is.
settings.defaults = {
  seed = 1, kind = "relative", samples = 100, first = 5, provisional = 20, length = 5, orders = 5, strategy = "groups", batch = 100,
  concurrent = 40, jobs = 2, limits = { discoveries = 150, dry = 10 }, coverage = { blocks = 1000, length = 4, top = { 1, 2, 3, 5, 10, 20 } },
}

-- name -> least value, largest value, whole
local numbers = { seed = { math.mininteger, math.maxinteger, true }, samples = { 1, 100000, true }, first = { 1, 100000, true },
  provisional = { 1, 100000, true }, length = { 1, 16, true }, orders = { 1, 100, true }, batch = { 1, 100000, true },
  concurrent = { 1, 10000, true }, jobs = { 1, 1024, true } }

local limits = { seconds = { 0, 1e9 }, discoveries = { 1, 1000000, true }, dry = { 1, 1000000, true }, batches = { 1, 1000000, true } }

local coverage = { blocks = { 0, 1 << 20, true }, length = { 1, 16, true } }

-- name -> types
local kinds = { a = "string table", b = "string table", domain = "string table", mapping = "string table", schemes = "string", exclude = "string",
  universe = "string", cache = "string", out = "string", heat = "table", limits = "table", coverage = "table", predict = "function",
  supported = "function", interesting = "string function" }

local other = lists.set(lists.joined(lists.keys(kinds), { "kind", "threshold", "strategy" }))

local function check_number(name, value, range)
  local least, most, whole = table.unpack(range)
  local n = type(value) == "number" and (not whole and value or math.tointeger(value))
  if n and n >= least and n <= most then return n end
  return nil, ("option %s: '%s'; write a %snumber%s"):format(name, tostring(value), whole and "whole " or "",
    least > math.mininteger and (" of at least %d"):format(least) or "")
end

local function check_numbers(list, ranges, prefix)
  for name, range in pairs(ranges) do
    if list[name] ~= nil then
      local n, message = check_number(prefix .. name, list[name], range)
      if not n then return nil, message end
      list[name] = n
    end
  end
  return true
end

-- Tells where an option of this name is, as it is written; nil if it is nowhere.
local function elsewhere(name)
  for part, names in pairs { limits = limits, coverage = coverage } do
    if names[name] then return ("write %s = { %s = ... }"):format(part, name) end
  end
end

local function known(options, ranges, others, prefix)
  for name in pairs(options) do
    if not ranges[name] and not others[name] then
      return nil, ("unknown option '%s%s'; %s"):format(prefix, tostring(name), elsewhere(name) or "see docs/anica.md")
    end
  end
  return true
end

local function check_kinds(options)
  for name, allowed in pairs(kinds) do
    local given = options[name]
    if given ~= nil and not allowed:find(type(given), 1, true) then
      return nil, ("option %s: this is a %s; it must be a %s"):format(name, type(given), (allowed:gsub(" ", " or a ")))
    end
  end
  return true
end

-- The parts of `coverage` that are lists.
local function check_lists(c)
  for name, is in pairs { top = "whole numbers from 1 on", files = "paths of files" } do
    if c[name] ~= nil and type(c[name]) ~= "table" then return nil, ("option coverage.%s: write a list of %s"):format(name, is) end
  end
  for i, k in ipairs(c.top) do
    c.top[i] = check_number("coverage.top", k, { 1, math.maxinteger, true })
    if not c.top[i] then return nil, "option coverage.top: write a list of whole numbers from 1 on" end
  end
  for _, path in ipairs(c.files or {}) do
    if type(path) ~= "string" or file.kind(path) ~= "file" then return nil, ("option coverage: there is no file '%s'"):format(tostring(path)) end
  end
  return true
end

local function with_defaults(options)
  local s = lists.copy(settings.defaults)
  for name, value in pairs(options) do s[name] = value end
  s.coverage = lists.copy(settings.defaults.coverage)
  for name, value in pairs(options.coverage or {}) do s.coverage[name] = value end
  if type(s.coverage.top) == "table" then s.coverage.top = lists.copy(s.coverage.top) end
  s.limits = lists.copy(options.limits or settings.defaults.limits)
  return s
end

-- Sets what is interesting, and checks that there are predictors enough for it.
local function with_criterion(s)
  local message
  if s.interesting then
    s.criterion, message = own_interest.new(s.interesting, s.threshold)
  else
    s.criterion, message = interest.new { kind = s.kind, threshold = s.threshold }
  end
  if not s.criterion then return nil, message end
  if not s.a then return nil, "option a: there must be a predictor, as llvm-mca-16:znver1" end
  if not s.b and s.criterion.fewest ~= 1 then return nil, "option b: there must be two predictors, as llvm-mca-16:znver1" end
  s.kind, s.threshold = s.criterion.kind, s.criterion.threshold
  return s
end

--- Completes and checks options.
-- @tparam table options
-- @param options.a name of a predictor (portolan.predictor.named), or a predictor
-- @param[opt] options.b likewise; not needed where the criterion is content with one (self-renamed, ...)
-- @tparam[opt=1] int options.seed
-- @param[opt] options.domain path of an abstract domain, or a domain
-- @tparam[opt] string options.universe which schemes: name or path (portolan.anica.universe); by default what the predictors make usual
-- @param[opt] options.mapping path or table, for features that ask for one
-- @tparam[opt="relative"] string options.kind see portolan.anica.interest
-- @tparam[opt] number options.threshold see portolan.anica.interest
-- @tparam[opt] string|func options.interesting in place of both: see portolan.anica.own_interest; it gets the answers of `heat`, too
-- @tparam[opt=100] int options.samples for an abstract block to be interesting
-- @tparam[opt=5] int options.first of these samples are taken first
-- @tparam[opt] int options.provisional samples on the way (portolan.anica.generalize): by default 20, all of them if `strategy` is plain
-- @tparam[opt=5] int options.length of sampled blocks, at most
-- @tparam[opt=5] int options.orders in which a block is generalized
-- @tparam[opt="groups"] string options.strategy "groups" or "plain"
-- @tparam[opt=100] int options.batch blocks sampled in a wave
-- @tparam[opt=40] int options.concurrent searches at a time
-- @tparam[opt=2] int options.jobs processes at a time
-- @tparam[opt] string options.schemes filter that schemes must match (portolan.scheme.filter)
-- @tparam[opt] string options.exclude filter that they must not match
-- @tparam[opt] table options.limits by default `{ discoveries = 150, dry = 10 }`
-- @tparam[opt] number options.limits.seconds
-- @tparam[opt] int options.limits.discoveries
-- @tparam[opt] int options.limits.dry waves without a discovery, one after the other
-- @tparam[opt] int options.limits.batches
-- @tparam[opt] table options.coverage the test set
-- @tparam[opt=1000] int options.coverage.blocks random ones
-- @tparam[opt=4] int options.coverage.length instructions of a random block
-- @tparam[opt] {int,...} options.coverage.top sizes of the best choices; by default 1, 2, 3, 5, 10 and 20
-- @tparam[opt] {string,...} options.coverage.files of BHive, in place of random blocks
-- @tparam[opt] {string,...} options.heat names of further predictors
-- @tparam[opt] string options.cache path of a store that keeps answers
-- @tparam[opt] string options.out directory
-- @tparam[opt] func options.predict as of `portolan.anica.pair`
-- @tparam[opt] func options.supported as of `portolan.anica.sampled_schemes`
-- @return settings, with the `criterion`; or nil and a message
function settings.check(options)
  if type(options) ~= "table" then return nil, "a campaign is a table of options, { a = ..., b = ... }" end
  local ok, message = known(options, numbers, other, "")
  if ok then ok, message = check_kinds(options) end
  if ok then ok, message = known(options.limits or {}, limits, {}, "limits.") end
  if ok then ok, message = known(options.coverage or {}, coverage, { top = true, files = true }, "coverage.") end
  if not ok then return nil, message end
  local s = with_defaults(options)
  ok, message = check_numbers(s, numbers, "")
  if ok then ok, message = check_numbers(s.limits, limits, "limits.") end
  if ok then ok, message = check_numbers(s.coverage, coverage, "coverage.") end
  if ok then ok, message = check_lists(s.coverage) end
  if not ok then return nil, message end
  if s.strategy ~= "groups" and s.strategy ~= "plain" then
    return nil, ("option strategy: '%s'; write groups or plain"):format(tostring(s.strategy))
  end
  if s.strategy == "plain" then s.provisional = options.provisional or s.samples end
  return with_criterion(s)
end

return settings
