--- What a scheme's relatives let expect of it: those of the same mnemonic on other registers, or failing these of the same category, with operands of
-- the same kinds, as many issue slots and the same time alone.
--
-- An expectation is a hypothesis like all others, which others have to beat: floods that would refute it are asked first, and where they agree, no
-- others (portolan.infer.chart.blocking.asking). So schemes without a relative come first, one of each kind.
-- @module portolan.infer.chart.blocking.relatives
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local place = require "portolan.place"
local port_set = require "portolan.ports"
local totals = require "portolan.infer.chart.blocking.totals"

local relatives = {}

--- What schemes have in common that do something of one kind on the same kinds of operands, however wide, in words.
-- @param name scheme
-- @param by "category" or "mnemonic": what tells the kind
-- @treturn string nil if the scheme is not known
function relatives.work_of(name, by)
  local scheme = core.isa.scheme(name)
  if not scheme then return nil end
  local words = { scheme[by] }
  for number, operand in ipairs(scheme.operands) do
    if operand.visibility ~= "hidden" then
      local at = operand.kind == "register" and place.parse(tostring(number), scheme)
      words[#words + 1] = operand.kind .. operand.access .. (at and at.file or operand.class or "")
    end
  end
  return table.concat(words, " ")
end

--- The first of those that do the same on operands of other widths, and the others.
-- @tparam {string,...} names of schemes
-- @treturn {string,...} the first ones
-- @treturn {string,...} the others
-- @treturn {[string]=string} of each the first one
function relatives.firsts(names)
  local first, others, first_of, of_work = {}, {}, {}, {}
  for _, name in ipairs(names) do
    local work = relatives.work_of(name, "mnemonic") or name
    local list = of_work[work] and others or first
    of_work[work] = of_work[work] or name
    list[#list + 1], first_of[name] = name, of_work[work]
  end
  return first, others, first_of
end

-- What a scheme has in common with its relatives, in words, with its issue slots, as far as they are known; nil if nothing is known.
local function kind_of(survey, name)
  local work, f = relatives.work_of(name, "category"), survey.facts[name]
  return work and f.single and ("%s, %s slots"):format(work, f.slots) or nil
end

local function as_fast(survey, a, b)
  local one, other = survey.facts[a].single.cycles, survey.facts[b].single.cycles
  return math.abs(one - other) <= constants.rate_whole * math.min(one, other)
end

local function mnemonic_of(name) return core.isa.scheme(name).mnemonic end

-- The relative of a scheme among others of its kind, of its mnemonic if there is one; nil if none is as fast.
local function closest(survey, name, others)
  local apt = lists.where(others, function(other) return other ~= name and as_fast(survey, name, other) end)
  return lists.first(apt, function(other) return mnemonic_of(other) == mnemonic_of(name) end) or apt[1]
end

--- Those that have relatives among the others, and are asked after these.
-- @param survey the survey
-- @tparam {string,...} names of schemes
-- @treturn {string,...} names that are asked first
-- @treturn {string,...} the others
-- @treturn {[string]=string} the closest relative of each of these
function relatives.split(survey, names)
  local first, others, relative, of_kind = {}, {}, {}, {}
  for _, name in ipairs(names) do
    local kind = kind_of(survey, name)
    relative[name] = kind and closest(survey, name, of_kind[kind] or {})
    local list = relative[name] and others or first
    list[#list + 1] = name
    if kind and list == first then lists.into(of_kind, kind, name) end
  end
  return first, others, relative
end

-- Uops of a scheme as `{ ports, number }`.
local function uops_of(f)
  return lists.map(f.parts or f.uops, function(uop) return { uop.ports or uop[1], uop.uops or uop[2] } end)
end

-- What memory adds to the uops of the same operation on registers; nil if these are not known, or not among its own.
local function added_by_memory(survey, name)
  local own, like = uops_of(survey.facts[name]), totals.like(survey, name)
  for _, uop in ipairs(like or {}) do
    local same = lists.first(own, function(other) return other[2] >= uop[2] and port_set.same(other[1], uop[1]) end)
    if not same then return nil end
    same[2] = same[2] - uop[2]
  end
  return like and lists.where(own, function(uop) return uop[2] > 0 end)
end

--- Notes what explained relatives let expect (`relative` of the facts): their uops, or what memory adds to these, beside those of the same operation
-- on registers.
-- @param survey the survey
-- @tparam {string,...} names of schemes
function relatives.learn(survey, names)
  local explained = {} -- by kind
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local kind = f.status == "explained" and f.uops and kind_of(survey, name)
    if kind then lists.into(explained, kind, name) end
  end
  for _, name in ipairs(names) do
    local kind = kind_of(survey, name)
    local other, like = kind and closest(survey, name, explained[kind] or {}), totals.like(survey, name)
    local more = other and like and added_by_memory(survey, other)
    local close = more or other and mnemonic_of(other) == mnemonic_of(name)
    survey.facts[name].relative = other and { name = other, uops = more and lists.joined(like, more) or uops_of(survey.facts[other]),
      price = close and constants.price_mnemonic or constants.price_category } or nil
  end
end

return relatives
