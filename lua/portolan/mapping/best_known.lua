--- The best that is known of schemes that a mapping does not explain: predictions say less of them, and say so, but they say something.
--
-- Of a scheme without `uops` that was measured alone its issue slots are known, and that k instances never take less than k times as long as
-- one. That is a bound: what else it asks of the ports is left out. (Uops that fit its witnesses best are less wrong on average, but make other
-- predictions too slow: what contradicts is no evidence to fit to.) Whoever predicts, or simulates, asks for this mapping, and LLVM's
-- models are written of it; what compares port usage, and all other formats, keep to what is explained.
-- @module portolan.mapping.best_known
local lists = require "portolan.support.lists"

local best_known = {}

local of_time = { ["slower than ports"] = true, ["input-dependent"] = true }

--- A mapping in which every scheme that was measured alone can be predicted.
-- @param m mapping table, which is not changed
-- @return mapping table, in which such schemes have `alone = true` and no uops; the same if there are none
function best_known.of(m)
  local whole
  for name, scheme in pairs(type(m) == "table" and type(m.schemes) == "table" and m.schemes or {}) do
    if type(scheme) == "table" and not scheme.uops and math.type(scheme.tp) then
      whole = whole or lists.copy(m)
      if whole.schemes == m.schemes then whole.schemes = lists.copy(m.schemes) end
      local copy = lists.copy(scheme)
      copy.uops, copy.alone = {}, true
      whole.schemes[name] = copy
    end
  end
  return whole or m
end

--- Is what a scheme takes alone, and not its ports, what a prediction of it rests on?
-- @param scheme of such a mapping
function best_known.is_rough(scheme) return scheme.alone or of_time[scheme.status] and scheme.tp ~= nil end

--- The schemes that make a prediction less certain.
-- @param m such a mapping
-- @param names of schemes that it has, as the keys of a table
-- @return name -> its status, `"not explained"` if it has none; nil: all are explained by their ports
function best_known.rests_on(m, names)
  local found = {}
  for name in pairs(names) do
    local scheme = m.schemes[name]
    if scheme and best_known.is_rough(scheme) then found[name] = scheme.status or "not explained" end
  end
  return next(found) and found or nil
end

return best_known
