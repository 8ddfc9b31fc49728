--- The machine code of an experiment: its instances with operands (Algorithm 3.1), copied until a loop body is as long as wanted.
--
-- A record (portolan.experiment.list) may say in which `order` its instances stand, and which `variant` of operands they get: 0 is what the register
-- policy says; every further one begins with the next register of each of its lists.
-- @module portolan.experiment.loop_body
local architectures = require "portolan.support.architectures"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local lua_file = require "portolan.support.lua_file"
local paths = require "portolan.support.paths"

local loop_body = {}

--- The register policy as it is declared.
-- @param[opt] of an architecture, whose policy is meant, or the path of another; by default the host's
-- @treturn table policy; its text; or nil and a message
function loop_body.declared(of)
  of = of or architectures.default()
  return lua_file.run(of:find("[/.]") and of or paths.arch(of, "policy.lua"))
end

local rotated = { read = true, written = true, updated = true }

local function rotate(list, by)
  local copy = {}
  for i = 1, #list do copy[i] = list[(i - 1 + by) % #list + 1] end
  return copy
end

-- The declared policy with each list of registers beginning so many registers later.
local function of_variant(declared, variant)
  local copy = lists.copy(declared)
  copy.registers = {}
  for file, sets in pairs(declared.registers) do
    copy.registers[file] = {}
    for set, list in pairs(sets) do copy.registers[file][set] = rotated[set] and rotate(list, variant) or list end
  end
  return copy
end

--- A declared policy in which a register is reserved: no operand names it.
-- @param declared register policy
-- @param register name of a general-purpose register
function loop_body.reserving(declared, register)
  local copy = lists.copy(declared)
  copy.registers = {}
  for file, sets in pairs(declared.registers) do copy.registers[file] = sets end
  local gpr = { reserved = { register } }
  for set, list in pairs(declared.registers.gpr) do
    gpr[set] = gpr[set] or {}
    for _, other in ipairs(list) do
      if other ~= register then table.insert(gpr[set], other) end
    end
  end
  copy.registers.gpr = gpr
  return copy
end

local compiled = setmetatable({}, { __mode = "k" }) -- declared policy -> variant -> policy

local function policy_of(declared, variant)
  local known = compiled[declared] or {}
  compiled[declared] = known
  known[variant] = known[variant] or core.isa.policy(variant == 0 and declared or of_variant(declared, variant))
  return known[variant]
end

-- A list repeated until it has about so many elements; how often it is there.
local function repeated(order, target)
  local copies = math.max(1, (target + #order // 2) // #order)
  local names = {}
  for k = 0, copies - 1 do table.move(order, 1, #order, k * #order + 1, names) end
  return names, copies
end

--- The loop body of a record.
-- @param record `e`; `order`, `variant` where they matter
-- @param declared register policy
-- @param target number of instructions, about
-- @param[opt] layout name of one of the policy's
-- @return `{ bytes =, copies = of the experiment, count =, vector_bits =, keeps_stack = true if r13 must hold what rsp holds at the beginning,
-- ahead = code that runs once ahead of the loop, if there must be any, unroll = target, layout =, architecture = }`; or nil and a message
function loop_body.of(record, declared, target, layout)
  local policy = policy_of(declared, record.variant or 0)
  local names, copies, body, message
  if record.order then
    names, copies = repeated(record.order, target)
    body, message = core.isa.instantiate(names, policy, layout)
  else
    body, message = core.isa.kernel(record.e, policy, target, layout)
  end
  if not body then return nil, message end
  body.copies = copies or body.copies
  if body.restore then body.bytes = body.bytes .. body.restore end
  body.layout, body.unroll, body.architecture = layout or declared.layouts[1].name, target, declared.architecture
  return body
end

--- The loop body of a chain.
-- @param links list (portolan.experiment.chain)
-- @param declared register policy
-- @param target number of links, about; at least two rounds are made
-- @return as of `of`, without layout, with `ahead` = code that runs once ahead of the loop, `cuts` = scheme -> how many instances a round has that
-- cut other dependencies, and, where there are any, `together` = numbers of links that read further flags, which the one before wrote with the
-- carrier; or nil and a message
function loop_body.of_chain(links, declared, target)
  local body, message = core.isa.chain(links, policy_of(declared, 0), target)
  if not body then return nil, message end
  body.unroll, body.architecture = target, declared.architecture
  return body
end

--- A loop body as a listing: a line for each instruction, its bytes in hexadecimal and its text (Intel syntax for x86-64).
-- @param body of `of` or `of_chain`, or any table with `bytes`, and `architecture` if it is not the host's
-- @treturn {string,...} lines
function loop_body.listing(body)
  return lists.map(core.isa.listing(body.bytes, nil, body.architecture), function(line) return ("    %-24s %s"):format(line.bytes, line.text) end)
end

--- Says what a listing of a chain is of, in a line.
-- @param body of `of_chain`
-- @treturn string
function loop_body.chain_title(body)
  local cuts = lists.map(lists.keys(body.cuts), function(name) return ("%d %s"):format(body.cuts[name], name) end)
  return ("loop body: %d rounds of the chain, %d bytes%s"):format(body.copies, #body.bytes,
    #cuts > 0 and "; what cuts other dependencies, a round: " .. table.concat(cuts, ", ") or "")
end

--- Says what a listing is of, in a line.
-- @param body of `of`
-- @treturn string
function loop_body.title(body)
  return ("loop body: %s of the experiment (unrolled to about %d instructions), layout %s, %d bytes"):format(
    body.copies == 1 and "1 copy" or body.copies .. " copies", body.unroll, body.layout, #body.bytes)
end

return loop_body
