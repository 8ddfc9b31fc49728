--- Section "Front end": what holds code up before its uops reach a port.
local cache_facts = require "portolan.mapping.first_cache"
local format = require "portolan.report.format"
local front_end_facts = require "portolan.mapping.front_end"
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local h = html.tag
local front_end = {}

local most_shown = 12 -- rows before the others are folded

local function cycles(value) return format.finite(value) and format.cycles(value) .. " cycles" end

-- An amount as its unit has it.
local written = { slots = format.plain, cycles = cycles, bytes = function(x) return ("%d bytes"):format(x) end,
  instructions = function(x) return ("%.2f instructions a cycle"):format(x) end,
  ["a cycle"] = function(x) return ("%.2f a cycle"):format(x) end,
  ["loads more"] = function(x) return ("%.2f loads more"):format(x) end,
  ["cycles later"] = function(x) return cycles(x) .. " later" end, ["cycles more"] = function(x) return cycles(x) .. " more" end }

local function facts(amounts, values)
  local titled = lists.where(amounts, function(amount) return amount[3] end)
  return section.facts(lists.map(titled, function(amount)
    local value = values[amount[1]]
    return { amount[3], format.finite(value) and written[amount[2]](value) }
  end))
end

local loaded = { plain = "by the same register", framed = "by the stack pointer",
  moved = "and a register of the address is written in between", stack = "and the stack pointer is moved in between",
  indexed = "by an address with an index", other_base = "by another register", inside = "but its second half" }

-- Shows in a table how many cycles a load of what was just stored takes; nil if that was not measured.
local function handed_on(c)
  local rows = {}
  for _, name in ipairs(cache_facts.renamed_for) do
    local loop, straight = c["in_place_" .. name], c["straight_" .. name]
    if loop or straight then
      rows[#rows + 1] = h.tr { h.th { scope = "row", loaded[name] },
        h.td { class = "number", cycles(loop) or format.absent }, h.td { class = "number", cycles(straight) or format.absent } }
    end
  end
  if #rows == 0 then return nil end
  return h.div { class = "scroll", h.table { h.thead(h.tr { h.th "what was just stored is loaded",
    h.th { class = "number", "in a short loop" }, h.th { class = "number", "in straight code" } }), h.tbody(rows) } }
end

local function sorted(list)
  local copy = lists.map(list, tostring)
  table.sort(copy)
  return table.concat(copy, " ")
end

-- Compares that fuse with the same jumps are a row: list of { jumps =, schemes = }, the most schemes first.
local function groups(fuses)
  local by_jumps, list = {}, {}
  for name, jumps in pairs(fuses) do
    local key = sorted(jumps)
    if not by_jumps[key] then
      by_jumps[key] = { jumps = key, schemes = {} }
      list[#list + 1] = by_jumps[key]
    end
    table.insert(by_jumps[key].schemes, tostring(name))
  end
  for _, group in ipairs(list) do table.sort(group.schemes) end
  table.sort(list, function(a, b)
    if #a.schemes ~= #b.schemes then return #a.schemes > #b.schemes end
    return a.jumps < b.jumps
  end)
  return list
end

local function fusion(f)
  local rows = lists.map(groups(f.fuses or {}), function(group)
    return h.tr { h.th { scope = "row", h.code(group.jumps) }, h.td(h.code(table.concat(group.schemes, "; "))) }
  end)
  if #rows == 0 then return section.missing "No pair of a compare and a jump is known to be one uop." end
  return h.div { class = "scroll",
    h.table { h.thead(h.tr { h.th "jumps", h.th "that are one uop with each of these ahead of them" }), h.tbody(rows) } }
end

local function copies(f)
  local names = lists.where(lists.keys(f.takes_copy or {}), function(name) return f.takes_copy[name] end)
  if #names == 0 then return section.missing "No instruction is known to be one with a copy of a register ahead of it." end
  return h.details { h.summary(format.plural(#names, "scheme")), h.p(h.code(table.concat(names, "; "))) }
end

local function lines(f)
  local list = lists.map(f.straight_lines or {}, function(line)
    return h.tr { h.td { class = "number", ("%.1f"):format(line.slots) }, h.td { class = "number", format.cycles(line.cycles) } }
  end)
  if #list == 0 then return section.missing "Short instructions are not known to cost more than their issue slots." end
  local head = h.tr { h.th { class = "number", "slots in 64 bytes of straight code" }, h.th { class = "number", "cycles" } }
  return h.table { h.thead(head), h.tbody(list) }
end

local function indexed(f, schemes)
  local names = lists.keys(f.indexed_slots or {})
  if #names == 0 then return section.missing "No scheme is known to take more issue slots with an index register." end
  local rows = {}
  for i, name in ipairs(names) do
    local without = schemes[name] and schemes[name].slots
    rows[i] = h.tr { h.th { scope = "row", h.code(name) },
      h.td { class = "number", format.finite(without) and format.plain(without) or format.absent },
      h.td { class = "number", format.plain(f.indexed_slots[name]) } }
  end
  local t = h.table { h.thead(h.tr { h.th "scheme", h.th { class = "number", "slots" }, h.th { class = "number", "with an index" } }), h.tbody(rows) }
  if #rows <= most_shown then return t end
  return h.details { h.summary(format.plural(#rows, "scheme")), t }
end

--- The section; nil if the chart does not know the front end.
function front_end.render(chart)
  local f = chart.mapping and chart.mapping.front_end
  if not f then return nil end
  local c = chart.mapping.first_cache or {}
  return section.new("front-end", "Front end", {
    section.note("What holds code up before its uops reach a port, beside the issue slots of its instructions."),
    facts(front_end_facts.amounts, f), facts(cache_facts.amounts, c), handed_on(c) or "",
    h.h3 "Fused with jumps", fusion(f),
    h.h3 "Many short instructions", lines(f),
    h.h3 "One with a copy of a register ahead of them", copies(f),
    h.h3 "Addresses with an index register", indexed(f, chart.mapping.schemes or {}),
  })
end

return front_end
