-- Oracles that measure by other tools. There are no performance counters on most test machines, so a stand-in takes the tools' places
-- (tests/lua/support/measuring_stand_in.lua); the real llvm-exegesis reads what it is given, and does all but measure.
local core = require "portolan.core"
local exegesis = require "portolan.predictor.adapters.exegesis"
local initial_state = require "portolan.predictor.machinery.initial_state"
local instance = require "portolan.scheme.instance"
local json = require "portolan.support.json"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local measuring_tool = require "portolan.predictor.measuring_tool"
local named = require "portolan.predictor.named"
local oracle = require "portolan.processor.oracle"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local temporary = require "portolan.support.temporary"
local text = require "portolan.predictor.llvm_mca.text"

local source = assert(os.getenv "PORTOLAN_SOURCE")
local assembler = program.find "llvm-mc" or (llvm_program.installed("llvm-mc")[1] or {}).path
local newest = llvm_program.installed("llvm-exegesis")[1]

local add, imul, shl, load = "add r64, r64", "imul r64, r64", "shl r64, imm8", "mov r64, m64"

-- Why there can be no stand-in; nil if there can.
local function lacking()
  if not program.find "objdump" then return "objdump is not installed" end
  if not assembler then return "llvm-mc is not installed" end
end

-- Calls f with the path of a program that takes the tool's place, and its folder.
local function with_stand_in(tool, f)
  process.in_directory(function(directory)
    local path = directory .. "/tool.sh"
    temporary.write(directory .. "/utils.sh", "# nanoBench's\n")
    temporary.write(path, ("#!/bin/sh\nSTAND_IN_FOLDER=%s STAND_IN_ASSEMBLER=%s exec lua5.4 %s/tests/lua/support/measuring_stand_in.lua %s \"$@\"\n")
      :format(directory, assembler, source, tool))
    os.execute("chmod +x " .. path)
    f(path, directory)
  end)
end

local function open(text_of_oracle)
  return oracle.open(assert(oracle.parse(text_of_oracle)))
end

