--- Chains of dependent instances: cyclic lists of links `{ scheme = name, from = place, to = place }`.
--
-- What a link writes at `to`, the next one reads at `from`, and the last feeds the first. The time of a chain is that of a round, in cycles: the
-- sum of its latencies, if nothing else takes longer. A link with `same = true` reads the carrier in all operands of its file (zeroing idioms).
--
-- As text: `add r64, r64 [2 > 1] -> imul r64, r64 [2 > 1]`; `xor r64, r64 [1 > 1, same]`.
-- @module portolan.experiment.chain
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local place = require "portolan.scheme.place"
local printable = require "portolan.support.printable"

local chain = {}

--- The most links of a chain (engine/isa/chain.h).
chain.most_links = 32

local function tidy(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

-- The part of a place's text that is the same for all schemes.
local function is_place(text) return text:find "^%d%d?$" or text:find "^%d%d?%.base$" or text:find "^%d%d?%.index$" or text:find "^%l%l?$" end

local most_text = 200 -- bytes of a link: more than the longest name of a scheme, and two places

local function read_link(text, number)
  local name, from, to, rest = text:sub(1, most_text + 1):match "^(.-) ?%[ ?([%w.]+) ?> ?([%w.]+) ?(.-)%]$"
  local same = rest and rest:match "^, ?same ?$" ~= nil
  if not name or #text > most_text or rest ~= "" and not same then
    return nil, ("link %d of the chain: '%s' is not SCHEME [FROM > TO]; write add r64, r64 [2 > 1]"):format(number, printable.line(text:sub(1, 80)))
  end
  return { scheme = name, from = from, to = to, same = same or nil }
end

-- Returns why a link is none; nil if it is one.
local function link_fault(link, number)
  local where = ("link %d of the chain: "):format(number)
  if type(link) ~= "table" then return where .. "it must be an object" end
  if type(link.scheme) ~= "string" then return where .. "'scheme' must be the name of a scheme" end
  for _, side in ipairs { "from", "to" } do
    if type(link[side]) ~= "string" or not is_place(link[side]) then
      return ("%s'%s' must be a place, such as 2, 2.base or cf"):format(where, side)
    end
  end
  if link.same ~= nil and type(link.same) ~= "boolean" then return where .. "'same' must be true or false" end
  local scheme, message = isa.scheme(link.scheme)
  if not scheme then return where .. message end
  local fault = place.fault(link.from, scheme, "input") or place.fault(link.to, scheme, "output")
  return fault and where .. fault
end

--- Returns what is wrong with a chain. Whether its neighbours fit, and whether its operands can be chosen, is told where code is made of it.
-- @param links anything
-- @return nil if nothing is; or a message
function chain.fault(links)
  if type(links) ~= "table" then return "a chain must be a list of links" end
  if #links == 0 or #links > chain.most_links then
    return ("a chain has from 1 to %d links, and this one %s"):format(chain.most_links, #links == 0 and "none" or "more")
  end
  for i = 1, #links do
    local fault = link_fault(links[i], i)
    if fault then return fault end
  end
end

-- The pieces of a text between arrows.
local function pieces_of(text)
  local pieces, start = {}, 1
  while true do
    local first, last = text:find("->", start, true)
    pieces[#pieces + 1] = tidy(text:sub(start, (first or 0) - 1))
    if not first then return pieces end
    start = last + 1
  end
end

--- Reads the text of a chain.
-- @tparam string text
-- @return list of links; or nil and a message
function chain.parse(text)
  if type(text) ~= "string" then return nil, "a chain must be a text" end
  local links = {}
  for i, piece in ipairs(pieces_of(text)) do
    local link, message = read_link(piece, i)
    if not link then return nil, message end
    links[i] = link
    if i > chain.most_links then break end -- `fault` says so
  end
  local fault = chain.fault(links)
  if fault then return nil, fault end
  return links
end

local function link_text(link) return ("%s [%s > %s%s]"):format(link.scheme, link.from, link.to, link.same and ", same" or "") end

-- The texts of the links, from one of them on.
local function text_from(links, first)
  local texts = {}
  for i = 1, #links do texts[i] = link_text(links[(first + i - 2) % #links + 1]) end
  return table.concat(texts, " -> ")
end

--- The text of a chain, from its first link on.
-- @param links list
-- @treturn string
function chain.format(links) return text_from(links, 1) end

--- A string that two chains share if and only if they are the same cycle, wherever they begin.
-- @param links list
-- @treturn string
function chain.key(links)
  local least = text_from(links, 1)
  for first = 2, #links do
    local text = text_from(links, first)
    if text < least then least = text end
  end
  return least
end

-- The explicit registers among places, but for fixed ones, that a scheme accesses so ("r" or "w"): what it merely merges into (8 bits) is not read.
local function registers(scheme, texts, access)
  return lists.where(lists.map(texts or {}, function(text) return place.parse(text, scheme) end), function(p)
    local operand = scheme.operands[p.operand]
    return p.kind == "register" and not p.fixed and operand.visibility ~= "hidden" and operand.access:find(access, 1, true) ~= nil
  end)
end

--- The chain of a scheme that works on registers with itself: through one that it updates, or from one that it reads to one of that class that it
-- writes.
-- @tparam string name of the scheme
-- @return list of one link; or nil and why there is none
function chain.of_itself(name)
  local scheme, message = isa.scheme(name)
  if not scheme then return nil, message end
  local outputs, inputs, best = registers(scheme, place.outputs(scheme), "w"), registers(scheme, place.inputs(scheme), "r"), nil
  for _, to in ipairs(outputs) do
    for _, from in ipairs(inputs) do
      if from.place == to.place or not best and from.class == to.class then best = { { scheme = name, from = from.place, to = to.place } } end
    end
  end
  local elsewhere = lists.any(scheme.operands, function(operand) return operand.kind ~= "register" and operand.kind ~= "immediate" end)
  if elsewhere or not best then return nil, "no chain of dependent instances" end
  return best
end

--- The instances of a round: its links, and what cuts other dependencies.
-- @param links list
-- @tparam[opt] table cuts scheme -> count a round, as results of `measure_chains` have them
-- @treturn table experiment
function chain.experiment(links, cuts)
  local e = {}
  for _, link in ipairs(links) do e[link.scheme] = (e[link.scheme] or 0) + 1 end
  for name, count in pairs(cuts or {}) do e[name] = (e[name] or 0) + count end
  return e
end

return chain
