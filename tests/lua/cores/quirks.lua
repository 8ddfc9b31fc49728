-- What real cores do beside their ports, as misfits of a simulated core's schemes.
local core = require "portolan.core"

local quirks = {}

-- A prefix that changes the length of a 16-bit immediate stalls the decoder, or not, depending on where the loop lies.
local function has_imm16(name) return name:find("16, imm16", 1, true) ~= nil end

--- Decoder stalls: what works on registers is never quite steady, what reads and writes memory never comes out.
function quirks.length_changing_prefixes(m)
  for name, scheme in pairs(m.schemes) do
    if has_imm16(name) and scheme.status == "explained" then
      if name:find "^cmp m16" or name:find "^test m16" then
        scheme.misfit, scheme.status = { unsteady = true }, "unstable"
      else
        scheme.misfit = { stall = 0.012 }
      end
    end
  end
end

--- Two rates of code that keeps the widest set of ports busy.
-- @param m mapping
-- @param width of that set
-- @param factor how many times longer the slower one takes
function quirks.two_rates(m, width, factor)
  for _, scheme in pairs(m.schemes) do
    local uop = scheme.uops and scheme.uops[1]
    local widest = scheme.status == "explained" and uop and not scheme.uops[2] and uop[2] == 1 and #uop[1] == width
    if widest and not scheme.misfit then scheme.misfit = { rates = factor } end
  end
end

--- Names of a mapping's schemes that match a pattern, sorted.
function quirks.names(m, pattern)
  local list = {}
  for name in pairs(m.schemes) do
    if name:find(pattern) and core.isa.scheme(name) then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

return quirks
