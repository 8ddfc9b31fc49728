-- Reviews of LLVM's models against a simulated core that differs from one in a few places. Skipped where llvm-mca-19 is not installed.
local json = require "portolan.support.json"
local llvm_mca = require "portolan.predictor.llvm_mca"
local mapping = require "portolan.mapping"
local process = require "process"
local review = require "portolan.infer.model_review"
local review_text = require "portolan.report.model_review_text"
local simulated = require "portolan.processor.simulated"

local names = { "add r64, r64", "imul r64, r64", "lea r64, m", "mov r64, m64", "shl r64, imm8", "rol r64, imm8", "bswap r64", "popcnt r64, r64",
  "vaddpd ymm, ymm, ymm", "vmulpd ymm, ymm, ymm", "vpaddd ymm, ymm, ymm", "vpermd ymm, ymm, ymm", "vpshufd ymm, ymm, imm8", "vpand ymm, ymm, ymm",
  "vpsllw ymm, ymm, imm8", "vdivpd ymm, ymm, ymm", "movzx r32, r8", "test r64, r64", "setz r8", "vpmulld ymm, ymm, ymm" }

local tool = llvm_mca.open { version = "19", cpu = "skylake", steady = true }

-- What the model says, and a core with two other uses of ports, a slower unit and a longer chain.
local function worlds()
  local other = assert(tool:mapping(names))
  local m = assert(json.decode(assert(mapping.encode(other))))
  for name, entry in pairs(m.schemes) do
    entry.note, entry.assumed = nil, nil
    entry.tp = entry.status == "slower than ports" and entry.tp or mapping.compile(m):throughput { [name] = 1 }
  end
  return m, other
end

local function changed()
  local m, other = worlds()
  m.schemes["vpermd ymm, ymm, ymm"].uops = { { { "1", "5" }, 1 } }
  m.schemes["vpermd ymm, ymm, ymm"].tp = 0.5
  m.schemes["bswap r64"].uops, m.schemes["bswap r64"].tp = { { { "0", "1", "5", "6" }, 1 } }, 0.25
  m.schemes["vdivpd ymm, ymm, ymm"].tp, m.schemes["vdivpd ymm, ymm, ymm"].misfit = 5, { busy = 5 }
  m.schemes["imul r64, r64"].latencies = { { from = "1", to = "1", cycles = 4, witnesses = { { chain = "imul r64, r64 [1 > 1]", cycles = 4.01 } } } }
  -- not decided: of an interval, of no chain, of a longer chain
  m.schemes["add r64, r64"].latencies = { { from = "1", to = "1", cycles = 2, low = 1, high = 3,
    witnesses = { { chain = "add r64, r64 [1 > 1]", cycles = 2 } } } }
  m.schemes["popcnt r64, r64"].latencies = { { from = "2", to = "1", cycles = 9 } }
  m.schemes["shl r64, imm8"].latencies = { { from = "1", to = "1", cycles = 7,
    witnesses = { { chain = "shl r64, imm8 [1 > 1] -> add r64, r64 [1 > 1]", cycles = 8 } } } }
  return m, other
end

