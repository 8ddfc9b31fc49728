--- Quadratic benchmarks: pairs of schemes, each repeated as often as it runs in a cycle, and the classes of schemes that they do not tell apart.
-- @module portolan.infer.palmed.quadratic
local constants = require "portolan.infer.palmed.constants"
local stop = require "portolan.infer.stop"

local quadratic = {}

--- Computes how often two schemes are repeated so that each alone takes about the same time: a^IPC(a) b^IPC(b) in whole numbers, as few as
-- the allowed error permits.
-- @param a cycles of the first alone
-- @param b cycles of the second alone
-- @return count of the first, count of the second
function quadratic.ratio(a, b)
  local best, of_a, of_b = math.huge, 1, 1
  for total = 2, constants.ratio_most do
    for i = 1, total - 1 do
      local miss = math.abs(math.log(i * a / ((total - i) * b)))
      if miss < best - 1e-9 then best, of_a, of_b = miss, i, total - i end
    end
    if best <= math.log(1 + constants.ratio_error) then break end
  end
  return of_a, of_b
end

--- A kernel of two schemes.
-- @param a scheme
-- @param count_a its count
-- @param b another one, or the same
-- @param count_b its count
-- @return experiment
function quadratic.pair(a, count_a, b, count_b)
  if a == b then return { [a] = count_a + count_b } end
  return { [a] = count_a, [b] = count_b }
end

-- Every scheme alone. Times that are equal up to epsilon become the same number: pairs of theirs have the same counts.
local function measure_alone(run, names)
  local list, levels = {}, {}
  for i, name in ipairs(names) do list[i] = { [name] = 1 } end
  run.kernels:measure(list) -- as far as the budget goes
  run.names, run.alone, run.failed = stop.need(run.kernels.meter:alone(names))
  for _, name in ipairs(run.names) do
    local level
    for _, known in ipairs(levels) do
      level = level or math.abs(known - run.alone[name]) <= constants.apart * run.options.epsilon * known and known
    end
    if not level then levels[#levels + 1] = run.alone[name] end
    levels[name] = level or run.alone[name]
  end
  return levels
end

--- The balanced kernel of two schemes.
-- @param levels of `quadratic.classes`
-- @param a scheme
-- @param b another one, or the same
-- @return experiment
function quadratic.balanced(levels, a, b)
  local i, k = quadratic.ratio(levels[a], levels[b])
  return quadratic.pair(a, i, b, k)
end

local function equal(x, y, epsilon) return x and y and math.abs(x - y) <= epsilon * math.max(x, y) end

-- The representative that a scheme cannot be told from; nil if there is none. times: of its pairs, by representative.
local function class_of(run, levels, name, times, table_of)
  for k, candidate in ipairs(run.representatives) do
    if levels[candidate] == levels[name] then
      local same = true
      for m = 1, #run.representatives do same = same and equal(times[m], table_of[k][m], constants.apart * run.options.epsilon) end
      if same then return candidate end
    end
  end
end

-- Measures a scheme with all representatives, and itself; makes it one if it is none of theirs.
local function place(run, levels, table_of, name)
  local list, n = {}, #run.representatives
  for m, other in ipairs(run.representatives) do list[m] = quadratic.balanced(levels, name, other) end
  list[n + 1] = quadratic.balanced(levels, name, name)
  local times = run.kernels:measure(list)
  local class = class_of(run, levels, name, times, table_of)
  run.class_of[name] = class or name
  if class then return end
  run.representatives[n + 1], table_of[n + 1] = name, times
  for m = 1, n do table_of[m][n + 1] = times[m] end
end

--- Measures every scheme alone and in pairs with the representatives of classes, which form on the way. Fills in `names`, `alone`, `failed`,
-- `class_of` and `representatives` of the run.
-- @param run state.run
-- @param names schemes
-- @return levels (scheme -> its time alone, the same number for times that are equal), times (table by two numbers of representatives; false
-- where a pair could not be measured)
function quadratic.classes(run, names)
  local levels, table_of = measure_alone(run, names), {}
  if #run.names == 0 then stop.raise "none of the schemes could be measured alone" end
  run.representatives, run.class_of = {}, {}
  for i, name in ipairs(run.names) do
    run.progress("quadratic benchmarks", i - 1, #run.names, ("%d classes"):format(#run.representatives))
    place(run, levels, table_of, name)
  end
  return levels, table_of
end

return quadratic
