--- Measures code of real programs, basic blocks and loops: any registers, any addresses (docs/measuring.md).
--
-- Three runs tell what a block is and takes. A probe finds the pages that it touches, or why it cannot run. A second probe looks at every access
-- whether it crosses a line of the cache. Then several numbers of copies are measured; the cycles of a block are what the further copies take, and
-- all steps must agree on that.
--
-- What a copy is says its form (portolan.block.real, portolan.block.loop): `kind`, `new`, `body` (of a loop also behind jumps), `checked_body`;
-- `apart`, if its pages always have memory of their own; `least_copies`, how many there are at least, `multiple`, what their number is a multiple
-- of; `tries`, how often all lengths are measured until they agree, for at most so many `seconds`: of each the fastest counts, and one that disagrees
-- with all others does not; `again`: it is measured even if the store has it, which keeps the faster of the two results; `patience`, where what the
-- machine leaves undecided is asked less long than the processor's patience is.
-- @module portolan.processor.real_blocks
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local lower_line = require "portolan.measuring.lower_line"
local real_block = require "portolan.block.real"
local undecided = require "portolan.measuring.undecided"

local real_blocks = {}

--- Part of every key in the store; changes when blocks are measured in another way.
real_blocks.method = "r3"

local line_method = "l4" -- of forms with `tries`

--- Only blocks of this architecture can be measured.
real_blocks.architecture = "x86_64"

local per_batch = 64 -- blocks measured, and then stored, at once

-- Instructions of all copies. The first length is more than any core holds in flight, so that each further copy meets what the ones before it
-- met; the last one fits what holds decoded instructions. (Golden Cove: 512 in flight, 4,096 decoded. With 600, 1,200 and 1,800 a fifth more
-- blocks have steps that differ by more than 3%.)
local lengths, many_lengths = { 1000, 1700, 2400 }, { 800, 1200, 1600, 2000, 2400 }

local most_cycles = 20000 -- of all copies: slow blocks have fewer copies, as long passes are hardly ever undisturbed
local most_difference = 0.1 -- of the two steps, a share: beyond, there is no rate to speak of
local most_code = 8 << 10 -- bytes of all copies, of long instructions: Zen 3 keeps no more of some decoded (12 bytes for two took 0.44, then 0.49)
local cache_line, most_pages, most_lines, most_entries = 64, 8, 256, 48 -- pages and lines that fit any first cache; pages that any core finds at once
local least_share = 0.1 -- of the usual copies of a loop: fewer leave little to be told from noise
local least_copies = 16 -- of the longest length, where a block would not fit those
local most_uncertain = 0.05 -- of a block whose readings do not agree: what half of them and a tenth of them say may differ by so much
local most_checked_bytes = 60 << 10 -- of code that checks accesses; the longest body is 64 KiB

-- Statuses that the code causes by itself, and will cause again.
local lasting = { ok = true, ["not decoded"] = true, ["branches away"] = true, ["too long"] = true, ["too slow"] = true,
  misaligned = true, ["too many pages"] = true, ["illegal instruction"] = true, ["memory fault"] = true, ["arithmetic fault"] = true,
  trap = true, ["system call"] = true,
  unsupported = true }

local meanings = {
  ["illegal instruction"] = "this processor lacks an instruction of it",
  ["arithmetic fault"] = "a division by zero, or a quotient that is too large, with the values that registers start from",
  trap = "a breakpoint or trap", ["system call"] = "a system call, which the sandbox does not allow",
  timeout = "it did not come back in time", derailed = "it came back from elsewhere than its end",
  unstable = "too few quiet samples agree",
}

local function failed(status, message) return { status = status, message = message or meanings[status] or status, n = 0, rejected = 0 } end

-- Returns a result that says why memory could not be accessed.
local function memory_fault(result)
  local fault = result.fault
  if fault and fault // 4096 == core.bench.layout.pattern // 4096 then -- by chance: it will be elsewhere the next time
    return failed("unstable", "the program that runs measured code has memory of its own where blocks need theirs")
  end
  if not fault then
    return failed("memory fault", "an address that is not canonical, one that must be aligned and is not, or a privileged instruction")
  end
  if #result.pages >= core.bench.layout.pages then
    return failed("too many pages", ("its copies touch more than %d pages"):format(core.bench.layout.pages))
  end
  return failed("memory fault", ("memory at 0x%x cannot be had, or not be written or executed"):format(fault))
end

local function failure_of(result)
  if result.status == "memory fault" then return memory_fault(result) end
  return failed(result.status)
end