-- The set of ports of a scheme with one uop.
local function ports_of(m, scheme)
  local uops, set = m.schemes[scheme].uops, {}
  assert.equal(1, #uops, scheme)
  assert.equal(1, uops[1][2], scheme)
  for _, port in ipairs(uops[1][1]) do set[port] = true end
  return set, #uops[1][1]
end

local function within(a, b)
  for port in pairs(a) do
    if not b[port] then return false end
  end
  return true
end

for _, tool in ipairs { "nanobench", "bhive", "exegesis" } do
  describe("the oracle " .. tool, function()
    it("has experiments measured in code that waits for nothing", function()
      local reason = lacking()
      if reason then return pending(reason) end
      with_stand_in(tool, function(path, directory)
        local p = assert(open(("%s:program=%s,store=%s/m.sqlite"):format(tool, path, directory)))
        local results = p:measure { { [add] = 1 }, { [imul] = 1 }, { [add] = 2, [imul] = 1, [load] = 1 }, { [shl] = 3, [add] = 1 },
          { ["bswap r64"] = 1 } }
        for i, cycles in ipairs { 1 / 3, 1, 1, 1.5 } do
          assert.equal("ok", results[i].status, results[i].message)
          assert.near(cycles, results[i].cycles, 0.015)
        end
        assert.equal("unsupported", results[5].status)
        assert.matches("the processor does not know 'bswap", results[5].message)
        p:close()
        os.remove(path) -- what the store has is not measured again
        local spec = assert(oracle.parse(("%s:program=%s"):format(tool, path)))
        assert.is_nil((oracle.open(spec)))
      end)
    end)
  end)
end

describe("an inference by a tool that measures", function()
  it("says who measured", function()
    local reason = lacking()
    if reason then return pending(reason) end
    with_stand_in("exegesis", function(path, directory)
      local r = process.run { args = { process.portolan, "infer", "cegis", "--oracle", "exegesis:program=" .. path, "--out", directory .. "/m.json",
        add, imul }, seconds = 300 }
      assert.equal(0, r.status, r.err)
      local handle = assert(io.open(directory .. "/m.json"))
      local m = assert(json.decode(handle:read "a"))
      handle:close()
      assert.equal("measuring tool", m.provenance.processor.kind)
      assert.is_true(within((ports_of(m, imul)), (ports_of(m, add))))
    end)
  end)

  it("finds the ports, told nothing: the whole counter-sparse algorithm, with chains and NOPs", function()
    local reason = lacking()
    if reason then return pending(reason) end
    with_stand_in("bhive", function(path, directory)
      temporary.write(directory .. "/set.lua", ("return { { name = 'few', schemes = { %q, %q, %q, %q } } }"):format(add, imul, shl, load))
      local r = process.run { args = { process.portolan, "infer", "chart", "--oracle", "bhive:program=" .. path, "--out", directory .. "/m.json",
        "--set", directory .. "/set.lua", "--evaluate", "0" }, seconds = 300 }
      assert.equal(0, r.status, r.err)
      local handle = assert(io.open(directory .. "/m.json"))
      local m = assert(json.decode(handle:read "a"))
      handle:close()
      local all, n = ports_of(m, add)
      local one, n_one = ports_of(m, imul)
      local two, n_two = ports_of(m, shl)
      local other, n_other = ports_of(m, load)
      assert.same({ 3, 1, 2, 1 }, { n, n_one, n_two, n_other })
      assert.is_true(within(one, all) and within(two, all) and not within(one, two) and not within(other, all))
      assert.near(4, m.rmax, 0.05)
    end)
  end)
end)

describe("a tool that measures", function()
  -- A predictor that answers these, one after the other; NOPs are measured.
  local function with_answers(...)
    local list, at = { ... }, 0
    local function describe_it() return {} end
    return assert(measuring_tool.new { name = "mine", unroll = { 10 }, predictor = { name = "mine", version = "1", describe = describe_it,
      predict = function(_, variants)
        local answers = {}
        for i, v in ipairs(variants) do
          at = v.bytes:byte() == 0x0f and at or at + 1
          answers[i] = v.bytes:byte() == 0x0f and { cycles = v.copies / 4 } or list[at] or { cycles = v.copies / 4 }
        end
        return answers
      end } })
  end

  it("has its failures told as statuses", function()
    local p = with_answers({ error = "a", signal = 11 }, { error = "b", signal = 4 }, { error = "c", signal = 8 }, { error = "d", transient = true },
      { error = "d", transient = true }, { error = "d", transient = true }, { error = "e", late = true }, { cycles = 0 }, { cycles = 40 })
    local found = {}
    for i = 1, 7 do found[i] = p:measure({ { [add] = 1 } })[1].status end
    assert.same({ "memory fault", "illegal instruction", "arithmetic fault", "unstable", "timeout", "unsupported", "ok" }, found)
    assert.near(0.25, p:issue_width() and 1 / p:issue_width(), 1e-9)
  end)

  it("is refused if it measures nothing, and so are options that it does not have", function()
    process.in_directory(function(directory)
      local path = directory .. "/tool.sh"
      temporary.write(path, "#!/bin/sh\necho 'Error: performance monitoring version >= 2 required' >&2\nexit 1\n")
      os.execute("chmod +x " .. path)
      local r = process.run { args = { process.portolan, "infer", "cegis", "--oracle", "nanobench:program=" .. path, add } }
      assert.equal(2, r.status)
      assert.matches("^portolan infer: oracle nanobench measures nothing here: nanoBench failed %(exit status 1%): performance monitoring version "
        .. ">= 2 required[^\n]*\n$", r.err)
      for words, message in pairs { ["bhive:program=" .. path .. ",copies=0"] = "copies=0: write a whole number",
        ["bhive"] = "write bhive:program=PATH", ["exegesis:program=/none"] = "there is no program /none",
        ["nanobench:config"] = "'config' is not an option",
        ["bhive:colour=red"] = "there are: copies, program, seconds, store" } do
        r = process.run { args = { process.portolan, "infer", "cegis", "--oracle", words, add } }
        assert.equal(2, r.status)
        assert.truthy(r.err:find(message, 1, true), r.err)
      end
    end)
  end)
end)

-- What a field of llvm-exegesis' YAML says.
local function field(out, name) return out:match("\n" .. name .. ":%s+([^\n]*)") end

describe("llvm-exegesis", function()
  local rdi = { r14 = "rdi", rdi = "r14", r15 = "r8", r8 = "r15" }

  -- Runs the real program on a snippet. `--benchmark-phase` is of LLVM 16 and later.
  local function run(path, code, ...)
    local result
    local words = { ... }
    process.in_directory(function(directory)
      temporary.write(directory .. "/block.s", exegesis.snippet(code))
      result = process.run { cwd = directory, args = { path, "--mode=inverse_throughput", "--repetition-mode=loop",
        "--snippets-file=" .. directory .. "/block.s", words[1] } }
    end)
    return result
  end

  it("takes the snippets, and its loop holds the code that was meant", function()
    if not newest then return pending "llvm-exegesis is not installed" end
    local policy, paths = assert(measuring_tool.policy(rdi)), {}
    for _, one in ipairs(llvm_program.installed "llvm-exegesis") do
      if tonumber(one.version or 0) >= 16 then paths[#paths + 1] = one.path end
    end
    if #paths == 0 then return pending "llvm-exegesis 16 or later is not installed" end
    for k, e in ipairs { { [add] = 2, [imul] = 1 }, { [load] = 1, ["mov m64, r64"] = 1 }, { ["adc r64, r64"] = 1, ["mul r64"] = 1 },
      { ["addps xmm, xmm"] = 1, ["pshufb xmm, m128"] = 1 }, { ["vaddps ymm, ymm, ymm"] = 1, ["vmovups ymm, m256"] = 1 },
      { ["paddq mm, mm"] = 1 }, { ["blendvps xmm, xmm"] = 1 } } do
      local kernel = assert(core.isa.kernel(e, core.isa.policy(policy), 12, "line"))
      local code = assert(text.of_bytes(kernel.bytes))
      local r = run(paths[k % #paths + 1], code, "--benchmark-phase=assemble-measured-code")
      assert.equal(0, r.status, r.err)
      assert.equal("actual measurements skipped.", field(r.out, "error"))
      local bytes = field(r.out, "assembled_snippet"):gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)
      local expected, n = {}, 0
      for _, one in ipairs(core.isa.decode(kernel.bytes).instructions) do expected[#expected + 1] = one.scheme end
      local all = {}
      for _, one in ipairs(core.isa.decode(bytes).instructions) do all[#all + 1] = one.scheme end
      for at = 1, #all do
        local same = true
        for i, scheme in ipairs(expected) do same = same and all[at + i - 1] == scheme end
        if same then n = n + 1 end
      end
      assert.is_true(n >= 1, code .. "\n" .. table.concat(all, "; "))
    end
  end)

  it("answers in the format that is read; without counters there is no number", function()
    if not newest or tonumber(newest.version or 0) < 17 then return pending "llvm-exegesis 17 or later is not installed" end
    local r = run(newest.path, "add rax, rbx", "--use-dummy-perf-counters")
    assert.equal(0, r.status, r.err)
    assert.equal("''", field(r.out, "error"))
    local answer = exegesis.parse(r)
    assert.is_nil(answer.cycles)
    assert.matches("measured nothing", answer.error)
    local p = assert(named.open("exegesis:dummy=yes,program=" .. newest.path))
    assert.matches("dummy=no: write dummy=yes", select(2, named.open("exegesis:dummy=no")))
    assert.matches("no counters$", p.version) -- no cache takes its answers for measured ones
    assert.same({ false, true }, { p.deterministic, p.exclusive })
    assert.matches("measured nothing", p:predict({ "\x48\x01\xd8" })[1].error)
  end)

  it("is read: cycles of the snippet, errors, and what the code died of", function()
    local out = "---\nmode: inverse_throughput\nmeasurements:\n  - { key: inverse_throughput, value: 0.2634, per_snippet_value: 1.0536 }\n"
      .. "error:           ''\n"
    local function parse(words) return exegesis.parse { status = 0, signal = 0, err = "", out = words } end
    assert.same({ cycles = 1.0536 }, parse(out))
    assert.equal(11, parse(out:gsub("''", "'snippet crashed while running: Segmentation fault'")).signal)
    assert.matches("llvm%-exegesis: no counters", parse((out:gsub("''", "no counters"))).error)
    local failed = exegesis.parse { status = 1, signal = 0, out = "", err = "llvm-exegesis error: Failed to read event counter\n" }
    assert.matches("Failed to read", failed.error)
  end)
end)

describe("the initial state", function()
  it("is code that sets every register, and spoils neither the memory's nor the loop's", function()
    for _, width in ipairs { 0, 128, 256, 512 } do
      local set = {}
      for _, one in ipairs(core.isa.decode(initial_state.code(width)).instructions) do
        local target = one.text:match "^%S+ (%w+)"
        if target then set[target] = true end
      end
      for _, name in ipairs { "rax", "rcx", "rdx", "rbx", "rbp", "rsi", "rdi", "r8", "r13" } do assert.is_true(set[name], name) end
      assert.is_nil(set.r14 or set.r15 or set.rsp)
      assert.equal(width == 128, set.xmm3 == true)
      assert.equal(width == 256, set.ymm3 == true)
      assert.equal(width == 512, (set.zmm31 and set.k7) == true)
    end
    assert.is_true(#core.isa.decode(initial_state.code(0)).instructions > 15)
    assert.truthy(instance.policy())
  end)
end)

describe("a body that moves the stack pointer", function()
  it("is not given to other tools, which do not take it back", function()
    local asked = 0
    local predictor = { name = "stand-in", version = "1", predict = function(_, variants)
      local answers = {}
      for i, variant in ipairs(variants) do answers[i], asked = { cycles = variant.copies }, asked + 1 end
      return answers
    end }
    local p = assert(measuring_tool.new { name = "stand-in", predictor = predictor })
    local before = asked
    local results = assert(p:measure { { ["push r64"] = 1 } })
    assert.equal("unsupported", results[1].status)
    assert.matches("stack pointer", results[1].message)
    assert.equal(before, asked)
    assert.equal("ok", p:measure({ { [add] = 1 } })[1].status)
  end)
end)
