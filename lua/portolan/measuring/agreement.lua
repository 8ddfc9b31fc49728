--- What a claim rests on is measured once more, and a third time where that differs (`agreement` of portolan.measuring.policy).
--
-- Code may have two rates by itself, as the same uops are bound to ports now in one way, now in another: where the fast one is what the claim says,
-- a somewhat slower one agrees. Not so with floods, where a few percent are a uop: their proofs say nothing of what is expected.
-- @module portolan.measuring.agreement
local policy = require("portolan.measuring.policy").agreement

local agreement = {}

local function agrees(proof, cycles)
  local fast, slow = math.min(proof.cycles, cycles), math.max(proof.cycles, cycles)
  if slow - fast <= proof.tolerance then return true end
  return proof.expected and math.abs(fast - proof.expected) <= proof.tolerance and slow <= (1 + policy.two_rates) * fast
end

--- Finds the proofs that do not agree with any later reading of theirs.
-- @tparam {table,...} proofs `{ cycles = of the first reading, expected = that the claim says, if it does, tolerance = in cycles }`; `again` becomes
-- the last reading's cycles, nil where there were none
-- @tparam function measure function(proofs) -> results: one more reading of each
-- @return list of those; how many rounds of readings there were at most
function agreement.differing(proofs, measure)
  for _ = 1, policy.rounds do
    local left = {}
    for i, result in ipairs(measure(proofs)) do
      local proof = proofs[i]
      proof.again = result.cycles
      if result.status ~= "ok" or not agrees(proof, result.cycles) then left[#left + 1] = proof end
    end
    proofs = left
  end
  return proofs, policy.rounds
end

return agreement
