-- Blocks of code under a mapping: against portolan.block.dependencies, which finds waits in Lua; examples; the model's own faults.
local block_model = require "portolan.block.model"
local code = require "portolan.anica.code"
local core = require "portolan.core"
local dependencies = require "portolan.block.dependencies"
local domains = require "portolan.anica.domain"
local mapping = require "portolan.mapping"
local small_core = require "small_core"

local function bytes_of(text) return assert(core.isa.assemble(text)).bytes end

local function explain(text, options) return assert(assert(block_model.of(small_core())):explain(bytes_of(text), options)) end

-- The stack pointer's own moves are free in a model of blocks, whatever the scheme takes.
local function moves_stack(block)
  for _, access in ipairs(assert(core.isa.accesses(block))) do
    local mnemonic = access.scheme:match "^%S+"
    if mnemonic == "push" or mnemonic == "pop" or mnemonic == "call" or mnemonic == "ret" then return true end
  end
  return false
end

-- A mapping of these schemes in which every scheme has one latency.
local function of_one_latency(schemes, latency)
  local ports = {}
  for name in pairs(schemes) do ports[name] = { "0" } end
  local m = mapping.two_level({ "0" }, ports)
  for name, scheme in pairs(m.schemes) do
    scheme.latency = latency(name)
    scheme.uops = { { { "0" }, 1 } }
  end
  return m
end

