--- The discoveries of a campaign, and which of them subsume which (section 8.1.6).
-- @module portolan.anica.found
local found = {}
found.__index = found

--- No discoveries yet.
function found.new() return setmetatable({ list = {}, number = 0 }, found) end

-- Discoveries that no other one subsumes.
local function each_standing(self, visit)
  for _, d in ipairs(self.list) do
    if not d.subsumed_by then
      local result = visit(d)
      if result then return result end
    end
  end
end

--- The discovery that subsumes an abstract block.
-- @param A abstract block; that of a concrete block stands for it (Definition 8.7)
-- @return discovery; or nil
function found:subsuming(A)
  return each_standing(self, function(d) return d.abstract:subsumes(A) and d or nil end)
end

--- Adds a discovery, unless another one subsumes it. Those that it subsumes are marked, `subsumed_by`.
-- @param d `{ abstract = }`; gets an `id`, and the ids of those as `over`
-- @return true; or false and the discovery that subsumes it
function found:add(d)
  local other = self:subsuming(d.abstract)
  if other then return false, other end
  self.number = self.number + 1
  d.id, d.over = "d" .. self.number, {}
  each_standing(self, function(old)
    if d.abstract:subsumes(old.abstract) then
      old.subsumed_by = d.id
      d.over[#d.over + 1] = old.id
    end
  end)
  self.list[#self.list + 1] = d
  return true
end

--- Adds a discovery of an earlier run, under the id that it had.
function found:restore(d)
  each_standing(self, function(old)
    if d.abstract:subsumes(old.abstract) then old.subsumed_by = d.id end
  end)
  self.list[#self.list + 1] = d
  self.number = math.max(self.number, math.tointeger(tonumber(d.id:match "%d+")) or 0)
end

--- The discoveries that no other one subsumes (line 11 of Algorithm 8.1).
function found:standing()
  local list = {}
  each_standing(self, function(d) list[#list + 1] = d end)
  return list
end

--- Points `subsumed_by` at discoveries that still stand.
function found:resolve()
  local by_id = {}
  for _, d in ipairs(self.list) do by_id[d.id] = d end
  for _, d in ipairs(self.list) do
    while d.subsumed_by and by_id[d.subsumed_by].subsumed_by do d.subsumed_by = by_id[d.subsumed_by].subsumed_by end
  end
end

return found
