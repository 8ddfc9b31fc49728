--- How many uops should a scheme have?
--
-- A counter says so, or issue slots say how many they are at least (portolan.infer.explain.counts). Where the same operation is known
-- on registers, memory adds to that: one for a load, two for a store.
-- @module portolan.infer.explain.totals
local totals = {}

local register_of = { m8 = "r8", m16 = "r16", m32 = "r32", m64 = "r64", m128 = "xmm", m256 = "ymm", m512 = "zmm" }

--- How many uops the same operation has on registers; nil if that is not known.
function totals.on_registers(survey, name)
  local other = survey.facts[name:gsub("%f[%w]m%d+%f[%W]", register_of)]
  if not other or other.status ~= "explained" then return nil end
  local n = 0
  for _, uop in ipairs(other.uops) do n = n + uop[2] end
  return n
end

--- The number to expect.
-- @param survey the survey
-- @param name scheme with `total`
-- @return whole number; and whether it is as good as counted
function totals.expected(survey, name)
  local f = survey.facts[name]
  if f.total.least == f.total.most then return f.total.least, true end
  local n = totals.on_registers(survey, name)
  n = n and n + (f.memory.reads and 1 or 0) + (f.memory.writes and 2 or 0)
  -- not the same operation, if that is out of bounds: vcvtps2pd ymm, m128 loads what the form with registers has to shuffle
  if n and n >= f.total.least and n <= f.total.most then return n, true end
  return f.total.most, false
end

--- The bounds of the number, as tight as they are known.
-- @return list of `{ least =, most = }` to try in this order
function totals.bounds(survey, name)
  local t = survey.facts[name].total
  local n, sure = totals.expected(survey, name)
  if t.least == t.most or not sure then return { t } end
  return { { least = n, most = n }, t }
end

return totals
