--- What an encoding answers to a query of Algorithm 4.1. Every answer says by its `kind` what it is:
--
-- - `{ kind = "mapping", mapping = masks, cost = price }`: a mapping that admits all observations;
-- - `{ kind = "none" }`: there is no such mapping;
-- - `{ kind = "experiments", list = { terms, ... } }`: what is to be measured next; an empty list: nothing that tells mappings apart;
-- - `{ kind = "again" }`: nothing to measure, but the solver considers one port more now;
-- - `{ kind = "decided", mapping =, open =, assumed = }`: nothing is left to measure; this mapping is chosen, so much is open;
-- - `{ kind = "ended", status =, message = }`: the solver ended before it had an answer.
-- @module portolan.infer.cegis.query_answer
local query_answer = {}

--- The solver has no answer.
-- @param message why
-- @param status of the solver: "interrupted", "limit reached", or nil
function query_answer.ended(message, status) return { kind = "ended", message = message, status = status } end

--- As `mapping` of a solver returns it: masks and their price; false if there is none; or nil, message, status.
function query_answer.mapping(mapping, cost, status)
  if mapping == nil then return query_answer.ended(cost, status) end
  return mapping and { kind = "mapping", mapping = mapping, cost = cost } or { kind = "none" }
end

--- Experiments to measure.
-- @tparam {terms,...} list by scheme numbers
function query_answer.experiments(list) return { kind = "experiments", list = list } end

--- Nothing is left to measure.
-- @tparam table parts `mapping` (masks), `open` (points that the observations leave open), `assumed` (what was chosen among them, and why)
function query_answer.decided(parts)
  parts.kind = "decided"
  return parts
end

return query_answer
