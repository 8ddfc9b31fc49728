--- Names of related schemes: the register form of one with a memory operand, and the form of half the vector width. By Portolan's names
-- (`vpaddd ymm, ymm, m256`) or pmtestbench's (`vpaddd W:YMM0..15, R:YMM0..15, ymmword ptr R:MEM(256)`).
-- @module portolan.scheme.variants
local variants = {}

-- Registers that may stand in the place of so many bits of memory, the likeliest first.
local registers = {
  ["8"] = { "r8" }, ["16"] = { "r16", "xmm" }, ["32"] = { "r32", "xmm" }, ["64"] = { "r64", "xmm", "mm" }, ["128"] = { "xmm" },
  ["256"] = { "ymm" }, ["512"] = { "zmm" },
}

-- pmtestbench's words for these.
local theirs = {
  r8 = "al,bl,bpl,cl,dil,dl,r10b,r11b,r12b,r13b,r14b,r15b,r8b,r9b,sil,spl", r16 = "GPR:16", r32 = "GPR:32", r64 = "GPR:64",
  xmm = "XMM0..15", ymm = "YMM0..15",
}

local function behind_words(name, start, stop, word) return name:sub(1, start - 1) .. word .. name:sub(stop + 1) end

--- Names that the register form of a scheme may have; none if it has no memory operand of a known width.
-- @param name of a scheme
-- @return list of names; whether there are such schemes is another question
function variants.register_forms(name)
  local list = {}
  local start, stop, access, bits = name:find("%l+ ptr (%u+):MEM%((%d+)%)")
  for _, class in ipairs(start and registers[bits] or {}) do
    if theirs[class] then list[#list + 1] = behind_words(name, start, stop, access .. ":" .. theirs[class]) end
  end
  if start then return list end
  start, stop, bits = name:find("%f[%w]m(%d+)%f[^%w]")
  local plain = start and not name:find("^[%[{]", stop + 1) -- no vector of indices, no broadcast
  for _, class in ipairs(plain and registers[bits] or {}) do list[#list + 1] = behind_words(name, start, stop, class) end
  return list
end

local halves = { { wide = "zmm", half = "ymm", bits = "512" }, { wide = "ymm", half = "xmm", bits = "256" } }

--- The name of the form of half the width.
-- @param name of a scheme
-- @return name, bits of the wide form; nil if it works on no vectors of more than 128 bits
function variants.half_width(name)
  if name:find("YMM0..15", 1, true) then
    return (name:gsub("YMM0%.%.15", "XMM0..15"):gsub("ymmword ptr (%u+):MEM%(256%)", "xmmword ptr %1:MEM(128)")), 256
  end
  for _, pair in ipairs(halves) do
    if name:find("%f[%w]" .. pair.wide .. "%f[^%w]") then
      local bits = math.tointeger(tonumber(pair.bits))
      local narrower = name:gsub("%f[%w]" .. pair.wide .. "%f[^%w]", pair.half):gsub("%f[%w]m" .. pair.bits .. "%f[^%w]", "m" .. bits // 2)
      return narrower, bits
    end
  end
end

return variants
