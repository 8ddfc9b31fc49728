-- Schemes of x86-64 that Portolan itself names (portolan.scheme.landmarks).
local nops = { "\x90", "\x66\x90", "\x0f\x1f\0", "\x0f\x1f\x40\0", "\x0f\x1f\x44\0\0", "\x66\x0f\x1f\x44\0\0", "\x0f\x1f\x80\0\0\0\0",
  "\x0f\x1f\x84\0\0\0\0\0" }

local function names(text)
  local set = {}
  for name in text:gmatch "%S+" do set[name] = true end
  return set
end

return {
  -- The NOP that every simulated processor has.
  nop = "nop",

  -- These may fill the front end and take nothing else, the one to be preferred first: which of them does is tested (portolan.processor.filler).
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
  loads = { "mov r64, m64", "mov r32, m32", "movaps xmm, m128", "vmovaps xmm, m128", "vmovaps ymm, m256", "vmovaps zmm, m512" },

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

  -- Zeroing idioms, where all operands are one register of these classes (portolan.scheme.idioms).
  zeroing = {
    by = names("xor sub pxor xorps xorpd psubb psubw psubd psubq pcmpgtb pcmpgtw pcmpgtd pcmpgtq"
      .. " vpxor vxorps vxorpd vpsubb vpsubw vpsubd vpsubq vpcmpgtb vpcmpgtw vpcmpgtd vpcmpgtq vpxord vpxorq"),
    classes = names "gpr32 gpr64 xmm ymm zmm mmx",
  },

  -- This is what code does that schemes do not tell apart (portolan.block.model).
  code = {
    -- These say whose flags come late to whom, where the core has such a thing (forms.flags):
    -- those of logical instructions to what one condition decides.
    gives_late = names "and or xor test",
    takes_late = function(mnemonic) return (mnemonic:find "^cmov" or mnemonic:find "^set") ~= nil and not mnemonic:find "be$" end,

    -- Does a prefix change the length of its immediate? Those of 16 bits have one.
    changes_length = function(name) return name:find "imm16" ~= nil and name:find " [rm]16" ~= nil end,

    -- Mnemonics of what moves the stack pointer at the front end; of what loads by it.
    stack_engine = names "push pop call ret",
    pops = names "pop",

    -- A load and a store of a word, with their places: the address, and what is stored.
    load = { name = "mov r64, m64", from = "2.base", to = "1" }, store = { name = "mov m64, r64", from = "2", to = "1" },

    -- Returns a NOP of so many bytes, 1 to 15.
    nop_of = function(bytes) return nops[bytes] or ("\x66"):rep(bytes - #nops) .. nops[#nops] end,

    -- Is it a move of a register, which may be to itself?
    moves = function(name) return name:find "^mov r%d+, r%d+$" ~= nil end,

    -- Returns what instances stand for that are of another form than those that were measured, where these are eliminated at rename: with a large
    -- immediate, or an address that is more than a register and a small number, or a move of a register to itself.
    -- `add r64, imm32` is then like `add r64, r64`.
    executing_form = function(name)
      if name:find "^mov[zs]?x?d? r%d+, r%d+$" then return "add r64, r64" end
      if name == "lea r64, m" then return "lea r32, m" end
      local mnemonic, class = name:match "^(%S+) (%w+), imm%d+$"
      return mnemonic and ("%s %s, %s"):format(mnemonic, class, class) or nil
    end,
  },

  -- An experiment to show as an example.
  example = "2*add r64, r64 + imul r64, r64",
}
