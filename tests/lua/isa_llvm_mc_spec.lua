-- Our assembler against LLVM's, over the catalogue, in one process of llvm-mc:
-- LLVM's code of our text must decode to our instruction, and our code of LLVM's text to LLVM's.
-- (The bytes may differ: many instructions have two encodings of the same length.)
local isa = require("portolan.core").isa

local function which(names)
  for _, name in ipairs(names) do
    local pipe = io.popen("command -v " .. name)
    local path = pipe:read "l"
    pipe:close()
    if path then return path end
  end
end

-- What LLVM says differently, with the reason.
local differs = {
  movmskpd = "LLVM drops a REX.W without effect", movmskps = "the same",
  nop = "LLVM leaves the ignored register operand out", xchg = "LLVM swaps the operands",
  pushf = "16 bit in Zydis, 64 bit in LLVM", popf = "the same",
}
-- What LLVM prints without the operands that Zydis wants.
local unread = {
  clzero = true, invlpga = true, lar = true, lsl = true, psmash = true, skinit = true, vmload = true, vmrun = true,
  vmsave = true, xstorerng = true, rep = true, nop = true, xchg = true,
}

-- Another way to write the same: LLVM has other opinions of a gather's size and of the names of x87 registers.
local function in_llvm_style(text)
  return (text:gsub("%w+ ptr (%[[^%]]*[xyz]mm)", "%1"):gsub("%f[%w]st(%d)", "st(%1)"))
end

local function bytes_of(encoding)
  return (encoding:gsub(",?0x(%x%x)", function(x) return string.char(tonumber(x, 16)) end))
end

-- Our texts and codes of one instance of each scheme (of every 8th under a sanitizer).
local function instances()
  local policy = assert(isa.policy(dofile(os.getenv "PORTOLAN_ARCH" .. "/x86_64/policy.lua")))
  local step = (os.getenv "PORTOLAN_SANITIZE" or "") == "" and 1 or 8
  local list, schemes = {}, assert(isa.schemes { legacy = true, vex = true, evex = true })
  for i = 1, #schemes, step do
    local made = isa.instantiate({ schemes[i].name }, policy)
    if made then list[#list + 1] = made.instructions[1] end
  end
  return list
end

-- Runs LLVM over the texts: {line = {text=, bytes=}}, lines that it refused are missing.
local function assemble_by_llvm(llvm_mc, list)
  local source, output, errors = os.tmpname(), os.tmpname(), os.tmpname()
  local file = assert(io.open(source, "w"))
  for _, instruction in ipairs(list) do file:write(in_llvm_style(instruction.text), "\n") end
  file:close()
  os.execute(("%s -triple=x86_64 -x86-asm-syntax=intel -output-asm-variant=1 -show-encoding %s >%s 2>%s")
    :format(llvm_mc, source, output, errors))
  local refused = {}
  for line in io.lines(errors) do
    local at = line:match ":(%d+):%d+: error:"
    if at then refused[tonumber(at)] = true end
  end
  local result, at = {}, 0
  for line in io.lines(output) do
    local encoding = line:match "encoding: %[(.-)%]"
    if encoding then
      repeat at = at + 1 until not refused[at]
      result[at] = { text = line:match "^%s*(.-)%s*#", bytes = bytes_of(encoding) }
    end
  end
  for _, name in ipairs { source, output, errors } do os.remove(name) end
  return result
end

local function only_text(bytes)
  local decoded = isa.decode(bytes)
  return decoded and #decoded.instructions == 1 and decoded.instructions[1].text
end

describe("assembler text, compared with LLVM", function()
  local llvm_mc = which { "llvm-mc", "llvm-mc-14", "llvm-mc-16", "llvm-mc-15", "llvm-mc-19" }
  if not llvm_mc then
    pending "llvm-mc is not installed: no comparison with LLVM"
    return
  end
  local list, theirs

  setup(function()
    list = instances()
    theirs = assemble_by_llvm(llvm_mc, list)
  end)

  it("means the same to LLVM", function()
    local known, alike, same_bytes = 0, 0, 0
    for i, instruction in ipairs(list) do
      if theirs[i] then
        known = known + 1
        if theirs[i].bytes == instruction.bytes then same_bytes = same_bytes + 1 end
        if only_text(theirs[i].bytes) == instruction.text then
          alike = alike + 1
        else
          local mnemonic = instruction.text:match "%w+"
          assert(differs[mnemonic], ("%s: LLVM reads it as %s"):format(instruction.text, only_text(theirs[i].bytes)))
        end
      end
    end
    print(("llvm-mc: %d of %d instructions known to it, %d the same, %d with the same bytes")
      :format(known, #list, alike, same_bytes))
    assert.is_true(known > 0.97 * #list)
    assert.is_true(alike > 0.99 * known)
  end)

  it("is understood as LLVM prints it", function()
    local understood = 0
    for i, instruction in ipairs(list) do
      local printed = theirs[i] and theirs[i].text:gsub("%s+", " ")
      if printed then
        local ours, message = isa.assemble(printed)
        local text = ours and ours.instructions[1] and ours.instructions[1].text
        if text == only_text(theirs[i].bytes) then
          understood = understood + 1
        else
          local mnemonic = printed:match "%w+"
          assert(unread[mnemonic] or unread[instruction.text:match "%w+"], ("%s: %s"):format(printed, message or text))
        end
      end
    end
    assert.is_true(understood > 0.99 * #list * 0.97)
  end)
end)
