--- `portolan cover`: which discoveries of a campaign concern the blocks of a program (section 8.1.7).
-- @module portolan.cli.cover
local check = require "portolan.anica.discoveries_file"
local core = require "portolan.core"
local coverage = require "portolan.anica.coverage"
local domains = require "portolan.anica.domain"
local discoveries_text = require "portolan.report.discoveries_text"
local file = require "portolan.support.file"
local interest = require "portolan.anica.interest"
local json = require "portolan.support.json"
local named = require "portolan.predictor.named"
local number = require "portolan.cli.number"
local pair = require "portolan.anica.pair"
local rank = require "portolan.anica.rank"

local command = { summary = "the discoveries of a campaign that concern given blocks most", interruptible = true }

function command.configure(parser)
  parser:description("Counts the blocks that each discovery subsumes, and chooses the K discoveries that together subsume most of them.")
  parser:argument("directory", "directory of a campaign")
  parser:argument("blocks", "files in BHive's format: hex,frequency"):args "+"
  parser:option("-k", "how many discoveries to choose (10)", 10):argname("K"):convert(number.whole("-k", 1, 4096))
  parser:option("--mapping", "port mapping, for features of the campaign's domain (default: the campaign's)"):argname "FILE"
  parser:flag("--interesting", "only blocks that the campaign's predictors disagree on: asks them")
  parser:flag("--json", "print JSON")
end

local function load_result(directory)
  local path = directory .. "/discoveries.json"
  local text, message = file.read(path)
  if not text then return nil, message .. "; run portolan campaign --out " .. directory end
  local result, trouble = json.decode(text, path)
  if not result then return nil, trouble end
  local whole, wrong = check.result(result)
  if not whole then return nil, ("%s: %s"):format(path, wrong) end
  local c = whole.campaign
  if not (c.domain and c.a and c.a.name and c.b and c.b.name and c.interest and c.interest.kind and c.interest.threshold) then
    return nil, path .. ": campaign.domain, .a, .b and .interest must be there"
  end
  for i, d in ipairs(whole.discoveries) do
    d.abstract = result.discoveries[i].abstract -- which reports do not need
    if not (d.text and d.generality) then return nil, ("%s: discoveries[%d]: 'text' and 'generality' must be there"):format(path, i) end
  end
  return whole
end

-- The campaign's universe: where it names none, it is of the time when there was but one.
local function universe_of(c) return c.universe and c.universe.name or "measurable" end

-- Discoveries with their abstract blocks.
local function decoded(result, domain)
  local list = {}
  for i, d in ipairs(discoveries_text.standing(result)) do
    local A, message = domain:decode(d.abstract)
    if not A then return nil, ("discovery %s: %s"):format(d.id, message) end
    list[i] = { id = d.id, abstract = A, text = d.text, generality = d.generality, infinite = d.infinite, interestingness = d.interestingness }
  end
  return list
end

-- The blocks that the predictors of the campaign disagree on.
local function disputed(result, blocks)
  local a, message = named.open(result.campaign.a.spec or result.campaign.a.name)
  if not a then return nil, message end
  local b
  b, message = named.open(result.campaign.b.spec or result.campaign.b.name)
  if not b then return nil, message end
  local criterion
  criterion, message = interest.new(result.campaign.interest)
  if not criterion then return nil, "campaign.interest: " .. message end
  local p = pair.new(a, b, criterion)
  return coverage.interesting(function(list) return p:ask(list) end, blocks)
end

local function show(list, c, left_out, context)
  context.out("%d blocks%s, %d covered.\n", c.interesting, left_out > 0 and (" (%d left out)"):format(left_out) or "", c.covered)
  local chosen = {}
  for _, top in ipairs(c.top) do
    for _, id in ipairs(top.discoveries) do chosen[id] = true end
    context.out("The best %d cover %d%s.\n", top.k, top.covered, top.proven and "" or " (perhaps not the most)")
  end
  for _, d in ipairs(rank.sorted(list, "covers")) do
    if chosen[d.id] then
      context.out("%s, covers %d\n", d.id, d.covers)
      for _, line in ipairs(d.text) do context.out("    %s\n", line) end
    end
  end
end

function command.run(args, context)
  local result, message = load_result(args.directory)
  if not result then return nil, message end
  local given = result.campaign.domain
  local domain
  domain, message = domains.load(given.file, { mapping = args.mapping or given.mapping, universe = universe_of(result.campaign) })
  if not domain then return nil, message end
  local list
  list, message = decoded(result, domain)
  if not list then return nil, message end
  local blocks, left_out = coverage.of_files(domain, args.blocks)
  if not blocks then return nil, left_out end
  if args.interesting then
    blocks, message = disputed(result, blocks)
    if not blocks then return nil, message end
    if core.base.interrupted() then return 130 end
  end
  local c
  c, message = coverage.of(domain, list, blocks, #blocks, { math.min(args.k, #list) })
  if not c then return nil, message, 1 end
  if context.json then
    local covers = json.object {}
    for _, d in ipairs(list) do covers[d.id] = d.covers end
    context.out("%s", assert(json.encode({ blocks = c.interesting, left_out = left_out, covered = c.covered, top = c.top, covers = covers },
      { pretty = true })))
  else
    show(list, c, left_out, context)
  end
  return 0
end

return command
