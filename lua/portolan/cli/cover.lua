--- `portolan cover`: which discoveries of a campaign concern the blocks of a program (section 8.1.7).
-- @module portolan.cli.cover
local core = require "portolan.core"
local coverage = require "portolan.anica.coverage"
local finished = require "portolan.anica.finished"
local json = require "portolan.support.json"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local plural = require "portolan.support.plural"
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

-- The blocks that the predictors of the campaign disagree on.
local function disputed(campaign, blocks)
  local pair = must(finished.pair(campaign))
  return coverage.interesting(function(list) return pair:ask(list) end, blocks)
end

local function show(list, c, left_out, context)
  context.out("%s%s, %d covered.\n", plural(c.interesting, "block"), left_out > 0 and (" (%d left out)"):format(left_out) or "", c.covered)
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
  local loaded, message = finished.load(args.directory, args.mapping)
  if not loaded then return nil, message end
  local domain, list = loaded.domain, loaded.discoveries
  local blocks, left_out = must(coverage.of_files(domain, args.blocks))
  if args.interesting then
    blocks = must(disputed(loaded.campaign, blocks))
    if core.base.interrupted() then return 130 end
  end
  local c
  c, message = coverage.of(domain, list, blocks, #blocks, { math.min(args.k, #list) })
  if not c then return nil, message, 1 end
  if context.json then
    local covers = json.object {}
    for _, d in ipairs(list) do covers[d.id] = d.covers end
    context.write_json { blocks = c.interesting, left_out = left_out, covered = c.covered, top = c.top, covers = covers }
  else
    show(list, c, left_out, context)
  end
  return 0
end

return command
