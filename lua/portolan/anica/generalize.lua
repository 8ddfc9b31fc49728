--- Generalizing an interesting block to an abstract block (Algorithm 8.2), one expansion at a time or in groups.
--
-- *Order.* Both strategies go through the available expansions in rounds: those that are not yet rejected are shuffled and each is tried
-- once; what becomes available by an accepted one waits for the next round. That is one of the orders that line 7 leaves open.
--
-- *Groups.* All expansions of a round are applied at once. If the block is interesting, all are accepted by one check; if not, each half is
-- tried in the same manner, the second on top of what was accepted of the first, down to single ones, which are accepted or rejected.
-- With an ideal check this accepts exactly what trying them one by one in the same order accepts, and the result is maximal (Theorem 8.5):
-- Let a be the block, G = E1 ... En a group, and let "one by one" accept the set S of G. *If a with all of G is interesting*, then so is every
-- block on the way (expansions ascend and are monotone, concretization is monotone: a block below an interesting one is interesting), so
-- S = G. *If it is not and n = 1*, both reject. *Otherwise* both go through the first half, by induction with the same result a', and then,
-- by induction, through the second half from a'. A rejected E was thus not interesting on top of some earlier block below the result, and with
-- it applied to the result it is not either (A.5.2); every round without an accepted expansion ends the search, so the result has none left.
-- Chains end, so rounds do (Theorem 8.4).
--
-- *Samples.* A check that samples is not ideal. A block that is on the way is only believed after a few samples (`provisional`), as its
-- samples say nothing that those of the result do not: the result stands for all blocks below it, and must stand the whole number of
-- samples. If it does not, the search goes back to the last block that did, and takes its steps again, as far as the counterexamples found
-- meanwhile let it; each time at least one block more is known not to be interesting. After a few times every step is checked in full.
-- @module portolan.anica.generalize
local Evidence = require "portolan.anica.evidence"
local lists = require "portolan.support.lists"

local generalize = {}

local most_returns = 8 -- to the last block that stood all samples, before every step is checked in full

local unlike = "not all blocks like it are interesting"

local most_opposites = 8 -- of one block

local function constraint_key(c) return ("%d.%d~%d.%d"):format(c.a[1], c.a[2], c.b[1], c.b[2]) end

-- The constraints "must not" of one block that another lacks.
local function dropped(before, after)
  local left = lists.set(lists.map(after.aliasing or {}, constraint_key))
  return lists.where(before.aliasing or {}, function(c) return c.kind ~= "must" and not left[constraint_key(c)] end)
end

