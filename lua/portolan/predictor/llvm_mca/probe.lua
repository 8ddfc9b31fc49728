--- Asks llvm-mca how many uops of an instruction belong to a group, where its resource pressure leaves that open.
--
-- The throughput of a block in the summary is the maximum over all groups and units of the uops of this very group by its units (uops
-- of smaller groups inside are not added, unlike in the model itself). With k copies of an instruction that is one uop of the group, k so
-- large that no other group matters, the instruction's own uops of the group are units * throughput - k.
-- @module portolan.predictor.llvm_mca.probe
local batch = require "portolan.predictor.machinery.batch"
local lists = require "portolan.support.lists"
local runs = require "portolan.predictor.llvm_mca.runs"
local pressure = require "portolan.predictor.llvm_mca.pressure"

local probe = {}

-- Options for one pass, with nothing but the summary, and no limit by the front end.
local summary = { "-iterations=1", "-dispatch=100000", "-instruction-info=0", "-resource-pressure=0" }

local function throughputs(tool, blocks, options, seconds)
  return batch.answer(blocks, function(list)
    local regions, message, faults = runs.run(tool, list, summary, { seconds = seconds })
    if not regions then return nil, message, faults end
    return lists.map(regions, function(region) return region.SummaryView.BlockRThroughput end)
  end, options)
end

local together = 8 -- kinds in one run: starting llvm-mca takes longer than what it says of them, and where one hangs, few others wait for it

-- Tells, job by job, which texts llvm-mca can simulate; some instructions keep it busy for ever. One per kind of instruction is tried.
local function simulates(tool, jobs, progress)
  local texts, kinds, at = {}, {}, {}
  for i, job in ipairs(jobs) do
    if not at[job.kind] then
      texts[#texts + 1] = job.text
      at[job.kind] = #texts
    end
    kinds[i] = at[job.kind]
  end
  local answers = {}
  for i = 1, #texts, together do
    progress(i - 1, #texts)
    local some = table.move(texts, i, math.min(i + together - 1, #texts), 1, {})
    table.move(throughputs(tool, some, nil, 0.5), 1, #some, i, answers)
  end
  return lists.map(kinds, function(kind) return type(answers[kind]) == "number" end)
end

local function block(job, group, copies, text_of)
  local lines = { job.text }
  for i = 1, copies do lines[i + 1] = text_of[group.blocker] end
  return table.concat(lines, "\n")
end

--- Counts uops of groups.
-- @param tool as for `portolan.predictor.llvm_mca.runs`
-- @param jobs list of `{ text =, v = vector, kind = what instructions share that are alike to llvm-mca }`
-- @param groups list of `portolan.predictor.llvm_mca.pressure`
-- @param text_of text of each blocker
-- @param progress function(done, total)
-- @return list: for each job a list of `{ group, count }` (all groups with blockers that fit); false if llvm-mca cannot tell
function probe.counts(tool, jobs, groups, text_of, progress)
  local able, blocks, places, result = simulates(tool, jobs, progress), {}, {}, {}
  for i, job in ipairs(jobs) do
    result[i] = able[i] and {} or false
    local _, most = pressure.mass(job.v)
    for _, group in ipairs(able[i] and pressure.fitting(job.v, groups) or {}) do
      if group.blocker then
        local copies = #group.units * math.ceil(most) + 1
        blocks[#blocks + 1] = block(job, group, copies, text_of)
        places[#blocks] = { job = i, group = group, copies = copies }
      end
    end
  end
  for k, throughput in ipairs(throughputs(tool, blocks)) do
    local place = places[k]
    local list, total = result[place.job], type(throughput) == "number" and throughput * #place.group.units
    local whole = total and math.floor(total + 0.5)
    if not whole or math.abs(total - whole) > 1e-6 or whole < place.copies then
      result[place.job] = false
    elseif list then
      list[#list + 1] = { place.group, whole - place.copies }
    end
  end
  return result
end

-- Completes counted uops by groups that cannot be counted; nil if they do not add up.
local function completed(counted, v, groups)
  local rest, sum = v, {}
  for _, term in ipairs(counted) do
    if term[2] > 0 then
      for _, unit in ipairs(term[1].units) do
        if (rest[unit] or 0) < term[1].share * term[2] then return nil end
      end
      rest = pressure.less(rest, term[1], term[2])
      sum[#sum + 1] = term
    end
  end
  local silent = lists.where(groups, function(group) return not group.blocker end)
  local found = pressure.sums(rest, silent, 1)[1]
  if not found then return nil end
  return table.move(found, 1, #found, #sum + 1, sum)
end

-- The sums that make a vector: `{ sum = one of the fewest terms, open = whether others may fit, complete = all were tried }`.
local function sums_of(v, groups)
  local sums, complete = pressure.sums(v, groups, 64)
  local best = sums[1]
  for _, sum in ipairs(sums) do
    if #sum < #best then best = sum end
  end
  return { sum = best, open = #sums > 1 or not complete, complete = complete }
end

--- Finds the uops of instructions: gives each entry `sum`, a list of `{ group, count }`, with `open = true` if other sums would fit as
-- well, or `reason` why there is none.
-- @param tool as for `portolan.predictor.llvm_mca.runs`
-- @param entries list of `{ text =, v = vector, uops = their number }`
-- @param groups as for `counts`
-- @param text_of text of each blocker
-- @param progress function(done, total)
function probe.decide(tool, entries, groups, text_of, progress)
  local jobs, known = {}, {}
  for _, entry in ipairs(entries) do
    local key = pressure.key(entry.v)
    local found = known[key] or sums_of(entry.v, groups) -- thousands of instructions have some hundred vectors
    known[key], entry.sum = found, found.sum
    if found.open then
      entry.open = true
      jobs[#jobs + 1] = { text = entry.text, v = entry.v, entry = entry, kind = key .. "/" .. entry.uops }
    end
    if not entry.sum and found.complete then entry.reason = "its resource pressure is no sum of uops that the model has" end
  end
  for i, counted in ipairs(probe.counts(tool, jobs, groups, text_of, progress)) do
    local entry = jobs[i].entry
    local sum = counted and completed(counted, entry.v, groups)
    if sum then entry.sum, entry.open = sum, nil end
    if not entry.sum then entry.reason = "its resource pressure fits too many sums of uops" end
  end
end

return probe
