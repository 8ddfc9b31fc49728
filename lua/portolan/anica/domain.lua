--- Abstract domains (dissertation §8.1.2, §8.1.4): which features instruction schemes are described by, for which schemes.
--
-- Abstract values as tables, in `A:encode` and `D:decode`: a string (singleton, lattices of one's own), `{ base =, edits = }` (edit),
-- `{ below = 2^k }` (log), a list of strings or `"none"` (subset).
-- @classmod portolan.anica.domain
local abstract = require "portolan.anica.abstract"
local architectures = require "portolan.support.architectures"
local code = require "portolan.anica.code"
local core = require "portolan.core"
local feature = require "portolan.anica.feature"
local independent = require "portolan.anica.independent"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"
local mapping = require "portolan.mapping"
local universes = require "portolan.anica.universe"
local view = require "portolan.anica.view"

local domain = {}
domain.__index = domain

-- The names of the instructions of a block: of schemes, or of variants by their immediates; nil, message.
local function names_of_block(block, from)
  if from.immediates then return core.anica.elements(block) end
  local decoded, message = core.isa.decode(block, from.architecture)
  if not decoded then return nil, message end
  return lists.map(decoded.instructions, function(instruction) return instruction.scheme end)
end

-- The names of a list's schemes and of those in blocks of a universe, sorted, each once; nil, message.
local function together(names, blocks, from)
  local seen, list = {}, {}
  local function add(name)
    if seen[name] then return end
    seen[name] = true
    list[#list + 1] = name
  end
  for _, name in ipairs(names) do add(name) end
  for _, block in ipairs(blocks or {}) do
    local those, message = names_of_block(block, from)
    if not those then return nil, message end
    for _, name in ipairs(those) do add(name) end
  end
  table.sort(list)
  return list
end

-- Tells whether one of these names is of a variant.
local function has_immediates(names) return lists.any(names, function(name) return universes.plain(name) ~= name end) end

-- The universe that is asked for: of a name, or of some schemes; nil, message.
local function universe_of(options)
  if not options.schemes then return universes.load(options.universe or universes.usual(), options.architecture) end
  local architecture, message = isa.architecture(lists.map(options.schemes, universes.plain))
  if message then return nil, message end
  return { names = options.schemes, scheme_count = #options.schemes, immediates = has_immediates(options.schemes),
    left_out = function() return {} end, architecture = architecture }
end

-- The schemes of these names; nil, message.
local function look_up(names)
  local schemes = {}
  for i, name in ipairs(names) do
    local message
    schemes[i], message = universes.scheme(name)
    if not schemes[i] then return nil, message end
  end
  return schemes
end

-- A domain of features over a universe `{ names =, schemes =, source = where they come from }`.
local function build(features, universe, policy)
  local compiled = {}
  for f, one in ipairs(features) do
    local message
    compiled[f], message = view.compile(one, universe.schemes)
    if not compiled[f] then return nil, message end
  end
  local architecture = universe.source.architecture or architectures.default()
  local engine, message = core.anica.domain(universe.names, compiled, policy)
  if not engine then return nil, message end
  return setmetatable({ features = features, names = universe.names, policy = policy, core = engine, universe = universe.source,
    architecture = architecture, text = function(block) return code.text(block, architecture) end,
    split = function(block) return code.split(block, architecture) end,
    allocation = features.operands == "independent" and assert(core.isa.policy(policy)) or nil }, domain)
end

--- Returns what a domain is made of, before its lattices are: for checks.
-- @param path as for `load`
-- @param options as for `load`
-- @return list of features (portolan.anica.feature), universe `{ names =, schemes =, source = (portolan.anica.universe) }`; or nil, message
function domain.parts(path, options)
  local known, message = options.mapping, nil
  if type(known) == "string" then known, message = mapping.load(known) end
  if message then return nil, message end
  local source, features, names, schemes
  source, message = universe_of(options)
  if not source then return nil, message end
  features, message = feature.load(path, known, { name = source.name, architecture = source.architecture, immediates = source.immediates })
  if not features then return nil, message end
  if features.operands == "independent" then
    if options.blocks then return nil, "the domain's blocks have operands of its own (independent); sample them, or choose another domain" end
    source = universes.without_immediates(source) -- their operands are allocated, immediates too
    features, message = feature.load(path, known, { name = source.name, architecture = source.architecture, immediates = false })
    if not features then return nil, message end
    source.names = independent.schemes(source.names, options.policy or assert(loop_body.declared(source.architecture)))
  end
  names, message = together(source.names, options.blocks, source)
  if not names then return nil, message end
  schemes, message = look_up(names)
  if not schemes then return nil, message end
  return features, { names = names, schemes = schemes, source = source }
end

--- Loads a domain.
-- @param path of a domain file (portolan.anica.feature), or a name in arch/ARCHITECTURE/domains; nil: the default one
-- @tparam[opt] table options
-- @tparam[opt] string options.architecture that the universe must be of; it is that of `schemes`, where these are given
-- @tparam[opt] string options.universe name or path of a universe (portolan.anica.universe); by default "predicted"
-- @tparam[opt] {string,...} options.schemes names of schemes and variants, in place of a universe
-- @tparam[opt] {string,...} options.blocks machine code whose schemes belong to the universe, too
-- @param[opt] options.mapping path or table, for features that ask for one
-- @tparam[opt] table options.policy by default the architecture's
-- @return domain; or nil, message
function domain.load(path, options)
  options = options or {}
  local features, universe = domain.parts(path, options)
  if not features then return nil, universe end
  return build(features, universe, options.policy or assert(loop_body.declared(universe.source.architecture)))
end

--- The names of the universe's schemes, or of their variants (portolan.anica.universe), sorted.
function domain:schemes() return self.names end

--- The same features over fewer schemes: only these can be drawn or represented. Abstract blocks of one domain are no blocks of the
-- other; `D2:decode(A:encode())` takes them over.
-- @param names list of names of this domain's schemes
-- @return domain; or nil, message
function domain:restrict(names)
  for _, name in ipairs(names) do
    if not self.core:index(name) then return nil, ("'%s' is not in the domain's universe; load the domain with it"):format(name) end
  end
  local sorted = together(names)
  return build(self.features, { names = sorted, schemes = look_up(sorted), source = self.universe }, self.policy)
end

--- The most specific abstract block of a block (beta, eq. 8.6); where operands are independent it says nothing of aliasing.
-- @param block machine code of 1 to 16 instructions
-- @return abstract block; or nil, message if a scheme is outside of the universe
function domain:represent(block)
  local made, message = self.core:represent(block)
  if not made then return nil, message end
  local A = abstract.of(self, made)
  return self.allocation and self:decode { instructions = A:encode().instructions } or A
end

--- An abstract block of n unconstrained instructions.
-- @param n 1 to 16
function domain:top(n) return abstract.of(self, self.core:top(n)) end

-- The values of one encoded instruction in the order of the features; nil, message.
local function row(self, instruction, i)
  if type(instruction) ~= "table" then return nil, ("instructions[%d]: it must be an object of features"):format(i) end
  local values, known = {}, {}
  for f, one in ipairs(self.features) do
    local value = instruction[one.name]
    if value ~= nil and type(value) ~= "string" and type(value) ~= "table" then
      return nil, ("instructions[%d].%s: a %s is no abstract value"):format(i, one.name, type(value))
    end
    values[f] = value or false
    known[one.name] = true
  end
  for name in pairs(instruction) do
    if not known[name] then
      return nil, ("instructions[%d]: '%s' is no feature of this domain; load the domain that the block is of"):format(i, tostring(name))
    end
  end
  return values
end

local most_constraints = 16 * 10 * (16 * 10 - 1) // 2

--- Reads what `A:encode` gave.
-- @param t table
-- @return abstract block; or nil, message
function domain:decode(t)
  if type(t) ~= "table" or type(t.instructions) ~= "table" then return nil, "an abstract block is { instructions =, aliasing = }" end
  local n = #t.instructions
  if n < 1 or n > 16 then return nil, ("instructions: %d of them; a block has 1 to 16"):format(n) end
  local rows = {}
  for i = 1, n do
    local message
    rows[i], message = row(self, t.instructions[i], i)
    if not rows[i] then return nil, message end
  end
  local aliasing = t.aliasing == nil and {} or t.aliasing
  if type(aliasing) ~= "table" or #aliasing > most_constraints then return nil, "aliasing: it must be a list of constraints" end
  local made, message = self.core:decode(rows, aliasing)
  if not made then
    return nil, (message:gsub("feature (%d+)", function(f) return self.features[tonumber(f)].name end))
  end
  return abstract.of(self, made)
end

--- Tells whether an abstract block subsumes a block (Def. 8.7).
-- @param a abstract block
-- @param block machine code
-- @return boolean; or nil, message if the block cannot be represented
function domain:subsumes(a, block)
  local represented, message = self:represent(block)
  if not represented then return nil, message end
  return (a:subsumes(represented))
end

local function cores(list) return lists.map(list, function(one) return one.core end) end

--- Finds which abstract blocks subsume which: many at once, much faster than asking for each pair.
-- @param discoveries list of abstract blocks of this domain
-- @param blocks list of abstract blocks of this domain
-- @return for each of `blocks` the list of positions in `discoveries`
function domain:subsumers(discoveries, blocks) return self.core:subsumers(cores(discoveries), cores(blocks)) end

return domain