-- Lists how many copies each length has: ascending, at most so many bytes, and so much less than usual for slow code.
local function copies_of(job, share)
  local b = job.block
  local most, list = (job.form == real_block and most_code or real_block.most_bytes) // #b.bytes, {}
  local fitting = math.min(1, share, most * #b.instructions / lengths[#lengths])
  for k, length in ipairs(job.form.tries and many_lengths or lengths) do
    local n, step = length * fitting / #b.instructions, job.form.multiple or 1
    n = math.max(math.floor(n / step + 0.5) * step, (job.form.least_copies or 0) * k)
    list[k] = math.max(n, (list[k - 1] or 0) + step)
  end
  return list
end

local function kernel(job, bytes, probe)
  local b = job.block
  return { { bytes = bytes, copies = 1, vector_bits = b.vector_bits, writes = b.writes, x87 = b.x87, pages = job.pages, apart = job.apart,
    probe = probe } }
end

-- Runs one kernel for every job, and hands the results to `take`.
local function run(processor, jobs, kernel_of, take)
  local kernels, whose = {}, {}
  for _, job in ipairs(jobs) do
    local k = kernel_of(job)
    if k then kernels[#kernels + 1], whose[#kernels + 1] = k, job end
  end
  if #kernels == 0 then return "ok" end
  local results, state, status = processor:run_code(kernels)
  if not results then return nil, state, status end
  for i, job in ipairs(whose) do take(job, results[i]) end
  return state
end

local function without_results(jobs)
  local open = {}
  for _, job in ipairs(jobs) do
    if not job.result then open[#open + 1] = job end
  end
  return open
end

-- The share of the usual copies with which a loop that goes through memory stays in the first cache, as far as pages tell; but not next to none.
local function share_in_cache(job)
  local share = job.form.tries and most_pages / #job.pages or 1
  return math.max(least_share, math.min(share, 1))
end

-- Which pages does it touch? Does it run?
local function probe(processor, jobs)
  return run(processor, jobs, function(job)
    job.copies, job.pages = copies_of(job, 1), {}
    return kernel(job, job.form.body(job.block, job.copies[#job.copies]), true)
  end, function(job, result)
    job.pages = result.pages
    local cycles = result.range and result.range.low or 0
    if result.status ~= "ok" then
      job.result = failure_of(result)
    elseif cycles > most_cycles * job.copies[#job.copies] then
      job.result = failed("too slow", ("one copy takes some %.0f cycles; more than %d are hardly ever undisturbed"):format(
        cycles / job.copies[#job.copies], most_cycles))
    else
      local share = math.min(1, most_cycles / cycles, share_in_cache(job))
      if share < 1 then job.copies = copies_of(job, share) end
    end
  end)
end

-- Does an access cross a line?
local function check(processor, jobs)
  return run(processor, jobs, function(job)
    local one = job.form.checked_body(job.block, 1)
    local copies = one and math.max(1, math.min(job.copies[#job.copies], most_checked_bytes // #one))
    return one and #one <= most_checked_bytes and kernel(job, job.form.checked_body(job.block, copies), true)
  end, function(job, result)
    if result.status == "trap" then
      job.result = failed("misaligned", "an access crosses a line of the cache")
    elseif result.status ~= "ok" then
      job.result = failure_of(result)
    end
  end)
end

-- The cycles of an iteration, and how far from the truth they may be; nil where there is none. Of code that varies, the fast readings count.
local function reading(result)
  if result.status == "ok" then return result.cycles, result.cycles * result.error end
  if result.unsteady and result.range then return result.range.low, result.range.high - result.range.low end
end

local function worst(results)
  for _, result in ipairs(results) do
    if result.status ~= "ok" and not result.unsteady then return result end
  end
  return results[#results]
end

-- Returns the result that three lengths give.
local function conclude(job, results)
  local cycles, doubt, copies = {}, {}, job.copies
  for k, result in ipairs(results) do
    cycles[k], doubt[k] = reading(result)
    if not cycles[k] then return failure_of(worst(results)) end
  end
  local function step(i, k) return (cycles[k] - cycles[i]) / (copies[k] - copies[i]) end
  local rate, first, second = step(1, 3), step(1, 2), step(2, 3)
  local uncertain = (doubt[1] + doubt[3]) / (copies[3] - copies[1]) / rate
  local low, high = math.min(first, second), math.max(first, second)
  if rate <= 0 or uncertain > most_uncertain or high - low > most_difference * rate then
    local result = failed("unstable", ("its copies take now %.3f cycles, now %.3f"):format(low, high))
    result.unsteady, result.range = true, { low = low, high = high }
    return result
  end
  local last = results[3]
  return { status = "ok", cycles = rate, error = uncertain, spread = last.spread or uncertain, n = last.n, rejected = last.rejected,
    range = { low = low, high = high }, frequency = last.frequency, copies = copies, pages = #job.pages }
end

-- Of two results of one length that which is faster, if both tell a time.
local function faster(old, new)
  local before, now = old and reading(old), reading(new)
  return before and (not now or before <= now) and old or new
end

-- Measures all lengths of some jobs, `found` of which gets the results. Returns a state; or nil, message, status.
local function measure_once(processor, jobs, found)
  for k = 1, #jobs[1].copies do
    local state, message, status = run(processor, jobs, function(job)
      return kernel(job, job.form.body(job.block, job.copies[k], job.after_jumps))
    end, function(job, result)
      found[job] = found[job] or {}
      found[job][k] = faster(found[job][k], result)
    end)
    if not state then return nil, message, status end
    if state == "interrupted" then return state end
  end
  return "ok"
end

-- Returns the result that the fastest readings of five lengths give. Its error is how far from the line those are that count, as a share of the
-- cycles between the lengths.
local function conclude_by_line(job, results)
  local points, copies = {}, job.copies
  for k, result in ipairs(results) do
    local cycles = reading(result)
    if not cycles then return failure_of(result) end
    points[k] = { x = copies[k], y = cycles }
  end
  local rate, at = lower_line.of(points)
  local between = rate * (copies[#copies] - copies[1])
  local on_it, distance = lower_line.on(points, rate, at, most_uncertain * between / 2)
  if rate <= 0 or on_it < #points - 1 then
    local result = failed("unstable", ("only %d of %d numbers of iterations agree, on %.3f cycles"):format(on_it, #points, rate))
    result.unsteady = true
    return result
  end
  local last = results[#results]
  return { status = "ok", cycles = rate, error = distance / between, spread = last.spread or most_uncertain, n = last.n, rejected = last.rejected,
    frequency = last.frequency, copies = copies, pages = #job.pages, after_jumps = job.after_jumps }
end

local function measure(processor, jobs)
  local found, tries, began, all = {}, 0, core.base.now(), #jobs
  repeat
    local state, message, status = measure_once(processor, jobs, found)
    if state ~= "ok" then return state, message, status end
    for _, job in ipairs(jobs) do job.result = (job.form.tries and conclude_by_line or conclude)(job, found[job]) end
    tries = tries + 1
    local spent = core.base.now() - began
    jobs = lists.where(jobs, function(job) return job.result.unsteady and tries < (job.form.tries or 1) and spent < all * job.form.seconds end)
  until #jobs == 0
  return "ok"
end

local function store(processor, jobs)
  local entries = {}
  for _, job in ipairs(jobs) do
    local result = job.result
    if result and not job.half and (lasting[result.status] or result.unsteady and not job.form.tries) then
      entries[#entries + 1] = { key = job.key, result = result }
    end
  end
  if not processor.store or #entries == 0 then return true end
  return processor.store:put(processor.key, entries)
end

-- Asks jobs by a stage until each is decided, or patience is at its end.
local function settle(processor, jobs, stage)
  return undecided.settle(jobs, function(some)
    for _, job in ipairs(some) do job.result = nil end
    return stage(processor, some)
  end, function(job) return job.result or { status = "interrupted" } end, jobs[1] and jobs[1].form.patience or processor.patience)
end

-- Lines that the accesses of a copy are in, at most: those in a row of one instruction's size are next to each other.
local function lines_of(b)
  local bytes, accesses = 0, 0
  for _, access in ipairs(b.accesses) do
    for _, memory in ipairs(access.memory) do bytes, accesses = bytes + memory.bytes, accesses + 1 end
  end
  return math.min(accesses, bytes // cache_line + 2)
end

-- Code is measured in these ways, one after the other: function(job) -> whether there is a reason to. The first three are of code that touches
-- several pages. Each slows down what it does not suit, and makes nothing faster: pages on one have lines by several addresses, at which cores guess
-- wrongly where in the cache they are; pages apart may be too many for the first cache, or for what knows where they are; few copies leave little to
-- be told from noise. The last is of loops that are not steady. Jumps let less of a long loop's end be predicted, and more of a short one's, whose
-- time may then be a little too short: a time without them counts more.
local ways = {
  function() return true end,
  function(job)
    local chosen = #job.pages > 1 and not job.apart
    job.apart = job.apart or chosen
    return chosen
  end,
  function(job)
    if #job.pages <= most_pages or job.form.tries then return false end
    local probed, now = copies_of(job, 1), job.copies[#job.copies] -- the pages are those of the former
    local wanted = math.min(most_lines / lines_of(job.block), most_entries / #job.pages * probed[#probed])
    if wanted >= now or wanted < least_copies then return false end
    job.copies = copies_of(job, wanted * #job.block.instructions / lengths[#lengths])
    return true
  end,
  function(job)
    job.after_jumps = job.form.tries and job.result ~= nil and job.result.unsteady
    return job.after_jumps
  end,
}

-- Measures jobs, in each of the ways that suit them; the faster result counts.
local function measure_each_way(processor, jobs)
  for _, way in ipairs(ways) do
    local chosen = lists.where(jobs, way)
    for _, job in ipairs(chosen) do job.best, job.result = job.result, nil end
    local ok, message, status = settle(processor, chosen, measure)
    if not ok then return nil, message, status end
    for _, job in ipairs(chosen) do
      local best, result = job.best, job.result
      job.half = job.half or best and (not result or undecided.is(result)) -- that way is to be asked again
      if best and not (result and result.cycles and not (best.cycles and best.cycles <= result.cycles)) then job.result = best end
    end
  end
  return true
end

--- Which of two results of the same code counts: that with a time; the one that was not run behind jumps; the faster one.
-- @param before a result, or nil
-- @param now a result
-- @return one of them
function real_blocks.better(before, now)
  if not before or not before.cycles or not now.cycles then return before and before.cycles and before or now end
  if (before.after_jumps or false) ~= (now.after_jumps or false) then return before.after_jumps and now or before end
  return now.cycles < before.cycles and now or before
end

-- All stages for one batch.
local function batch(processor, jobs)
  for _, job in ipairs(jobs) do
    local message, status
    job.block, message, status = job.form.new(job.bytes)
    if not job.block then job.result = failed(status, message) end
  end
  for _, stage in ipairs { probe, check } do
    local ok, message, status = settle(processor, without_results(jobs), stage)
    if not ok then return nil, message, status end
    if core.base.interrupted() then return true end
  end
  local ok, message, status = measure_each_way(processor, without_results(jobs))
  if not ok then return nil, message, status end
  for _, job in ipairs(jobs) do
    if job.before and job.result then job.result = real_blocks.better(job.before, job.result) end
    job.result = job.result or job.before
  end
  return store(processor, jobs)
end

-- Copies what the store has into `results`, and returns the other jobs; or nil and a message. What is asked `again` has what the store has beside it.
local function look_up(processor, blocks, forms, results)
  local open = {}
  for index, bytes in ipairs(blocks) do
    local form = forms[index] or forms
    local method = form.tries and line_method or real_blocks.method
    local key = ("%s %s %s"):format(form.kind, method, (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end)))
    local known, message
    if processor.store and not processor.again then known, message = processor.store:get(processor.key, key) end
    if message then return nil, message end
    if known and not form.again then
      results[index] = known
    else
      open[#open + 1] = { index = index, bytes = bytes, key = key, form = form, before = known, apart = form.apart }
    end
  end
  return open
end

--- Measures blocks. What the store of the processor has is not measured again; what is measured is stored batch by batch.
-- @param processor portolan.processor.hardware
-- @tparam {string,...} blocks machine code
-- @param[opt] progress function(done, total): before the first batch, if there is anything to measure, and after each
-- @param[opt=portolan.block.real] form what they are; or a list of forms of one kind, one for each
-- @return list of results: `status`, `cycles` (of one run of the block, if the status is "ok"), `error` (a share), `range` (what its steps say),
-- `pages`, `copies`, `fresh` if the store did not have it; or `message`, why there are none; after Ctrl-C those that are missing have the status
-- "interrupted"; or nil and a message
function real_blocks.measure(processor, blocks, progress, form)
  local results = {}
  local open, fault = look_up(processor, blocks, form or real_block, results)
  if not open then return nil, fault end
  local known = #blocks - #open
  if progress and #open > 0 then progress(known, #blocks) end -- the clock of what shows it begins here
  for first = 1, #open, per_batch do
    if core.base.interrupted() then break end
    local jobs = table.move(open, first, math.min(#open, first + per_batch - 1), 1, {})
    local ok, message, status = batch(processor, jobs)
    if not ok then return nil, message, status end
    for _, job in ipairs(jobs) do
      results[job.index] = job.result
      if job.result then job.result.fresh = true end
    end
    if progress then progress(known + math.min(#open, first + per_batch - 1), #blocks) end
  end
  for index = 1, #blocks do results[index] = results[index] or { status = "interrupted", message = "interrupted", n = 0, rejected = 0 } end
  return results
end

return real_blocks
