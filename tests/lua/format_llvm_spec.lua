local exegesis = require "portolan.predictor.llvm_mca.llvm_exegesis"
local isa = require "portolan.scheme.isa"
local llvm = require "portolan.format.llvm"
local llvm_mc = require "portolan.predictor.llvm_mca.llvm_mc"
local mapping = require "portolan.mapping"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local random_mapping = require "support.random_mapping"
local tablegen = require "tablegen"

local function example()
  local m = mapping.two_level({ "0", "1", "5", "6" }, {
    ["add r64, r64"] = { "0", "1", "5", "6" }, ["sub r64, r64"] = { "0", "1", "5", "6" }, ["imul r64, r64"] = { "1" },
    ["cmovz r64, r64"] = { "0", "6" }, ["cmovl r64, r64"] = { "0", "6" },
  }, { rmax = 4, processor = { name = "my core, 2nd", microarchitecture = "Cascade Lake" } })
  m.schemes["cmovbe r64, r64"] = { uops = { { { "6", "0" }, 2 } }, slots = 2, status = "explained", tp = 1.004 }
  m.schemes["vphaddd ymm, ymm, ymm"] = { uops = { { { "5" }, 1 }, { { "0", "1", "5" }, 1 }, { { "5" }, 1 } }, slots = 3, status = "explained",
    witnesses = { { experiment = "vphaddd ymm, ymm, ymm", cycles = 2.01, expected = 2, role = "shows" } } }
  m.schemes["mov r64, r64"] = { uops = {}, status = "eliminated at rename" }
  m.schemes["vdivpd ymm, ymm, ymm"] = { status = "slower than ports", tp = 8.01, note = "keeps\nits unit" }
  m.schemes["push r64"] = { status = "contradicting", tp = 0.5, slots = 1 }
  m.schemes["cpuid"] = { status = "unsupported here", note = "keeps\nits unit" }
  return m
end

local opcodes = { ["add r64, r64"] = { "ADD64rr", "ADD64rr_REV" }, ["sub r64, r64"] = { "SUB64rr" }, ["imul r64, r64"] = { "IMUL64rr" },
  ["mov r64, r64"] = { "MOV64rr" }, ["cmovz r64, r64"] = { "CMOV64rr" }, ["push r64"] = { "PUSH64r" },
  ["cmovl r64, r64"] = { "CMOV64rr" }, ["cmovbe r64, r64"] = { "CMOV64rr" } }

