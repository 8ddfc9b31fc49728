-- For tests: a lattice of one's own, sound or broken.
local intervals = {}

-- Numbers 1 ... 15 as intervals { a, b }; broken somehow by `changes`.
function intervals.lattice(changes)
  local l = {
    represent = function(n) return { n, n } end,
    leq = function(x, y) return y[1] <= x[1] and x[2] <= y[2] end,
    concretize = function(x, n) return x[1] <= n and n <= x[2] end,
    expansions = function(x)
      local list = {}
      if x[1] > 1 then list[#list + 1] = { x[1] - 1, x[2] } end
      if x[2] < 15 then list[#list + 1] = { x[1], x[2] + 1 } end
      return list
    end,
    join = function(x, y) return { math.min(x[1], y[1]), math.max(x[2], y[2]) } end,
  }
  for key, value in pairs(changes or {}) do l[key] = value end
  return l
end

-- A feature with that lattice.
function intervals.feature(changes)
  return { name = "length", where = "test", bound = 0, known = {}, lattice = intervals.lattice(changes),
    value = function(s) return #s.name % 15 + 1 end }
end

return intervals
