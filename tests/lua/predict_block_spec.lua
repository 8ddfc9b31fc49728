-- portolan predict on code, with a mapping that has latencies.
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"
local small_core = require "small_core"

local root = assert(os.getenv("PORTOLAN_SOURCE"))

local function run(options)
  return process.run { args = table.move(options, 1, #options, 3, { root .. "/scripts/portolan", "predict" }), input = options.input,
    env = { LANG = "C", LC_ALL = false, LC_CTYPE = false } }
end

describe("portolan predict with latencies", function()
  local path = os.tmpname()
  setup(function() assert(mapping.save(small_core(), path)) end)
  teardown(function() os.remove(path) end)

  local function predicted(options)
    local r = run(table.move(options, 1, #options, 4, { "--mapping", path, "--json", input = options.input }))
    assert.equal(0, r.status, r.err)
    return assert(json.decode(r.out))
  end

  it("says which bound, which cycle of waits, and what changes would give", function()
    local p = predicted { "imul rax, rbx; imul rax, rbx; add rcx, rdx" }[1]
    assert.same({ 6, 6, "dependencies", 2, 0.75 }, { p.cycles, p.simulated_cycles, p.limit, p.bounds.ports, p.bounds["front end"] })
    assert.same({ instruction = 2, waits_for = 1, through = "rax", from = "1", to = "1", cycles = 3, iterations = 0 }, p.critical[2])
    assert.equal(1, p.critical[1].iterations)
    assert.same({ 3, 3, 6 }, { p.instructions[1].without, p.instructions[2].without, p.instructions[3].without })
    assert.same({ 6, 6 }, { p.changes.port["1"], p.changes.slot })
    assert.is_nil(p.unknown)
    local text = run { "--mapping", path, "imul rax, rbx; imul rax, rbx; add rcx, rdx" }
    assert.matches("6%.000 cycles per run, 0%.50 IPC, 2%.000 CPI: limited by dependencies\n", text.out)
    assert.matches("critical cycle: 6 cycles in 1 iteration\n", text.out)
    assert.matches("simulated +6%.000\n", text.out)
    assert.matches("1 +1  p1 +3%.000  %-50%%  imul rax, rbx\n", text.out)
  end)

  it("reads loops from standard input, with compares and jumps that become one", function()
    local source = "f:\n  .again:\n  add rdx, rbx\n  cmp rax, rcx\n  jne .again\n  ret\n"
    local p = predicted { "--code", "-", input = source }[1]
    assert.is_true(p.loop)
    assert.same({ 2, 2, true }, { p.slots, p.uops, p.instructions[3].fused })
    assert.equal(1, p.cycles)
  end)

  it("knows stores that loads wait for", function()
    local p = predicted { "mov rax, [rsi]; mov [rsi], rax" }[1]
    assert.equal(5, p.cycles)
    local through = { [p.critical[1].through] = true, [p.critical[2].through] = true }
    assert.same({ rax = true, memory = true }, through)
  end)

  it("gives a bound and names all that it does not know", function()
    local p = predicted { "imul rax, rbx; bsf rcx, rcx; popcnt rdx, rdx" }[1]
    assert.is_nil(p.cycles)
    assert.equal(3, p.least_cycles)
    assert.same({ "bsf r64, r64", "popcnt r64, r64" }, { p.unknown[1], p.unknown[2] })
    assert.same({ "bsf r64, r64", "popcnt r64, r64" }, { p.lacking_latency[1], p.lacking_latency[2] })
    local r = run { "--mapping", path, "imul rax, rbx; bsf rcx, rcx; popcnt rdx, rdx" }
    assert.matches("at least 3%.000 cycles per run, without 2 unknown schemes: limited by dependencies\n", r.out)
    assert.matches("unknown to the mapping: popcnt r64, r64\n", r.out)
  end)
end)