--- For some of the constraints that a block no longer has: the block with its operands bound to alias.
--
-- Where two operands must not alias and the constraint is dropped, hardly a random sample has them alias: one in some fourteen, as there are so many
-- registers. What the constraint was good for is seen in samples of the same block with the opposite constraint. They are represented by the
-- block like any other sample.
-- @param domain abstract domain
-- @param before abstract block
-- @param A a more general one
-- @param rng random stream: which of them, if they are many
-- @return list of abstract blocks, all below A
function generalize.opposites(domain, before, A, rng)
  local after = A:encode()
  local list, blocks = rng:shuffle(dropped(before:encode(), after)), {}
  for i = 1, math.min(most_opposites, #list) do
    local aliasing = table.move(after.aliasing or {}, 1, #(after.aliasing or {}), 1, {})
    aliasing[#aliasing + 1] = { a = list[i].a, b = list[i].b, kind = "must" }
    blocks[#blocks + 1] = domain:decode { instructions = after.instructions, aliasing = aliasing }
  end
  return blocks
end

local Search = {}
Search.__index = Search

-- Adds a decision to the tree.
local function note(self, A, expansions, accepted, findings, reason)
  self.tree[#self.tree + 1] = { block = A, expansions = expansions, accepted = accepted, findings = findings, from = self.at, reason = reason }
  if accepted then self.at = #self.tree end
  if self.watch then self.watch(self.tree[#self.tree]) end
end

-- Goes on from an accepted block.
local function accept(self, A, group, findings)
  note(self, A, group, true, findings)
  self.block, self.findings = A, findings
  self.trail[#self.trail + 1] = group
end

local function halves(group)
  local half = #group // 2
  return table.move(group, 1, half, 1, {}), table.move(group, half + 1, #group, 1, {})
end

-- Returns function(rng) -> blocks in which samples of A must be looked for, if the group drops constraints on operands that do not alias;
-- otherwise nil.
local function corners(self, group, before, A)
  for _, expansion in ipairs(group) do
    if expansion.feature == "aliasing" then return function(rng) return generalize.opposites(self.domain, before, A, rng) end end
  end
end

-- Accepts or rejects every expansion of a group.
function Search:try(group)
  local A, before = self.block:expand(group), self.block
  local accepted, findings = self.evidence:check(A, self.full and self.evidence.samples or nil, nil, corners(self, group, before, A))
  if accepted then return accept(self, A, group, findings) end
  note(self, A, group, false, findings)
  if #group == 1 then
    self.rejected[group[1].key] = true
  else
    local first, second = halves(group)
    self:try(first)
    self:try(second)
  end
end

-- The expansions of the block that are not rejected, in random order.
local function available(self)
  local list = lists.where(self.block:expansions(), function(expansion) return not self.rejected[expansion.key] end)
  return self.rng:shuffle(list)
end

-- Rounds until no expansion is left. What one round accepts may make others available.
local function ascend(self)
  while true do
    local list = available(self)
    if #list == 0 then return end
    if self.groups then
      self:try(list)
    else
      for _, expansion in ipairs(list) do self:try { expansion } end
    end
  end
end

-- Takes an earlier step again, from the block that stood all samples, as far as no counterexample is in the way: it was believed on top
-- of more.
local function again(self, group)
  local A = self.block:expand(group)
  if A:equal(self.block) then return end
  if not self.evidence:refutation(A) then return accept(self, A, group, Evidence.nothing()) end
  if #group > 1 then
    local first, second = halves(group)
    again(self, first)
    again(self, second)
  end
end

-- Back to the last block that stood all samples.
local function go_back(self)
  self.returns = self.returns + 1
  self.full = self.returns > most_returns
  local trail = self.trail
  self.block, self.findings, self.at = self.sure.block, self.sure.findings, self.sure.at
  self.trail, self.rejected = {}, {}
  if self.full then return end
  for _, group in ipairs(trail) do again(self, group) end
end

-- Tells whether the block stands the whole number of samples.
local function confirm(self)
  if self.at == self.sure.at then return not self.evidence:refutation(self.block) end
  local before = self.findings.samples
  local function all_corners(rng) return generalize.opposites(self.domain, self.first, self.block, rng) end
  local fine, findings = self.evidence:check(self.block, self.evidence.samples, self.findings, all_corners)
  if findings.samples > before or not fine then note(self, self.block, {}, fine, findings, "confirmation") end
  return fine
end

local function finish(self)
  return { abstract = self.block, tree = self.tree, findings = self.findings, returns = self.returns,
    interestingness = Evidence.interestingness(self.findings) }
end

--- Generalizes a block. To be called within a search of `portolan.anica.rounds`, if `ask` is that of rounds.
-- @param block interesting block
-- @param domain abstract domain
-- @param check `portolan.anica.evidence`, or any object with `check`, `refutation` and `samples` (an ideal check)
-- @param rng random stream for the order
-- @tparam[opt] table options
-- @tparam[opt="groups"] string options.strategy "groups" or "plain"
-- @tparam[opt] func options.watch function(step), called at every decision
-- @return `{ abstract =, tree = list of steps, findings = of the samples of abstract, interestingness =, returns = }`; or nil and a message if
-- the representation of the block is not interesting (line 2). A step is `{ block =, expansions =, accepted =, findings =, from = }`.
function generalize.run(block, domain, check, rng, options)
  options = options or {}
  local A, message = domain:represent(block)
  if not A then return nil, message end
  local self = setmetatable({ evidence = check, rng = rng, groups = options.strategy ~= "plain", watch = options.watch, tree = {}, at = 0,
    rejected = {}, trail = {}, returns = 0, block = A, first = A, domain = domain }, Search)
  local fine, findings = check:check(A, check.samples)
  note(self, A, {}, fine, findings, "representation")
  if not fine then return nil, unlike end
  self.findings = findings
  self.sure = { block = A, findings = findings, at = self.at }
  repeat
    ascend(self)
    if confirm(self) then return finish(self) end
    if self.at == self.sure.at then return nil, unlike end
    go_back(self)
  until false
end

return generalize
