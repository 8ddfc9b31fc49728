local isa = require "portolan.scheme.isa"
local mapping = require "portolan.mapping"
local names = require "portolan.format.osaca_names"
local usage = require "portolan.format.usage"
local writer = require "portolan.format.osaca_write"
local yaml = require "portolan.format.yaml"

local path = assert(os.getenv("PORTOLAN_SOURCE")) .. "/tests/data/osaca_model.yml"

local function text()
  local f = assert(io.open(path))
  local content = f:read("a")
  f:close()
  return content
end

local function usage_of(m, name)
  local scheme = m.schemes[name]
  return scheme and (scheme.uops and usage.format(scheme.uops) or scheme.status)
end

describe("OSACA's machine models", function()
  local m = assert(mapping.load(path))
  it("give the schemes that their forms stand for", function()
    assert.equal("EXM", m.processor.name)
    assert.same({ "0", "1", "2", "2D", "3", "3D", "4", "5", "10" }, m.ports)
    for _, name in ipairs { "add r64, r64", "add r32, r32", "add r16, r16", "movzx r32, r8" } do
      assert.equal("1*p015", usage_of(m, name), name)
    end
    assert.equal("1*p0{10}", usage_of(m, "add r8, r8")) -- a form of its own, addb
    assert.equal("none", usage_of(m, "jz rel32"))
    assert.equal("1*p01", usage_of(m, "addpd xmm, xmm"))
    assert.is_nil(m.schemes["lock add m64, r64"])
    assert.is_nil(m.schemes["movzx r64, r8"])
    assert.equal(0.5, m.schemes["addpd xmm, xmm"].tp)
  end)
  it("prefer the form of a simple address", function() assert.equal("1*p15", usage_of(m, "lea r64, m")) end)
  it("add loads and stores where there is a form for registers only", function()
    assert.equal("1*p015+1*p23+1*p{2D}{3D}", usage_of(m, "add r64, m64"))
    assert.equal("1*p015+1*p23+1*p{2D}{3D}+1*p23+1*p4", usage_of(m, "add m64, r64"))
    assert.equal("1*p01+2*p23", usage_of(m, "addpd xmm, m128")) -- an entry for xmm
    assert.equal("1*p23+1*p{2D}{3D}", usage_of(m, "movapd xmm, m128")) -- has a form
  end)
  it("have units that stay busy: ports that a form keeps for part of a cycle, and no uop has a choice of", function()
    local compiled = assert(mapping.compile(m))
    for name, cycles in pairs { ["divsd xmm, xmm"] = 4.5, ["divsd xmm, m64"] = 4.5, ["sqrtsd xmm, xmm"] = 6 } do
      assert.equal("slower than ports", m.schemes[name].status)
      assert.equal(cycles, compiled:throughput { [name] = 1 }, name)
    end
    assert.equal("1*p0", usage_of(m, "divsd xmm, xmm"))
    assert.equal("1*p0+2*p23", usage_of(m, "divsd xmm, m64"))
    assert.equal(10.5, compiled:throughput { ["divsd xmm, m64"] = 1, ["sqrtsd xmm, xmm"] = 1 })
  end)
  it("have pseudo ports, and pressures that nothing here can express", function()
    local chosen = assert(mapping.parse((text():gsub("%[4.5, %[0DV%]%]", "[4.5, [0DV, 3D]]")), "o.yml"))
    local alone = assert(mapping.parse((text():gsub("%[1, '0'%], %[4.5, ", "[4.5, ")), "o.yml"))
    assert.equal("1*p0+6*p{0DV}", usage_of(alone, "sqrtsd xmm, xmm"))
    assert.equal("1*p0+6*p{0DV}", usage_of(chosen, "sqrtsd xmm, xmm"))
    assert.equal(6, assert(mapping.compile(chosen)):throughput { ["sqrtsd xmm, xmm"] = 1 })
    for _, name in ipairs { "divsd xmm, xmm", "divsd xmm, m64" } do
      assert.equal("not explained", usage_of(chosen, name))
      assert.matches("4.5 cycles", chosen.schemes[name].reason, 1, true)
    end
    assert.equal("not explained", usage_of(m, "cpuid"))
  end)
  -- Each matter with a model of its own: forms are `name operands: port`, in AT&T's order.
  local function model(...)
    local operands = { mem = "{class: memory, base: '*', offset: '*', index: '*', scale: '*'}", label = "{class: identifier}",
      ["ymm{k}"] = "{class: register, name: ymm, mask: true}" }
    local lines = { "isa: x86\nports: ['0', '1', '2', '4']\nload_throughput: []\nload_throughput_default: [[1, '2']]\nstore_throughput: []\n"
      .. "store_throughput_default: [[1, '4']]\ninstruction_forms:" }
    for _, form in ipairs { ... } do
      local name, list, port = form:match "^(%S+)%s*(.*): (%d)$"
      local words = {}
      for word in list:gmatch "[^ ,]+" do words[#words + 1] = operands[word] or ("{class: register, name: %s}"):format(word) end
      lines[#lines + 1] = ("- {name: %s, operands: [%s], port_pressure: [[1, '%s']]}"):format(name:gsub(",", ", "), table.concat(words, ", "), port)
    end
    return assert(mapping.parse(table.concat(lines, "\n"), "o.yml"))
  end
  it("know nothing of a form without ports and throughput", function()
    local head = "isa: x86\nports: ['0']\nload_throughput_default: [[1, '0']]\ninstruction_forms:\n- {name: sqrtsd, operands: [{class: register, "
      .. "name: xmm}, {class: register, name: xmm}], port_pressure: [], throughput: "
    assert.equal("not explained", usage_of(assert(mapping.parse(head .. "~}\n", "o.yml")), "sqrtsd xmm, xmm"))
    assert.equal("not explained", usage_of(assert(mapping.parse(head .. "~}\n", "o.yml")), "sqrtsd xmm, m64"))
    assert.equal("none", usage_of(assert(mapping.parse(head .. "0}\n", "o.yml")), "sqrtsd xmm, xmm"))
  end)
  it("look at forms with a list of names last", function()
    local read = model("[jae,jnb] label: 0", "jae label: 1", "[jmp] label: 0", "[jmp,other] label: 1")
    assert.equal("1*p1", usage_of(read, "jnb rel8"))
    assert.equal("1*p0", usage_of(read, "jmp rel8"))
  end)
  it("do not know an instruction by a name that compilers do not write, and keep that name", function()
    local read = model "jnz label: 1"
    assert.is_nil(read.schemes["jnz rel8"])
    assert.equal("1*p1", usage_of(read, "jnz label"))
    assert.equal("1*p0", usage_of(model("jnz label: 1", "jne label: 0"), "jnz rel8"))
  end)
  it("tell the widths of conversions from memory by the suffix alone", function()
    local read = model("vcvtpd2ps xmm, xmm: 0", "vcvtpd2ps ymm, xmm: 1")
    assert.equal("1*p0", usage_of(read, "vcvtpd2ps xmm, xmm"))
    assert.equal("1*p1", usage_of(read, "vcvtpd2ps xmm, ymm"))
    assert.is_nil(read.schemes["vcvtpd2ps xmm, m128"])
    assert.is_nil(read.schemes["vcvtpd2ps xmm, m256"])
    read = model("vcvtpd2psy mem, xmm: 1", "vcvtpd2psx mem, xmm: 0", "cvtpd2ps mem, xmm: 4")
    assert.equal("1*p1", usage_of(read, "vcvtpd2ps xmm, m256"))
    assert.equal("1*p0", usage_of(read, "vcvtpd2ps xmm, m128"))
    assert.equal("1*p4", usage_of(read, "cvtpd2ps xmm, m128"))
  end)
  it("take no form with a mask for what is in memory without one", function()
    local read = model("vmovups ymm, ymm{k}: 0", "vmovups ymm, ymm: 1")
    assert.equal("1*p1+1*p4", usage_of(read, "vmovups m256, ymm"))
    assert.equal("1*p1", usage_of(read, "vmovups ymm, ymm"))
  end)
  it("say of set what their one form for all conditions says, where it has a suffix's letter", function()
    assert.equal("1*p1", usage_of(model "set gpr: 1", "setl r8"))
  end)
  it("have x87's names of AT&T syntax", function()
    for name, word in pairs { ["fdivp st, st0"] = "fdivrp", ["fsubrp st, st0"] = "fsubp", ["fdiv st0, st"] = "fdiv", ["fistp m64"] = "fistpll",
      ["fild m32"] = "fildl", ["fdiv m64"] = "fdivl" } do
      local scheme = assert(isa.scheme(name))
      assert.equal(word, names.spellings(scheme, names.printed(scheme))[1].long, name)
    end
  end)
  it("keep what is no scheme under a name of the same kind", function()
    assert.equal("1*p01", usage_of(m, "cmpeqpd xmm, xmm"))
    assert.equal("not explained", usage_of(m, "frob gpr, m[base+offset], imm"))
    local other = assert(mapping.parse("isa: AArch64\nports: [0, 1]\ninstruction_forms:\n- {name: fadd, operands: [{class: register, prefix: v, "
      .. "shape: d}, {class: memory, base: x, offset: ~, index: ~, scale: 1}], port_pressure: [[1, '01']]}\n"))
    assert.equal("1*p01", usage_of(other, "fadd v.d, m[base]"))
  end)
  -- As in the models that OSACA comes with: ports in one string within a list, names of no port, lists of another form. OSACA itself
  -- reads such a model, and dies of the form when it is needed.
  it("are read but for pressures that are odd, which are noted", function()
    local add = "1*p015+1*p23+1*p{2D}{3D}"
    for _, case in ipairs {
      { "%[%[1, '015'%]%]", "[[1, ['015']]]", "port '015' is not in the list of ports (line 28)", "add r64, r64" },
      { "%[%[1, '015'%]%]", "[[1, '019']]", "port '9' is not in the list of ports (line 28)", "add r64, m64" },
      { "%[6, %[0DV%]%]", "[6, ['DIV']]", "port 'DIV' is not in the list of ports (line 64)", "sqrtsd xmm, xmm" },
      { "%[1, '0'%], %[6", "[1, '0', '1'], [6", "a pressure must be [cycles, ports] (line 64)", "sqrtsd xmm, xmm" },
      { "%[1, '0'%], %[6", "['a', '0'], [6", "a pressure must be [cycles, ports] (line 64)", "sqrtsd xmm, m64" },
      { "%[%[1, '015'%]%]", "'015'", "a port pressure must be a list of [cycles, ports] (line 21)", "add r64, r64" },
      { "%[%[2, '23'%]%]", "7", "a port pressure must be a list of [cycles, ports] (line 12)", "addpd xmm, m128" },
      { "%['2D', '3D'%]", "['2E']", "port '2E' is not in the list of ports (line 11)", "add m32, r32" },
      { "store_throughput_default: %[%[", "store_throughput_default: [[~, ", "a pressure must be [cycles, ports] (line 15)", "add m64, r64" },
    } do
      local changed, n = text():gsub(case[1], function() return case[2] end, 1)
      assert.equal(1, n, case[1])
      local read = assert(mapping.parse(changed, "o.yml"))
      assert.equal("not explained", usage_of(read, case[4]), case[2])
      assert.equal(case[3], read.schemes[case[4]].reason)
      assert.equal(1, #read.provenance.notes)
      assert.equal(case[3], read.provenance.notes[1]:sub(1, #case[3]))
      assert.equal("1*p15", usage_of(read, "lea r64, m")) -- the others are what they were
      assert.is_true(case[4]:find "add [rm]" ~= nil or usage_of(read, "add r64, m64") == add)
    end
    assert.is_nil(m.provenance.notes)
  end)
  it("are refused with line and field", function()
    for from, to in pairs {
      ["%- name: frob"] = "- name: ~", ["ports: %['0', 0DV"] = "ports: ['0', '0'", ["class: immediate"] = "kind: immediate",
      ["isa: x86"] = "isa: ~", ["operands: %[%]"] = "operands: none", ["ports: %["] = "ports: [~, ", ["latency: 19"] = "latency: [19",
      ["picture"] = "\tpicture\n\1",
    } do
      local changed, n = text():gsub(from, function() return to end, 1)
      assert.equal(1, n, from)
      local read, message = mapping.parse(changed, "o.yml")
      assert.is_nil(read, from)
      assert.matches("^o%.yml:%d*:? ?[^\n]+$", message)
    end
    for from, words in pairs { ["\255"] = "o.yml:4: this is not UTF-8", ["\0"] = "o.yml:4: a control character",
      ["- name: x\n  operands: y\n"] = "o.yml:4: field 'operands' must be a list (instruction_forms[1].operands)" } do
      local read, trouble = mapping.parse("ports: ['0']\nisa: x86\ninstruction_forms:\n" .. from, "o.yml")
      assert.is_nil(read)
      assert.equal(words, trouble)
    end
    for _, other in ipairs { "instruction_forms:", "instruction_forms: [", "osaca_version: 1\nports: ['0']\nisa: x86\ninstruction_forms: {}",
      "instruction_forms: &a [*a]", "osaca_version: 1\n? [a]\n: b", "osaca_version: " .. ("["):rep(60) .. ("]"):rep(60) } do
      local read, trouble = mapping.parse(other, "o.yml")
      assert.is_nil(read, other)
      assert.matches("^o%.yml:[^\n]+$", trouble)
    end
  end)
end)

-- Same ports for the narrow and wide forms of mov, not for those of shl.
local function example()
  local function uops(...) return { uops = { ... }, status = "explained" } end
  local a, b, load, store = { { "0", "1" }, 1 }, { { "10" }, 2 }, { { "2" }, 1 }, { { "3" }, 1 }
  return {
    format = "portolan-mapping", version = 1, ports = { "0", "1", "2", "3", "10", "it's" }, rmax = 4, processor = { name = "X: 1" },
    schemes = {
      ["add r64, r64"] = uops(a), ["add r32, r32"] = uops(a), ["mov r64, m64"] = uops(load), ["mov m64, r64"] = uops(store, load),
      ["shl r64, imm8"] = uops(a), ["shl r32, imm8"] = uops(b), ["shl r64, 1"] = uops(a), ["shl r64, cl"] = uops(b, a),
      ["mov r64, r64"] = uops(), ["vaddpd zmm{k}{z}, zmm, zmm"] = uops({ { "it's" }, 1 }), ["jz rel8"] = uops(b),
      ["lea r64, m"] = uops(a), ["vpgatherdd ymm, m32[ymm], ymm"] = uops(b, load), ["imul r64, r64, imm32"] = uops(b),
      ["lock add m64, r64"] = uops(a), ["unheard of"] = uops(a), ["cpuid"] = { status = "unstable" },
      ["shr r64, imm8"] = uops(a), ["shr r64, 1"] = uops(b), ["setz r8"] = uops(a), ["cmovnle r64, r64"] = uops(a),
      ["movsxd r64, r32"] = uops(a), ["cdqe"] = uops(a), ["mov r64, imm64"] = uops(b), ["mov r64, imm32"] = uops(a),
      ["movq xmm, r64"] = uops(b), ["vmovq xmm, r64"] = uops(b, a), ["cvtsi2sd xmm, m32"] = uops(a), ["cvtsi2sd xmm, m64"] = uops(b),
      ["vcvtpd2ps xmm, m128"] = uops(a), ["vcvtpd2ps xmm, m256"] = uops(b), ["cmppd xmm, xmm, imm8"] = uops(b),
      ["vaddps xmm, xmm, xmm"] = uops(a), ["vaddps xmm, xmm, xmm {evex}"] = uops(b),
    },
  }
end

-- All forms by each of their names and their operands.
local function forms_of(tree)
  local forms = {}
  for _, form in ipairs(tree.instruction_forms) do
    for _, field in ipairs { "operands", "latency", "port_pressure", "throughput", "uops" } do assert.is_not_nil(form[field]) end
    local words = {}
    for i, o in ipairs(form.operands) do
      words[i] = " " .. (o.name or o.class == "memory" and "mem" or o.class == "immediate" and "imm" or "label") .. (o.mask or "")
    end
    for _, name in ipairs(type(form.name) == "table" and form.name or { form.name }) do forms[name .. table.concat(words)] = form end
  end
  return forms
end

describe("a machine model that is written", function()
  local m = example()
  local out, left_out = writer.encode(m)
  it("is read back as the same mapping, but for what it has no place for", function()
    assert.same({ forms = select(2, out:gsub("\n%- name: ", "")), unexplained = 1, inexpressible = 2, hidden = 1 }, left_out)
    local read = assert(mapping.parse(out, "o.yml"))
    assert.same(m.ports, read.ports)
    assert.equal("X: 1", read.processor.name)
    for _, name in ipairs { "lock add m64, r64", "unheard of", "cpuid", "vaddps xmm, xmm, xmm {evex}" } do m.schemes[name] = nil end
    for name, scheme in pairs(m.schemes) do
      assert.is_truthy(read.schemes[name], name)
      assert.same(scheme.uops, read.schemes[name].uops, name)
    end
    assert.same(mapping.schemes(m), mapping.schemes(read))
  end)
  it("has its names in one order, whatever order a table has them in", function()
    local given = {}
    for name in writer.encode(mapping.two_level({ "0" }, { ["cmppd xmm, xmm, imm8"] = { "0" } }, { rmax = 4 })):gmatch '"(cmp%l+pd)"' do
      given[#given + 1] = name
    end
    assert.same({ "cmpeqpd", "cmplepd", "cmpltpd", "cmpneqpd", "cmpnlepd", "cmpnltpd", "cmpordpd", "cmpunordpd" }, given)
  end)
  it("keeps characters that YAML takes for line breaks", function()
    local strange = example()
    strange.ports[6] = "a\u{85}b\u{2028}c\u{2029}d"
    strange.schemes = { ["add r64, r64"] = { uops = { { { strange.ports[6] }, 1 } }, status = "explained" } }
    local read = assert(mapping.parse(assert(writer.encode(strange)), "o.yml"))
    assert.same(strange.ports, read.ports)
    assert.same(strange.schemes["add r64, r64"].uops, read.schemes["add r64, r64"].uops)
  end)
  it("has the fields that OSACA asks for", function()
    local tree = assert(yaml.load(out, "o"))
    for _, field in ipairs { "osaca_version", "micro_architecture", "arch_code", "isa", "ROB_size", "retired_uOps_per_cycle",
      "scheduler_size", "hidden_loads", "load_latency", "load_throughput", "load_throughput_default", "store_throughput",
      "store_throughput_default", "ports", "port_model_scheme", "instruction_forms" } do
      assert.is_not_nil(tree[field], field)
    end
    local forms = forms_of(tree)
    local multiply = forms["imul imm gpr gpr"].operands
    assert.same({ "immediate", "register", "register" }, { multiply[1].class, multiply[2].class, multiply[3].class })
    assert.equal(2, forms["je label"].throughput)
    assert.same({ { 1, { "2" } } }, tree.load_throughput_default)
  end)
  it("has the names that compilers write", function()
    local forms = forms_of(assert(yaml.load(out, "o")))
    local function ports(form)
      local list = {}
      for i, pair in ipairs(assert(forms[form], form).port_pressure) do
        if pair[2][1] ~= "ISSUE" then list[i] = pair[1] .. "*" .. table.concat(pair[2], "") end
      end
      return table.concat(list, "+")
    end
    for form, expected in pairs {
      ["sete gpr"] = "1*01", ["cmovg gpr gpr"] = "1*01", ["movsl gpr gpr"] = "1*01", ["cltq"] = "1*01", ["je label"] = "2*10",
      ["sall imm gpr"] = "2*10", ["shll imm gpr"] = "2*10", ["shl imm gpr"] = "1*01", ["sal imm gpr"] = "1*01",
      ["shl gpr"] = "1*01", ["sal gpr"] = "1*01", ["shr gpr"] = "2*10", ["shr imm gpr"] = "1*01", ["movabs imm gpr"] = "2*10",
      ["mov imm gpr"] = "1*01", ["cvtsi2sdl mem xmm"] = "1*01", ["cvtsi2sd mem xmm"] = "2*10", ["vcvtpd2psx mem xmm"] = "1*01",
      ["vcvtpd2psy mem xmm"] = "2*10", ["cmpltpd xmm xmm"] = "2*10", ["cmppd imm xmm xmm"] = "2*10", ["vaddps xmm xmm xmm"] = "1*01",
      ["setz gpr"] = "1*01", ["movsxd gpr gpr"] = "1*01",
    } do assert.equal(expected, ports(form), form) end
    assert.is_nil(forms["addq gpr gpr"]) -- nothing to tell apart
    -- OSACA would take movq for vmovq, which it finds before it leaves out the suffix.
    assert.equal("1*2", ports "movq mem gpr")
    assert.equal("1*01", ports "movq imm gpr")
  end)
  it("has no unknown latencies, which OSACA cannot add a load to", function()
    assert.is_nil(out:find("latency: ~", 1, true))
    local known = example()
    known.schemes["add r64, r64"].latency = 3
    known.schemes["add r32, r32"].latency = 3
    assert.equal(3, forms_of(assert(yaml.load(assert(writer.encode(known)), "o")))["add gpr gpr"].latency)
  end)
  it("has latencies, those of loads, what forwarding adds, and units that stay busy, which are read back", function()
    local function pair(from, to, cycles) return { from = from, to = to, cycles = cycles } end
    local function entry(port, list) return { uops = { { { port }, 1 } }, status = "explained", latencies = list } end
    local known = { format = "portolan-mapping", version = 1, ports = { "0", "1", "0DV" }, schemes = {
      ["mov r64, m64"] = entry("1", { pair("2", "1", 3), pair("2.base", "1", 5) }), ["mov m64, r64"] = entry("0", { pair("2", "1", 4) }),
      ["add r64, m64"] = entry("0", { pair("1", "1", 1), pair("2", "1", 4), pair("2.base", "1", 6) }),
      ["add m64, r64"] = entry("0", { pair("1", "1", 7), pair("2", "1", 5), pair("1.base", "1", 9) }),
      ["vdivpd ymm, ymm, ymm"] = entry("0", { pair("2", "1", 13), pair("3", "1", 15) }),
      ["vdivpd xmm, xmm, xmm"] = entry("0", {}),
    } }
    local divide = known.schemes["vdivpd ymm, ymm, ymm"]
    divide.status, divide.tp = "slower than ports", 8.012
    local text_ = assert(writer.encode(known))
    local tree = assert(yaml.load(text_, "o"))
    assert.same({ gpr = 5, mm = 0, xmm = 0, ymm = 0, zmm = 0 }, tree.load_latency)
    assert.equal(2, tree.store_to_load_forward_latency) -- 4 + 3 of the pair, of which OSACA counts the load's 5
    local forms = forms_of(tree)
    assert.same({ 5, 1, 0, 15, 0, 5 }, { forms["mov mem gpr"].latency, forms["add mem gpr"].latency, forms["mov gpr mem"].latency,
      forms["vdivpd ymm ymm ymm"].latency, forms["vdivpd xmm xmm xmm"].latency, forms["add gpr mem"].latency })
    assert.same({ { 1, { "0" } }, { 8.01, { "0DVV" } } }, forms["vdivpd ymm ymm ymm"].port_pressure)
    assert.equal(8.012, forms["vdivpd ymm ymm ymm"].throughput)
    local read = assert(mapping.parse(text_, "o.yml"))
    assert.same(known.ports, read.ports)
    local again = read.schemes["vdivpd ymm, ymm, ymm"]
    assert.same({ { { { "0" }, 1 } }, "slower than ports", 8.012, 15 }, { again.uops, again.status, again.tp, again.latency })
    assert.equal("explained", read.schemes["vdivpd xmm, xmm, xmm"].status)
    assert.is_nil(read.schemes["mov m64, r64"].latency)
  end)
  it("has units that several schemes share, whatever their ports, which are read back", function()
    local known = { format = "portolan-mapping", version = 1, ports = { "0", "1", "2" }, schemes = {
      ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } }, status = "explained", tp = 0.5 } } }
    for _, name in ipairs { "mov m64, r64", "movups m128, xmm" } do
      known.schemes[name] = { uops = { { { "0", "1", "2" }, 1 } }, status = "slower than ports", tp = 0.5, unit = "mov m64, r64" }
    end
    local text_ = assert(writer.encode(known))
    local forms = forms_of(assert(yaml.load(text_, "o")))
    for _, name in ipairs { "mov gpr mem", "movups xmm mem" } do
      assert.same({ { 1, { "0", "1", "2" } }, { 0.5, { "U1" } } }, forms[name].port_pressure, name)
    end
    assert.same({ { 1, { "0", "1" } } }, forms["add gpr gpr"].port_pressure)
    local read = assert(mapping.parse(text_, "o.yml"))
    assert.same(known.ports, read.ports)
    assert.same({ { { { "0", "1", "2" }, 1 } }, 0.5 }, { read.schemes["mov m64, r64"].uops, read.schemes["mov m64, r64"].tp })
  end)

  it("has what instances take of the issue width, which is read back", function()
    local known = { format = "portolan-mapping", version = 1, ports = { "0", "1" }, rmax = 6, schemes = {
      ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } }, status = "explained" },
      ["adc m64, r64"] = { uops = { { { "0", "1" }, 3 } }, status = "explained", slots = 4 },
      ["mov r64, r64"] = { uops = {}, status = "eliminated at rename" } } }
    local text_ = assert(writer.encode(known))
    local tree = assert(yaml.load(text_, "o"))
    local forms = forms_of(tree)
    assert.same({ port = "ISSUE", rmax = 6 }, tree.portolan_issue)
    assert.same({ "0", "1", "ISSUE" }, tree.ports)
    assert.same({ { 1, { "0", "1" } }, { 0.1667, { "ISSUE" } } }, forms["add gpr gpr"].port_pressure)
    assert.same({ { 0.1667, { "ISSUE" } } }, forms["mov gpr gpr"].port_pressure)
    assert.near(1 / 6, forms["mov gpr gpr"].throughput, 1e-9) -- OSACA leaves out what takes no time
    local read = assert(mapping.parse(text_, "o.yml"))
    assert.same({ { "0", "1" }, 6 }, { read.ports, read.rmax })
    for name, scheme in pairs(known.schemes) do
      assert.same({ scheme.uops, scheme.slots }, { read.schemes[name].uops, read.schemes[name].slots }, name)
    end
    for _, wrong in ipairs { "portolan_issue: 7", "portolan_issue: {port: ISSUE, rmax: 0}", "portolan_issue: {rmax: 6}" } do
      local broken = text_:gsub("portolan_issue: [^\n]*", wrong)
      local nothing, message = mapping.parse(broken, "o.yml")
      assert.is_nil(nothing)
      assert.matches("^o%.yml:%d+: field 'portolan_issue' needs a port and an R_max", message)
    end
  end)
  it("has forms of their own for addresses that the core computes apart, ahead of the others", function()
    local known = { format = "portolan-mapping", version = 1, ports = { "0", "1" }, schemes = {
      ["lea r64, m"] = { uops = { { { "0", "1" }, 1 } }, status = "explained", latencies = { { from = "2.base", to = "1", cycles = 1 } } },
      ["mov r64, m64"] = { uops = { { { "1" }, 1 } }, status = "explained" } },
      forms = { relative = { cycles = 0.34 }, summed = { later = 1 } } }
    local text_ = assert(writer.encode(known))
    local said = {}
    for i, form in ipairs(assert(yaml.load(text_, "o")).instruction_forms) do
      local address = form.operands[1]
      said[i] = ("%s %s %s %s %d %d"):format(form.name, address.base, address.offset, address.index, form.latency, #form.port_pressure)
    end
    assert.same({ "lea rip * * 1 2", "lea * imd gpr 2 1", "lea * * * 1 1", "mov * * * 0 1" }, said)
    local read = assert(mapping.parse(text_, "o.yml"))
    assert.same({ { "0", "1" }, { { { "0", "1" }, 1 } } }, { read.ports, read.schemes["lea r64, m"].uops })
    assert.same(mapping.schemes(known), mapping.schemes(read))
  end)
  it("tells schemes apart that only take different times", function()
    local known = { format = "portolan-mapping", version = 1, ports = { "0" }, schemes = {} }
    for width, cycles in pairs { [32] = 3, [64] = 4 } do
      local name = ("imul r%d, r%d"):format(width, width)
      known.schemes[name] = { uops = { { { "0" }, 1 } }, status = "explained", latencies = { { from = "2", to = "1", cycles = cycles } } }
    end
    local text_ = assert(writer.encode(known))
    local forms = forms_of(assert(yaml.load(text_, "o")))
    assert.same({ 3, 4 }, { forms["imull gpr gpr"].latency, forms["imul gpr gpr"].latency })
    assert.same({ 3, 4 }, { mapping.parse(text_, "o").schemes["imul r32, r32"].latency, mapping.parse(text_, "o").schemes["imul r64, r64"].latency })
  end)
  it("has the load of vectors where that is all that is known", function()
    local vectors = example()
    vectors.schemes = { ["vmovups ymm, m256"] = { uops = { { { "2" }, 1 } }, status = "explained" } }
    local tree = assert(yaml.load(assert(writer.encode(vectors)), "o"))
    assert.same({ { { 1, { "2" } } }, {} }, { tree.load_throughput_default, tree.store_throughput_default })
  end)
  it("is understood without Portolan's names", function()
    local foreign = assert(mapping.parse((out:gsub("\n  portolan: [^\n]*", "")), "o.yml"))
    for _, name in ipairs { "add r64, r64", "mov r64, m64", "shl r32, imm8", "lea r64, m", "vaddpd zmm{k}{z}, zmm, zmm", "jz rel8",
      "vpgatherdd ymm, m32[ymm], ymm" } do
      assert.same(m.schemes[name].uops, foreign.schemes[name].uops, name)
    end
    assert.same(m.schemes["add r64, r64"].uops, foreign.schemes["add r16, r16"].uops)
    assert.is_nil(foreign.schemes["vaddpd zmm, zmm, zmm"])
  end)
end)
