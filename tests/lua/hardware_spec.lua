-- Properties of measurements that hold on any x86-64 processor, with wide margins. On a machine that is too noisy to be
-- calibrated the tests are skipped, with the reason. hardware_aarch64_spec.lua asks AArch64 processors.
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local hardware = require "portolan.processor.hardware"
local loop_body = require "portolan.experiment.loop_body"
local real_loop = require "portolan.block.loop"

local sanitized = (os.getenv("PORTOLAN_SANITIZE") or "") ~= ""

-- A test that is skipped where the processor cannot be calibrated.
local function on_hardware(f)
  return function()
    if core.bench.architecture ~= "x86_64" then pending "this is no x86-64 processor" end
    local p, message = hardware.open { patience = sanitized and 3 or 6 }
    if not p then pending("this machine cannot be measured on: " .. message) end
    f(p)
    p:close()
  end
end

-- Cycles of all, or pending.
local function cycles(p, list)
  local results = assert(p:measure(list))
  local out = {}
  for i, result in ipairs(results) do
    if result.status == "unstable" then pending("this machine is too noisy: unstable") end
    assert.equal("ok", result.status)
    out[i] = result.cycles
  end
  return out
end

describe("other values in registers", function()
  it("do not stay there when measuring ends by an error", function()
    for _, method in ipairs { "measure_other_inputs", "measure_chains" } do
      local log = {}
      local p = setmetatable({ session = { operands = function(_, other) log[#log + 1] = other end }, run = function() error "broken off" end,
        kernels = function() return {} end, layouts = {}, unroll = {}, readings = {}, patience = { seconds = 0 },
        declared = assert(loop_body.declared "x86_64") }, hardware)
      local link = { scheme = "add r64, r64", from = "2", to = "1" }
      local list = method == "measure_chains" and { { link } } or { { ["add r64, r64"] = 1 } }
      assert.has_error(function() p[method](p, list, { other_inputs = true }) end)
      assert.same({ true, false }, log)
    end
  end)
end)

describe("issue slots with an index register", function()
  it("are not asked where the policy cannot spare the register", function()
    local lacking = { registers = assert(loop_body.declared "x86_64").registers, layouts = {} }
    local p = setmetatable({ declared = lacking, policy = "another one", run = function() error "measured" end }, hardware)
    assert.matches("policy", (select(2, p:issue_slots({ { name = "add r64, m64", cycles = 0.5 } }, 6, { indexed = true }))))
  end)
end)

describe("the processor of this machine", function()
  it("gives every result its evidence", on_hardware(function(p)
    local r = assert(p:measure { { ["imul r64, r64"] = 1 } })[1]
    if r.status ~= "ok" then pending("this machine is too noisy: " .. r.status) end
    -- Of eight readings that are expected to be undisturbed two fifths must agree (engine/bench/estimate.c).
    assert.is_true(r.n >= 4, "readings: " .. r.n)
    assert.is_true(r.rejected >= 0, "rejected: " .. r.rejected)
    assert.is_true(r.spread < 0.03, "spread: " .. r.spread)
    assert.is_true(r.frequency > 5e8 and r.frequency < 1e10, "frequency: " .. r.frequency)
    assert.is_true(r.unroll == 40 or r.unroll == 80 or r.unroll == 200)
  end))

  it("measures chains: what waits takes as long as all of it", on_hardware(function(p)
    local chain = require "portolan.experiment.chain"
    local add, imul = "add r64, r64 [2 > 1]", "imul r64, r64 [2 > 1]"
    local texts = { add, add .. " -> " .. add, imul, imul .. " -> " .. imul, imul .. " -> " .. add, "xor r64, r64 [1 > 1, same]",
      "mov r64, m64 [2.base > 1]", "mov r64, m64 [2.index > 1]", "mul r64 [1 > 2]", "adc r64, r64 [cf > cf]" }
    local chains = {}
    for i, text in ipairs(texts) do chains[i] = assert(chain.parse(text)) end
    local results = assert(p:measure_chains(chains))
    local t = {}
    for i, r in ipairs(results) do
      if r.status == "unstable" then pending("this machine is too noisy: unstable") end
      t[texts[i]] = r.cycles
    end
    assert.is_true(t[add] > 0.97 and t[imul] > 1.5)
    assert.near(2 * t[add], t[texts[2]], 0.03 * t[texts[2]])
    assert.near(2 * t[imul], t[texts[4]], 0.03 * t[texts[4]])
    assert.near(t[add] + t[imul], t[texts[5]], 0.03 * t[texts[5]])
    assert.is_true(t["xor r64, r64 [1 > 1, same]"] < t[add] + 0.05)
    assert.is_true(t["mov r64, m64 [2.base > 1]"] > 1.5 and t["mov r64, m64 [2.index > 1]"] > 1.5) -- no core loads in a cycle
    assert.equal("unsupported", results[9].status)
    assert.matches("cannot be cut", results[9].message)
    assert.is_true(t["adc r64, r64 [cf > cf]"] > 0.97)
    assert.same({ ["mov r64, r64"] = 1 }, results[1].cuts)
  end))

  it("measures what moves the stack pointer, jumps and calls, in loops that go on for long", on_hardware(function(p)
    local names, list = { "push r64", "pop r64", "push m64", "pop r16", "call rel32", "jmp rel8", "jz rel8", "jnz rel8" }, {}
    for i, name in ipairs(names) do list[i] = { [name] = 1 } end
    list[#list + 1] = { ["push r64"] = 2, ["pop r64"] = 1, ["mov m64, r64"] = 1, ["add r64, r64"] = 3 }
    for i, result in ipairs(assert(p:measure(list))) do
      assert.is_true(result.status == "ok" or result.status == "unstable", ("%s: %s"):format(names[i] or "a mixture", result.status))
      if result.cycles then assert.is_true(result.cycles < 20) end
    end
  end))

  it("adds up what runs on one port, and not what does not", on_hardware(function(p)
    local t = cycles(p, {
      { ["imul r64, r64"] = 1 }, { ["imul r64, r64"] = 2 }, { ["imul r64, r64"] = 1, ["mov r64, m64"] = 1 },
      { ["add r64, r64"] = 1 }, { ["add r64, r64"] = 3 }, { ["mov r64, m64"] = 1 },
    })
    assert.near(2, t[2] / t[1], 0.1)
    assert.near(3, t[5] / t[4], 0.2)
    assert.is_true(t[3] < 0.9 * (t[1] + t[6])) -- a load finds room beside a multiplication; on Zen 5 an addition hardly does
    assert.is_true(t[4] < 0.8 * t[1]) -- there are fewer multipliers than adders
  end))

  it("is never slower with fewer instances", on_hardware(function(p)
    local list = {}
    for n = 1, 6 do list[n] = { ["imul r64, r64"] = n, ["add r64, r64"] = 2 } end
    local t = cycles(p, list)
    for n = 2, 6 do assert.is_true(t[n] > 0.95 * t[n - 1]) end
  end))

  it("answers what it cannot measure with a status, not an error", on_hardware(function(p)
    local r = assert(p:measure { { ["ud2"] = 1 }, { ["no such scheme"] = 1 }, { ["hlt"] = 1 }, { ["add r64, r64"] = 501 } })
    assert.equal("unsupported", r[4].status)
    assert.matches("at most 500", r[4].message)
    assert.equal("illegal instruction", r[1].status)
    assert.equal("unsupported", r[2].status)
    assert.is_truthy(r[2].message)
    assert.is_true(r[3].status == "memory fault" or r[3].status == "unsupported")
    for _, result in ipairs(r) do assert.is_nil(result.cycles) end
  end))

  it("counts issue slots: a NOP-wide core takes one for an addition", on_hardware(function(p)
    local width, message = p:issue_width()
    if not width then pending("this machine is too noisy: " .. message) end
    assert.is_true(width > 1.8 and width < 16)
    local slots = assert(p:issue_slots({ { name = "imul r64, r64", cycles = 1 } }, math.floor(width + 0.5)))
    if not slots[1] then pending("this machine is too noisy") end
    assert.near(1, slots[1], 0.45)
  end))

  it("finds the latency of chains: an addition is executed", on_hardware(function(p)
    local t = assert(p:chain_latency { "add r64, imm8", "add r64, r64", "mov m64, r64" })
    assert.is_false(t[3])
    if not t[2] then pending("this machine is too noisy") end
    assert.is_true(t[2] > 0.9 and t[2] < 2.2)
  end))

  it("reports progress and stops when the user wants to", on_hardware(function(p)
    local list = {}
    for i = 1, 200 do list[i] = { ["imul r64, r64"] = i } end
    core.base.set_interrupted(true)
    local r = p:measure(list)
    core.base.set_interrupted(false)
    for _, result in ipairs(r) do assert.equal("interrupted", result.status) end
    local last
    p:measure({ { ["imul r64, r64"] = 1 } }, { progress = function(done, total) last = { done, total } end })
    assert.same({ 1, 1 }, last)
  end))
end)

describe("facts of the processor", function()
  local sample = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Intel(R) Xeon(R)   Gold\n"
    .. "stepping\t: 8\nflags\t\t: fpu avx2 hypervisor\n\nprocessor\t: 1\nvendor_id\t: GenuineIntel\n\n"

  it("come from /proc/cpuinfo and arch/x86_64/processors.lua", function()
    local f = assert(cpu.facts(sample))
    assert.same({ "GenuineIntel", 6, 143, 8, 2, "Intel Xeon Gold", true, 5 },
      { f.vendor, f.family, f.model, f.stepping, f.cores, f.cpu, f.hypervisor, f.adders })
    assert.matches("Golden Cove", f.microarchitecture)
    assert.is_true(f.flags.avx2)
    assert.equal("GenuineIntel-6-143-8", f.key)
  end)

  it("believe what a processor can execute before its number, which hypervisors make up", function()
    local old = sample:gsub("143", "167")
    assert.equal("Rocket Lake", assert(cpu.facts(old)).microarchitecture)
    local f = assert(cpu.facts((old:gsub("avx2", "avx2 amx_tile"))))
    assert.matches("Sapphire Rapids or later", f.microarchitecture)
    assert.equal(5, f.adders)
    assert.matches("Golden Cove", assert(cpu.facts((sample:gsub("avx2", "avx2 amx_tile")))).microarchitecture)
    local function with_caches(size)
      local files = { ["index0/level"] = "1\n", ["index0/type"] = "Data\n", ["index0/size"] = "48K\n", ["index1/level"] = "1\n",
        ["index1/type"] = "Instruction\n", ["index1/size"] = size .. "K\n" }
      return assert(cpu.facts(old:gsub("avx2", "avx2 amx_tile"), nil, function(path) return files[path:match "cpu0/cache/(.*)$"] end))
    end
    assert.matches("Redwood Cove", with_caches(64).microarchitecture)
    assert.equal("redwood-cove", with_caches(64).chart)
    assert.matches("Sapphire Rapids or later", with_caches(32).microarchitecture)
    assert.matches("Sapphire Rapids or later", with_caches("").microarchitecture, 1, true)
  end)

  it("do without what is not known", function()
    local f = assert(cpu.facts((sample:gsub("143", "1"))))
    assert.is_nil(f.microarchitecture)
    assert.is_nil(f.adders)
    local nothing, message = cpu.facts("Processor : ARM\n")
    assert.is_nil(nothing)
    assert.matches("x86%-64", message)
    assert.is_truthy(cpu.facts())
  end)
end)

describe("loops of programs", function()
  local function measured(p, text)
    local result = assert(p:measure_blocks({ assert(core.isa.assemble(text)).bytes }, nil, real_loop.form { address = 0 }))[1]
    if result.status == "unstable" then pending("this machine is too noisy: " .. result.message) end
    return result
  end

  it("take as long as what they wait for, whatever counts them", on_hardware(function(p)
    for _, close in ipairs { "dec rcx; jnz -20", "add rbx, 8; cmp rbx, rdx; jnz -20", "cmp byte ptr [rdi], 0; jnz -20" } do
      local one, two = measured(p, "imul rax, rax; " .. close), measured(p, "imul rax, rax; imul rax, rax; " .. close)
      assert.equal("ok", one.status, one.message)
      assert.equal("ok", two.status, two.message)
      assert.is_true(one.cycles > 1.5 and two.cycles > 1.6 * one.cycles and two.cycles < 2.4 * one.cycles, one.cycles .. ", " .. two.cycles)
    end
  end))

  it("walk through memory of their own, and follow pointers", on_hardware(function(p)
    assert.equal("ok", measured(p, "mov rax, [rsi+rcx*8]; mov [rdi+rcx*8], rax; add rcx, 1; cmp rcx, rdx; jnz -20").status)
    local list = measured(p, "mov rdi, [rdi]; test rdi, rdi; jnz -20")
    assert.equal("ok", list.status, list.message)
    assert.is_true(list.cycles > 2, list.cycles)
  end))

  it("have no time where a branch leaves their path", on_hardware(function(p)
    assert.equal("trap", measured(p, "add rcx, 1; test rcx, rcx; jnz 60; cmp rcx, rdx; jnz -20").status)
  end))
end)
