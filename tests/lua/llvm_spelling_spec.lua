-- What is printed for llvm-mca is read back by LLVM's assembler as the same instruction: over all schemes, for each LLVM that is installed.
local core = require "portolan.core"
local instance = require "portolan.scheme.instance"
local isa = require "portolan.scheme.isa"
local llvm_mca = require "portolan.predictor.llvm_mca"
local program = require "portolan.predictor.machinery.program"
local spelling = require "portolan.predictor.llvm_mca.spelling"
local text = require "portolan.predictor.llvm_mca.text"

-- Schemes (patterns) that LLVM's assembler has no words for: { pattern, reason }.
local unread = {
  { "^bnd%l+ ", "an extension that LLVM does not know" }, { "^ud0 ", "unknown to LLVM" }, { "^mcommit$", "unknown to LLVM" }, { "^int1$", "no name" },
  { "^f%w+_nop$", "an x87 instruction that does nothing" }, { "^fstpnce ", "an alias of the opcode that LLVM has no name for" },
  { "^mov[sz]xd? r16, [rm]16$", "moves 16 bits to 16 bits" }, { "^movsxd r16, m32$", "the same" }, { "^movsxd r32, [rm]32$", "the same, of 32 bits" },
  { "^%l+ far m32$", "far, by 16 bits" }, { "^%l+ far m80$", "far, by 64 bits" }, { "^ret far.* {o16}$", "far, by 16 bits" },
  { "^bswap r16$", "undefined" }, { "^senduipi r32$", "LLVM wants 64 bits" }, { "^v%l+erpf[01]", "Xeon Phi; the mask is not read in Intel syntax" },
  { "^rdpru$", "unknown to LLVM 14" }, { "^vgf2p8affine.*{1to", "LLVM 14 takes no {1toN}" },
}
-- Schemes that LLVM reads as other ones, which are the same but for size or a field without effect.
local other = {
  { " {o16}$", "16 bits" }, { "%l+ {o64}$", "REX.W without effect" }, { "%simm8 {o64}$", "the same" }, { "^f%l+ m112$", "the 16 bit image" },
  { "^f%l+ m752$", "the same" }, { "^mov r16, sreg$", "the same register in 32 bits" }, { "^movmskp[sd] r64, xmm$", "REX.W without effect" },
  { "^p%l+ [fg]s$", "16 bits" }, { "^nop [rm]%d+", "the ignored register" }, { "^vgf2p8affine.*{1to", "LLVM scales the displacement wrongly" },
  { "%srel%d+$", "the distance is another one" },
}

local function among(list, name)
  for _, entry in ipairs(list) do
    if name:find(entry[1]) then return true end
  end
end