-- Usage of each opcode as the text says it: "port+port x cycles ..., slots".
local function usages(defs)
  local found = {}
  local function ports(resource)
    if resource.class == "ProcResource" then return resource.name:match "Port(.+)$" or resource.name:match "Unit%d+$" end
    local names = {}
    for i, member in ipairs(resource.arguments[1]) do names[i] = ports(member) end
    return table.concat(names, "+")
  end
  for _, d in ipairs(defs) do
    if d.class == "InstRW" then
      local write = d.arguments[1][1]
      local parts, cycles = {}, write.fields.ReleaseAtCycles
      assert(not cycles or #cycles == #write.arguments[1])
      for i, resource in ipairs(write.arguments[1]) do parts[i] = ("%s x %d"):format(ports(resource), cycles and cycles[i] or 1) end
      table.sort(parts)
      for _, opcode in ipairs(d.arguments[2]) do
        assert(not found[opcode], opcode .. " twice")
        found[opcode] = table.concat(parts, ", ") .. "; " .. write.fields.NumMicroOps
      end
    end
  end
  return found
end

local function written(m, names)
  local text = llvm.encode(m, names)
  return text, tablegen.read(text)
end

describe("LLVM's scheduling models", function()
  it("have a resource for each port, a group for each set, a write for each usage", function()
    local text, defs = written(example(), opcodes)
    local names, counts = {}, {}
    for _, d in ipairs(defs) do
      names[d.name or ""] = d
      counts[d.class] = (counts[d.class] or 0) + 1
    end
    assert.same({ SchedMachineModel = 1, ProcResource = 6, ProcResGroup = 3, SchedWriteRes = 8, InstRW = 5 }, counts)
    assert.equal(4, names.CascadeLakeModel.fields.IssueWidth)
    assert.equal(0, names.CascadeLakeModel.fields.CompleteModel)
    assert.equal(4, #names.CascadeLakePort0156.arguments[1])
    local add = "0+1+5+6 x 1; 1"
    assert.same({ ADD64rr = add, ADD64rr_REV = add, SUB64rr = add, IMUL64rr = "1 x 1; 1", CMOV64rr = "0+6 x 1; 1", MOV64rr = "; 1",
      PUSH64r = "Unit1 x 1; 1" }, usages(defs))
    assert.matches("\ndef CascadeLakeUnit1 : ProcResource<2>; // of others of which the time alone is known, 2 alike\n", text)
    assert.matches("\ndef CascadeLakeUnit2 : ProcResource<1>; // of vectors of which the time alone is known, 1 alike\n", text)
    assert.matches("CascadeLakeUnit2%]> {\n  let ReleaseAtCycles = %[8%];\n", text)
    assert.matches("\n//   vdivpd ymm, ymm, ymm %(8.01 cycles alone; slower than ports; keeps%?its unit%)\n", text)
    assert.matches("let ReleaseAtCycles = %[2, 1%];\n  let NumMicroOps = 3;", text)
    assert.matches("\n// 2%*p5 %+ p015, latency not known: 1 scheme\n// Measured, for example: vphaddd ymm, ymm, ymm takes 2.01 cycles.\ndef ", text)
    assert.matches("\n//   cmovbe r64, r64 %(1.00 cycles alone%): but most of CMOV64rr is CascadeLakeWriteResGroup2, so this needs a variant\n", text)
    assert.matches("\n// Not modelled, unsupported here:\n//   cpuid %(keeps%?its unit%)\n", text)
    assert.matches("keeps%?its unit%)\n$", text)
  end)

  it("keep what was only measured alone for that time, nearly, whatever it is", function()
    local function kept(tp)
      local m = mapping.two_level({ "0" }, { x = { "0" } })
      m.schemes["push r64"] = { status = "contradicting", tp = tp, slots = 1 }
      local _, defs = written(m, { ["push r64"] = { "PUSH64r" } })
      local write
      for _, d in ipairs(defs) do write = d.class == "InstRW" and d.arguments[1][1] or write end
      local unit = write.arguments[1][1]
      return unit and (write.fields.ReleaseAtCycles or { 1 })[1] / unit.arguments[1]
    end
    for _, tp in ipairs { 0.25, 0.5, 2 / 3, 0.75, 1, 1.5, 1.67, 4, 20.3, 700 } do assert.near(1, kept(tp) / tp, 0.03, tostring(tp)) end
    local other = mapping.two_level({ "0" }, { x = { "0" } })
    other.schemes["push imm8"] = { status = "contradicting", tp = 1, slots = 1 }
    assert.matches("// of others of which", llvm.encode(other), 1, true)
    for _, tp in ipairs { 0, 1e-300, 0.1 } do assert.is_nil(kept(tp)) end
    local m = mapping.two_level({ "0" }, { x = { "0" } })
    m.schemes["fdiv m32"] = { status = "contradicting", tp = 6, unit = "fdiv m32" }
    m.schemes["fdiv m64"] = { status = "contradicting", tp = 6, unit = "fdiv m32" }
    assert.matches("// of fdiv m32\n", llvm.encode(m), 1, true)
  end)

  it("have schemes as comments where opcodes are not known", function()
    local text, defs = written(example())
    for _, d in ipairs(defs) do assert.not_equal("InstRW", d.class) end
    for name in pairs(example().schemes) do assert.is_truthy(text:find("\n//   " .. name, 1, true), name) end
    assert.matches("%-%-opcodes", text)
  end)

  it("have names that TableGen can read, whatever ports and processors are called", function()
    local m = mapping.two_level({ "a.b", "a_b", "LSU.0", "", "+", "0", "1", "0_1" }, { x = { "a.b", "a_b" }, y = { "0", "1" }, z = { "+", "LSU.0" } },
      { processor = { name = "9\"}\n; // core" } })
    m.schemes.x.note = "a */ note\n def x;"
    m.schemes.x.status = "\n odd"
    m.schemes["bad\nname"] = { status = "un\nstable" }
    m.ports[4] = "last"
    local text, defs = written(m)
    assert.matches("def Portolan9%w+Port", text)
    local ports = 0
    for _, d in ipairs(defs) do ports = ports + (d.class == "ProcResource" and 1 or 0) end
    assert.equal(8, ports)
    assert.is_nil((llvm.encode(mapping.two_level({ "0" }, { x = { "0" } }))):find("IssueWidth"))
  end)

  it("are written for random mappings", function()
    for seed = 1, 20 do
      local m = random_mapping.three_level { ports = 8, schemes = 30, uops = 3, rmax = 5, seed = seed, slots = true }
      local names = {}
      for name in pairs(m.schemes) do names[name] = { "OP" .. name:upper() } end
      local _, defs = written(m, names)
      local found = usages(defs)
      for name, scheme in pairs(m.schemes) do
        local merged = {}
        for _, uop in ipairs(scheme.uops) do
          local key = table.concat(uop[1], "+")
          merged[key] = (merged[key] or 0) + (uop[2] or 1)
        end
        local parts = {}
        for key, n in pairs(merged) do parts[#parts + 1] = ("%s x %d"):format(key:gsub("%a", ""), n) end
        table.sort(parts)
        assert.equal(("%s; %d"):format(table.concat(parts, ", "), scheme.slots), found[names[name][1]]:gsub("%a", function(c)
          return c == "x" and "x" or "" end), name)
      end
    end
  end)
end)

-- Latencies, one of each kind: an address and a late register, two results, a unit that stays busy, what is not known.
local function with_latencies()
  local function entry(port, ...)
    local list = {}
    for i, l in ipairs { ... } do list[i] = { from = l[1], to = l[2], cycles = l[3] } end
    return { uops = { { { port }, 1 } }, status = "explained", latencies = list }
  end
  local m = { format = "portolan-mapping", version = 1, ports = { "0", "1" }, processor = { name = "Core" }, schemes = {
    ["add r64, m64"] = entry("0", { "1", "1", 1 }, { "2", "1", 5 }, { "2.base", "1", 6 }, { "2.index", "1", 6 }, { "1", "cf", 1 }),
    ["cmp m64, r64"] = entry("0", { "2", "zf", 1 }, { "1.base", "zf", 6 }, { "1.index", "zf", 6 }),
    ["vfmadd231pd ymm, ymm, m256"] = entry("1", { "1", "1", 4 }, { "2", "1", 4.5 }, { "3.base", "1", 10.5 }, { "3.index", "1", 11 }),
    ["mulx r64, r64, r64"] = entry("1", { "3", "1", 4 }, { "3", "2", 3 }, { "4", "1", 4 }, { "4", "2", 3 }),
    ["imul r64, r64"] = entry("1", { "1", "1", 3 }, { "2", "1", 3 }),
    ["vdivpd ymm, ymm, ymm"] = entry("0", { "2", "1", 13 }, { "3", "1", 15 }),
    ["mov m64, r64"] = entry("0", { "2", "1", 4 }),
  } }
  m.schemes["imul r64, r64"].latencies[1].low, m.schemes["imul r64, r64"].latencies[1].high = 2, 4
  m.schemes["vdivpd ymm, ymm, ymm"].status, m.schemes["vdivpd ymm, ymm, ymm"].tp = "slower than ports", 7.98
  return m
end

local their_names = { ["add r64, m64"] = { "ADD64rm" }, ["cmp m64, r64"] = { "CMP64mr" }, ["vfmadd231pd ymm, ymm, m256"] = { "VFMADD231PDYm" },
  ["mulx r64, r64, r64"] = { "MULX64rr" }, ["imul r64, r64"] = { "IMUL64rr" }, ["vdivpd ymm, ymm, ymm"] = { "VDIVPDYrr" },
  ["mov m64, r64"] = { "MOV64mr" } }

local layouts = { ADD64rm = "r51 r51 r53 i r54 i r0", CMP64mr = "r53 i r54 i r0 r51", VFMADD231PDYm = "r9 r9 r8 r51 i r0 i r0",
  MULX64rr = "r1 r2 r3", IMUL64rr = "r1 r1 r2", VDIVPDYrr = "r1 r2 r3", MOV64mr = "r53 i r54 i r0 r51" }

-- What the text says of each opcode: names of its writes with their latency, and by how much its reads may be late.
local function tables(text)
  local found = {}
  for _, d in ipairs(tablegen.read(text)) do
    if d.class == "InstRW" then
      local writes, reads = {}, {}
      for _, word in ipairs(d.arguments[1]) do
        if word.class == "SchedReadAdvance" then
          reads[#reads + 1] = word.arguments[1]
        else
          writes[#writes + 1] = ("%s%d"):format(#word.arguments[1] > 0 and "" or "-", word.fields.Latency or 1)
        end
      end
      for _, opcode in ipairs(d.arguments[2]) do found[opcode] = table.concat(writes, " ") .. "; " .. table.concat(reads, " ") end
    end
  end
  return found
end

describe("LLVM's scheduling models, of latencies,", function()
  it("count from the operand that is waited for longest, and let others be late", function()
    local text = llvm.encode(with_latencies(), their_names, nil, layouts)
    assert.same({ ADD64rm = "6; 5", CMP64mr = "6; 0 0 0 0 0 5", VFMADD231PDYm = "11; 7 6", MULX64rr = "4 -3; ", IMUL64rr = "3; ",
      VDIVPDYrr = "15; 2", MOV64mr = "1; " }, tables(text))
    assert.matches("\n// p0, latency not known: 1 scheme\ndef CoreWriteResGroup%d : SchedWriteRes<%[CorePort0%]> {\n  let NumMicroOps = 1;\n}\n"
      .. "//   mov", text)
    assert.matches("imul r64, r64 %(some latency is 2 to 4%)", text)
    assert.matches("def CorePort0Unit : ProcResource<1>;", text)
    assert.matches("SchedWriteRes<%[CorePort0, CorePort0Unit%]> {\n  let Latency = 15;\n  let ReleaseAtCycles = %[1, 8%];", text)
  end)

  it("have the units that most schemes share, as LLVM has room for few, in pairs for half a cycle", function()
    local m = mapping.two_level({ "0", "1", "2", "3" }, {}, { rmax = 4 })
    for unit = 1, 6 do
      for k = 0, unit do -- the last units have most schemes
        m.schemes[("x%d%d"):format(unit, k)] = { uops = { { { "0", "1", "2", "3" }, 1 } }, tp = unit == 6 and 0.5 or 2, status = "slower than ports",
          unit = ("x%d0"):format(unit) }
      end
    end
    local found = {}
    for number, unit in llvm.encode(m, {}):gmatch "Unit%d+ : ProcResource<(%d)>; // of (%w+)" do found[unit] = number end
    assert.same({ x30 = "1", x40 = "1", x50 = "1", x60 = "2" }, found)
  end)

  it("have no late operands where LLVM's are not as expected", function()
    assert.same({ ADD64rm = "6; ", CMP64mr = "6; ", VFMADD231PDYm = "11; ", MULX64rr = "4; ", IMUL64rr = "3; ", VDIVPDYrr = "15; ", MOV64mr = "1; " },
      tables(llvm.encode(with_latencies(), their_names)))
    for opcode, layout in pairs { ADD64rm = "r51 r52 r53 i r54 i r0", VFMADD231PDYm = "r9 r9 r8 r51 i r0 i", CMP64mr = "r51 r53 i r54 i r0",
      VDIVPDYrr = "r1 r2 r3 r4" } do
      local found = tables(llvm.encode(with_latencies(), their_names, nil, { [opcode] = layout }))
      assert.matches("; $", found[opcode], opcode)
    end
    assert.equal("15; 2", tables(llvm.encode(with_latencies(), their_names, nil, { VDIVPDYrr = "r1 r2 r3 i" })).VDIVPDYrr)
  end)
end)

-- The directory of LLVM 19's definitions, of the package llvm-19-dev; nil if they are not installed. PORTOLAN_LLVM_INCLUDE names another one.
local function definitions()
  for _, path in ipairs { os.getenv "PORTOLAN_LLVM_INCLUDE" or "", "/usr/lib/llvm-19/include", "/usr/include/llvm-19" } do
    local handle = io.open(path .. "/llvm/Target/Target.td")
    if handle then
      handle:close()
      return path
    end
  end
end

describe("LLVM's own tools", function()
  local tblgen, include = program.find "llvm-tblgen-19", definitions()
  local real = tblgen and include
  tblgen = tblgen or program.find "llvm-tblgen"

  -- What a scheduling model needs around it: LLVM's own definitions, or the little of them that counts.
  local function around(text)
    local seen, parts = {}, {}
    for opcode in table.concat((function()
      local list = {}
      for block in text:gmatch "%(instrs%s+([^)]*)%)" do list[#list + 1] = block end
      return list
    end)(), " "):gmatch "[%w_]+" do
      if not seen[opcode] then parts[#parts + 1] = ("def %s : I;\n"):format(opcode) end
      seen[opcode] = true
    end
    local instructions = table.concat(parts)
    if real then
      return 'include "llvm/Target/Target.td"\ndef R0 : Register<"r0"> { let Namespace = "T"; }\n'
        .. 'def RC : RegisterClass<"T", [i32], 32, (add R0)>;\ndef TInfo : InstrInfo;\ndef T : Target { let InstructionSet = TInfo; }\n'
        .. 'class I : Instruction { let Namespace = "T"; let OutOperandList = (outs); let InOperandList = (ins); let hasSideEffects = 0; '
        .. "let mayLoad = 0; let mayStore = 0; }\n" .. instructions .. text
        .. ('\ndef : ProcessorModel<"p", %s, []>;\n'):format(text:match "def (%w+) : SchedMachineModel")
    end
    return "class SchedMachineModel { int IssueWidth = -1; bit CompleteModel = 1; }\nclass Kind { SchedMachineModel SchedModel = ?; }\n"
      .. "class ProcResource<int n> : Kind { int N = n; }\nclass ProcResGroup<list<ProcResource> r> : Kind { list<ProcResource> R = r; }\n"
      .. "class SchedReadWrite : Kind;\nclass SchedWriteRes<list<Kind> r> : SchedReadWrite { list<Kind> R = r; list<int> ReleaseAtCycles = []; "
      .. "int NumMicroOps = 1; int Latency = 1; }\nclass SchedReadAdvance<int n> : SchedReadWrite { int Cycles = n; }\n"
      .. "class I;\ndef instrs;\nclass InstRW<list<SchedReadWrite> w, dag d> : Kind { list<SchedReadWrite> W = w; dag D = d; }\n" .. instructions
      .. text
  end

  local function accepted(text, name)
    local arguments = real and { "-I", include, "-gen-subtarget" } or {}
    local r = assert(program.run(tblgen, arguments, { input = around(text) }))
    assert.equal("", r.err, name)
    assert.equal(0, r.status)
    return r.out
  end

  if not tblgen then
    pending "llvm-tblgen is not installed: LLVM was not asked"
  else
    it("accept what is written", function()
      local out = accepted(llvm.encode(example(), opcodes), "example")
      assert.matches("CascadeLakePort0156", out)
      accepted(llvm.encode(example()), "without opcodes")
      out = accepted(llvm.encode(with_latencies(), their_names, nil, layouts), "latencies")
      assert.matches("CorePort0Unit", out)
      accepted(llvm.encode(random_mapping.three_level { ports = 10, schemes = 100, uops = 4, seed = 3 }), "random")
    end)

    it("do not accept everything", function()
      local r = assert(program.run(tblgen, real and { "-I", include, "-gen-subtarget" } or {},
        { input = around((llvm.encode(example(), opcodes):gsub("Port0156%]", "Port0157]"))) }))
      assert.not_equal(0, r.status)
    end)
  end
end)

-- LLVM's own description of x86, PORTOLAN_LLVM_SOURCE/llvm/lib/Target/X86: of LLVM 19's sources, which no package has in binary.
describe("LLVM's description of x86", function()
  local source, tblgen = os.getenv "PORTOLAN_LLVM_SOURCE", program.find "llvm-tblgen-19"
  local arguments = source and { "-I", source .. "/llvm/include", "-I", source .. "/llvm/lib/Target/X86" }

  local function run(more, input)
    local all = table.move(more, 1, #more, #arguments + 1, table.move(arguments, 1, #arguments, 1, {}))
    return assert(program.run(tblgen, all, { input = input, seconds = 300 }))
  end

  -- A whole model: the fragment, and no resources for what x86's own instructions have where the fragment does not name them.
  local function whole(fragment, records)
    local name = fragment:match "def (%w+) : SchedMachineModel"
    local parts = { 'include "X86.td"\n', fragment, ("let SchedModel = %s in {\n"):format(name) }
    for write in records:gmatch "\ndef (%w+) {\t// SchedReadWrite SchedWrite\n" do parts[#parts + 1] = ("def : WriteRes<%s, []>;\n"):format(write) end
    for write in records:gmatch "\ndef ([%w.]+) {\t// SchedReadWrite SchedWrite X86FoldableSchedWrite\n" do
      parts[#parts + 1] = ("def : WriteRes<%s, []>;\n"):format(write)
    end
    for read in records:gmatch "\ndef (%w+) {\t// SchedReadWrite SchedRead\n" do
      if read ~= "ReadDefault" then parts[#parts + 1] = ("def : ReadAdvance<%s, 0>;\n"):format(read) end
    end
    parts[#parts + 1] = ('}\ndef : ProcessorModel<"a-model", %s, []>;\n'):format(name)
    return table.concat(parts)
  end

  it("has all instructions that the fragment names, and takes it for a model", function()
    if not source or not tblgen or not program.find "llvm-mc-19" then
      return pending "PORTOLAN_LLVM_SOURCE names no sources of LLVM 19, or llvm-tblgen-19 or llvm-mc-19 is not installed"
    end
    local m, names = with_latencies(), {}
    for i, scheme in ipairs(assert(isa.schemes { legacy = true, vex = true, evex = true })) do
      if i % 40 == 0 then m.schemes[scheme.name] = m.schemes[scheme.name] or { uops = { { { "0", "1" }, 1 } }, status = "explained" } end
    end
    local found, remark, known = llvm_mc.opcodes(mapping.schemes(m), "19")
    for _, list in pairs(assert(found, remark)) do table.move(list, 1, #list, #names + 1, names) end
    assert.is_true(#names > 300, #names)
    local records = run({ "--print-records" }, 'include "X86.td"\n')
    assert.equal(0, records.status, records.err)
    local fragment = llvm.encode(m, found, remark, known)
    local r = run({ "-gen-subtarget" }, whole(fragment, records.out))
    assert.equal("", r.err)
    assert.equal(0, r.status)
    r = run({ "-gen-subtarget" }, whole(fragment:gsub("VFMADD231PDYm%f[%W]", "VFMADD231PDYmm"), records.out))
    assert.matches("VFMADD231PDYmm", r.err)
  end)
end)

describe("LLVM's names of instructions", function()
  it("are read from what llvm-mc writes", function()
    local found, by_opcode = llvm_mc.parse("p1:\n\taddq\t%rbx, %rax                      # <MCInst #397 ADD64rr\n"
      .. "   #  <MCOperand Reg:49>\np2:\np3:\n\tvaddps x # <MCInst #5068 VADDPSYrm\n")
    local add, packed = { opcode = "ADD64rr", operands = { { "Reg", "49" } } }, { opcode = "VADDPSYrm", operands = {} }
    assert.same({ [1] = add, [3] = packed }, found)
    assert.same({ ADD64rr = add, VADDPSYrm = packed }, by_opcode)
  end)

  it("are read from the snippets of llvm-exegesis: what is ahead of the end, without what is saved and restored", function()
    assert.same({ VADDSDrr = "vaddsd xmm, xmm, xmm", POP64r = "pop r64", ADD64rr_REV = "add r64, r64" }, exegesis.parse(table.concat({
      "---", "key:", "  instructions:", "    - 'VADDSDrr XMM9 XMM11 XMM15'",
      "assembled_snippet: 4883EC04C5F8AE14244883C404C4412358CFC4412358CFC3", "...",
      "---", "    - 'ADD64rr_REV R9 R9 R10'", "    - 'ADD64rr_REV RDX RDX RDI'", "assembled_snippet: 5541574D03CA4803D7415F5DC3", "...",
      "---", "    - 'POP64r RCX'", "assembled_snippet: 5358595BC3", "...",
      "---", "    - CLI", "assembled_snippet: ''", "---", "    - 'BAD'", "assembled_snippet: 06",
    }, "\n")))
  end)

  if program.find "llvm-mc-19" then
    it("are those of schemes, as far as LLVM knows them, with those of code generation", function()
      local found, remark = llvm_mc.opcodes({ "add r64, r64", "movzx r16, r16", "adc r64, r64", "vaddps ymm, ymm, m256", "no such",
        "vaddps ymm, ymm, ymm {evex}", "cmovbe r64, r64", "vaddsd xmm, xmm, xmm" }, "19")
      assert.is_nil(found["movzx r16, r16"] or found["no such"])
      for name, expected in pairs { ["adc r64, r64"] = "ADC64rr", ["vaddps ymm, ymm, m256"] = "VADDPSYrm", ["cmovbe r64, r64"] = "CMOV64rr",
        ["vaddps ymm, ymm, ymm {evex}"] = "VADDPSZ256rr" } do
        assert.equal(expected, found[name][1], name)
      end
      if remark then return pending(remark) end
      assert.same({ "ADD64rr", "ADD64rr_REV" }, found["add r64, r64"])
      assert.same({ "VADDSDrr", "VADDSDrr_Int" }, found["vaddsd xmm, xmm, xmm"])
      assert.same({ "CMOV64rr" }, found["cmovbe r64, r64"])
    end)

    it("are in what portolan export writes, if they are asked for", function()
      process.in_directory(function(directory)
        assert(mapping.save(example(), directory .. "/m.json"))
        local function export(...)
          return process.run { args = { process.portolan, "export", directory .. "/m.json", "--to", ... } }
        end
        local r = export("llvm", "--opcodes", "19")
        assert.equal(0, r.status, r.err)
        assert.equal("", r.err)
        assert.equal("0+1+5+6 x 1; 1", usages(tablegen.read(r.out)).SUB64rr)
        assert.matches("VPHADDDYrr", r.out)
        assert.equal(llvm.encode(assert(mapping.load(directory .. "/m.json"))), export("llvm").out)
        for _, arguments in ipairs { { "llvm", "--opcodes", "3" }, { "csv", "--opcodes", "19" } } do
          r = export(table.unpack(arguments))
          assert.equal(2, r.status)
          assert.matches("^portolan export: [^\n]*%-%-opcodes[^\n]+\n$", r.err)
        end
      end)
    end)
  else
    pending "llvm-mc-19 is not installed: no names of instructions"
  end
end)
