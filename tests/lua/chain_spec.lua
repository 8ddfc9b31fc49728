local chain = require "portolan.experiment.chain"
local core = require "portolan.core"
local loop_body = require "portolan.experiment.loop_body"
local own = require "portolan.processor.own"
local process = require "process"
local simulated = require "portolan.processor.simulated"
local store = require "portolan.experiment.store"
local file = require "portolan.support.file"

local declared = assert(loop_body.declared())

describe("a chain", function()
  it("of a scheme with itself goes through a register that it updates, or to one that it writes", function()
    local function of_itself(name)
      local links = chain.of_itself(name)
      return links and chain.format(links)
    end
    for name, places in pairs {
      ["add r64, r64"] = "1 > 1", ["mov r64, r64"] = "2 > 1", ["vpslld ymm, ymm, imm8"] = "2 > 1", ["vfmadd231pd ymm, ymm, ymm"] = "1 > 1",
      ["mov r8, r8"] = "2 > 1", ["cmovz r64, r64"] = "1 > 1",
      ["add x, x, x"] = "2 > 1", ["fmul d, d, d"] = "2 > 1", ["add v.4s, v.4s, v.4s"] = "2 > 1", ["fmla v.2d, v.2d, v.2d"] = "1 > 1",
    } do
      assert.equal(("%s [%s]"):format(name, places), of_itself(name))
    end
    for _, name in ipairs { "add r64, m64", "mov m64, r64", "vpmovmskb r32, ymm", "cmp r64, r64", "str x, [x, imm12]", "ldr x, [x, imm12]", "foo" } do
      assert.is_nil(of_itself(name))
    end
  end)

  it("has a text that reads back", function()
    local text = "add r64, r64 [2 > 1] -> mov r64, m64 [2.index > 1] -> vpgatherdd xmm, m32[xmm], xmm [2.index > 1] -> xor r64, r64 [1 > 1, same]"
    local links = assert(chain.parse(text))
    assert.same({ scheme = "vpgatherdd xmm, m32[xmm], xmm", from = "2.index", to = "1" }, links[3])
    assert.same({ scheme = "xor r64, r64", from = "1", to = "1", same = true }, links[4])
    assert.equal(text, chain.format(links))
    assert.same(links, chain.parse("  " .. text:gsub(" %-> ", "->"):gsub(" > ", ">"):gsub(", same", " ,same") .. " "))
  end)

  it("of A64 has room for all registers that a policy lets it zero", function()
    local function registers(prefix, first, last, list)
      list = list or {}
      for number = first, last do list[#list + 1] = prefix .. number end
      return list
    end
    local policy = assert(loop_body.declared("aarch64"))
    policy.registers.gpr.read = registers("x", 19, 21, registers("x", 0, 17))
    policy.registers.gpr.written, policy.registers.gpr.updated = { "x22" }, { "x23", "x24" }
    policy.registers.vector.read, policy.registers.vector.written = registers("v", 0, 13), { "v14" }
    policy.registers.vector.updated = registers("v", 15, 30)
    local links = { { scheme = "ldr x, [x, imm12]", from = "2.base", to = "1" }, { scheme = "fmov d, x", from = "2", to = "1" } }
    for i = 3, 18 do links[i] = { scheme = "fmadd d, d, d, d", from = "2", to = "1" } end
    for _, name in ipairs { "fmov x, d", "and x, x, x", "orr x, x, x" } do links[#links + 1] = { scheme = name, from = "2", to = "1" } end
    local built = assert(core.isa.chain(links, policy, 200))
    assert(#built.ahead // 4 > 43, #built.ahead)
  end)

  it("has a key that is the same wherever the cycle begins", function()
    local a = assert(chain.parse "add r64, r64 [2 > 1] -> imul r64, r64 [2 > 1] -> adc r64, r64 [1 > 1]")
    local b = assert(chain.parse "imul r64, r64 [2 > 1] -> adc r64, r64 [1 > 1] -> add r64, r64 [2 > 1]")
    local c = assert(chain.parse "adc r64, r64 [1 > 1] -> imul r64, r64 [2 > 1] -> add r64, r64 [2 > 1]")
    assert.equal(chain.key(a), chain.key(b))
    assert.not_equal(chain.key(a), chain.key(c))
  end)

  it("has faults, in a line each", function()
    local function fails(pattern, text)
      local links, message = chain.parse(text)
      assert.is_nil(links)
      assert.matches(pattern, message)
      assert.is_nil(message:find "\n")
    end
    fails("link 1 of the chain: '' is not SCHEME", "")
    fails("link 1 of the chain: 'add r64, r64' is not SCHEME", "add r64, r64")
    fails("'from' must be a place, such as 2, 2.base or cf", "add r64, r64 [x1 > 1]")
    fails("link 1 of the chain: no such instruction scheme %(foo%)", "foo [1 > 1]")
    fails("link 1 of the chain: add r64, r64 has no place '3'", "add r64, r64 [3 > 1]")
    fails("link 2 of the chain: add r64, r64 does not write its place '2'", "add r64, r64 [2 > 1] -> add r64, r64 [1 > 2]")
    fails("add r64, r64 does not read its place 'cf'", "add r64, r64 [cf > 1]")
    fails("from 1 to 32 links, and this one more", ("add r64, r64 [1 > 1] -> "):rep(32) .. "add r64, r64 [1 > 1]")
    assert.equal("a chain must be a list of links", chain.fault(1))
    assert.equal("link 1 of the chain: it must be an object", chain.fault { 1 })
    assert.matches("'same' must be true or false", chain.fault { { scheme = "add r64, r64", from = "1", to = "1", same = 1 } })
  end)

  it("becomes code in which a link is the next one's operand", function()
    local body = assert(loop_body.of_chain(assert(chain.parse "vaddpd ymm, ymm, ymm [3 > 1]"), declared, 8))
    assert.same({ 8, 8, 256, "", {} }, { body.copies, body.count, body.vector_bits, body.ahead, body.cuts })
    local before
    for _, line in ipairs(loop_body.listing(body)) do
      local written, read = line:match "vaddpd (ymm%d+), ymm%d+, (ymm%d+)"
      assert.is_true(not before or read == before)
      before = written
    end
    body = assert(loop_body.of_chain(assert(chain.parse "adc r64, r64 [1 > 1]"), declared, 8))
    assert.same({ ["test r64, r64"] = 1 }, body.cuts)
    assert.is_nil(body.together)
    body = assert(loop_body.of_chain(assert(chain.parse "cmovl r64, r64 [sf > 1] -> cmp r64, r64 [1 > sf]"), declared, 8))
    assert.same({ 1 }, body.together)
  end)

  it("counts the instances of a round", function()
    local links = assert(chain.parse "add r64, r64 [2 > 1] -> imul r64, r64 [2 > 1] -> add r64, r64 [1 > 1]")
    assert.same({ ["add r64, r64"] = 2, ["imul r64, r64"] = 1, ["mov r64, r64"] = 2 }, chain.experiment(links, { ["mov r64, r64"] = 2 }))
  end)
end)

-- A core with one multiplier, whose multiplications take three cycles, and adders enough.
local truth = { format = "portolan mapping", version = 1, ports = { "0", "1" }, rmax = 4, schemes = {
  ["imul r64, r64"] = { uops = { { { "1" }, 1 } }, latencies = { { from = "2", to = "1", cycles = 3, other = 5 },
    { from = "1", to = "1", cycles = 3 } } },
  ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } }, latencies = { { from = "1", to = "1", cycles = 1 },
    { from = "2", to = "1", cycles = 1 } } },
  ["xor r64, r64"] = { uops = { { { "0", "1" }, 1 } }, latencies = { { from = "1", to = "1", cycles = 1, same = 0 } } },
  ["div r64"] = { uops = { { { "0" }, 30 } }, latencies = { { from = "2", to = "2", cycles = 18 } } },
} }

