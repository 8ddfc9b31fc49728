--- Finds what a scheme's relatives let expect of it: those of the same mnemonic on other registers, or failing these of the same category, with
-- operands of the same kinds, as many issue slots and the same time alone.
--
-- An expectation is a hypothesis like all others, which others have to beat: floods that would refute it are asked first, and where they agree, no
-- others (portolan.infer.chart.blocking.asking). So schemes without a relative come first, one of each kind.
-- @module portolan.infer.chart.blocking.relatives
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local place = require "portolan.scheme.place"
local port_set = require "portolan.mapping.ports"
local totals = require "portolan.infer.chart.blocking.totals"

local relatives = {}

--- Says what schemes have in common that do something of one kind on the same kinds of operands, however wide, in words.
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

--- The first of those that do the same on operands of other widths, the others, and of each the first one (portolan.support.lists).
-- @tparam {string,...} names of schemes
function relatives.firsts(names)
  return lists.firsts(names, function(name) return relatives.work_of(name, "mnemonic") or name end)
end

-- Says what a scheme has in common with its relatives, in words, with its issue slots, as far as they are known; nil if nothing is known.
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

-- Adds so many uops on some ports to a list of such; how many it has there then.
local function add(list, ports, number)
  local same = lists.first(list, function(uop) return port_set.same(uop[1], ports) end)
  if not same then
    same = { ports, 0 }
    list[#list + 1] = same
  end
  same[2] = same[2] + number
  return same[2]
end

-- The uops of a scheme's operation on registers, and beside these what memory adds to those of a relative; nil if nobody knows.
local function with_memory(survey, name, relative)
  local own, theirs, uops = totals.like(survey, name), totals.like(survey, relative), uops_of(survey.facts[relative])
  for _, uop in ipairs(own and theirs or {}) do
    if add(uops, uop[1], -uop[2]) < 0 then return nil end
  end
  for _, uop in ipairs(own or {}) do add(uops, uop[1], uop[2]) end
  return own and theirs and lists.where(uops, function(uop) return uop[2] > 0 end)
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
    local other = kind and closest(survey, name, explained[kind] or {})
    local uops = other and with_memory(survey, name, other)
    survey.facts[name].relative = other and { name = other, uops = uops or uops_of(survey.facts[other]),
      close = uops ~= nil or mnemonic_of(other) == mnemonic_of(name) } or nil
  end
end

return relatives
