-- Files of code: portolan.code, and portolan predict --code.
local assembly = require "portolan.code.assembly"
local code = require "portolan.code"
local core = require "portolan.core"
local elf = require "portolan.predictor.machinery.elf"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local loops = require "portolan.code.loops"
local mapping = require "portolan.mapping"
local object = require "portolan.code.object"
local process = require "process"
local program = require "portolan.predictor.machinery.program"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local function assemble(text) return assert(core.isa.assemble(text)) end

local function texts(piece)
  local list = {}
  for i, instruction in ipairs(piece.instructions) do list[i] = instruction.text end
  return table.concat(list, "; ")
end

-- What a compiler writes of `for (i = 0; i < n; i++) for (...) s += a[i] * b[i];`, in AT&T syntax.
local nested = [[
	.text
	.globl	work
	.type	work, @function
work:
	xorl	%eax, %eax
.L2:
	movq	%rax, %rcx
.L3:
	vaddps	(%rdi,%rcx,4), %ymm0, %ymm0
	addq	$8, %rcx
	cmpq	%rsi, %rcx
	jne	.L3
	incq	%rax
	cmpq	%rsi, %rax
	jne	.L2
	ret
	.size	work, .-work
	.type	plain, @function
plain:
	imulq	%rdi, %rsi
	ret
	.size	plain, .-plain
]]

