--- `portolan campaign`: where two throughput predictors disagree, generalized (AnICA, Algorithm 8.1).
-- @module portolan.cli.campaign
local campaign = require "portolan.anica.campaign"
local core = require "portolan.core"
local discoveries_text = require "portolan.report.discoveries_text"
local duration = require "portolan.support.duration"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local must = require("portolan.support.failure").check
local size_limits = require "portolan.support.limits"
local own_interest = require "portolan.anica.own_interest"
local number = require "portolan.cli.number"
local own_file = require "portolan.support.own_file"
local plural = require "portolan.support.plural"
local progress = require "portolan.progress.line"
local rank = require "portolan.anica.rank"
local report = require "portolan.report"
local settings = require "portolan.anica.settings"
local universe = require "portolan.anica.universe"

local command = { summary = "where two predictors disagree, generalized to classes of code", interruptible = true }

function command.configure(parser)
  parser:description("Samples random blocks, looks for those that the predictors A and B disagree on, and generalizes each to an abstract block "
    .. "of which all samples are like it. Goes on where an earlier run in the same directory ended. docs/anica.md explains the results.")
  parser:argument("file", "Lua file that returns a table of options, { a = , b = , ... }, or its name (docs/extending.md)"):args "?"
  parser:option("--a", "first predictor, as llvm-mca-14:znver1, hw, mapping:FILE"):argname "PRED"
  parser:option("--b", "second predictor; none is needed with --interesting self-..."):argname "PRED"
  parser:option("--out", "directory for the results (default: campaigns/A-B)"):argname "DIR"
  parser:option("--seed", "of all random choices (1)"):argname("N"):convert(number.whole("--seed"))
  parser:option("--threshold", "relative difference that is interesting (0.5)"):argname("X"):convert(number.any("--threshold", 0, 2))
  parser:option("--absolute", "instead: a difference of so many cycles"):argname("CYCLES"):convert(number.any("--absolute", 0))
  parser:option("--interesting", ("instead: what a Lua file or its name says, or %s (docs/extending.md)")
    :format(table.concat(own_interest.names, ", ")))
    :argname "FILE"
  parser:option("--samples", "of an abstract block (100)"):argname("N"):convert(number.whole("--samples", 1, 100000))
  parser:option("--length", "of sampled blocks, at most (5)"):argname("N"):convert(number.whole("--length", 1, 16))
  parser:option("--orders", "of expansions tried for each block (5)"):argname("N"):convert(number.whole("--orders", 1, 100))
  parser:option("--time", "end after so many seconds, or as 10m, 2h"):argname("TIME"):convert(duration.converter "--time")
  parser:option("--discoveries", "end with so many discoveries (150)"):argname("N"):convert(number.whole("--discoveries", 1))
  parser:option("--dry", "end after so many waves of samples without a discovery (10)"):argname("N"):convert(number.whole("--dry", 1))
  parser:option("--schemes", "only schemes that match this filter (portolan isa list --help)"):argname "FILTER"
  parser:option("--exclude", "no schemes that match this filter"):argname "FILTER"
  parser:option("--domain", "abstract domain, a Lua file or its name (default)"):argname "FILE"
  parser:option("--universe", "which schemes: " .. universe.words() .. " (default: predicted; if a predictor measures, measurable)"):argname "NAME"
  parser:option("--mapping", "port mapping, for features of the domain that ask for one"):argname "FILE"
  parser:option("--coverage", "size of the random test set at the end (1000), or a file of blocks in BHive's format"):argname "N|FILE"
    :convert(function(word) return tonumber(word) or word end)
  parser:option("--heat", "a further predictor for the table of pairs; may be repeated"):argname("PRED"):count "*"
  parser:option("--cache", "keep answers in this store: for predictors that are slow"):argname "FILE"
  parser:option("--jobs", "processes at a time (2)"):argname("N"):convert(number.whole("--jobs", 1, 1024))
  parser:option("--rank", "order of the summary: " .. table.concat(lists.keys(rank.criteria), ", ")):choices(lists.keys(rank.criteria)):argname "NAME"
  parser:option("--top", "discoveries in the summary (20)"):argname("N"):convert(number.whole("--top", 0))
  parser:flag("--plain", "one expansion at a time, each checked with all samples (Algorithm 8.2)")
  parser:flag("--json", "print what discoveries.json holds")
end

-- The options of a file, which its path or its name says; or nil, message.
local function options_of_file(word)
  local path = own_file.find("campaigns", word) or word
  local environment = setmetatable({}, { __index = function(_, name) return name == "portolan" and require "portolan" or _G[name] end })
  local text, message = file.read(path, size_limits.code_bytes)
  if not text then return nil, path == word and not own_file.is_path(word) and message .. own_file.listed "campaigns" or message end
  local chunk = must(load(text, "@" .. path, "t", environment))
  local ok, options = pcall(chunk)
  if not ok then return nil, type(options) == "string" and options or path .. ": it fails with an error that is no text" end
  if type(options) ~= "table" then return nil, path .. ": it must return a table of options, { a = ..., b = ... }" end
  return options