local function parsed(...)
  local list = { ... }
  for i, text in ipairs(list) do list[i] = assert(chain.parse(text)) end
  return list
end

local function cycles(results)
  local list = {}
  for i, r in ipairs(results) do list[i] = r.cycles or r.status end
  return list
end

describe("a simulated processor", function()
  local list = parsed("add r64, r64 [2 > 1]", "imul r64, r64 [2 > 1] -> add r64, r64 [1 > 1]", "xor r64, r64 [1 > 1, same]", "div r64 [2 > 2]",
    "add r64, r64 [1 > cf] -> adc r64, r64 [cf > 1]")

  it("answers chains by latencies, or by its ports if these take longer", function()
    local p = assert(simulated.new { mapping = truth })
    local results = p:measure_chains(list)
    assert.same({ 1, 4, 0.5, 30, "unsupported" }, cycles(results))
    assert.equal("the mapping does not say how long add r64, r64 takes from 1 to cf", results[5].message)
    assert.same({ ["mov r64, r64"] = 1 }, results[2].cuts)
    assert.same({ 5 }, cycles(p:measure_chains(parsed "imul r64, r64 [2 > 1]", { other_inputs = true })))
    assert.same({ "unsupported" }, cycles(p:measure_chains(parsed "add r64, r64 [1 > cf]")))
    assert.same({ "unsupported" }, cycles(p:measure_chains { { { scheme = "add r64, r64", from = "9", to = "1" } } }))
  end)

  it("has noise in chains, too, which a run repeats", function()
    local noise = { kind = "gaussian", width = 0.01 }
    local function run() return cycles(assert(simulated.new { mapping = truth, seed = 3, noise = noise }):measure_chains(list)) end
    local once = run()
    assert.same(once, run())
    assert.is_true(once[2] ~= 4 and math.abs(once[2] - 4) < 0.2)
  end)

  it("keeps chains in its store", function()
    process.in_directory(function(d)
      local function open()
        local noise = { kind = "gaussian", width = 0.01 }
        return assert(simulated.new { mapping = truth, noise = noise, store = assert(store.open(d .. "/s")) })
      end
      local p = open()
      local first = p:measure_chains(list)
      p:close()
      p = open()
      local again = p:measure_chains(list)
      assert.same(cycles(first), cycles(again))
      assert.same(first[2].cuts, again[2].cuts)
      assert.not_same(cycles(first), cycles(p:measure_chains(list, { again = true })))
      p:close()
    end)
  end)
end)

describe("a processor of the user's own", function()
  it("may measure chains, and is checked", function()
    process.in_directory(function(d)
      local function measures(text)
        assert(file.write(d .. "/p.lua", "return { open = function() return { measure = print, " .. text .. " }, { 'a' } end }"))
        return assert(own.load(d .. "/p.lua")).open("", {}, {})
      end
      assert.is_nil(measures("").measure_chains)
      local p = measures "measure_chains = function(_, l) return { { status = 'ok', cycles = #l } } end"
      assert.same({ { status = "ok", cycles = 1 } }, p:measure_chains(parsed "add r64, r64 [1 > 1]"))
      p = measures "measure_chains = function(_, l) return {} end"
      local ok, failure = pcall(p.measure_chains, p, parsed "add r64, r64 [1 > 1]")
      assert.is_false(ok)
      assert.matches("measure_chains must return 1 results", tostring(failure.message or failure))
    end)
  end)
end)