describe("loops", function()
  local function innermost(text)
    local list = lists.where(assert(loops.find(assemble(text).instructions, "x86_64")), function(loop) return #loop.inner == 0 end)
    return table.concat(lists.map(list, function(loop) return ("%d-%d/%d"):format(loop.path[1], loop.path[#loop.path], loop.branches) end), " ")
  end

  it("are what is between a branch back and its target", function()
    assert.equal("2-3/0", innermost "nop; l: nop; jnz l; ret")
    assert.equal("", innermost "nop; jmp e; nop; e: ret")
    assert.equal("1-1/0", innermost "l: jmp l")
    assert.equal("1-2/0", innermost "l: nop; loop l")
  end)
  it("are innermost ones, and count the branches inside", function()
    assert.equal("2-3/0", innermost "a: nop; b: nop; jnz b; jnz a; ret")
    assert.equal("1-2/0 3-4/0", innermost "a: nop; jnz a; b: nop; jnz b; ret")
    assert.equal("1-5/1", innermost "a: nop; jz e; nop; e: nop; jnz a; ret")
    assert.equal("1-5/1", innermost "a: nop; jz a; nop; nop; jnz a; ret") -- two ways back to one beginning: the longer one
  end)
  it("are the path that leaves none, not what stands in between", function()
    local function path(text)
      local list = assert(loops.find(assemble(text).instructions, "x86_64"))
      return table.concat(lists.map(list, function(loop) return table.concat(loop.path, " ") .. "/" .. loop.branches end), ", ")
    end
    assert.equal("1 2 3 4/1", path "a: nop; jz cold; nop; jnz a; nop; ret; cold: nop; jmp a") -- the end of the function is not part of it
    assert.equal("1 2 3 4/1", path "a: nop; jz cold; b: nop; jnz a; nop; ret; cold: nop; jmp b")
    assert.equal("1 2 3 4 6 7/1", path "a: nop; jz e; nop; jmp j; e: nop; j: nop; jnz a; ret") -- one of two alternatives
    assert.equal("1 2 4 5/0", path "a: nop; jz b; ret; b: nop; jnz a") -- not taken, it returns
    assert.equal("1 2 3 4 5/2, 3 4/0", path "a: nop; jz e; b: nop; jnz b; jmp a; e: ret") -- within another one, which runs it once
    assert.equal("1 2 5 6/0, 2 3 4/1", path "a: nop; b: jz d; nop; jmp b; d: nop; jnz a; ret") -- ... or leaves it at once
    assert.equal("1 2 6 7/0, 3 4/0", path "a: nop; jz d; b: nop; jnz b; jmp e; d: nop; e: jnz a") -- ... or goes around it
    assert.equal("2 3 4 5 6 7/1, 4 5/0", path "jmp b; a: nop; nop; c: nop; jnz c; b: nop; jnz a; ret") -- entered in the middle
    assert.equal("1 2 3 4/1, 6 7/0", path "a: nop; jz c; nop; jnz a; ret; l: nop; jnz l; ret; c: nop; jmp a") -- stands in between, and is none of it
  end)
  it("that may go through an indirect jump are not known", function()
    local instructions = assemble("a: nop; jz d; jmp rax; nop; jmp a; d: ret").instructions
    local list, unclear = loops.find(instructions, "x86_64")
    assert.same({}, list)
    assert.same({ 1 }, unclear)
    local pieces, notes = code.of(elf.object(assemble("a: nop; jz d; jmp rax; nop; jmp a; d: ret").bytes, "work"), "f")
    assert.is_nil(pieces)
    assert.matches("^f: work: the loop at 0x0 may go through an indirect jump", notes)
    local switch = "a: nop; ja d; jmp rax; b: nop; c: nop; jnz a; ret; d: nop; jmp c"
    assert.same({ {}, { 1 } }, { loops.find(assemble(switch).instructions, "x86_64") }) -- what is known goes through one of its ways alone
    assert.equal(1, #loops.find(assemble("a: nop; jnz a; jmp rax").instructions, "x86_64")) -- the call is behind the loop
    assert.same({ {}, {} }, { loops.find(assemble("nop; jmp rax").instructions, "x86_64") }) -- a tail call
  end)
  it("that may go through a jump with a prefix are not known, either", function()
    local function found(bytes) return { loops.find(assert(core.isa.decode(bytes, "x86_64")).instructions, "x86_64") } end
    -- a: nop; jz d; notrack jmp rax; nop; jmp a; d: ret, as compilers write tables of jumps; bnd jmp rax
    for _, prefix in ipairs { "\x3e", "\xf2" } do assert.same({ {}, { 1 } }, found("\x90\x74\x06" .. prefix .. "\xff\xe0\x90\xeb\xf7\xc3")) end
    assert.equal(1, #found("\x90\xf2\x75\xfc")[1]) -- a: nop; bnd jnz a
  end)
  it("are none if their beginning does not lead to their end", function()
    assert.equal("", innermost "jz cold; back: nop; ret; cold: nop; jmp back")
  end)
end)

describe("an object file", function()
  local bytes = assemble("l: add rax, rbx; jnz l; ret").bytes
  local whole = elf.object(bytes, "work")

  it("tells where its functions are", function()
    local o = assert(object.read(whole, "f"))
    assert.equal(bytes, o.sections[1].bytes)
    assert.equal("work", o.symbols[1].name)
    assert.equal(#bytes, o.symbols[1].size)
    local pieces = assert(code.of(whole, "f"))
    assert.equal("work: loop at 0x0", pieces[1].title)
    assert.matches("^add rax, rbx; jnz ", texts(pieces[1]))
  end)
  it("with IACA's marks has regions", function()
    local inside = assemble("imul rcx, rdx").bytes
    local marked = "\x90\xbb\x6f\0\0\0\x64\x67\x90" .. inside .. "\xbb\xde\0\0\0\x64\x67\x90\xc3"
    local pieces = assert(code.of(elf.object(marked, "f"), "f"))
    assert.equal(1, #pieces)
    assert.equal("region", pieces[1].kind)
    assert.equal("imul rcx, rdx", texts(pieces[1]))
    local _, message = code.of(elf.object(marked:sub(1, 12), "f"), "f")
    assert.equal("f: the region marked at 0x1 has no end", message)
  end)
  it("that is truncated anywhere is refused, or read", function()
    for size = 4, #whole - 1 do
      local o, message = object.read(whole:sub(1, size), "f")
      if not o then assert.matches("^f: [^\n]+$", message) end
    end
    local _, message = object.read(whole:sub(1, 40), "f")
    assert.equal("f: the file is truncated: it ends in its header", message)
  end)
  it("has names of sections that messages can show", function()
    local at = assert(whole:find(".text\0", 1, true))
    local strange = whole:sub(1, at) .. "\n\27" .. whole:sub(at + 3)
    local offset = ("<I8"):pack(1 << 40)
    local sections = ("<I8"):unpack(whole, 41)
    for i = 1, 3 do -- every section lies outside of the file in turn
      local place = sections + 64 * i + 24
      local _, message = object.read(strange:sub(1, place) .. offset .. strange:sub(place + 9), "f")
      if message then assert.matches("^f: [^\n\27]+$", message) end
    end
  end)
  it("with any wrong byte is refused, or read", function()
    for at = 5, #whole do
      for _, value in ipairs { 0, 1, 0x7f, 0x80, 0xff } do
        local damaged = whole:sub(1, at - 1) .. string.char(value) .. whole:sub(at + 1)
        local pieces, message = code.of(damaged, "f")
        if not pieces then assert.matches("^f: [^\n]+$", message) end
      end
    end
  end)
  it("of another machine is refused", function()
    local riscv = whole:sub(1, 18) .. ("<I2"):pack(243) .. whole:sub(21)
    assert.same({ nil, "f: code for another machine than x86-64 or AArch64: RISC-V" }, { code.of(riscv, "f") })
    assert.same({ nil, "f: this is code of x86_64; code of aarch64 is asked for" }, { code.of(whole, "f", nil, "aarch64") })
    local narrow = whole:sub(1, 4) .. "\1" .. whole:sub(6)
    assert.matches("not 64 bits wide", select(2, code.of(narrow, "f")))
    assert.matches("this is an archive", select(2, code.of("!<arch>\nx", "f")))
    assert.matches("neither an ELF file nor text", select(2, code.of("a\0b", "f")))
  end)
end)

describe("an assembler file", function()
  it("of Portolan's own syntax needs no other assembler", function()
    assert.is_false(assembly.is("add rax, rbx # 100% .text\nl: jnz l", "x86_64"))
    assert.is_true(assembly.is("\t.text\nadd rax, rbx", "x86_64"))
    assert.is_true(assembly.is("addq %rax, %rbx", "x86_64"))
    local pieces = assert(code.of("nop; l: add rax, rbx; jnz l", "f"))
    assert.equal("f: loop at 0x1", pieces[1].title)
    assert.matches("^f: unknown mnemonic 'foo'", select(2, code.of("foo rax", "f")))
  end)
  it("has its regions' comments made labels, line by line", function()
    local text, regions = assert(assembly.mark("# LLVM-MCA-BEGIN hot\nnop\n# LLVM-MCA-END hot\n // OSACA-BEGIN\n#OSACA-END", "f"))
    assert.equal("portolan.region.begin.1:\nnop\nportolan.region.end.1:\nportolan.region.begin.2:\nportolan.region.end.2:\n", text)
    assert.equal("hot", regions[1].name)
    assert.same({ nil, "f:2: this region has no end; write # LLVM-MCA-END behind it" }, { assembly.mark("\n# LLVM-MCA-BEGIN x\nnop", "f") })
    assert.same({ nil, "f:1: the end of a region that does not begin; write # OSACA-BEGIN before it" }, { assembly.mark("# OSACA-END", "f") })
  end)

  local assembler = core.isa.host == "x86_64" and "as" or "x86_64-linux-gnu-as"
  if not program.find(assembler) then pending("of compilers: the GNU assembler, " .. assembler .. ", is not installed") return end

  it("of a compiler gives the loops, those that run no others first, and functions without one", function()
    local pieces = assert(code.of(nested, "f"))
    assert.equal(3, #pieces)
    assert.matches("^work: loop at 0x%x+, within that at 0x%x+$", pieces[1].title)
    assert.matches("^vaddps ymm0, ymm0, ymmword ptr %[rdi%+rcx%*4%]; add rcx, 0x8; cmp rcx, rsi; jnz ", texts(pieces[1]))
    assert.equal(("work: loop at 0x%x"):format(pieces[2].address), pieces[2].title)
    assert.same({ {}, { pieces[1].address } }, { pieces[2].around, pieces[2].through })
    assert.equal(pieces[2].address, pieces[1].within)
    assert.equal("plain", pieces[3].title)
    assert.equal("imul rsi, rdi; ret", texts(pieces[3]))
    assert.equal(1, #assert(code.of(nested, "f", { "plain" })))
    assert.same({ nil, "f: there is no function 'nix'; there are work, plain" }, { code.of(nested, "f", { "nix" }) })
  end)
  it("that runs vectors once in an outer loop gives this before the scalar loop beside them", function()
    local pieces = assert(code.open(os.getenv "PORTOLAN_SOURCE" .. "/tests/data/tile.s"))
    assert.same({ "tile: loop at 0xb0, within that at 0x30", "tile: loop at 0x1b0, within that at 0xb0", "tile: loop at 0x30" },
      lists.map(pieces, function(piece) return piece.title end))
    assert.matches("vfmadd213ps ymm", texts(pieces[1]))
    assert.is_nil(texts(pieces[1]):find("vfmadd213ss", 1, true))
    assert.matches("vfmadd213ss", texts(pieces[2]))
    assert.same({ { 0x1b0 }, {}, 4, 2 }, { pieces[1].around, pieces[1].through, pieces[1].left_out, pieces[1].branches })
    assert.same({ {}, { 0xb0 } }, { pieces[3].around, pieces[3].through })
  end)
  it("that goes around a loop of vectors for what is left of them gives the vectors first", function()
    local source = os.getenv "PORTOLAN_SOURCE" .. "/tests/data/textbook.s"
    assert.same({ "conv: loop at 0x60, within that at 0x40", "conv: loop at 0x40", "mm: loop at 0x260, within that at 0x210",
      "mm: loop at 0x3a0, within that at 0x210", "mm: loop at 0x210, within that at 0x1f0", "mm: loop at 0x1f0" },
      lists.map(assert(code.open(source)), function(piece) return piece.title end))
  end)
  it("that goes around a loop of narrower numbers, or with pairs of them, gives that loop first", function()
    local function first(text, architecture) return assert(code.of(text, "f", nil, architecture))[1].title end
    assert.equal("f: loop at 0x8, within that at 0x0", first("o: mov rax, qword ptr [rdi]; test rcx, rcx; jle e; "
      .. "i: addss xmm0, dword ptr [rax]; add rax, 4; cmp rax, rdx; jne i; e: add rdi, 8; cmp rdi, rsi; jne o", "x86_64"))
    for _, pair in ipairs { "ldp x1, x2, [x0], 16", "ldp d1, d2, [x0], 16", "stp x1, x2, [x0, 16]!" } do
      assert.equal("f: loop at 0xc, within that at 0x0", first("o: " .. pair .. "; cmp x1, x2; b.ge e; "
        .. "i: ldr d0, [x3, x1]; add x1, x1, 8; cmp x1, x2; b.ne i; e: cmp x0, x5; b.ne o", "aarch64"), pair)
    end
  end)
  it("with marked regions gives these", function()
    local text = nested:gsub("\taddq", "# LLVM-MCA-BEGIN middle\n%0"):gsub("\tjne\t.L3", "# LLVM-MCA-END middle\n%0")
    local pieces = assert(code.of(text, "f"))
    assert.equal(1, #pieces)
    assert.equal("region middle of line 10", pieces[1].title)
    assert.equal("add rcx, 0x8; cmp rcx, rsi", texts(pieces[1]))
    assert.equal(3, #assert(code.of(text, "f", { "work", "plain" })))
  end)
  it("that does not assemble is refused with its line", function()
    assert.matches("^f:2: [^\n]*foo[^\n]* %(GNU assembler%)$", select(2, code.of("\t.text\n\tfoo %rax\n", "f")))
  end)
end)

describe("portolan predict --code", function()
  local m = mapping.two_level({ "0", "1" }, { ["add r64, r64"] = { "0", "1" }, ["imul r64, r64"] = { "1" } }, { rmax = 4 })
  local function with(text, f)
    process.in_directory(function(d)
      assert(mapping.save(m, d .. "/m.json"))
      assert(file.write(d .. "/code", text))
      f(d .. "/m.json", d .. "/code")
    end)
  end

  it("predicts each piece, and what is unknown makes a bound", function()
    with(elf.object(assemble("l: add rax, rbx; imul rcx, rdx; imul rsi, rdx; jnz l; ret").bytes, "work"), function(path, text)
      local r = portolan("predict", "--mapping", path, "--code", text)
      assert.equal(0, r.status, r.err)
      assert.matches("^work: loop at 0x0  %(dependencies between instructions are ignored%)\n", r.out)
      assert.matches("\n  at least 2%.000 cycles per iteration, without dependencies and 1 unknown scheme: ", r.out)
      assert.matches("\n  unknown to the mapping: jnz rel8\n", r.out)
      local p = assert(json.decode(portolan("predict", "--json", "--mapping", path, "--code", text).out))[1]
      assert.equal(2, p.least_cycles)
      assert.is_nil(p.cycles)
      assert.same({ "jnz rel8" }, { table.unpack(p.unknown) })
      r = portolan("predict", "--predictor", "command:expr length {}", "--code", text)
      assert.equal(0, r.status, r.err)
      assert.matches("\nwork: loop at 0x0 +", r.out)
    end)
  end)
  it("says what a loop is within, and what of it is left out", function()
    local text = "a: add rax, rbx; jz c; b: add rcx, rdx; jnz b; jmp d; c: add rsi, rdx; add rdi, rdx; d: jnz a"
    with(elf.object(assemble(text).bytes, "work"), function(path, object_file)
      local r = portolan("predict", "--mapping", path, "--code", object_file)
      assert.equal(0, r.status, r.err)
      assert.matches("^work: loop at 0x5, within that at 0x0 .-\n\nwork: loop at 0x0 .-\n  without the loop at 0x5 within, as there is a way around\n"
        .. "  without 1 instruction beside this path\n", r.out)
      r = portolan("predict", "--predictor", "command:expr length {}", "--code", object_file)
      assert.matches("\nwork: loop at 0x0: without the loop at 0x5 within, as there is a way around\n", r.out)
      local list = assert(json.decode(portolan("predict", "--json", "--mapping", path, "--code", object_file).out))
      assert.same({ 5, 0, 1 }, { list[2].around[1], list[1].within, list[2].left_out })
    end)
  end)
  it("says of every piece without a prediction why, and fails if there is none at all", function()
    with(elf.object(assemble("ret").bytes, "work"), function(path, text)
      local r = portolan("predict", "--mapping", path, "--code", text)
      assert.equal(1, r.status, r.out .. r.err)
      assert.equal("work\n  no prediction: 'ret': the mapping has no scheme 'ret'\n", r.out)
    end)
  end)
  it("reads standard input", function()
    with("", function(path)
      local r = process.run { args = { "sh", "-c", ("echo 'add rax, rbx' | '%s' predict --mapping %s --code -"):format(process.portolan, path) },
        env = { NO_COLOR = "1" } }
      assert.equal(0, r.status, r.err)
      assert.matches("^standard input  %(dep.-\n  at least 0%.500 cycles per run", r.out)
    end)
  end)
  it("refuses wrong use in one line", function()
    with("foo rax", function(path, text)
      for _, case in ipairs {
        { "unknown mnemonic 'foo'", "--code", text },
        { "cannot read /none", "--code", "/none" },
        { "give either %-%-code, or experiments", "--code", text, "nop" },
        { "%-%-function is of %-%-code", "--function", "f", "nop" },
      } do
        local r = portolan("predict", "--mapping", path, table.unpack(case, 2))
        assert.equal(2, r.status, r.out .. r.err)
        assert.equal("", r.out)
        assert.matches("^portolan predict: [^\n]*" .. case[1] .. "[^\n]*\n$", r.err)
      end
    end)
  end)
end)

describe("a scheme that the mapping does not know", function()
  it("is taken as the branch of the opposite condition, if that is known", function()
    process.in_directory(function(d)
      local m = mapping.two_level({ "0", "1" }, { ["add r64, r64"] = { "0", "1" }, ["jnz rel8"] = { "1" }, ["jb rel32"] = { "1" } })
      assert(mapping.save(m, d .. "/m.json"))
      local r = portolan("predict", "--mapping", d .. "/m.json", "add rax, rbx; jz 0; jnz 0", "3*jnb rel32 + js rel8")
      assert.equal(0, r.status, r.err)
      assert.matches("\n  at least 2%.000 cycles per run[^\n]+port 1\n", r.out)
      assert.matches("\n  taken as jnz rel8: jz rel8\n", r.out)
      assert.matches("\n  at least 3%.000 cycles, without 1 unknown scheme: [^\n]+port 1\n", r.out)
      assert.matches("\n  taken as jb rel32: jnb rel32\n  unknown to the mapping: js rel8\n", r.out)
    end)
  end)
  it("makes a bound of a prediction, whether it is code or an experiment", function()
    process.in_directory(function(d)
      local m = mapping.two_level({ "0", "1" }, { ["add r64, r64"] = { "0", "1" } })
      m.schemes["nop"] = { status = "unstable" }
      assert(mapping.save(m, d .. "/m.json"))
      local r = portolan("predict", "--mapping", d .. "/m.json", "3*add r64, r64 + 2*imul r64, r64 + nop", "add rax, rbx; nop; mul rcx")
      assert.equal(0, r.status, r.err)
      assert.matches("at least 1%.500 cycles, without 2 unknown schemes: ", r.out)
      assert.matches("\n  unknown to the mapping: imul r64, r64\n  unknown to the mapping: nop\n", r.out)
      assert.matches("\n  unknown to the mapping: mul r64\n  unknown to the mapping: nop\n", r.out)
      r = portolan("predict", "--mapping", d .. "/m.json", "nop")
      assert.equal(2, r.status)
      assert.equal("portolan predict: 'nop': the mapping does not explain 'nop' (unstable)\n", r.err)
    end)
  end)
end)