end

-- "llvm-mca-14:znver1", "hw" -> "campaigns/llvm-mca-14-znver1_hw"; without a second one what is interesting
local function directory_of(options)
  local function plain(name) return (tostring(type(name) == "table" and name.name or name):gsub("[^%w.-]+", "-"):sub(1, 60)) end
  return ("campaigns/%s_%s"):format(plain(options.a), plain(options.b or options.interesting))
end

-- Turns what the command line calls otherwise than campaigns do, and a file may, into what it is for a campaign. Returns the options; or nil and a
-- message.
local function translated(options)
  local function taken(name)
    local value = options[name]
    options[name] = nil
    return value
  end
  local plain, absolute, c = taken "plain", taken "absolute", options.coverage
  local limits = { discoveries = taken "discoveries", dry = taken "dry", seconds = taken "time" }
  if plain ~= nil and type(plain) ~= "boolean" then return nil, ("option plain: '%s'; write true or false"):format(tostring(plain)) end
  if plain then options.strategy = "plain" end
  if absolute ~= nil then options.kind, options.threshold = "absolute", absolute end
  if type(limits.seconds) == "string" then
    limits.seconds = must(duration.converter "option time"(limits.seconds))
  end
  if next(limits) and (options.limits == nil or type(options.limits) == "table") then -- what is no table is refused as such
    options.limits = lists.copy(options.limits or settings.defaults.limits)
    for name, value in pairs(limits) do options.limits[name] = value end
  end
  options.coverage = type(c) == "number" and { blocks = c } or type(c) == "string" and { files = { c } } or c
  return options
end

-- Options of the command line over those of the file.
local function merge(args, options)
  args.heat = #args.heat > 0 and args.heat or nil
  if args.threshold then options.kind, options.absolute = "relative", nil end
  for _, name in ipairs { "a", "b", "out", "seed", "threshold", "absolute", "samples", "length", "orders", "schemes", "exclude", "domain", "universe",
    "mapping", "cache", "jobs", "interesting", "heat", "plain", "coverage", "discoveries", "dry", "time" } do
    if args[name] ~= nil then options[name] = args[name] end
  end
  if options.a and (options.b or options.interesting) then options.out = options.out or directory_of(options) end
  return translated(options)
end

-- Shows how far a campaign is, and says once that most of what it samples is interesting. Nobody knows when a search will have found what there
-- is: of the time left it is only said what `--time` leaves.
local function watcher(limits)
  local line, said = progress.new { title = "campaign" }, false
  return line, function(state)
    local much = not said and discoveries_text.common(state.interesting, state.blocks_sampled, state.threshold)
    if much then line:say(much) end
    said = said or much
    local rate = state.predictor_calls / math.max(state.seconds, 1e-3)
    local note = ("%s, %s, %d of %s interesting, %s, %.0f a second"):format(
      plural(state.discoveries, "discovery", "discoveries"), plural(state.batches, "wave"), state.interesting, plural(state.blocks_sampled, "block"),
      plural(state.predictor_calls, "prediction"), rate)
    local left = limits.seconds and duration.text(math.max(0, limits.seconds - state.seconds))
    if left then note = ("%s, at most %s more"):format(note, left) end
    line:update(nil, note)
  end
end

-- The campaign, with a line on what its predictors support; or nil, a message, an exit status.
local function prepare(options)
  local line = progress.new {}
  local c, message, status = campaign.new(options, function(what, done, total)
    line.title, line.total = "campaign, " .. what, total
    line:update(done)
  end)
  line:finish(false)
  return c, message, status
end

function command.run(args, context)
  local given, why = {}, nil
  if args.file then given, why = options_of_file(args.file) end
  if not given then return nil, why end
  local options = must(merge(args, given))
  local c, trouble, wrong = prepare(options)
  if not c then return nil, trouble, core.base.interrupted() and 130 or wrong end
  local line, watch = watcher(c.settings.limits)
  local result, fault, status = c:run(watch)
  line:finish(false)
  if not result then return nil, fault, status end
  if context.json then
    context.write_json(result)
    return 0
  end
  local page = assert(report.campaign.page(result))
  must(file.write(c.settings.out .. "/report.html", page))
  discoveries_text.write(result, { criterion = args.rank, most = args.top }, function(text) context.out("%s\n", text) end)
  context.out("\nReport: %s/report.html; everything in numbers: discoveries.json beside it.\n", c.settings.out)
  return 0
end

return command
