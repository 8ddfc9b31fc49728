-- Blocks of programs in clusters by the execution units that they use, and what the discoveries of a campaign cover in each.
-- usage: portolan run scripts/campaigns/bhive-clusters.lua DIRECTORY BLOCKS.csv [BLOCKS.csv ...]
-- DIRECTORY is of a campaign that has ended; the files are in BHive's format, hex,frequency.
--
-- The clusters are made as BHive makes them: latent Dirichlet allocation, in which a block is a document, its words are the sets of ports of its
-- uops on Haswell (as llvm-mca 16 has them), and there are six topics. A block belongs to the topic of most of its uops.
local core = require "portolan.core"
local coverage = require "portolan.anica.coverage"
local finished = require "portolan.anica.finished"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local named = require "portolan.predictor.named"

local topics, rounds, model = 6, 100, "llvm-mca-16:haswell"

-- The words of a block: numbers of port sets; `words` names them.
local function words_of(schemes, m, words)
  local list = {}
  for _, name in ipairs(schemes) do
    for _, uop in ipairs((m.schemes[name] or {}).uops or {}) do
      local key = table.concat(uop[1], "")
      if not words[key] then
        words[#words + 1] = key
        words[key] = #words
      end
      for _ = 1, uop[2] or 1 do list[#list + 1] = words[key] end
    end
  end
  return list
end

-- Draws the topic of one word, given those of all others.
local function draw(counts, totals, document, word, word_count, rng)
  local weights, sum = {}, 0
  for k = 1, topics do
    sum = sum + (document[k] + 1 / topics) * (counts[k][word] + 1 / word_count) / (totals[k] + 1)
    weights[k] = sum
  end
  local x, k = rng:unit() * sum, 1
  while k < topics and weights[k] < x do k = k + 1 end
  return k
end

local function zeros(n)
  local list = {}
  for i = 1, n do list[i] = 0 end
  return list
end

-- Collapsed Gibbs sampling. For each document how many of its words have each topic; for each topic how often it has each word.
local function allocate(documents, word_count, seed)
  local rng, counts, totals, shares, topic_of = core.base.rng(seed), {}, zeros(topics), {}, {}
  for k = 1, topics do counts[k] = zeros(word_count) end
  local function move(d, word, k, by)
    shares[d][k], counts[k][word], totals[k] = shares[d][k] + by, counts[k][word] + by, totals[k] + by
  end
  for d, list in ipairs(documents) do
    shares[d], topic_of[d] = zeros(topics), {}
    for i, word in ipairs(list) do
      topic_of[d][i] = 1 + rng:below(topics)
      move(d, word, topic_of[d][i], 1)
    end
  end
  for _ = 1, rounds do
    for d, list in ipairs(documents) do
      for i, word in ipairs(list) do
        move(d, word, topic_of[d][i], -1)
        topic_of[d][i] = draw(counts, totals, shares[d], word, word_count, rng)
        move(d, word, topic_of[d][i], 1)
      end
    end
  end
  return shares, counts
end

local function largest(list)
  local best = 1
  for k = 2, #list do
    if list[k] > list[best] then best = k end
  end
  return best
end

-- These say what the instructions of a cluster do, for its description.
local traits = {
  { "load", function(o) return o.kind == "memory" and o.access:find "r" end },
  { "store", function(o) return o.kind == "memory" and o.access:find "w" end },
  { "use vectors", function(o) return o.class == "xmm" or o.class == "ymm" end },
}

local function count_traits(schemes, into)
  for _, name in ipairs(schemes) do
    local scheme = assert(isa.scheme(name))
    into.instructions = into.instructions + 1
    for t, trait in ipairs(traits) do
      for _, o in ipairs(scheme.operands) do
        if trait[2](o) then
          into[t] = into[t] + 1
          break
        end
      end
    end
  end
end

local function percent(part, whole) return whole > 0 and ("%.0f%%"):format(100 * part / whole) or "-" end

local function describe(cluster, words, counts)
  local order, parts = {}, {}
  for w = 1, #words do order[w] = w end
  table.sort(order, lists.by_value(counts))
  for t, trait in ipairs(traits) do parts[t] = ("%s %s"):format(percent(cluster[t], cluster.instructions), trait[1]) end
  local ports = {}
  for i = 1, math.min(3, #order) do ports[i] = "p" .. words[order[i]] end
  return ("ports %s; of the instructions %s"):format(table.concat(ports, " "), table.concat(parts, ", "))
end

local function schemes_of(block)
  return lists.map(assert(core.isa.decode(block)).instructions, function(instruction) return instruction.scheme end)
end

-- The clusters: lists of numbers of blocks, with how often their instructions have each trait; the words, and how often a topic has each.
local function clusters_of(blocks)
  local m, words, documents, clusters = assert(named.mapping(model)), {}, {}, {}
  for d, block in ipairs(blocks) do documents[d] = words_of(schemes_of(block), m, words) end
  local shares, counts = allocate(documents, #words, 1)
  for k = 1, topics do clusters[k] = { instructions = 0, 0, 0, 0, members = {} } end
  for d, block in ipairs(blocks) do
    local cluster = clusters[largest(shares[d])]
    table.insert(cluster.members, d)
    count_traits(schemes_of(block), cluster)
  end
  return clusters, words, counts
end

if #arg < 2 then
  io.stderr:write("usage: portolan run bhive-clusters.lua DIRECTORY BLOCKS.csv [BLOCKS.csv ...]\n")
  os.exit(2)
end
local loaded = assert(finished.load(arg[1]))
local blocks, left_out = coverage.of_files(loaded.domain, table.move(arg, 2, #arg, 1, {}))
if not blocks then error(left_out, 0) end
local pair = assert(finished.pair(loaded.campaign))
local verdicts, rows = assert(pair:ask(blocks)), coverage.matrix(loaded.domain, loaded.discoveries, blocks)
local clusters, words, counts = clusters_of(blocks)
print(("%s against %s, %d discoveries; %d different blocks (%d left out)"):format(loaded.campaign.a.name, loaded.campaign.b.name,
  #loaded.discoveries, #blocks, left_out))
for k, cluster in ipairs(clusters) do
  local decided, interesting, covered = 0, 0, 0
  for _, d in ipairs(cluster.members) do
    decided = decided + (verdicts[d].interesting ~= nil and 1 or 0)
    interesting = interesting + (verdicts[d].interesting and 1 or 0)
    covered = covered + (verdicts[d].interesting and #rows[d] > 0 and 1 or 0)
  end
  print(("cluster %d: %d blocks, %s interesting, %s of these covered; %s"):format(k, #cluster.members, percent(interesting, decided),
    percent(covered, interesting), describe(cluster, words, counts[k])))
end