describe("a review of LLVM's model", function()
  if not tool then return pending "llvm-mca-19 is not installed" end
  local m, other = changed()
  local kit = assert(review.of(m, other, tool, assert(simulated.new { mapping = m, seed = 1 })))
  local by_scheme = {}
  for _, claim in ipairs(kit.claims) do by_scheme[claim.scheme] = claim end

  it("has what measurements decide against it, and nothing else", function()
    local found = {}
    for name, claim in pairs(by_scheme) do found[name] = claim.kind end
    assert.same({ ["vpermd ymm, ymm, ymm"] = "ports", ["bswap r64"] = "ports", ["vdivpd ymm, ymm, ymm"] = "throughput",
      ["imul r64, r64"] = "latency" }, found)
    for _, claim in ipairs(kit.claims) do assert.is_true(review.decides(claim.ours, claim.theirs, claim.measured), claim.scheme) end
    assert.same({ 8, 5, "8 cycles", "5 cycles" }, { by_scheme["vdivpd ymm, ymm, ymm"].theirs, by_scheme["vdivpd ymm, ymm, ymm"].measured,
      by_scheme["vdivpd ymm, ymm, ymm"].was, by_scheme["vdivpd ymm, ymm, ymm"].is })
    assert.same({ 3, 4 }, { by_scheme["imul r64, r64"].theirs, by_scheme["imul r64, r64"].measured })
    assert.equal(20, kit.common)
  end)

  it("drops what the mapping recorded and measuring again does not show", function()
    local other_core = json.decode((assert(mapping.encode(m))))
    other_core.schemes["vdivpd ymm, ymm, ymm"].misfit.busy = 8
    other_core.schemes["imul r64, r64"].latencies[1].cycles = 3
    local found = {}
    for _, claim in ipairs(assert(review.of(m, other, tool, assert(simulated.new { mapping = other_core, seed = 1 }))).claims) do
      found[#found + 1] = claim.scheme
    end
    table.sort(found)
    assert.same({ "bswap r64", "vpermd ymm, ymm, ymm" }, found)
  end)

  it("has nothing where the core is as modelled, and nothing of ports where nothing is measured", function()
    local same, model = worlds()
    assert.same({}, assert(review.of(same, model, tool, assert(simulated.new { mapping = same, seed = 1 }))).claims)
    local unmeasured = assert(review.of(m, other, tool))
    assert.is_nil(unmeasured.counts)
    for _, claim in ipairs(unmeasured.claims) do assert.not_equal("ports", claim.kind) end
  end)

  it("has blocks whose times llvm-mca repeats", function()
    for _, claim in ipairs(kit.claims) do
      local answer = tool:predict({ { text = claim.block } })[1]
      assert.is_true(math.abs(answer.cycles / claim.copies - claim.theirs) < 0.05 * claim.theirs, claim.scheme)
    end
  end)

  it("is Markdown, with a table, a block and the commands for each difference", function()
    local text = review_text.markdown(kit, { ["bswap r64"] = { "BSWAP64r" } }, "a | `core`\27")
    assert.matches("Measured on: a | `core`?.", text, 1, true)
    assert.matches("\n## Ports: 2 instructions\n", text, 1, true)
    assert.matches("\n### Ports: `p5` modelled, `p15` measured, 1 instruction\n", text, 1, true)
    assert.matches("| `BSWAP64r` | `bswap r64` |", text, 1, true)
    assert.matches("### Throughput: `8 cycles` modelled, `5 cycles` measured", text, 1, true)
    assert.matches("`portolan bench --chain 'imul r64, r64 [1 > 1]'` measures it.", text, 1, true)
    assert.matches("`llvm-mca-19 -mtriple=x86_64 -mcpu=skylake` reads it; `portolan bench --experiment 'vdivpd ymm, ymm, ymm'`", text, 1, true)
    local blocks = select(2, text:gsub("\n```asm\n    %.intel_syntax noprefix\n", ""))
    assert.equal(4, blocks)
    for line in text:gmatch "\n|([^\n]*)" do assert.equal(9, select(2, line:gsub("|", "")), line) end
    assert.is_nil(text:find("%c[^\n]*", 1) and text:find "[\27\7]")
    kit.claims = {}
    assert.matches("There is nothing that measurements decide against the model.", review_text.markdown(kit, {}), 1, true)
  end)
end)

describe("portolan export --to llvm-review", function()
  if not tool then return pending "llvm-mca-19 is not installed" end
  it("writes one, measured by an oracle", function()
    process.in_directory(function(directory)
      assert(mapping.save((changed()), directory .. "/m.json"))
      local function export(...) return process.run { args = { process.portolan, "export", directory .. "/m.json", "--to", "llvm-review", ... } } end
      local r = export("--against", "llvm-mca-19:skylake", "--oracle", "sim:" .. directory .. "/m.json", "--out", directory .. "/kit.md")
      assert.equal(0, r.status, r.err)
      local handle = assert(io.open(directory .. "/kit.md"))
      local text = handle:read "a"
      handle:close()
      assert.matches("# LLVM's scheduling model of skylake, reviewed by measuring", text, 1, true)
      for _, opcode in ipairs { "VPERMDYrr", "BSWAP64r", "VDIVPDYrr", "IMUL64rr" } do assert.matches("| `" .. opcode .. "`", text, 1, true) end
      for arguments, words in pairs { [""] = "which model?", ["osaca:SKX"] = "only LLVM's models are reviewed",
        ["llvm-mca-3:skylake"] = "%-%-against" } do
        r = arguments == "" and export() or export("--against", arguments)
        assert.equal(2, r.status)
        assert.equal("", r.out)
        assert.matches("^portolan export: [^\n]*" .. words .. "[^\n]*\n$", r.err)
      end
    end)
  end)
end)