describe("a model of blocks", function()
  it("finds the dependencies that Lua finds, where a scheme has one latency", function()
    local blocks = {}
    for _, block in ipairs(assert(assert(domains.load()):top(6):sample(core.base.rng(5), 400))) do
      if not moves_stack(block) then blocks[#blocks + 1] = block end
    end
    local schemes, number = {}, 0
    for _, block in ipairs(blocks) do
      for _, access in ipairs(assert(core.isa.accesses(block))) do
        if not schemes[access.scheme] then number = number + 1 schemes[access.scheme] = 1 + number * 7 % 5 end
      end
    end
    local function latency(name) return schemes[name] end
    local model, positive = assert(block_model.of(of_one_latency(schemes, latency))), 0
    for _, aliasing in ipairs { "no", "all" } do
      local found = model:bounds(blocks, { aliasing = aliasing })
      for i, block in ipairs(blocks) do
        local waits, accesses = assert(dependencies.of(block, { aliasing = aliasing }))
        local ratio = assert(dependencies.bound(waits, #accesses, function(k) return latency(accesses[k].scheme) end))
        assert.near(ratio, assert(model:explain(block, { aliasing = aliasing })).bounds.dependencies, 1e-9, code.text(block))
        assert.equal(0, found.unknown[i] + found.lacking_latency[i])
        assert.is_true(found.cycles[i] >= ratio - 1e-9)
        positive = positive + (ratio > 0 and 1 or 0)
      end
    end
    assert.is_true(positive > 100)
  end)

  it("says what bounds blocks that people know", function()
    local chain = explain "imul rax, rbx; imul rax, rbx"
    assert.equal(6, chain.cycles)
    assert.equal("dependencies", chain.limit)
    assert.same({ 2, 1 }, { chain.bounds.ports, chain.critical[1].distance + chain.critical[2].distance })
    assert.equal(2, explain("adc rax, rbx; adc rcx, rbx").cycles) -- through the carry
    assert.equal(0, explain("xor rax, rax; imul rax, rax").bounds.dependencies)
    assert.equal(5, explain("mov rax, [rsi]; mov [rsi], rax").cycles)
    assert.equal(0, explain("mov rax, [rsi]; mov [rsi], rax", { aliasing = "no" }).bounds.dependencies)
    assert.equal(0, explain("mov rax, [rsi]; mov [rsi + 8], rax").bounds.dependencies)
    local loop = explain "again: add rdx, rbx; cmp rax, rcx; jne again"
    assert.is_true(loop.loop and loop.items[3].fused)
    assert.same({ 2, 2, 1 }, { loop.slots, loop.uops, loop.bounds.branch })
  end)

  it("simulates what it bounds, and never below", function()
    local model = assert(block_model.of(small_core()))
    local blocks = {}
    for i, text in ipairs { "imul rax, rbx; imul rax, rbx", "mov rax, [rsi]; mov [rsi], rax", "add rax, rbx; add rcx, rbx; imul rdx, rbx",
      "xor rax, rax; adc rax, rbx" } do blocks[i] = bytes_of(text) end
    local bounds, simulated = model:bounds(blocks), model:simulate(blocks)
    for i = 1, #blocks do assert.is_true(simulated.cycles[i] >= bounds.cycles[i]) end
    assert.same({ 6, 5 }, { simulated.cycles[1], simulated.cycles[2] })
    assert.same(simulated, model:simulate(blocks, { threads = 2 }))
  end)

  it("bounds the rest where something is unknown, and says what", function()
    local p = explain "imul rax, rbx; bsf rcx, rcx; popcnt rdx, rdx"
    assert.same({ true, false, false }, { p.items[1].known, p.items[2].known, p.items[3].known })
    assert.equal(2, p.unknown)
    assert.equal(3, p.cycles)
    local answers = assert(block_model.of(small_core())):bounds { "\x48", bytes_of "imul rax, rbx", "" }
    assert.is_false(answers.cycles[1])
    assert.equal(3, answers.cycles[2])
    assert.matches("%S", answers.error[1])
    assert.is_nil(answers.error[2])
  end)

  it("says what a change would give", function()
    local model = assert(block_model.of(small_core()))
    local changes = assert(model:what_if(bytes_of "imul rax, rbx; imul rcx, rbx; imul rdx, rbx; imul rsi, rbx; imul rdi, rbx; imul r8, rbx"))
    assert.equal(5, changes.without[1]) -- port 1 has one less
    assert.equal(3, changes.port["1"])
    assert.equal(6, changes.port["0"])
    assert.equal(6, changes.slot)
  end)

  it("does not depend on the order of ports", function()
    local m = small_core()
    local turned = small_core()
    turned.ports = { "3", "2", "1", "0" }
    local block = bytes_of "add rax, rbx; imul rcx, rbx; adc rdx, rbx; mov rsi, [rdi]"
    local a, b = assert(block_model.of(m)):explain(block), assert(block_model.of(turned)):explain(block)
    assert.same(a.bounds, b.bounds)
    assert.same(a.load, b.load)
  end)
end)

describe("core.predict.model", function()
  local compiled = mapping.compile(small_core())
  local function refused(words, facts)
    local model, message, status = core.predict.model(compiled, facts)
    assert.is_nil(model)
    assert.matches(words, message)
    assert.not_matches("\n", message)
    assert.is_string(status)
  end
  local many_jumps = {}
  for i = 1, 65 do many_jumps[i] = "jz" end
  local function scheme(facts) return { schemes = { ["add r64, r64"] = facts } } end
  it("refuses facts that cannot be", function()
    refused("'from' is no place", scheme { latencies = { { from = "x", to = "1", cycles = 1 } } })
    refused("'to' is no place", scheme { latencies = { { from = "1", to = 1, cycles = 1 } } })
    refused("from 0 to", scheme { latencies = { { from = "1", to = "1", cycles = -1 } } })
    refused("from 0 to", scheme { latencies = { { from = "1", to = "1", cycles = 0 / 0 } } })
    refused("from 0 to", scheme { latencies = { { from = "1", to = "1", cycles = 1e9 } } })
    refused("between places", scheme { latencies = { { from = "1", to = "1" } } })
    refused("'latencies' must be a list", scheme { latencies = 3 })
    refused("a latency must be a table", scheme { latencies = { 3 } })
    refused("facts must be a table", scheme(7))
    refused("list of mnemonics", scheme { fuses = { 1 } })
    refused("at most 64", scheme { fuses = many_jumps })
    refused("a unit is busy", scheme { unit = 1, unit_cycles = 2 })
    refused("'other_form' must be a scheme", scheme { other_form = "no such" })
    refused("'taken_branch' must be", { taken_branch = "long" })
    refused("no name of a scheme", { stand_ins = { ["jz rel8"] = "no such" } })
  end)
  it("raises an error for what is no table or no mapping", function()
    assert.is_false(pcall(core.predict.model, compiled, 3))
    assert.is_false(pcall(core.predict.model, {}, {}))
    assert.is_false(pcall(core.predict.model, compiled, { schemes = 3 }))
    local model = assert(core.predict.model(compiled, {}))
    assert.is_false(pcall(model.bounds, model, { 3 }))
    assert.is_false(pcall(model.bounds, model, { "\x90" }, { threads = -1 }))
    assert.is_false(pcall(model.explain, model, "\x90", { aliasing = "some" }))
  end)
end)
