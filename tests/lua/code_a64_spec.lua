-- Files of A64's code: portolan.code, and portolan predict --code. What reads compilers' text needs a GNU assembler for AArch64.
local assembly = require "portolan.code.assembly"
local code = require "portolan.code"
local core = require "portolan.core"
local elf = require "portolan.predictor.machinery.elf"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local loops = require "portolan.code.loops"
local mapping = require "portolan.mapping"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local relocations = require "portolan.code.relocations"
local undecoded = require "portolan.code.undecoded"

local source = assert(os.getenv "PORTOLAN_SOURCE")
local has_assembler = program.find(isa.host == "aarch64" and "as" or "aarch64-linux-gnu-as") ~= nil

local function assemble(text) return assert(core.isa.assemble(text, "aarch64")) end

local function texts(piece)
  local list = {}
  for i, instruction in ipairs(piece.instructions) do list[i] = instruction.text end
  return table.concat(list, "; ")
end

-- An object file of A64 with a function `work`.
local function object_of_bytes(bytes)
  local whole = elf.object(bytes, "work")
  return whole:sub(1, 18) .. ("<I2"):pack(183) .. whole:sub(21)
end

local function object_of(text) return object_of_bytes(assemble(text).bytes) end

describe("loops of A64", function()
  local function innermost(text, leaving)
    local list = lists.where(assert(loops.find(assemble(text).instructions, "aarch64", leaving)), function(loop) return #loop.inner == 0 end)
    return table.concat(lists.map(list, function(loop) return table.concat(loop.path, " ") .. "/" .. loop.branches end), ", ")
  end

  it("end with any direct branch back, but no call", function()
    for _, branch in ipairs { "b l", "b.ne l", "cbz x1, l", "cbnz w1, l", "tbz w1, 3, l", "tbnz x1, 40, l" } do
      assert.equal("2 3/0", innermost("nop; l: add x0, x0, 1; " .. branch .. "; ret"), branch)
    end
    assert.equal("", innermost "l: nop; bl l; ret")
    assert.equal("", innermost "l: nop; blr x3; ret")
    assert.equal("1/0", innermost "l: b l")
  end)
  it("are innermost, and go on behind calls and conditional branches, not behind jumps", function()
    assert.equal("2 3/0", innermost "a: nop; b: nop; cbz x0, b; b.ne a; ret")
    assert.equal("1 2 3 4 5/1", innermost "a: nop; tbz w3, 3, cold; bl f; f: nop; b.ne a; ret; cold: nop; b a")
    assert.equal("1 2 3 4 6 7/1", innermost "a: nop; b.eq e; nop; b j; e: nop; j: nop; b.ne a; ret")
    assert.equal("", innermost "b.eq cold; back: nop; brk 1; cold: nop; b back")
  end)
  it("that may go through an indirect jump are not known", function()
    assert.same({ {}, { 1 } }, { loops.find(assemble("a: nop; b.eq d; br x3; nop; b a; d: ret").instructions, "aarch64") })
    assert.same({ {}, {} }, { loops.find(assemble("nop; br x16").instructions, "aarch64") }) -- a tail call
  end)
  it("are none where only a linker knows the target", function()
    assert.equal("1/0", innermost "b 0")
    assert.equal("", innermost("b 0", { [0] = true }))
    assert.equal("1 2 3/1", innermost("a: nop; b.eq 0; b a", { [4] = true })) -- to code for rare cases, in another section
  end)
end)

describe("relocations of branches", function()
  local fields = { [279] = { 5, 14 }, [280] = { 5, 19 }, [282] = { 0, 26 } }
  local function entry(offset, kind, symbol, addend) return ("<I8I4I4i8"):pack(offset, kind, symbol, addend) end
  local function filled(text, entries)
    local section = { bytes = assemble(text).bytes, leaving = {} }
    relocations.fill(section, entries, function(symbol) return symbol == 1 and 0 or nil end, fields)
    return section
  end

  it("within a section are filled in, others leave it", function()
    local section = filled("nop; b 0; b.ne 0; tbz x1, 40, 0; b 0",
      entry(4, 282, 1, 0) .. entry(8, 280, 1, 4) .. entry(12, 279, 1, 16) .. entry(16, 282, 2, 0))
    assert.equal(assemble("a: nop; b: b a; b.ne b; tbz x1, 40, c; c: b 0").bytes, section.bytes)
    assert.same({ [16] = true }, section.leaving)
  end)
  it("that cannot be are of no consequence", function()
    local bytes = assemble("nop; b 0").bytes
    for _, strange in ipairs { entry(6, 282, 1, 0), entry(1 << 62, 282, 1, 0), entry(8, 282, 1, 0), entry(4, 257, 1, 0), "short" } do
      local section = filled("nop; b 0", strange)
      assert.equal(bytes, section.bytes)
    end
    assert.same({ [4] = true }, filled("nop; b 0", entry(4, 282, 1, 1 << 40)).leaving) -- farther than a branch reaches
    assert.same({ [4] = true }, filled("nop; b 0", entry(4, 282, 1, 2)).leaving)
  end)
end)

describe("an object file of A64", function()
  it("tells where its functions and loops are", function()
    local pieces = assert(code.of(object_of "nop; l: add x0, x0, x1; cbnz x0, l; ret", "f"))
    assert.equal("work: loop at 0x4", pieces[1].title)
    assert.equal("add x0, x0, x1; cbnz x0, #-4", texts(pieces[1]))
    assert.same({ nil, "f: this is code of aarch64; code of x86_64 is asked for" }, { code.of(object_of "nop", "f", nil, "x86_64") })
  end)
  it("with OSACA's marks has regions", function()
    local mark = "fnmadd s21, s30, s0, s0" -- whose bytes are those of the mark
    local pieces = assert(code.of(object_of("nop; mov x1, 111; " .. mark .. "; madd x3, x4, x5, x6; mov x1, 222; " .. mark .. "; ret"), "f"))
    assert.equal(1, #pieces)
    assert.same({ "region", "madd x3, x4, x5, x6" }, { pieces[1].kind, texts(pieces[1]) })
    local _, message = code.of(object_of("nop; mov x1, 111; " .. mark), "f")
    assert.equal("f: the region marked at 0x4 has no end", message)
  end)
  it("with any wrong byte is refused, or read", function()
    local whole = object_of "l: add x0, x0, x1; cbnz x0, l; ret"
    for at = 5, #whole do
      for _, value in ipairs { 0, 4, 0x7f, 0xff } do
        local pieces, message = code.of(whole:sub(1, at - 1) .. string.char(value) .. whole:sub(at + 1), "f")
        if not pieces then assert.matches("^f: [^\n]+$", message) end
      end
    end
  end)
end)

-- What gcc writes, with a part for rare cases in another section, a call, and a jump to another function at the end.
local compiled = [[
	.arch armv8-a
	.text
	.align	2
	.global	work
	.type	work, %function
work:
.LFB0:
	cbz	x1, .L4
	adrp	x4, table
	add	x4, x4, :lo12:table
.L2:
	ldr	x2, [x0], 8
	tbnz	x2, 40, .Lcold
	add	x3, x3, x2
	bl	other
	subs	x1, x1, 1
	bne	.L2
.L4:
	b	tail
	.size	work, .-work
	.global	own
	.type	own, %function
own:
	add	x0, x0, 1
	cmp	x0, x1
	b.ne	own
	ret
	.size	own, .-own
	.section .text.unlikely,"ax",%progbits
.Lcold:
	mul	x3, x3, x2
	b	.L2
]]

describe("an assembler file of A64", function()
  it("of plain instructions needs no other assembler", function()
    assert.is_false(assembly.is("l: add x0, x0, 1 // 100%done\ncbnz x0, l", "aarch64"))
    for _, line in ipairs { "\t.text", "add x4, x4, :lo12:table", "ldr x0, [x0, :got_lo12:table]", "// LLVM-MCA-BEGIN", "# OSACA-BEGIN" } do
      assert.is_true(assembly.is("nop\n" .. line .. "\nnop", "aarch64"), line)
    end
    local pieces = assert(code.of("nop; l: add x0, x0, 1; bne l", "f", nil, "aarch64"))
    assert.equal("f: loop at 0x4", pieces[1].title)
    assert.matches("^f: unknown mnemonic 'foo'", select(2, code.of("foo x0", "f", nil, "aarch64")))
  end)

  if not has_assembler then pending("of compilers: there is no GNU assembler for AArch64") return end

  it("of a compiler gives the innermost loops; what the linker fills in is no loop", function()
    local pieces = assert(code.of(compiled, "f", nil, "aarch64"))
    assert.equal(2, #pieces)
    assert.matches("^ldr x2, %[x0%], #8; tbnz x2, #40, [^;]+; add x3, x3, x2; bl #0; subs x1, x1, #1; b.ne #%-20$", texts(pieces[1]))
    assert.equal(1, pieces[1].branches)
    assert.equal("add x0, x0, #1; subs xzr, x0, x1; b.ne #-8", texts(pieces[2])) -- of a global symbol, which gets a relocation
  end)
  it("of many functions that end in other files' is read as fast as many others", function()
    local text = { ".text" }
    for i = 1, 6000 do text[#text + 1] = (".type f%d, %%function\nf%d: add x0, x0, 1\nb other\n.size f%d, .-f%d"):format(i, i, i, i) end
    local began = os.clock()
    assert.equal(6000, #assert(code.of(table.concat(text, "\n") .. "\n", "f", nil, "aarch64")))
    assert(os.clock() - began < 2 * process.slowness, os.clock() - began) -- 6 seconds where each asks for the branches of all
  end)
  it("with marked regions gives these", function()
    local text = compiled:gsub("\tadd\tx3", "\t// LLVM-MCA-BEGIN middle\n%0"):gsub("\tsubs", "\t// LLVM-MCA-END middle\n%0")
    local pieces = assert(code.of(text, "f", nil, "aarch64"))
    assert.equal(1, #pieces)
    assert.equal("region middle of line 14", pieces[1].title)
    assert.equal("add x3, x3, x2; bl #0", texts(pieces[1]))
  end)
  it("that does not assemble is refused with its line", function()
    assert.matches("^f:2: [^\n]*foo[^\n]* %(GNU assembler%)$", select(2, code.of("\t.text\n\tfoo x0\n", "f", nil, "aarch64")))
  end)
end)

describe("portolan predict --code of A64", function()
  local m = mapping.two_level({ "0", "1" },
    { ["add x, x, x"] = { "0", "1" }, ["madd x, x, x, x"] = { "1" }, ["cbnz x, rel19"] = { "0" } }, { rmax = 4 })
  local function portolan(...)
    return process.run { args = { process.portolan, ... }, env = { LANG = "C", NO_COLOR = "1" } }
  end
  local function with(text, f)
    process.in_directory(function(d)
      assert(mapping.save(m, d .. "/m.json"))
      assert(file.write(d .. "/code", text))
      f(d .. "/m.json", d .. "/code")
    end)
  end

  it("predicts the loops of object files, text and standard input", function()
    local text = "l: add x1, x1, x2; mul x3, x4, x5; mul x6, x4, x5; cbnz x1, l; ret"
    for _, content in ipairs { object_of(text), text } do
      with(content, function(path, name)
        local r = portolan("predict", "--json", "--mapping", path, "--code", name)
        assert.equal(0, r.status, r.err)
        assert.equal(2, assert(json.decode(r.out))[1].cycles)
        r = portolan("predict", "--predictor", "mapping:" .. path, "--code", name)
        assert.equal(0, r.status, r.err)
        assert.matches("loop at 0x0 +2%.000\n", r.out)
        r = process.run { args = { "sh", "-c", ("'%s' predict --mapping %s --code - < %s"):format(process.portolan, path, name) } }
        assert.matches("^[%l ]+: loop at 0x0 .-\n  at least 2%.000 cycles per iteration", r.out)
      end)
    end
  end)

  -- An object file of a loop with a word in it that is no scheme.
  local function object_with(word)
    local bytes = assemble("l: add x1, x1, x2; nop; cbnz x1, l; ret").bytes
    return object_of_bytes(bytes:sub(1, 4) .. word .. bytes:sub(9))
  end
  local function named(word, schemes)
    local pieces = assert(code.of(object_with(word), "o"))
    undecoded.resolve(pieces[1].instructions, schemes or {})
    return pieces[1].instructions[2]
  end
  local fmla, fcmla, ld1w = "\x20\x00\xe2\x65", "\x20\xc4\x42\x6e", "\x41\x40\x42\xa5"
  local has_disassembler = program.find(isa.host == "aarch64" and "objdump" or "aarch64-linux-gnu-objdump")

  it("takes a word that is no scheme for an instruction that is not known", function()
    assert.is_nil(core.isa.decode(fcmla, "aarch64"))
    local one = named(fcmla)
    assert.is_true(one.undecoded)
    assert.equal(4, one.offset)
    if not has_disassembler then
      assert.equal(".inst 0x6e42c420", one.scheme)
      return pending "there is no GNU disassembler for AArch64"
    end
    assert.same({ "fcmla v0.4h, v1.4h, v2.4h, #0", "fcmla v.4h, v.4h, v.4h, imm" }, { (named "\x20\xc4\x42\x2e").text,
      (named "\x20\xc4\x42\x2e").scheme })
    assert.equal("fmla z.d, p, z.d, z.d", named(fmla).scheme)
    assert.equal("ld1w z.s, p, m", named(ld1w).scheme)
    assert.equal(".inst 0xffffffff", (named "\xff\xff\xff\xff").scheme)
  end)
  it("takes it for a form of the mapping, if one has the name, or one with wildcards", function()
    if not has_disassembler then return pending "there is no GNU disassembler for AArch64" end
    local any, double = "fmla z.*, p, z.*, z.*", "fmla z.d, p, z.d, z.d"
    assert.equal(any, named(fmla, { [any] = {}, ["fmla z.s, p, z.s, z.s"] = {}, ["fmla z.d, z.d, z.d"] = {} }).scheme)
    assert.equal(double, named(fmla, { [any] = {}, [double] = {} }).scheme)
    local load, gather, gathers = "ld1w z.*, p, m", "ld1w z.s, p, m[base+index]", "\x21\x40\x40\x85"
    assert.equal(load, named(ld1w, { [load] = {}, [gather] = {} }).scheme)
    assert.equal("ld1w z.s, p, m", named(ld1w, { [gather] = {} }).scheme)
    assert.equal(gather, named(gathers, { [load] = {}, [gather] = {} }).scheme)
    assert.equal(load, named(gathers, { [load] = {} }).scheme)
    assert.equal("fmla z.d, p, z.d, z.d", named(fmla, { ["fmla *, *, *, *"] = {} }).scheme) -- a wildcard without shape is none for vectors
    assert.equal("fmla *.*, p, *.*, *.*", named(fmla, { ["fmla *.*, p, *.*, *.*"] = {} }).scheme)
    assert.equal("ld1w z.s, p, m", named(ld1w, { ["ld1w z.*, p, mask"] = {}, ["ld1w z.*, p, *"] = {} }).scheme) -- an address is no register
  end)
  it("takes the index of an element for no address, and names the pattern that the disassembler leaves out", function()
    if not has_disassembler then return pending "there is no GNU disassembler for AArch64" end
    assert.equal("fmla z.d, z.d, z.d", (named "\x20\x00\xf2\x64").scheme) -- fmla z0.d, z1.d, z2.d[1]
    assert.equal("fcmla v.4s, v.4s, v.s, imm", (named "\x20\x18\x82\x6f").scheme) -- fcmla v0.4s, v1.4s, v2.s[1], #0
    assert.equal("ptrue p.b, label", (named "\xe1\xe3\x18\x25").scheme) -- ptrue p1.b, all
    assert.equal("ptrue p.b, label", (named "\x21\xe1\x18\x25").scheme) -- ptrue p1.b, vl16
  end)
  it("says of code with such a word what the rest takes at least, and names it", function()
    with(object_with(fmla), function(path, name)
      local r = portolan("predict", "--mapping", path, "--code", name)
      assert.equal(0, r.status, r.err)
      assert.matches("at least 1%.000 cycles", r.out)
      assert.matches(has_disassembler and "fmla z.d, p, z.d, z.d" or ".inst 0x65e20020", r.out, 1, true)
      local list = assert(json.decode(portolan("predict", "--json", "--mapping", path, "--code", name).out))
      assert.equal(1, #list[1].unknown)
      assert.equal(1, list[1].least_cycles)
      r = portolan("predict", "--mapping", path, "--code", name, "--report", name .. ".html")
      assert.equal(0, r.status, r.err)
      assert.matches("at least 1.000 cycles", assert(file.read(name .. ".html")), 1, true)
      local known = mapping.two_level({ "0", "1" }, { ["add x, x, x"] = { "0", "1" }, ["fmla z.*, p, z.*, z.*"] = { "1" },
        ["cbnz x, rel19"] = { "1" } }, { rmax = 4 })
      assert(mapping.save(known, path))
      if has_disassembler then
        assert.equal(2, assert(json.decode(portolan("predict", "--json", "--mapping", path, "--code", name).out))[1].cycles)
      end
    end)
  end)

  it("knows every instruction of ten loops as gcc writes them", function()
    local gcc = program.find(isa.host == "aarch64" and "gcc" or "aarch64-linux-gnu-gcc")
    if not gcc or not has_assembler then return pending "there is no gcc for AArch64" end
    for _, level in ipairs { "-O2", "-O3" } do
      -- Without headers, which a compiler for another architecture need not have.
      local words = assert(file.read(source .. "/tests/osaca/loops.c")):gsub("#include[^\n]*", "")
      local types = "typedef unsigned long size_t, uint64_t; typedef long int64_t; typedef unsigned uint32_t;\n"
      local r = process.run { args = { gcc, level, "-S", "-x", "c", "-", "-o", "-" }, input = types .. words }
      assert.equal(0, r.status, r.err)
      local pieces = assert(code.of(r.out, "loops.s", nil, "aarch64"))
      assert.is_true(#pieces >= 10, #pieces)
      for _, piece in ipairs(pieces) do assert.equal("loop", piece.kind, piece.title) end
    end
  end)
end)
