-- Subsumption by Z3 agrees with the direct search. PORTOLAN_MANY=1: on 10,000 pairs of each kind.
local code = require "portolan.anica.code"
local core = require "portolan.core"
local domains = require "portolan.anica.domain"
local subsume = require "support.subsume"
local toy = require "anica_toy"

local pairs_tried = os.getenv "PORTOLAN_MANY" and 10000 or 400

-- The representation of a random block, somewhat expanded.
local function random_abstract(domain, rng, longest, expansions)
  local block = assert(domain:top(1 + rng:below(longest)):sample(rng, 1))[1]
  local A = assert(domain:represent(block))
  for _ = 1, rng:below(expansions + 1) do
    local list = A:expansions()
    if #list > 0 then A = A:expand(list[1 + rng:below(#list)]) end
  end
  return A
end

-- A generalization of some of the instructions of a block, rotated: subsumes it more often than not.
local function related(domain, rng, expansions)
  local length = 2 + rng:below(3)
  local block = assert(domain:top(length):sample(rng, 1))[1]
  local parts, some = (domain.split or code.split)(block), {}
  local first = rng:below(length)
  for k = 0, length - 1 do
    if rng:below(3) > 0 then some[#some + 1] = parts[(first + k) % length + 1] end
  end
  local A = assert(domain:represent(table.concat(#some > 0 and some or parts)))
  for _ = 1, rng:below(expansions + 1) do
    local list = A:expansions()
    if #list > 0 then A = A:expand(list[1 + rng:below(#list)]) end
  end
  return A, assert(domain:represent(block))
end

local function agree(domain, expansions)
  local yes = 0
  for seed = 1, pairs_tried do
    local rng = core.base.rng(seed)
    local A, B
    if seed % 2 == 0 then
      A, B = related(domain, rng, expansions)
    else
      A, B = random_abstract(domain, rng, 3, expansions), random_abstract(domain, rng, 4, expansions)
    end
    local answer, mapping = subsume.subsumes(A, B)
    assert.equal(A:subsumes(B), answer, ("seed %d:\n%s\n\n%s"):format(seed, table.concat(A:text(), "\n"), table.concat(B:text(), "\n")))
    if answer then
      yes = yes + 1
      assert.equal(A:size(), #mapping)
    end
  end
  assert.is_true(yes > pairs_tried / 10 and yes < 0.9 * pairs_tried, ("%d of %d"):format(yes, pairs_tried))
end

describe("subsumption by Z3", function()
  it("agrees with trying every mapping, on the toy domain", function() agree(toy.domain(), 8) end)

  it("agrees with the engine's search, on x86-64", function() agree(assert(domains.load()), 12) end)

  it("sees rotations, but no other orders", function()
    local domain = toy.domain()
    local A = domain:represent("a0e0i0")
    local function of(block) return (subsume.subsumes(A, domain:represent(block))) end
    assert.is_true(of "e0i0a0")
    assert.is_true(of "b0i0b0a0e0")
    assert.is_false(of "b0a0b0i0e0")
    assert.is_false(of "e0a0i0")
    assert.is_false(of "a0e0")
  end)

  it("refuses what is no block", function()
    local one = { instructions = 1, aliasing = {} }
    assert.is_true(core.smt.subsumes(one, one, { { true } }))
    assert.is_false(core.smt.subsumes(one, one, { { false } }))
    assert.has_error(function() core.smt.subsumes({ instructions = 0, aliasing = {} }, one, {}) end)
    assert.has_error(function() core.smt.subsumes({ instructions = 65, aliasing = {} }, one, {}) end)
    assert.has_error(function() core.smt.subsumes({ instructions = 1, aliasing = { { 1, 1, 2, 1, 1 } } }, one, { { true } }) end)
    assert.has_error(function() core.smt.subsumes(one, one, {}) end)
  end)
end)
