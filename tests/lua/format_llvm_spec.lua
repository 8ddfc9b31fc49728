local exegesis = require "portolan.predictor.llvm_mca.llvm_exegesis"
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
  return m
end

local opcodes = { ["add r64, r64"] = { "ADD64rr", "ADD64rr_REV" }, ["sub r64, r64"] = { "SUB64rr" }, ["imul r64, r64"] = { "IMUL64rr" },
  ["mov r64, r64"] = { "MOV64rr" }, ["cmovz r64, r64"] = { "CMOV64rr" }, ["cmovl r64, r64"] = { "CMOV64rr" }, ["cmovbe r64, r64"] = { "CMOV64rr" } }

-- Usage of each opcode as the text says it: "port+port x cycles ..., slots".
local function usages(defs)
  local found = {}
  local function ports(resource)
    if resource.class == "ProcResource" then return resource.name:match "Port(.+)$" end
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
    assert.same({ SchedMachineModel = 1, ProcResource = 4, ProcResGroup = 3, SchedWriteRes = 6, InstRW = 4 }, counts)
    assert.equal(4, names.CascadeLakeModel.fields.IssueWidth)
    assert.equal(0, names.CascadeLakeModel.fields.CompleteModel)
    assert.equal(4, #names.CascadeLakePort0156.arguments[1])
    local add = "0+1+5+6 x 1; 1"
    assert.same({ ADD64rr = add, ADD64rr_REV = add, SUB64rr = add, IMUL64rr = "1 x 1; 1", CMOV64rr = "0+6 x 1; 1", MOV64rr = "; 1" },
      usages(defs))
    assert.matches("let ReleaseAtCycles = %[2, 1%];\n  let NumMicroOps = 3;", text)
    assert.matches("\n// 2%*p5 %+ p015: 1 scheme\n// Measured, for example: vphaddd ymm, ymm, ymm takes 2.01 cycles.\ndef ", text)
    assert.matches("\n//   cmovbe r64, r64 %(1.00 cycles alone%): but most of CMOV64rr is CascadeLakeWriteResGroup2, so this needs a variant\n", text)
    assert.matches("\n// Not modelled, slower than ports:\n//   vdivpd ymm, ymm, ymm %(8.01 cycles alone; keeps%?its unit%)\n", text)
    assert.matches("keeps%?its unit%)\n$", text)
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

describe("LLVM's own tools", function()
  local tblgen, include = program.find "llvm-tblgen-19", "/usr/lib/llvm-19/include"
  local real = tblgen and io.open(include .. "/llvm/Target/Target.td")
  if real then real:close() end
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
      .. "class SchedWriteRes<list<Kind> r> : Kind { list<Kind> R = r; list<int> ReleaseAtCycles = []; int NumMicroOps = 1; }\n"
      .. "class I;\ndef instrs;\nclass InstRW<list<SchedWriteRes> w, dag d> : Kind { list<SchedWriteRes> W = w; dag D = d; }\n" .. instructions
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
      accepted(llvm.encode(random_mapping.three_level { ports = 10, schemes = 100, uops = 4, seed = 3 }), "random")
    end)

    it("do not accept everything", function()
      local r = assert(program.run(tblgen, real and { "-I", include, "-gen-subtarget" } or {},
        { input = around((llvm.encode(example(), opcodes):gsub("Port0156%]", "Port0157]"))) }))
      assert.not_equal(0, r.status)
    end)
  end
end)

describe("LLVM's names of instructions", function()
  it("are read from what llvm-mc writes", function()
    assert.same({ [1] = "ADD64rr", [3] = "VADDPSYrm" }, llvm_mc.parse("p1:\n\taddq\t%rbx, %rax                      # <MCInst #397 ADD64rr\n"
      .. "   #  <MCOperand Reg:49>\np2:\np3:\n\tvaddps x # <MCInst #5068 VADDPSYrm\n"))
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
