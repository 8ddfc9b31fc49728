-- Forms of instructions that one scheme covers: how a chart finds what they cost, and what a model of blocks makes of it.
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local forms = require "portolan.mapping.forms"
local lists = require "portolan.support.lists"
local probes = require "portolan.processor.form_probes"
local shape = require "portolan.support.shape"
local small_core = require "small_core"
local stage = require "portolan.infer.chart.stages.forms"

local function checked(f) return shape.check(forms.shape, f, "forms") end

-- A processor that answers with the cycles given for each probe, by its name.
local function survey_of(cycles)
  local processor = {}
  function processor.measure_bodies(_, jobs)
    return lists.map(jobs, function(job)
      assert(#job.kernels()[1].bytes > 0)
      local t = cycles[job.key:match "^probe: form (.*)$"]
      return t and { status = "ok", cycles = t } or { status = "unstable" }
    end)
  end
  return { processor = processor, experiments = 0, list = function() end, stage = function() end }
end

local function found(cycles)
  local s = survey_of(cycles)
  stage(s)
  return s.forms
end

local raptor_cove = { plain = 0.2, relative = 1.002, scaled = 0.334, ["plain chain"] = 1, ["scaled chain"] = 2.01, low = 0.2, high = 1.001,
  ["low chain"] = 1, ["high chain"] = 3.004, compared = 1.003, logical = 1.86,
  summed = 0.5, ["summed chain"] = 2, ["summed scaled"] = 0.5, ["summed scaled chain"] = 3.003 }

local function cycles_of(m, text) return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes)).cycles end

describe("the stage of forms", function()
  it("tells what each costs beside its like", function()
    local f = found(raptor_cove)
    assert.same({ cycles = 1 }, f.relative)
    assert.near(0.334, f.scaled.cycles, 1e-9)
    assert.equal(1, f.scaled.later)
    assert.same({ cycles = 0.5, later = 1 }, f.summed)
    assert.same({ cycles = 0.5, later = 2 }, f.summed_scaled)
    assert.same({ cycles = 1, later = 2 }, f.high)
    assert.near(0.857, f.flags.later, 1e-9)
    assert.is_true(checked(f))
  end)

  it("tells that an address comes sooner by its index, and that a register's move to itself is eliminated", function()
    local cycles = { itself = 0.167, ["itself half"] = 0.168, ["summed index chain"] = 1, ["summed scaled index chain"] = 3.01 }
    for name, value in pairs(raptor_cove) do cycles[name] = value end
    local f = found(cycles)
    assert.same({ cycles = 0.5, later = 1, later_by_index = 0 }, f.summed)
    assert.same({ cycles = 0.5, later = 2 }, f.summed_scaled)
    assert.same({ eliminated = true }, f.itself)
    assert.is_true(checked(f))
    cycles["itself half"] = 1
    assert.is_nil(found(cycles).itself)
  end)

  it("tells that results of floating-point additions come later to what is none", function()
    local cycles = { ["sum chain"] = 2, ["product chain"] = 3.001, ["sums of products"] = 6.01 }
    assert.same({ sums = { later = 1 } }, found(cycles))
    assert.is_true(checked(found(cycles)))
    cycles["sums of products"] = 5.004
    assert.same({}, found(cycles))
    assert.same({}, found { ["sums of products"] = 6 })
  end)

  it("tells what additions cost that wait for each other, where it is more than others do", function()
    assert.near(0.25, found({ awaited = 1.25, ["not awaited"] = 0.84 }).awaited.cycles, 1e-9) -- five of them
    assert.is_nil(found({ awaited = 0.85, ["not awaited"] = 0.84 }).awaited)
    assert.is_nil(found({ awaited = 1.25 }).awaited)
  end)

  it("finds nothing where all are alike, nor without readings", function()
    local alike = {}
    for name in pairs(raptor_cove) do alike[name] = 1 end
    assert.same({}, found(alike))
    assert.same({}, found {})
  end)

  it("does nothing on a processor that cannot be asked", function()
    local other = { processor = {} }
    stage(other)
    assert.is_nil(other.forms)
  end)
end)

