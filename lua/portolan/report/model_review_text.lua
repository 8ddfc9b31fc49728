--- A review of one of LLVM's scheduling models as Markdown, ready to paste into a pull request: claim by claim what the model says, what
-- measurements say, and a block that decides between the two, for llvm-mca and for `portolan bench`.
local catalog = require "portolan.report.catalog"
local disagreements = require "portolan.report.disagreements"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"

local text = {}

local plural = require "portolan.support.plural"

local titles = {
  ports = { "Ports", "A block is what model and measurements differ most about: an instruction alone, or beside others that keep ports busy." },
  throughput = { "Throughput", "Instances that wait for nothing of each other. What holds them up beside ports may be a unit that is not pipelined, "
    .. "or the decoder." },
  latency = { "Latency", "A chain: each instance waits for the one before." },
}
local order = { "ports", "throughput", "latency" }

local most_rows = 40 -- of a table

local function code(words) return "`" .. printable(tostring(words)):gsub("`", "'") .. "`" end

local function cell(words) return (words:gsub("|", "\\|")) end

local function cycles(x) return x and ("%.2f"):format(x) or "?" end

-- `1 → 2` where the two differ.
local function change(was, is, format)
  local a, b = was and format:format(was) or "?", is and format:format(is) or "?"
  return a == b and a or a .. " → " .. b
end

local function row(claim, opcodes)
  local names = lists.map(opcodes[claim.scheme] or {}, code)
  local ours, theirs = claim.facts.ours, claim.facts.theirs
  local cells = {
    #names > 0 and table.concat(names, " ") or "?", code(claim.scheme), change(theirs.latency, ours.latency, "%.4g"),
    change(theirs.slots, ours.slots, "%d"), change(theirs.tp, ours.tp, "%.2f"),
    code(claim.experiment or claim.chain), cycles(claim.theirs), cycles(claim.ours), cycles(claim.measured),
  }
  for i, words in ipairs(cells) do cells[i] = cell(words) end
  return "| " .. table.concat(cells, " | ") .. " |\n"
end

local head = "| opcodes | instruction | latency | uops | cycles alone | block | llvm-mca | inferred | measured |\n"
  .. "| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: |\n"

local function command(claim)
  local chain = claim.chain and not claim.chain:find "%c" and ("portolan bench --chain '%s'"):format((claim.chain:gsub("'", "'\\''")))
  return chain or disagreements.command(claim.experiment)
end

-- The block of a claim, and how to time it.
local function block(claim, kit)
  local rounds = claim.copies == 1 and "one round" or claim.copies .. " rounds"
  local indented = claim.block:gsub("[^\n]+", "    %0")
  return ("\nThe block of %s, %s of it (llvm-mca %s, measured %s cycles a round):\n\n```asm\n    .intel_syntax noprefix\n%s\n```\n\n"
    .. "`llvm-mca-%d -mtriple=x86_64 -mcpu=%s` reads it; `%s` measures it.\n"):format(code(claim.scheme), rounds, cycles(claim.theirs),
    cycles(claim.measured), indented, kit.major, kit.cpu, command(claim) or "portolan bench")
end

local function group_title(kind, group)
  local was, is = group.key:match "^(.-)%z(.*)$"
  return ("\n### %s: %s modelled, %s measured, %s\n\n"):format(titles[kind][1], code(was), code(is), plural(#group.entries, "instruction"))
end

-- Says so if ports of a group were chosen among several that fit; otherwise "".
local function remark(group)
  for _, claim in ipairs(group.entries) do
    if claim.assumed then return "Some of these ports were chosen among several that fit; that the model's do not was measured.\n\n" end
  end
  return ""
end

local function group_text(kind, group, kit, opcodes)
  local parts = { group_title(kind, group), remark(group), head }
  for i = 1, math.min(#group.entries, most_rows) do parts[#parts + 1] = row(group.entries[i], opcodes) end
  if #group.entries > most_rows then parts[#parts + 1] = ("\n%d more are like these.\n"):format(#group.entries - most_rows) end
  parts[#parts + 1] = block(group.entries[1], kit)
  return table.concat(parts)
end

local function of_kind(kit, kind)
  return lists.where(kit.claims, function(claim) return claim.kind == kind end)
end

local function renaming_text(renaming)
  local parts = lists.of_fields(renaming, function(port, theirs)
    return port ~= theirs and ("%s is the mapping's %s"):format(theirs, port) or nil
  end)
  return #parts > 0 and "Ports have the model's names: " .. printable(table.concat(parts, ", ")) .. ". " or ""
end

local function counts_text(counts)
  if not counts then return "Ports were not asked about, as nothing was measured for this review (`--oracle`).\n" end
  return ("Of the blocks that were made to decide about ports %d were as inferred, %d as modelled, %d neither, and %d could not be "
    .. "decided.\n"):format(counts.ours, counts.theirs, counts.neither, counts.undecided)
end

local function header(kit, about)
  return table.concat {
    ("# LLVM's scheduling model of %s, reviewed by measuring\n\n"):format(printable(kit.cpu)),
    ("Model: %s (%s). "):format(code(kit.model), printable(kit.version)),
    about and ("Measured on: %s. "):format(printable(about)) or "",
    plural(kit.common, "instruction"), " of the model and of the measurements were compared. ", renaming_text(kit.renaming), "\n",
    "Listed is only what measurements decide: the model's own prediction for the block is off by more than 10%, the inferred one by ",
    "at most 5%. ",
    counts_text(kit.counts), "`1 → 2` means modelled and measured; cycles are those of one round. ",
    "Uops are LLVM's NumMicroOps, and issue slots as measured.\n",
  }
end

--- The review as Markdown.
-- @param kit of `portolan.infer.model_review`
-- @param opcodes scheme -> list of LLVM's names
-- @param[opt] about the processor that was measured: its name
-- @return text
function text.markdown(kit, opcodes, about)
  local parts = { header(kit, about) }
  if #kit.claims == 0 then parts[#parts + 1] = "\nThere is nothing that measurements decide against the model.\n" end
  for _, kind in ipairs(order) do
    local list = of_kind(kit, kind)
    if #list > 0 then
      parts[#parts + 1] = ("\n## %s: %s\n\n%s\n"):format(titles[kind][1], plural(#list, "instruction"), titles[kind][2])
      local groups = catalog.grouped(list, function(claim) return claim.was .. "\0" .. claim.is end)
      for _, group in ipairs(groups) do parts[#parts + 1] = group_text(kind, group, kit, opcodes) end
    end
  end
  return table.concat(parts)
end

return text
