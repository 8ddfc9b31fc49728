-- Schemes of A64 that Portolan itself names (portolan.scheme.landmarks).
local function nothing() return nil end

return {
  -- The NOP that every simulated processor has.
  nop = "hint imm7",

  -- These may fill the front end and take nothing else (portolan.processor.filler). Moves of registers are other instructions with a zero.
  fillers = { { name = "hint imm7", text = "nop" } },

  -- Schemes of many kinds of units, beside which fillers are tested.
  various = {
    "add x, x, x", "madd x, x, x, x", "lslv x, x, x", "ldr x, [x, imm12]", "str x, [x, imm12]", "add v.4s, v.4s, v.4s", "fmul v.4s, v.4s, v.4s",
    "zip1 v.4s, v.4s, v.4s", "fadd d, d, d",
  },

  -- Plain loads, by which the ports of loads and the cycles from an address to a register are known.
  loads = { "ldr x, [x, imm12]", "ldr w, [x, imm12]", "ldr d, [x, imm12]", "ldr q, [x, imm12]" },

  -- Plain additions, by which the ports of all additions are known.
  additions = { "add x, x, x" },

  -- Categories of schemes that only move what they load or store.
  moves = { LOAD = true, STORE = true },

  -- Loads that fill a register and do nothing else: by category, but for these mnemonics; and by mnemonic.
  filling = { categories = { LOAD = true }, by = {}, not_by = {} },

  -- Micro-fusion: no instruction loads and works on what it loads, and Arm's optimization guides have the uops of a store dispatched one by one.
  micro_fusion = false,

  -- Zeroing idioms: none is known of all of Arm's cores; what compilers write is a move of 0.
  zeroing = { by = {}, classes = {} },

  -- This is what code does that schemes do not tell apart (portolan.block.model): nothing of the kind is known.
  code = { gives_late = {}, takes_late = nothing, changes_length = nothing, stack_engine = {}, pops = {}, moves = nothing, executing_form = nothing },

  -- An experiment to show as an example.
  example = "2*add x, x, x + madd x, x, x, x",
}
