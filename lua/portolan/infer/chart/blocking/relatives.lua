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

local relatives = {}

-- What a scheme has in common with its relatives, in words: category, operands, however wide, and issue slots; nil if that is not known.
local function kind_of(survey, name)
  local scheme, f = core.isa.scheme(name), survey.facts[name]
  if not scheme or not f.slots or not f.single then return nil end
  local words = { scheme.category, ("%d slots"):format(f.slots) }
  for number, operand in ipairs(scheme.operands) do
    if operand.visibility ~= "hidden" then
      local at = operand.kind == "register" and place.parse(tostring(number), scheme)
      words[#words + 1] = operand.kind .. operand.access .. (at and at.file or operand.class or "")
    end
  end
  return table.concat(words, " ")
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
function relatives.split(survey, names)
  local first, others, of_kind = {}, {}, {}
  for _, name in ipairs(names) do
    local kind = kind_of(survey, name)
    local list = kind and closest(survey, name, of_kind[kind] or {}) and others or first
    list[#list + 1] = name
    if kind and list == first then lists.into(of_kind, kind, name) end
  end
  return first, others
end

-- The closest relatives of names that fulfil a condition, `apt` = function(name, facts): function(name) -> name or nil.
local function among(survey, apt)
  local of_kind = {}
  for _, name in ipairs(survey.order) do
    local kind = apt(name, survey.facts[name]) and kind_of(survey, name)
    if kind then lists.into(of_kind, kind, name) end
  end
  return function(name)
    local kind = kind_of(survey, name)
    return kind and closest(survey, name, of_kind[kind] or {})
  end
end

--- Notes what explained relatives let expect (`relative` of the facts).
-- @param survey the survey
-- @tparam {string,...} names of schemes
function relatives.learn(survey, names)
  local explained = among(survey, function(_, f) return f.status == "explained" and f.uops end)
  for _, name in ipairs(names) do
    local other = explained(name)
    local same = other and mnemonic_of(other) == mnemonic_of(name)
    local f = other and survey.facts[other]
    survey.facts[name].relative = f and { name = other, uops = lists.map(f.parts or f.uops, function(uop)
      return { uop.ports or uop[1], uop.uops or uop[2] }
    end), price = same and constants.price_mnemonic or constants.price_category } or nil
  end
end

return relatives
