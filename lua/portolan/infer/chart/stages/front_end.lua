--- Stage: finds what the front end does beside issuing so many uops a cycle.
--
-- It finds which compares are one uop with the jump behind them: a pair beside fillers takes a slot less than with one between the two. It tells what
-- an index register costs: issue slots, counted as those of other instances. It measures how often the core can jump, and what code costs that caches
-- of decoded instructions cannot hold. docs/inference.md says what time does not tell.
-- @module portolan.infer.chart.stages.front_end
local bodies = require "portolan.infer.chart.bodies"
local constants = require "portolan.infer.chart.constants"
local filler = require "portolan.processor.filler"
local front_end_probes = require "portolan.processor.front_end_probes"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local slots = require "portolan.measuring.slots"

local function measure(survey, jobs) return bodies.cycles(survey, jobs, bodies.middle) end

local function job(scheme, jump, padding, apart, more)
  return { key = ("probe 2: %s and %s%s%s"):format(scheme.name, jump, apart and ", apart" or "", more > 0 and (", %d more"):format(more) or ""),
    kernels = function() return front_end_probes.pairs(scheme, jump, padding, apart, more) end }
end

-- The numbers of the jobs for a pair. Where its jump is taken a cycle may end with it: then a slot less shows for one number of fillers only, and all
-- numbers of a width of them are asked.
local function ask_pair(jobs, survey, scheme, jump, padding, taken, apart)
  local numbers = {}
  for more = 0, taken and survey.width - 1 or 0 do
    jobs[#jobs + 1] = job(scheme, jump, padding, apart, more)
    numbers[#numbers + 1] = #jobs
  end
  return numbers
end

-- Adds what to measure of one scheme with these jumps: all pairs together, and apart one whose jump is never taken, and one whose jump is.
local function add_pairs(survey, scheme, padding, jumps, jobs, questions)
  local apart = {}
  for _, jump in ipairs(jumps) do
    local variants, taken = front_end_probes.pairs(scheme, jump, padding)
    if variants then
      apart[taken] = apart[taken] or ask_pair(jobs, survey, scheme, jump, padding, taken, true)
      questions[#questions + 1] = { scheme = scheme.name, jump = jump, apart = apart[taken],
        together = ask_pair(jobs, survey, scheme, jump, padding, taken) }
    end
  end
end

-- The mean of the cycles of some jobs; false if one has none.
local function mean(cycles, numbers)
  return lists.all(numbers, function(n) return cycles[n] end) and lists.sum(numbers, function(n) return cycles[n] end) / #numbers
end

-- Asks whether schemes fuse with jumps: list of `{ scheme =, jumps = }`. Notes in `verdicts`, name -> jump -> boolean, what is decided.
local function ask_pairs(survey, list, verdicts)
  local jobs, questions, padding = {}, {}, filler.described(survey.filler)
  for _, one in ipairs(list) do add_pairs(survey, one.scheme, padding, one.jumps, jobs, questions) end
  local cycles = measure(survey, jobs)
  for _, q in ipairs(questions) do
    local apart, together = mean(cycles, q.apart), mean(cycles, q.together)
    local saved = apart and together and survey.measured_width * (apart - together)
    local fuses = saved and saved > constants.fusion_saved
    verdicts[q.scheme] = verdicts[q.scheme] or {}
    if fuses or saved and saved < 1 - constants.fusion_saved then verdicts[q.scheme][q.jump] = fuses end
  end
end

-- Groups the schemes that can be asked by what they do: one mnemonic, and the same kinds of operands, whatever their widths.
local function alike(survey)
  local groups, of_key = {}, {}
  for _, name in ipairs(survey.order) do
    local scheme = isa.scheme(name)
    if scheme and survey.facts[name].slots == 1 and front_end_probes.compares(scheme) then
      local kinds = lists.map(scheme.operands, function(o) return o.visibility == "hidden" and "" or o.kind end)
      local key = scheme.mnemonic .. " " .. table.concat(kinds, " ")
      if not of_key[key] then groups[#groups + 1], of_key[key] = {}, #groups + 1 end
      table.insert(groups[of_key[key]], scheme)
    end
  end
  return groups
end

-- Lists the jumps that would refute that a scheme fuses as another one does: the first that is one with it, and the first that is not. It is empty
-- where nothing is known of that one.
local function telling(verdicts)
  local jumps = {}
  for _, wanted in ipairs { true, false } do
    jumps[#jumps + 1] = lists.first(front_end_probes.jumps, function(jump) return verdicts[jump] == wanted end)
  end
  return jumps
end

-- Of schemes that do the same the first is asked about all jumps. It says what to expect of the others, which are asked what would refute that, and
-- about all jumps where it does.
local function ask_fusion(survey, found)
  local groups, verdicts, all = alike(survey), {}, front_end_probes.jumps
  ask_pairs(survey, lists.map(groups, function(group) return { scheme = group[1], jumps = all } end), verdicts)
  local others, open = {}, {}
  for _, group in ipairs(groups) do
    local first = verdicts[group[1].name] or {}
    for k = 2, #group do others[#others + 1] = { scheme = group[k], first = first, jumps = telling(first) } end
  end
  ask_pairs(survey, others, verdicts)
  for _, one in ipairs(others) do
    local name = one.scheme.name
    local as_expected = #one.jumps > 0 and lists.all(one.jumps, function(jump) return (verdicts[name] or {})[jump] == one.first[jump] end)
    if as_expected then verdicts[name] = one.first else open[#open + 1] = { scheme = one.scheme, jumps = all } end
  end
  ask_pairs(survey, open, verdicts)
  found.fuses, found.separate = {}, {}
  for _, name in ipairs(lists.keys(verdicts)) do
    for _, jump in ipairs(all) do
      local fuses = verdicts[name][jump]
      if fuses ~= nil then lists.into(fuses and found.fuses or found.separate, name, jump) end
    end
  end
end

-- Finds which instructions are one with a copy ahead of them: both beside fillers take a slot less than with one of these between the two.
local function ask_copies(survey, found)
  local jobs, names, padding = {}, {}, filler.described(survey.filler)
  for _, name in ipairs(survey.order) do
    local scheme = isa.scheme(name)
    if scheme and survey.facts[name].slots == 1 and front_end_probes.takes_copy(scheme) then
      names[#names + 1] = name
      for _, apart in ipairs { true, false } do
        jobs[#jobs + 1] = { key = ("probe: copy of another and %s%s"):format(name, apart and ", apart" or ""),
          kernels = function() return front_end_probes.copies(scheme, padding, apart) end }
      end
    end
  end
  local cycles = measure(survey, jobs)
  found.takes_copy = {}
  for i, name in ipairs(names) do
    local apart, together = cycles[2 * i - 1], cycles[2 * i]
    local saved = apart and together and survey.measured_width * (apart - together)
    local fuses = saved and saved > constants.fusion_saved
    if fuses or saved and saved < 1 - constants.fusion_saved then found.takes_copy[name] = fuses end
  end
end

-- Schemes with an address that could have an index: an operand in memory that is named, and that nothing indexes yet.
local function addressed(survey)
  local names = {}
  for _, name in ipairs(survey.order) do
    local f, scheme = survey.facts[name], isa.scheme(name)
    for _, o in ipairs(f.slots and f.single and f.single.cycles and not f.vague_slots and scheme and scheme.operands or {}) do
      if o.kind == "memory" and o.visibility == "explicit" and not o.index and not o.absolute then names[#names + 1] = name end
    end
  end
  return names
end

local function ask_index(survey, found)
  local names, list = addressed(survey), {}
  for i, name in ipairs(names) do list[i] = { name = name, cycles = survey.facts[name].single.cycles } end
  local counts, message = survey.processor:issue_slots(list, survey.measured_width,
    { indexed = true, progress = survey:list() })
  if not counts then survey:fail(message) end
  found.indexed_slots = {}
  for i, name in ipairs(names) do
    local n = counts[i] and slots.nearest(counts[i])
    if n and slots.is_near(counts[i], constants.flood_short) and n > survey.facts[name].slots then
      found.indexed_slots[name], found.unlaminated = n, true
    end
  end
end

local function ask_rates(survey, found)
  local p, padding = front_end_probes, filler.described(survey.filler)
  local cycles = measure(survey, {
    { key = "probe: many jumps", kernels = p.many_jumps }, { key = "probe: few jumps", kernels = p.few_jumps },
    { key = "probe: shortest loop", kernels = p.loop },
    { key = "probe: long code", kernels = function() return p.decoded(padding) end },
    { key = "probe: long code with prefixes", kernels = function() return p.length_changing(padding) end },
    { key = "probe: calls and returns", kernels = p.calls }, { key = "probe: pushes and additions", kernels = p.stack },
    { key = "probe: pushes and addresses", kernels = p.stack_address },
  })
  found.width, found.taken_branch, found.taken_branch_in_loop, found.loop = survey.width, cycles[1] or nil, cycles[2] or nil, cycles[3] or nil
  found.call_and_return = cycles[6] or nil
  local function sync(time) return time and math.max(0, time - 1) or 0 end -- a cycle is that of the addition itself
  if sync(cycles[7]) > constants.sync_least then
    found.stack_sync = sync(cycles[7])
    if cycles[8] then found.stack_sync_address = sync(cycles[8]) > constants.sync_least and sync(cycles[8]) or 0 end
  end
  local plain, prefixed = cycles[4], cycles[5]
  if plain and 1 / plain < (1 - constants.times_differ) * survey.width then found.decoded = 1 / plain end
  local cost = plain and prefixed and p.every * (prefixed - plain)
  if cost and cost > constants.length_changing_least then found.length_changing = cost end
end

local line_bytes = 64

-- Measures what straight code costs that has many short instructions in a line: fillers of few bytes, measured as blocks are.
local function ask_lines(survey, found)
  local padding = filler.described(survey.filler)
  if not survey.processor.measure_blocks or not padding then return end
  local codes, points, costs = front_end_probes.straight_lines(padding), {}, false
  local results, message = survey.processor:measure_blocks(lists.map(codes, function(code) return code.bytes end), survey:list())
  if not results then survey:fail(message) end
  survey.experiments = survey.experiments + #codes
  for i, result in ipairs(results) do
    if result.status == "interrupted" then survey:give_up() end
    local lines = #codes[i].bytes / line_bytes
    local count, cycles = codes[i].slots / lines, result.status == "ok" and result.cycles / lines
    local by_slots = count / survey.measured_width
    local more = cycles and cycles > (1 + constants.times_differ) * by_slots
    if cycles then table.insert(points, 1, { slots = count, cycles = more and cycles or by_slots }) end
    costs = costs or more
  end
  found.straight_lines = costs and points or nil
end

return function(survey)
  if not survey.processor.measure_bodies then return end
  survey:stage("front end")
  local found = {}
  ask_rates(survey, found)
  ask_fusion(survey, found)
  ask_copies(survey, found)
  ask_index(survey, found)
  ask_lines(survey, found)
  survey.front_end = found
end
