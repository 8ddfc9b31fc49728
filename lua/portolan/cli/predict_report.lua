--- `portolan predict --report` and `--pictures`: predictions of code as a page, and as pictures in files of their own.
-- @module portolan.cli.predict_report
local core = require "portolan.core"
local figure = require "portolan.report.prediction.figure"
local file = require "portolan.support.file"
local page = require "portolan.report.prediction.page"
local prediction = require "portolan.cli.prediction"
local timeline = require "portolan.report.prediction.timeline"

local predict_report = {}

--- Is either asked for?
-- @param args of the command line
function predict_report.wanted(args) return args.report ~= nil or args.pictures ~= nil end

--- Checks that the command line asks for nothing that does not go with them.
-- @param args of the command line
-- @return true; or nil and a message
function predict_report.check(args)
  if not predict_report.wanted(args) then return true end
  local option = args.report and "--report" or "--pictures"
  if #args.predictor > 0 then return nil, option .. " shows what a mapping says: give --mapping FILE in place of --predictor" end
  for _, name in ipairs { "file", "method", "schedule" } do
    if args[name] then return nil, ("%s shows the bounds of code: leave out --%s"):format(option, name) end
  end
  for _, source in ipairs { args.mapping, args.code ~= "-" and args.code or nil } do
    if args.report and file.same(args.report, source) then
      return nil, ("--report %s would overwrite what it is about; give it another name"):format(args.report)
    end
  end
  local fault = args.report and file.fault(args.report)
  if fault then return nil, "--report " .. fault end
  local kind = args.pictures and file.kind(args.pictures)
  if kind and kind ~= "directory" then return nil, ("--pictures %s: this is no folder"):format(args.pictures) end
  return true
end

-- The rows of its first iterations; nil if there is no room for them, or nothing to see.
local function timeline_of(model, p, piece)
  local iterations = p.simulated_cycles and timeline.iterations(#p.instructions)
  return iterations and model:timeline(piece.bytes, { loop = piece.kind == "loop", iterations = iterations }) or nil
end

-- The predictions as pictures show them.
local function shown(model, pieces, predictions)
  local list = {}
  for i, piece in ipairs(pieces) do
    local p = predictions[i]
    if not p.trouble and not p.instructions then
      p = { trouble = ("some of it is not decoded, which no picture shows; by ports it takes at least %.3f cycles"):format(p.cycles) }
    end
    prediction.about(piece, p)
    p.timeline = not p.trouble and timeline_of(model, p, piece) or nil
    list[i] = p
  end
  return list
end

-- "dot" of "dot: loop at 0x6", as a name that no file system minds and that is not taken.
local function file_name(title, taken)
  local word = title:match "^[^:]*":gsub("[^%w_.-]+", "-"):gsub("^[.-]+", ""):sub(1, 80)
  word = word ~= "" and word or "block"
  local name, n = word, 1
  while taken[name] do
    n = n + 1
    name = ("%s-%d"):format(word, n)
  end
  taken[name] = true
  return name .. ".svg"
end

local function write_pictures(list, ports, directory, context)
  local ok, message, status = file.make_directory(directory)
  if not ok then return nil, message, status end
  local taken = {}
  for _, p in ipairs(list) do
    if not p.trouble then
      local path = directory .. "/" .. file_name(p.title, taken)
      ok, message, status = file.write(path, figure.render(p, ports))
      if not ok then return nil, message, status end
      if not context.json then context.out("picture: %s\n", path) end
    end
  end
  return true
end

--- Writes what was asked for.
-- @param models of portolan.cli.predict_code
-- @param pieces list of `{ title =, bytes =, instructions =, kind = }`
-- @param predictions list of their predictions (portolan.cli.predict_code), or of `{ trouble = }`
-- @param args of the command line: `report`, `pictures`, `mapping`, `code`
-- @param context of the command
-- @return true; or nil, message, status
function predict_report.write(models, pieces, predictions, args, context)
  if not predict_report.wanted(args) then return true end
  local m = models.experiments
  if not m.mapping then return nil, ("%s: a conjunctive mapping has no ports to show; leave out --report and --pictures"):format(args.mapping) end
  local model, message = models.blocks()
  if not model then return nil, message end
  local status
  local list, ports = shown(model, pieces, predictions), m.mapping.ports
  if not context.json then context.out("\n") end
  local ok = true
  if args.pictures then ok, message, status = write_pictures(list, ports, args.pictures, context) end
  if not ok then return nil, message, status end
  if not args.report then return true end
  local title = args.code == "-" and "standard input" or args.code and args.code:match "[^/]*$" or pieces[1].title
  ok, message, status = file.write(args.report, page.render { predictions = list, ports = ports, title = title,
    mapping = args.mapping:match "[^/]*$", version = core.version })
  if not ok then return nil, message, status end
  if not context.json then context.out("report: %s\n", args.report) end
  return true
end

return predict_report