describe("a probe of forms", function()
  it("has code of its form", function()
    local function first(name) return core.isa.decode(probes[name]()[1].bytes).instructions[1].text end
    assert.matches("rip", first "relative")
    assert.matches("%*4%]", first "scaled")
    assert.matches("%*1%+0x8%]", first "summed")
    assert.matches("%*4%+0x8%]", first "summed_scaled")
    assert.matches("ah", first "high")
    assert.matches("^test", first "logical")
  end)
end)

describe("a mapping's forms", function()
  it("are checked field by field", function()
    for _, bad in ipairs { 0, -1, 1 / 0, "2", false } do
      assert.is_nil(bad ~= false and checked { itself = { eliminated = bad } } or nil)
      local ok, message = checked { high = { cycles = bad } }
      assert.is_nil(ok)
      assert.matches("forms.high.cycles", message, 1, true)
    end
    assert.matches("forms.wide must be left out: what is known is awaited, flags", (select(2, checked { wide = {} })), 1, true)
    assert.is_nil(checked { high = 1 })
  end)

  it("take an address of three parts with a factor for one with a factor, unless more is known", function()
    local m = small_core()
    m.schemes["lea r64, m"] = { uops = { { { "0", "1" }, 1 } }, latencies = { { from = "2.base", to = "1", cycles = 1 },
      { from = "2.index", to = "1", cycles = 1 } } }
    local scaled, summed, both = "lea rax, [rax+rcx*4]", "lea rax, [rax+rcx+8]", "lea rax, [rax+rcx*4+8]"
    m.forms = { scaled = { cycles = 2.5, later = 3 } }
    for text, cycles in pairs { [scaled] = 4, [summed] = 1, [both] = 4, [both:gsub("%[rax", "[rbx") .. ";" .. scaled:gsub("%[rax", "[rbx")] = 5 } do
      assert.near(cycles, cycles_of(m, text), 1e-9, text)
    end
    m.forms = { scaled = { later = 3 }, summed = { later = 1 }, summed_scaled = { later = 5 } }
    for text, cycles in pairs { [scaled] = 4, [summed] = 2, [both] = 6 } do assert.near(cycles, cycles_of(m, text), 1e-9, text) end
    m.forms.summed.later_by_index = 0
    local by_index, displaced, plain = "lea rcx, [rax+rcx+8]", "lea r13, [r13+rcx*1]", "lea rax, [rax+rcx]" -- r13 has a displacement of 0
    for text, cycles in pairs { [summed] = 2, [by_index] = 1, [displaced] = 2, [plain] = 1 } do
      assert.near(cycles, cycles_of(m, text), 1e-9, text)
    end
  end)

  it("make additions slower that wait for each other in an iteration", function()
    local m = small_core()
    m.ports = { "0", "1", "2", "3", "4", "5" }
    for _, name in ipairs { "lea r64, m", "cmp r64, r64", "add r64, r64" } do
      m.schemes[name] = { uops = { { { "0", "1", "4", "5" }, 1 } }, latency = 1 }
    end
    m.schemes["imul r64, r64"] = { uops = { { { "1" }, 1 } }, latency = 3 }
    m.front_end, m.rmax = nil, 8
    local function takes(text, cycles)
      local bounds = assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes)).bounds
      assert.near(cycles, math.max(bounds.unit or 0, bounds.ports), 1e-9, text)
    end
    local pair, apart = "lea rax, [rdi+8]; cmp rax, rsi", "lea rax, [rdi+8]; cmp rdx, rsi"
    takes(pair, 0.5)
    m.forms = { awaited = { cycles = 0.4 } }
    takes(pair, 0.8)
    takes(apart, 0.5)
    takes(pair .. "; cmp rdx, rsi", 1.05)
    takes("lea rax, [rdi+8]; mov rbx, qword ptr [rax]", 0.25 + 0.75) -- a load waits for no addition's port; it has its own
    takes("add rax, rsi", 0.25) -- it waits for itself, an iteration later
  end)

  it("give results of floating-point additions later to others, but for moves that hand them on", function()
    local m = small_core()
    for name, latency in pairs { ["addsd xmm, xmm"] = 2, ["subpd xmm, xmm"] = 2, ["mulsd xmm, xmm"] = 3 } do
      m.schemes[name] = { uops = { { { "0", "1" }, 1 } }, latency = latency }
    end
    m.schemes["movapd xmm, xmm"] = { uops = {}, latency = 0 }
    local function takes(text, before, after)
      m.forms = nil
      assert.near(before, cycles_of(m, text), 1e-9, text)
      m.forms = { sums = { later = 1 } }
      assert.near(after, cycles_of(m, text), 1e-9, text)
    end
    takes("addsd xmm1, xmm2; mulsd xmm1, xmm3", 5, 6)
    takes("addsd xmm1, xmm2; subpd xmm1, xmm3", 4, 4)
    takes("mulsd xmm1, xmm2", 3, 3)
    takes("addsd xmm1, xmm2; movapd xmm3, xmm1; addsd xmm3, xmm2; movapd xmm1, xmm3", 4, 4)
    takes("addsd xmm1, xmm2; movapd xmm3, xmm1; mulsd xmm3, xmm2; movapd xmm1, xmm3", 5, 6)
    m.schemes["cvtpd2ps xmm, xmm"] = { status = "contradicting", latency = 4 } -- its uops are not known, its latency is
    m.forms = { sums = { later = 1 } }
    local p = assert(block_model.of(m)):explain(assert(core.isa.assemble "addsd xmm1, xmm2; cvtpd2ps xmm1, xmm1").bytes)
    assert.near(7, p.bounds.dependencies, 1e-9)
  end)

  it("let moves of a register to itself be eliminated like others, or not", function()
    local m = small_core()
    m.schemes["mov r64, r64"] = { uops = {}, latency = 0 }
    m.schemes["add r64, r64"] = { uops = { { { "0", "1" }, 1 } }, latency = 1 }
    assert.near(1, cycles_of(m, "mov rax, rax"), 1e-9)
    m.forms = { itself = { eliminated = true } }
    assert.is_true(cycles_of(m, "mov rax, rax") < 0.5)
  end)

  it("slow blocks of the form down, and no others", function()
    local m, plain = small_core(), small_core()
    m.forms = { high = { cycles = 1.5, later = 2 }, relative = { cycles = 1.25 }, scaled = { later = 3 }, flags = { later = 0.75 } }
    m.schemes["add r8, r8"] = { uops = { { { "0", "1" }, 1 } }, latency = 1 }
    m.schemes["lea r64, m"] = { uops = { { { "0", "1" }, 1 } }, latencies = { { from = "2.base", to = "1", cycles = 1 },
      { from = "2.index", to = "1", cycles = 1 } } }
    m.schemes["and r64, r64"] = { uops = { { { "0", "1" }, 1 } }, latency = 1 }
    m.schemes["cmovz r64, r64"] = { uops = { { { "0", "1" }, 1 } }, latency = 1 }
    for name, scheme in pairs(m.schemes) do plain.schemes[name] = scheme end
    local rows = { ["add al, bl"] = { 1, 1 }, ["add ah, bl"] = { 1, 3 }, ["lea rax, [rip+8]"] = { 0.5, 1.25 },
      ["lea rax, [rbx+rcx*4]"] = { 0.5, 0.5 },
      ["lea rax, [rax+rcx]"] = { 1, 1 }, ["lea rax, [rax+rcx*4]"] = { 1, 4 }, ["and rcx, rdx; cmovz rax, rbx"] = { 1, 1.75 },
      ["add rcx, rdx; cmovz rax, rbx"] = { 1, 1 } }
    for text, row in pairs(rows) do
      assert.near(row[1], cycles_of(plain, text), 1e-9, text)
      assert.near(row[2], cycles_of(m, text), 1e-9, text)
    end
  end)
end)
