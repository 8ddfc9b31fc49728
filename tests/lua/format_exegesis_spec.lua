-- llvm-exegesis' analysis reads what is written as its own measurements. Skipped where LLVM 19 is not installed.
local instructions = require("portolan.predictor.llvm_mca.llvm_mc").instructions
local mapping = require "portolan.mapping"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local writer = require "portolan.format.exegesis_write"

local llvm_mc, llvm_exegesis = program.find "llvm-mc-19", program.find "llvm-exegesis-19"

local function example()
  local function entry(port, tp, slots, ...)
    local list = {}
    for i, l in ipairs { ... } do list[i] = { from = l[1], to = l[2], cycles = l[3] } end
    return { uops = { { { port }, 1 } }, status = "explained", tp = tp, slots = slots, latencies = #list > 0 and list or nil }
  end
  return { format = "portolan-mapping", version = 1, ports = { "0", "1" }, schemes = {
    ["add r64, r64"] = entry("0", 0.25, 1, { "1", "1", 1 }, { "2", "1", 1 }),
    ["add r64, m64"] = entry("0", 0.5, 1, { "1", "1", 1 }, { "2.base", "1", 6 }),
    ["imul r64, r64"] = entry("1", 1.015625, 1, { "1", "1", 3.5 }),
    ["vfmadd231pd ymm, ymm, m256"] = entry("1", 0.5, 2), ["cmovbe r64, r64"] = entry("1", 1, 2), ["shl r64, cl"] = entry("0", 2, 3),
    ["vaddpd zmm{k}{z}, zmm, zmm"] = entry("0", 1, 1), ["mov m64, r64"] = entry("0", 1, 2), ["jz rel8"] = entry("0", 1, 1),
    ["made up"] = entry("0", 1, 1), ["cpuid"] = { status = "unstable" },
  } }
end

local fixed = { ["add r64, r64"] = { text = "ADD64rr RAX RAX RBX", bytes = "\x48\x01\xd8" } }

describe("llvm-exegesis' benchmarks", function()
  it("are documents of one kind", function()
    local text, counts = writer.encode(example(), "latency", fixed, { cpu = "skylake", triple = "x86_64" })
    assert.same({ kept = 1, unknown = 8, unnamed = 2 }, counts)
    assert.equal("---\nmode:            latency\nkey:\n  instructions:\n    - 'ADD64rr RAX RAX RBX'\n  config:          ''\n"
      .. "  register_initial_values: []\ncpu_name:        skylake\nllvm_triple:     x86_64\nmin_instructions: 1\nmeasurements:\n"
      .. "  - { key: latency, value: 1, per_snippet_value: 1, validation_counters: {} }\nerror:           ''\n"
      .. "info:            'measured by Portolan'\nassembled_snippet: 4801D8C3\n...\n", text)
    for kind, value in pairs { inverse_throughput = "key: inverse_throughput, value: 0.25,", uops = "key: NumMicroOps, value: 1," } do
      assert.matches(value, writer.encode(example(), kind, fixed, { cpu = "skylake" }), 1, true)
    end
  end)
  it("say the longest way to a result, from an address too", function()
    local text = writer.encode(example(), "latency", { ["add r64, m64"] = { text = "ADD64rm", bytes = "" } }, { cpu = "x" })
    assert.matches("key: latency, value: 6,", text, 1, true)
  end)
end)

describe("instances in LLVM's words", function()
  if not llvm_mc then return pending "llvm-mc-19 is not installed" end
  it("have registers by name, numbers, and no labels", function()
    local found = assert(instructions(mapping.schemes(example()), "19"))
    assert.is_nil(found["made up"])
    assert.is_nil(found["jz rel8"])
    for name, pattern in pairs {
      ["add r64, r64"] = "^ADD64rr (R%w+) %1 R%w+$", ["add r64, m64"] = "^ADD64rm (R%w+) %1 R14 i_0x1 %%noreg i_0x%x+ %%noreg$",
      ["vfmadd231pd ymm, ymm, m256"] = "^VFMADD231PDYm (YMM%d+) %1 YMM%d+ R14 i_0x1 %%noreg i_0x%x+ %%noreg$",
      ["cmovbe r64, r64"] = "^CMOV64rr (R%w+) %1 R%w+ i_0x6$", ["shl r64, cl"] = "^SHL64rCL (R%w+) %1$",
      ["vaddpd zmm{k}{z}, zmm, zmm"] = "^VADDPDZrrkz ZMM%d+ K%d ZMM%d+ ZMM%d+$",
    } do assert.matches(pattern, found[name].text, name) end
  end)
  it("are what a tool says that is not there", function()
    local found, message = instructions({ "nop" }, "3")
    assert.is_nil(found)
    assert.matches("^llvm%-mc%-3 is not installed", message)
  end)
end)

describe("llvm-exegesis' analysis", function()
  if not (llvm_exegesis and llvm_mc) then return pending "llvm-exegesis-19 or llvm-mc-19 is not installed" end
  -- What the analysis says of each point, by the beginning of its text: the value as it read it.
  local function analysed(directory, kind)
    assert(mapping.save(example(), directory .. "/m.json"))
    local r = process.run { args = { process.portolan, "export", directory .. "/m.json", "--to", "exegesis", "--cpu", "skylake-avx512",
      "--opcodes", "19", "--measurement", kind, "--out", directory .. "/x.yaml" } }
    assert.equal(0, r.status, r.err)
    r = process.run { args = { llvm_exegesis, "--mode=analysis", "--benchmarks-file=" .. directory .. "/x.yaml",
      "--analysis-clusters-output-file=" .. directory .. "/c.csv", "--analysis-inconsistencies-output-file=" .. directory .. "/i.html",
      "--analysis-numpoints=1" } } -- those that resemble no others, too
    assert.equal(0, r.status, r.err)
    local values, parsed = {}, tonumber((r.out .. r.err):match "Parsed (%d+) benchmark points")
    local n = 0
    for line in io.lines(directory .. "/c.csv") do
      local word, value = line:match '^[^,]+,"(%a[%w]*).*,([%d.]+)$'
      if word then values[word], n = tonumber(value), n + 1 end
    end
    assert.equal(parsed, n)
    return values
  end
  it("reads all kinds, under the instructions that were measured", function()
    process.in_directory(function(directory)
      local values = analysed(directory, "inverse_throughput")
      assert.same({ 1.02, 0.5, 1, 2, 1, 1 }, { values.imulq, values.vfmadd231pd, values.cmovbeq, values.shlq, values.vaddpd, values.movq })
      assert.equal(3.5, analysed(directory, "latency").imulq)
      values = analysed(directory, "uops")
      assert.same({ 1, 2, 2, 3 }, { values.imulq, values.vfmadd231pd, values.cmovbeq, values.shlq })
    end)
  end)
end)
