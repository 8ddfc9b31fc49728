--- A system of sums: unknown latencies, and what chains say of sums of them, solved as linear programs (portolan.support.linear_program).
-- @module portolan.infer.latency.system
local constants = require "portolan.infer.latency.constants"
local program = require "portolan.support.linear_program"

local system = {}
system.__index = system

--- A system without unknowns.
function system.new() return setmetatable({ lower = {}, upper = {}, names = {}, rows = {} }, system) end

--- Adds an unknown.
-- @param name its name
-- @param lower least value, in cycles
function system:unknown(name, lower)
  if not self.lower[name] then self.names[#self.names + 1] = name end
  self.lower[name] = lower
end

--- Tells whether a name is one of the unknowns.
function system:has(name) return self.lower[name] ~= nil end

--- Adds what is known of a sum.
-- @param terms unknown -> factor
-- @param low cycles, at least; -math.huge: nothing
-- @param high cycles, at most; math.huge: nothing
-- @param[opt] round that says so
-- @return the row: `{ terms =, low =, high =, round = }`
function system:row(terms, low, high, round)
  local row = { terms = terms, low = low, high = high, round = round }
  self.rows[#self.rows + 1] = row
  return row
end

-- The program of all unknowns, with a column for each.
local function columns(self, p)
  local of = {}
  for _, name in ipairs(self.names) do of[name] = p:column { lower = self.lower[name], upper = self.upper[name] } end
  return of
end

local function enter(p, of, terms, low, high, extra)
  local list, factors = {}, {}
  for name, count in pairs(terms) do list[#list + 1], factors[#factors + 1] = of[name], count end
  for column, factor in pairs(extra or {}) do list[#list + 1], factors[#factors + 1] = column, factor end
  p:row(list, factors, low > -math.huge and low or nil, high < math.huge and high or nil)
end

local function solve(p)
  local answer, message = p:solve()
  if not answer then error(message, 0) end
  return answer
end

--- The values of least absolute deviation: how far each row is off them becomes its `off`, in cycles (0: they agree; above 0: the sum is more than
-- the row says). A chain may be slower than its latencies, as instructions get into each other's way, but is never faster: so that way costs more.
-- @return unknown -> cycles
function system:fit()
  if #self.names == 0 then return {} end -- no chain could be measured
  local p = program.new()
  local of, over, under = columns(self, p), {}, {}
  for i, row in ipairs(self.rows) do
    over[i], under[i] = p:column { cost = constants.never_faster }, p:column { cost = 1 }
    enter(p, of, row.terms, row.low, row.high, { [over[i]] = -1, [under[i]] = 1 })
  end
  local answer, fitted = solve(p), {}
  for name, column in pairs(of) do fitted[name] = answer.values[column] end
  for i, row in ipairs(self.rows) do row.off = answer.values[over[i]] - answer.values[under[i]] end
  return fitted
end

-- The least or the greatest value of a sum, all rows granted.
local function extreme(self, terms, maximise)
  local p = program.new { maximise = maximise }
  local of = columns(self, p)
  for name, count in pairs(terms) do p.columns[of[name]].cost = count end
  for _, row in ipairs(self.rows) do enter(p, of, row.terms, row.low, row.high) end
  local answer = solve(p)
  if answer.status == "unbounded" then return maximise and math.huge or -math.huge end
  if answer.status ~= "optimal" then return nil end
  return answer.objective
end

local clean = 1e-6 -- GLPK is exact to about 1e-7

-- A number that is whole but for rounding.
local function whole(x)
  local near = math.floor(x + 0.5)
  return math.abs(x - near) < clean and near or x
end

--- Between which values a sum of unknowns is.
-- @param terms unknown -> factor
-- @return least, greatest; nil if the rows contradict each other
function system:range(terms)
  if next(terms) == nil then return 0, 0 end
  local low = extreme(self, terms, false)
  local high = low and extreme(self, terms, true)
  if not high then return nil end
  return low > -math.huge and whole(low) or low, high < math.huge and whole(high) or high
end

--- Gives an unknown a value.
function system:fix(name, value) self.lower[name], self.upper[name] = value, value end

return system
