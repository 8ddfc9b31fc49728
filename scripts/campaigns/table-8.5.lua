-- The discoveries of Table 8.5 of Ritter's dissertation, (A) to (F), looked for again by campaigns that start from random blocks and know
-- nothing of what they are to find. Each goes on, wave by wave, until a discovery subsumes the example block of its row.
-- usage: portolan run scripts/campaigns/table-8.5.lua DIRECTORY [SEED [ROW ...]]
-- DIRECTORY keeps the campaigns: one that was cut short goes on. ROW is A, B, C, D, E, E-hw (this machine measured) or F; by default all but E-hw.
--
-- The table holds llvm-mca 13 for Zen+ against measurements of a Zen+. Here another model stands in for the processor: a later version of
-- llvm-mca, or the one for a processor for which it does not have the oddity; for (F), which no model has, a simulated one.
local campaign = require "portolan.anica.campaign"
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local named = require "portolan.predictor.named"
local protocol = require "portolan.predictor.machinery.protocol"

local most_waves = 300

-- The cycles that a block loses on AMD's Zen where flags are read after a shift by 0: 25 each time (measured by Abel, 2020, and in the table).
local function lost_to_zero_shifts(block)
  local shifted, cycles = false, 0
  for _, element in ipairs(assert(core.anica.elements(protocol.bytes(block)))) do
    local name, immediate = core.anica.variant(element)
    local scheme = assert(isa.scheme(name))
    if shifted and #scheme.flags_read > 0 then cycles = cycles + 25 end
    if scheme.category == "SHIFT" and immediate == "0" then
      shifted = true
    elseif #scheme.flags_written > 0 then
      shifted = false
    end
  end
  return cycles
end

-- A predictor that adds them to another one's answers.
local function with_zero_shifts(name)
  local model = assert(named.open(name))
  local Slow = protocol.class { deterministic = true, describe = function() return model:describe() end,
    answer = function(_, blocks)
      local answers = {}
      for i, answer in ipairs(model:predict(blocks)) do
        answers[i] = answer.cycles and { cycles = answer.cycles + lost_to_zero_shifts(blocks[i]) } or answer
      end
      return answers
    end }
  return setmetatable({ name = name .. " and shifts by 0 as measured", version = model.version }, Slow)
end

local rows = {
  { id = "A", a = "llvm-mca-16:znver1", b = "llvm-mca-16:haswell", example = "cmpsq" },
  { id = "B", a = "llvm-mca-16:znver1", b = "llvm-mca-16:znver3", example = "shld r11, rdx, cl" },
  { id = "C", a = "llvm-mca-14:znver1", b = "llvm-mca-16:znver1", example = "hsubpd xmm15, xmm12" },
  { id = "D", a = "llvm-mca-14:znver1", b = "llvm-mca-16:znver1", example = "bsr rcx, r11" },
  { id = "E", a = "llvm-mca-16:haswell", b = "llvm-mca-16:alderlake", example = "cmovl r8, qword ptr [r14]" },
  { id = "E-hw", a = "llvm-mca-16:znver1", b = "hw", example = "add r8, 0x2a; adc r8, qword ptr [r14]", by_name = true },
  { id = "F", a = "llvm-mca-16:znver1", b = function() return with_zero_shifts "llvm-mca-16:znver1" end, example = "shl r9w, 0; setno r11b" },
}

-- The parameters of section 8.3.3: two cycles apart, 50 samples, nothing that reads and writes memory.
local function campaign_of(row, directory, seed)
  local b = type(row.b) == "function" and row.b() or row.b
  return assert(campaign.new { a = row.a, b = b, seed = seed, kind = "absolute", threshold = 2, samples = 50, exclude = "load and store",
    coverage = { blocks = 0 }, out = ("%s/%s-%d"):format(directory, row.id, seed), limits = { batches = 1 } })
end

-- The most general discovery that subsumes the row's example.
local function found_in(c, result, example)
  local best
  for _, d in ipairs(result.discoveries) do
    local a = not d.subsumed_by and assert(c.domain:decode(d.abstract))
    if a and c.domain:subsumes(a, example) and (not best or d.generality > best.generality) then best = d end
  end
  return best
end

local function show(row, seed, result, d)
  local f = result.figures
  print(("(%s) %s against %s, seed %d: %s after %d waves, %d blocks, %d predictions, %.0f s; %d discoveries"):format(row.id, result.campaign.a.name,
    result.campaign.b.name, seed, d and "found" or "not found", f.batches, f.blocks_sampled, f.predictor_calls, f.seconds, #result.discoveries))
  if not d then return end
  print(("    %s, %d schemes; example %s; witness %s: %.2f and %.2f"):format(d.id, d.generality, row.example, d.block.text, d.block.a.cycles or 0,
    d.block.b.cycles or 0))
  for k = 2, #d.text do print("    " .. d.text[k]) end
end

local function look_for(row, directory, seed)
  local c, example = campaign_of(row, directory, seed), assert(core.isa.assemble(row.example)).bytes
  for wave = 1, most_waves do
    c.settings.limits.batches = wave
    local result = assert(c:run())
    local d = found_in(c, result, example)
    if d or result.reason == "interrupted" or wave == most_waves then return show(row, seed, result, d) end
  end
end

local by_id = {}
for _, row in ipairs(rows) do by_id[row.id] = row end

local directory, seed, wanted = arg[1], math.tointeger(tonumber(arg[2] or 1)), {}
if not directory or not seed then
  io.stderr:write("usage: portolan run table-8.5.lua DIRECTORY [SEED [ROW ...]]\n")
  os.exit(2)
end
for k = 3, #arg do
  if not by_id[arg[k]] then
    io.stderr:write(("there is no row '%s'; there are A, B, C, D, E, E-hw and F\n"):format(arg[k]))
    os.exit(2)
  end
  wanted[k - 2] = by_id[arg[k]]
end
for _, row in ipairs(#wanted > 0 and wanted or rows) do
  if #wanted > 0 or not row.by_name then look_for(row, directory, seed) end
end
