--- Random experiments: which schemes, how many, in which orders, with which operands (dissertation section 3.2.2).
--
--    local records = sample.experiments({ "add r64, r64", "imul r64, r64" }, { lengths = { 2, 4 }, count = 100, orders = 10, seed = 1 })
--
-- The records are lines of an experiments file (portolan.experiment.list) that nobody has measured. What is drawn for one length does not depend on
-- the others.
-- @module portolan.block.sample
local block = require "portolan.block"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"

local sample = {}

--- The status of a record that nobody has measured.
sample.status = "not measured"

local tries = 20 -- draws in a row of what is there already, for each that is wanted

--- Calls a function until it has given so many different things; it may not have as many.
-- @param count how many
-- @param draw function() -> thing, a text that tells it from others
-- @return list
local function different(count, draw)
  local list, seen, left = {}, {}, tries
  while #list < count and left > 0 do
    local one, key = draw()
    left = seen[key] and left - 1 or tries
    if not seen[key] then list[#list + 1], seen[key] = one, true end
  end
  return list
end

-- Counts the multisets of this length, as far as this matters: none beyond `most` are counted.
local function number_of_multisets(n, length, most)
  local total = 1
  for k = 1, length do
    total = total * (n - 1 + k) // k
    if total > most then return most + 1 end
  end
  return total
end

-- All multisets of this length, in the order of the names.
local function all_multisets(names, length)
  local all, list = {}, {}
  local function extend(from)
    if #list == length then
      all[#all + 1] = table.move(list, 1, length, 1, {})
      return
    end
    for k = from, #names do
      list[#list + 1] = names[k]
      extend(k)
      list[#list] = nil
    end
  end
  extend(1)
  return all
end

local function multisets(names, length, count, rng)
  if number_of_multisets(#names, length, count) <= count then return rng:shuffle(all_multisets(names, length)) end
  return different(count, function()
    local list = {}
    for k = 1, length do list[k] = names[rng:below(#names) + 1] end
    local key = experiment.key(experiment.of_list(list))
    return list, key
  end)
end

-- Counts the permutations of a list, as far as this matters: none beyond `most` are counted.
local function number_of_permutations(list, most)
  local total, seen = 1, {}
  for k, name in ipairs(list) do -- the k-th may stand at k places, of which equal ones are one
    seen[name] = (seen[name] or 0) + 1
    total = total * k // seen[name]
    if total > most then return most + 1 end
  end
  return total
end

-- All permutations of a list, in the order of the names.
local function all_permutations(list)
  local left, all, order = experiment.of_list(list), {}, {}
  local names = lists.keys(left)
  local function extend()
    if #order == #list then
      all[#all + 1] = table.move(order, 1, #order, 1, {})
      return
    end
    for _, name in ipairs(names) do
      if left[name] > 0 then
        left[name], order[#order + 1] = left[name] - 1, name
        extend()
        left[name], order[#order] = left[name] + 1, nil
      end
    end
  end
  extend()
  return all
end

-- Different permutations of a list: so many, or all if there are no more.
local function permutations(list, count, rng)
  if number_of_permutations(list, count) <= count then return rng:shuffle(all_permutations(list)) end
  return different(count, function()
    local copy = rng:shuffle(table.move(list, 1, #list, 1, {}))
    return copy, table.concat(copy, "\n")
  end)
end

-- The records of one multiset.
local function add_records(into, list, options, rng)
  local orders, variants = options.orders or 1, options.variants or 1
  for _, order in ipairs(orders > 1 and permutations(list, orders, rng) or { list }) do
    for variant = 0, variants - 1 do
      into[#into + 1] = { e = experiment.of_list(list), status = sample.status, order = (orders > 1 or variants > 1) and order or nil,
        variant = variants > 1 and variant or nil }
    end
  end
end

--- Draws experiments: schemes uniformly and with replacement, no multiset twice for one length.
-- @tparam {string,...} names of the schemes
-- @tparam table options
-- @tparam {int,...} options.lengths numbers of instructions
-- @tparam int options.count experiments of each length; there may not be as many different ones
-- @tparam[opt=1] int options.orders permutations of each, which the records name; with 1 the order is left to whoever measures
-- @tparam[opt=1] int options.variants choices of operands for each order
-- @tparam[opt=1] int options.seed
-- @treturn {table,...} records `{ e =, order =, variant =, status = }`
function sample.experiments(names, options)
  local records, rng = {}, core.base.rng(options.seed or 1)
  for _, length in ipairs(options.lengths) do
    local stream = rng:split(length)
    for k, list in ipairs(multisets(names, length, options.count, stream)) do add_records(records, list, options, stream:split(k)) end
  end
  return records
end

--- Makes records of basic blocks, machine code that is measured as it is, with its dependencies.
-- @tparam {string,...} blocks machine code
-- @tparam[opt] string architecture by default the host's
-- @treturn {table,...} records `{ e =, order =, hex =, status = }`; or nil and a message
function sample.of_blocks(blocks, architecture)
  local records = {}
  for i, bytes in ipairs(blocks) do
    local code, message = core.isa.decode(bytes, architecture)
    if not code then return nil, message end
    local order = lists.map(code.instructions, function(instruction) return instruction.scheme end)
    records[i] = { e = experiment.of_list(order), order = order, status = sample.status, hex = block.to_hex(bytes) }
  end
  return records
end

return sample