local function all_instances()
  local step = (os.getenv "PORTOLAN_SANITIZE" or "") == "" and 1 or 8
  local list, schemes = {}, assert(isa.schemes { legacy = true, vex = true, evex = true })
  for i = 1, #schemes, step do
    local one = assert(instance.of(schemes[i].name))
    assert.equal(schemes[i].name, one.scheme)
    list[#list + 1] = one
  end
  return list
end

-- LLVM's bytes of each text; what it could not read is missing.
local function read_by_llvm(path, texts)
  local lines, found, at = { ".intel_syntax noprefix" }, {}, nil
  for i, words in ipairs(texts) do lines[#lines + 1] = ("p%d:\n%s"):format(i, words) end
  local result = assert(program.run(path, { "-triple=x86_64", "-show-encoding" }, { input = table.concat(lines, "\n") .. "\n", seconds = 100 }))
  for line in result.out:gmatch "[^\n]+" do
    at = tonumber(line:match "^p(%d+):") or at
    local encoding = line:match "encoding: %[(.-)%]"
    if at and encoding then
      local bytes = encoding:gsub("%f[%w]A%f[%W]", "0x00"):gsub(",?0x(%x%x)", function(x) return string.char(tonumber(x, 16)) end)
      found[at] = (found[at] or "") .. bytes
    end
  end
  return found
end

local function described(bytes)
  local code = core.isa.decode(bytes)
  if not code or #code.instructions ~= 1 then return "no instruction" end
  return code.instructions[1].scheme .. ": " .. code.instructions[1].text
end

local tools = program.names "llvm%-mc%-%d+"
describe("code that is printed for LLVM", function()
  if #tools == 0 then pending "no llvm-mc-VERSION is installed: LLVM was not asked" end
  for _, name in ipairs(tools) do
    it("is the same instruction to " .. name, function()
      local list, texts = all_instances(), {}
      for i, one in ipairs(list) do texts[i] = spelling.of(one) end
      local theirs, same, alike = read_by_llvm(program.find(name), texts), 0, 0
      for i, one in ipairs(list) do
        if not theirs[i] then
          assert(among(unread, one.scheme), ("%s: %s is not read"):format(one.scheme, texts[i]))
        elseif theirs[i] == one.bytes then
          same = same + 1
        elseif described(theirs[i]) == one.scheme .. ": " .. one.text then
          alike = alike + 1 -- prefixes in another order, or bits that do not count
        else
          assert(among(other, one.scheme), ("%s: %s is read as %s"):format(one.scheme, texts[i], described(theirs[i])))
        end
      end
      assert.is_true(same > 0.97 * #list)
      assert.is_true(same + alike > 0.99 * #list)
    end)

    it("keeps compilers' alignment to the byte with " .. name, function()
      local nops = { "90", "0f1f00", "0f1f4000", "0f1f440000", "660f1f440000", "0f1f8000000000", "0f1f840000000000", "660f1f840000000000" }
      local texts = {}
      for i, hex in ipairs(nops) do
        nops[i] = hex:gsub("%x%x", function(x) return string.char(tonumber(x, 16)) end)
        texts[i] = assert(text.of_bytes(nops[i]))
      end
      local theirs = read_by_llvm(program.find(name), texts)
      for i, bytes in ipairs(nops) do -- LLVM drops a displacement of zero, which changes the length only
        assert.equal(described(bytes), described(theirs[i]))
      end
    end)
  end
end)

describe("LLVM's words", function()
  it("differ where LLVM reads only them", function()
    for hex, expected in pairs {
      ["0f1f4000"] = "nop dword ptr [rax]", ["662e0f1f840000000000"] = "nop word ptr [rax+rax*1]", ["0f1fc8"] = "nop eax",
      ["4887c8"] = "xchg rcx, rax",
      ["a12a00000000000001"] = "movabs eax, [0x10000000000002a]", ["66a32a00000000000001"] = "movabs [0x10000000000002a], ax",
      ["669c"] = "pushfw", ["9c"] = "pushfq", ["410fae3e"] = "clflush byte ptr [r14]", ["ca2a01"] = "retf 0x12a", ["48cb"] = "retfq",
      ["f2c3"] = "ret", ["7510"] = "jnz portolan_target", ["f2e910000000"] = "jmp portolan_target", ["ffe1"] = "jmp rcx", ["cd2a"] = "int 0x2a",
      ["62f1ff182af1"] = "{evex} vcvtsi2sd xmm6, xmm0, {rn-sae}, rcx", ["f348ab"] = "rep stosq", ["f30fa7d0"] = "rep xcryptcbc",
      ["dde9"] = "fucomp st(1)", ["d8c1"] = "fadd st(0), st(1)",
    } do
      assert.equal(expected, text.of_bytes((hex:gsub("%x%x", function(x) return string.char(tonumber(x, 16)) end))), hex)
    end
  end)

  local installed = llvm_mca.installed()[1]
  if not installed then
    pending "llvm-mca is not installed: it was not asked"
  else
    it("let llvm-mca predict nops, branches and calls", function()
      local p = assert(llvm_mca.open { version = installed.version, cpu = "skylake", steady = true })
      local answers = p:predict { "\x0f\x1f\x40\x00", "\x66\x2e\x0f\x1f\x84\0\0\0\0\0", "\x75\x10", "\x48\xff\xc8\x75\xfb",
        "\xe8\0\0\0\0", "\xf2\xc3" }
      for i, answer in ipairs(answers) do assert.is_nil(answer.error, i) end
      assert.equal(1, answers[4].cycles)
      assert.is_true(answers[1].cycles < 0.3)
    end)
  end
end)
