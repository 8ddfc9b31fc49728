--- Linear and mixed-integer programs, built column by column and row by row, and solved by GLPK (engine/model/program.h).
--
--     local p = program.new { maximise = true }
--     local x, y = p:column { cost = 1 }, p:column { cost = 1, whole = true }
--     p:row({ x, y }, { 1, 2 }, nil, 4)                  -- x + 2y <= 4
--     local answer = p:solve()                           --> { status = "optimal", objective =, values = {...}, duals = {...} }
-- @module portolan.support.linear_program
local core = require "portolan.core"

local program = {}
program.__index = program

--- A program without columns.
-- @tparam[opt] table options
-- @tparam[opt=false] bool options.maximise the objective, instead of minimising it
-- @tparam[opt] number options.seconds for which to search
-- @tparam[opt] int options.nodes of branch and bound to solve at most; the same answer on every machine
-- @return program
function program.new(options)
  options = options or {}
  return setmetatable({ columns = {}, rows = {}, maximise = options.maximise, seconds = options.seconds, nodes = options.nodes }, program)
end

--- Adds a column.
-- @tparam[opt] table column
-- @tparam[opt=0] number column.lower bound; -math.huge: none
-- @tparam[opt=math.huge] number column.upper bound
-- @tparam[opt=0] number column.cost per unit, in the objective
-- @tparam[opt=false] bool column.whole only whole numbers
-- @return its number
function program:column(column)
  self.columns[#self.columns + 1] = column or {}
  return #self.columns
end

--- Adds a row: a sum of columns between two bounds.
-- @param columns list of numbers of columns
-- @param values list of their factors
-- @param[opt] lower bound
-- @param[opt] upper bound
-- @return its number
function program:row(columns, values, lower, upper)
  self.rows[#self.rows + 1] = { columns = columns, values = values, lower = lower, upper = upper }
  return #self.rows
end

--- Solves it.
-- @return `{ status =, nodes =, objective =, values =, duals = }`: the status is "optimal", "feasible" (a limit ended the search), "infeasible",
-- "unbounded" or "undecided" (a limit ended it before there were values); duals by row, 0 in programs with whole numbers; or nil, a message
-- and a status
function program:solve() return core.model.solve(self) end

return program
