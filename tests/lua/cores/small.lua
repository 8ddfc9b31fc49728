-- Small versions of real cores, 30 to 60 schemes each: for specs that take seconds. Ports are letters: "015" are three, "2 3A" are two uops.
local gracemont = require "cores.gracemont"

local small = {}

local function scheme_of(text, slots)
  local uops = {}
  for set in text:gmatch "%S+" do
    local ports = {}
    for port in set:gmatch "." do ports[#ports + 1] = port end
    uops[#uops + 1] = { ports, 1 }
  end
  return { uops = uops, slots = slots or math.max(1, #uops), status = #uops > 0 and "explained" or "eliminated at rename" }
end

-- A mapping of groups `{ uops, slots or nil, names ... }`.
local function core(rmax, groups)
  local m = { format = "portolan-mapping", version = 1, rmax = rmax, ports = {}, schemes = {} }
  local seen = {}
  for _, group in ipairs(groups) do
    for i = 3, #group do m.schemes[group[i]] = scheme_of(group[1], group[2] or nil) end
    for port in group[1]:gmatch "%S" do
      if not seen[port] then seen[port], m.ports[#m.ports + 1] = true, port end
    end
  end
  table.sort(m.ports)
  return m
end

--- Golden Cove: six wide, five adders.
function small.golden_cove()
  return core(6, {
    { "0156B", false, "add r64, r64", "sub r64, r64", "and r32, r32", "not r64", "or r8, r8" },
    { "06", false, "shl r64, imm8", "sar r64, imm8", "ror r64, imm8" }, { "15B", false, "blsr r64, r64", "andn r64, r64, r64", "blsi r64, r64" },
    { "1", false, "imul r64, r64", "popcnt r64, r64", "crc32 r64, r64" }, { "5", false, "vpermd ymm, ymm, ymm", "vpermq ymm, ymm, imm8" },
    { "0", false, "vmovmskps r32, ymm", "vpmovmskb r32, ymm" }, { "015", false, "vpaddd ymm, ymm, ymm", "vpand ymm, ymm, ymm" },
    { "01", false, "vmulpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm" }, { "15", false, "vaddpd ymm, ymm, ymm", "vpshufb ymm, ymm, ymm" },
    { "23A", false, "mov r64, m64", "vmovups ymm, m256", "mov r32, m32" }, { "49 78", 1, "mov m64, r64", "mov m32, r32", "vmovups m256, ymm" },
    { "23A 0156B", 1, "add r64, m64", "sub r64, m64" }, { "23A 1", 1, "imul r64, m64" }, { "06 15B", false, "bextr r64, r64, r64" },
    { "5 5 015", false, "vphaddd ymm, ymm, ymm" }, { "0156B 0156B 0156B", false, "xchg r64, r64" },
    { "0156B 23A 49 78", 2, "add m64, r64", "sub m32, r32" }, { "", false, "mov r64, r64", "vmovaps ymm, ymm", "inc r64" },
  })
end

--- Zen 4: six wide, four adders, four vector pipes, three address units that stores share with loads, two of them for vectors.
function small.zen4()
  return core(6, {
    { "abcd", false, "add r64, r64", "sub r64, r64", "and r32, r32", "not r64", "or r8, r8", "lea r64, m" },
    { "bc", false, "shl r64, imm8", "sar r64, imm8", "blsr r64, r64" }, { "ad", false, "bt r64, r64", "bt r32, r32" },
    { "b", false, "imul r64, r64", "crc32 r64, r64", "imul r32, r32" },
    { "0123", false, "vpand ymm, ymm, ymm", "vpaddd ymm, ymm, ymm", "vpsubd ymm, ymm, ymm" },
    { "01", false, "vmulpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm" }, { "23", false, "vaddpd ymm, ymm, ymm", "vaddps ymm, ymm, ymm" },
    { "12", false, "vpshufb ymm, ymm, ymm", "vpunpcklbw ymm, ymm, ymm" }, { "03", false, "vpmuludq ymm, ymm, ymm", "vpmaddwd ymm, ymm, ymm" },
    { "2", false, "vpmovmskb r32, ymm", "vmovmskps r32, ymm" }, { "xyz", false, "mov r64, m64", "mov r32, m32", "movzx r32, m8" },
    { "xy", false, "vmovups ymm, m256", "vmovups xmm, m128", "vmovaps ymm, m256" },
    { "xyz st", 1, "mov m64, r64", "mov m32, r32", "mov m8, r8" }, { "xyz s", 1, "vmovups m256, ymm", "vmovaps m256, ymm", "vmovdqu m256, ymm" },
    { "xyz abcd", 1, "add r64, m64", "sub r64, m64" }, { "xy 23", 1, "vaddpd ymm, ymm, m256" }, { "xyz abcd xyz st", 2, "add m64, r64" },
    { "12 12 0123", false, "vphaddd ymm, ymm, ymm" }, { "", false, "mov r64, r64", "vmovaps ymm, ymm" }, { "", 2, "xchg r64, r64" },
  })
end

--- Zen 5, as far as it is known: eight wide, six adders, three that shift and three that multiply, four vector pipes, four address units.
function small.zen5()
  return core(8, {
    { "abcdef", false, "add r64, r64", "sub r64, r64", "and r32, r32", "not r64", "or r8, r8", "cmp r64, r64" },
    { "abc", false, "shl r64, imm8", "sar r64, imm8", "bt r64, r64" }, { "cde", false, "imul r64, r64", "imul r32, r32" },
    { "0123", false, "vpand ymm, ymm, ymm", "vpaddd ymm, ymm, ymm", "vpsubd ymm, ymm, ymm" },
    { "01", false, "vmulpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm" }, { "23", false, "vaddpd ymm, ymm, ymm", "vaddps ymm, ymm, ymm" },
    { "12", false, "vpslld ymm, ymm, imm8", "vpsrld ymm, ymm, imm8" }, { "03", false, "vpmuludq ymm, ymm, ymm", "vpmaddwd ymm, ymm, ymm" },
    { "wxyz", false, "mov r64, m64", "mov r32, m32", "movzx r32, m8" },
    { "xy", false, "vmovups ymm, m256", "vmovups xmm, m128", "vmovaps ymm, m256" },
    { "wxyz st", 1, "mov m64, r64", "mov m32, r32", "mov m8, r8" }, { "wxyz uv", 1, "vmovups m256, ymm", "vmovaps m256, ymm", "vmovdqu m256, ymm" },
    { "wxyz abcdef", 1, "add r64, m64", "sub r64, m64" }, { "xy 23", 1, "vaddpd ymm, ymm, m256" }, { "wxyz cde", 1, "imul r64, m64" },
    { "12 12 0123", false, "vphaddd ymm, ymm, ymm" }, { "", false, "mov r64, r64", "vmovaps ymm, ymm" },
  })
end

--- Skylake: four wide, four adders.
function small.skylake()
  return core(4, {
    { "0156", false, "add r64, r64", "sub r64, r64", "and r32, r32", "not r64", "mov r64, imm32" }, { "06", false, "shl r64, imm8", "sar r64, imm8" },
    { "1", false, "imul r64, r64", "popcnt r64, r64", "crc32 r64, r64" }, { "15", false, "blsr r64, r64", "andn r64, r64, r64" },
    { "5", false, "vpermd ymm, ymm, ymm", "vpermq ymm, ymm, imm8" }, { "0", false, "vmovmskps r32, ymm", "vpmovmskb r32, ymm" },
    { "015", false, "vpaddd ymm, ymm, ymm", "vpand ymm, ymm, ymm", "vpor ymm, ymm, ymm" },
    { "01", false, "vmulpd ymm, ymm, ymm", "vaddpd ymm, ymm, ymm" },
    { "23", false, "mov r64, m64", "vmovups ymm, m256", "mov r32, m32" }, { "7 4", 1, "mov m64, r64", "mov m32, r32", "vmovups m256, ymm" },
    { "23 1", 1, "imul r64, m64" }, { "06 15", false, "bextr r64, r64, r64" }, { "5 5 015", false, "vphaddd ymm, ymm, ymm" },
    { "", false, "mov r64, r64", "vmovaps ymm, ymm" },
  })
end

local of_gracemont = { "add r64, r64", "sub r64, r64", "and r32, r32", "not r64", "shl r64, imm8", "sar r64, imm8", "ror r64, imm8", "imul r64, r64",
  "popcnt r64, r64", "crc32 r64, r64", "mov r64, m64", "mov r32, m32", "movzx r32, m8", "mov m64, r64", "mov m32, r32", "add r64, m64",
  "vmovups xmm, m128", "vmovups ymm, m256", "vmovups m128, xmm", "vpaddd xmm, xmm, xmm", "vpaddd ymm, ymm, ymm", "vpand xmm, xmm, xmm",
  "vpaddd xmm, xmm, m128", "vpaddd ymm, ymm, m256", "vaddpd xmm, xmm, xmm", "vaddpd ymm, ymm, ymm", "vmulpd xmm, xmm, xmm", "vmulpd ymm, ymm, m256",
  "vpmuludq xmm, xmm, xmm", "vpmaddwd xmm, xmm, xmm", "vpmaddwd ymm, ymm, ymm", "vpshufb xmm, xmm, xmm", "vpshufb ymm, ymm, m256",
  "vpunpcklbw xmm, xmm, xmm", "vphaddd ymm, ymm, ymm", "xchg r64, r64", "mov r64, r64", "vmovmskps r32, xmm", "vpsadbw ymm, ymm, m256" }

--- Gracemont: five wide, four adders, vector pipes of 128 bits.
function small.gracemont()
  local m = gracemont()
  local schemes = {}
  for _, name in ipairs(of_gracemont) do schemes[name] = assert(m.schemes[name], name) end
  m.schemes = schemes
  return m
end

--- Cortex-A72: three slots, one load and one store unit, two vector pipes; moves to vectors run where loads do.
function small.cortex_a72()
  return core(3, {
    { "ab", false, "add x, x, x", "sub x, x, x", "and w, w, w", "orr x, x, x" },
    { "m", false, "madd w, w, w, w", "add x, x, x, lsr imm6", "extr w, w, w, imm5" },
    { "wx", false, "abs v.4s, v.4s", "add v.2s, v.2s, v.2s", "fadd d, d, d", "and v.8b, v.8b, v.8b" },
    { "x", false, "shl v.4s, v.4s, imm5", "sshl v.2s, v.2s, v.2s", "ushr v.2d, v.2d, imm6" },
    { "w", false, "mul v.4s, v.4s, v.4s", "fmul d, d, d", "aese v.16b, v.16b" },
    { "l", false, "ldr x, [x, imm12]", "ldr w, [x, imm12]", "ldr q, [x, imm12]", "fmov d, x", "fmov s, w", "ins v.d[imm], x" },
    { "s", false, "str x, [x, imm12]", "str w, [x, imm12]", "str d, [x, imm12]" }, { "s s", false, "st1 {v.16b}, [x]" },
    { "l l", false, "ld1 {v.16b, v.16b}, [x]" }, { "l wx", false, "ld1 {v.s}[imm], [x]", "dup v.4s, w" }, { "s wx", false, "st1 {v.d}[imm], [x]" },
    { "wx wx", false, "bsl v.16b, v.16b, v.16b" }, { "ab s", false, "str x, [x, x]" },
  })
end

--- Neoverse N1: stores are addressed by the ports of loads, and pairs of general registers take nothing else.
function small.neoverse_n1()
  return core(8, {
    { "abm", false, "add x, x, x", "sub x, x, x", "and w, w, w", "orr x, x, x" },
    { "m", false, "madd w, w, w, w", "add x, x, x, lsr imm6", "crc32b w, w, w" },
    { "vw", false, "abs v.4s, v.4s", "add v.2s, v.2s, v.2s", "fadd d, d, d", "and v.8b, v.8b, v.8b" },
    { "v", false, "mul v.4s, v.4s, v.4s", "aese v.16b, v.16b", "aesd v.16b, v.16b" },
    { "w", false, "shl v.4s, v.4s, imm5", "addv s, v.4s", "sshl v.2s, v.2s, v.2s" },
    { "lk", false, "ldr x, [x, imm12]", "ldr w, [x, imm12]", "ldr d, [x, imm12]", "str x, [x, imm12]", "str w, [x, imm12]", "strb w, [x, imm12]" },
    { "lk lk", false, "stp x, x, [x, imm7]", "ld1 {v.16b, v.16b}, [x]" },
    { "lk vw", false, "str d, [x, imm12]", "str s, [x, imm12]", "ld1 {v.s}[imm], [x]" },
    { "lk abm", false, "ldr x, [x, x]" }, { "lk abm vw", false, "str h, [x, x]" }, { "v w", false, "fcvtzs x, d" },
  })
end

--- Neoverse V2: sixteen slots, stores are addressed by two of the three ports of loads.
function small.neoverse_v2()
  return core(16, {
    { "abcdmn", false, "add x, x, x", "sub x, x, x", "and w, w, w", "orr x, x, x" },
    { "mn", false, "add x, x, x, lsr imm6", "bfm x, x, imm6, imm6", "adr x, imm21" },
    { "m", false, "crc32b w, w, w", "umulh x, x, x", "smulh x, x, x" },
    { "0123", false, "abs v.4s, v.4s", "add v.2s, v.2s, v.2s", "fadd d, d, d", "and v.8b, v.8b, v.8b" },
    { "01", false, "tbl v.16b, {v.16b}, v.16b", "tbl v.8b, {v.16b}, v.8b", "tbx v.8b, {v.16b}, v.8b" },
    { "02", false, "mul v.4s, v.4s, v.4s", "fcvt d, s", "fcvt s, d" },
    { "13", false, "shl v.4s, v.4s, imm5", "addv s, v.4s", "sshl v.2s, v.2s, v.2s" },
    { "xyz", false, "ldr x, [x, imm12]", "ldr w, [x, imm12]", "ldr d, [x, imm12]", "ldr q, [x, imm12]" },
    { "xy st", false, "str x, [x, imm12]", "str w, [x, imm12]", "strb w, [x, imm12]" }, { "xy 01", false, "str d, [x, imm12]", "str q, [x, imm12]" },
    { "xy xy 01 01", false, "st1 {v.16b, v.16b}, [x]" }, { "xy 01 abcdmn", false, "str h, [x, x]" }, { "xyz 0123", false, "ld1 {v.s}[imm], [x]" },
    { "01 01", false, "fcvtzs x, d", "umov x, v.d[imm]" },
  })
end

return small
