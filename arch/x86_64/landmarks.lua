-- Schemes of x86-64 that Portolan itself names (portolan.landmarks).
local function names(text)
  local set = {}
  for name in text:gmatch "%S+" do set[name] = true end
  return set
end

return {
  -- The NOP that every simulated processor has.
  nop = "nop",

  -- What may fill the front end and take nothing else, the one to be preferred first: which of them does is tested (portolan.processor.filler).
  -- NOPs of several bytes come before that of one, which is decoded slower than it is renamed; their `codes` are of several lengths, as packing
  -- differs. `text` stands between instructions that use only rax, rbx, rcx and r14; `short` is of as few bytes as there are, but two at least.
  fillers = {
    { name = "nop m32, r32", codes = { "\x0f\x1f\x40\x00", "\x0f\x1f\x44\x00\x00" }, text = "nop dword ptr [rax + rax], eax",
      short = "\x66\x90" },
    { name = "nop", text = "nop", short = "\x66\x90" },
    { name = "mov r64, r64", text = "mov rsi, rdi", short = "\x89\xfe" },
    { name = "vmovaps ymm, ymm", text = "vmovaps ymm4, ymm5", short = "\xc5\xfc\x28\xe5", vector_bits = 256 },
  },

  -- Schemes of many kinds of units, beside which fillers are tested.
  various = {
    "add r64, r64", "imul r64, r64", "shl r64, imm8", "mov r64, m64", "mov m64, r64", "vpaddd ymm, ymm, ymm", "vmulps ymm, ymm, ymm",
    "vpshufd ymm, ymm, imm8", "vpand ymm, ymm, ymm", "pmulld xmm, xmm", "movaps xmm, m128",
  },

  -- Plain loads, by which the ports of loads and the cycles from an address to a register are known.
  loads = { "mov r64, m64", "mov r32, m32", "movaps xmm, m128", "vmovaps xmm, m128", "vmovaps ymm, m256" },

  -- Plain additions, by which the ports of all additions are known; those of `processor/form_probes` that wait for each other.
  additions = { "lea r64, m", "cmp r64, r64" },

  -- Mnemonics of floating-point additions.
  sums = names "addps addpd addss addsd subps subpd subss subsd vaddps vaddpd vaddss vaddsd vsubps vsubpd vsubss vsubsd",

  -- Categories of schemes that only move what they load or store.
  moves = { DATAXFER = true, BROADCAST = true },

  -- Loads that fill a register and do nothing else: by category, but for those mnemonics that swap, or merge halves; and by mnemonic.
  filling = { categories = { DATAXFER = true, BROADCAST = true, POP = true }, by = { lddqu = true, vlddqu = true },
    not_by = { movbe = true, movhps = true, movhpd = true, movlps = true, movlpd = true } },

  -- Micro-fusion: whether a load shares its issue slot with the uop that works on what it loads, and a store's two uops (address, data) share one.
  micro_fusion = true,

  -- Zeroing idioms, where all operands are one register of these classes (portolan.idioms).
  zeroing = {
    by = names("xor sub pxor xorps xorpd psubb psubw psubd psubq pcmpgtb pcmpgtw pcmpgtd pcmpgtq"
      .. " vpxor vxorps vxorpd vpsubb vpsubw vpsubd vpsubq vpcmpgtb vpcmpgtw vpcmpgtd vpcmpgtq vpxord vpxorq"),
    classes = names "gpr32 gpr64 xmm ymm zmm mmx",
  },

  -- An experiment to show as an example.
  example = "2*add r64, r64 + imul r64, r64",
}
