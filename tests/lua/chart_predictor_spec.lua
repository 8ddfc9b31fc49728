-- A chart as a predictor of blocks: `chart:FILE`.
local core = require "portolan.core"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local named = require "portolan.predictor.named"
local process = require "process"

local function small()
  return { format = "portolan-mapping", version = 1, ports = { "0", "1" }, rmax = 4, schemes = {
    ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } }, status = "explained", slots = 1,
      latencies = { { from = "1", to = "1", cycles = 1 }, { from = "2", to = "1", cycles = 1 } } },
    ["imul r64, r64"] = { uops = { { { "1" }, 1 } }, status = "explained", slots = 1,
      latencies = { { from = "1", to = "1", cycles = 3 }, { from = "2", to = "1", cycles = 3 } } },
  } }
end

describe("a chart as predictor", function()
  -- A test that gets the directory of a chart.
  local function with_chart(f)
    return function()
      process.in_directory(function(path)
        assert(mapping.save(small(), path .. "/mapping.json"))
        f(path)
      end)
    end
  end

  local function cycles(path, settings, ...)
    local list = {}
    for i, text in ipairs { ... } do list[i] = { text = text } end
    local answers = assert(named.open(("chart:%s%s"):format(path, settings))):predict(list)
    for i, answer in ipairs(answers) do list[i] = answer.cycles or answer.error end
    return list
  end

  it("has what bounds a block most: dependencies, ports, issue slots", with_chart(function(path)
    local blocks = { "imul rax, rbx; imul rax, rcx", "imul rax, rbx; add rcx, rax; add rdx, rax", "add rax, rbx; add rcx, rbx; add rdx, rbx" }
    assert.same({ 6, 3, 1.5 }, cycles(path, "", table.unpack(blocks)))
    local simulated = cycles(path, ",by=simulation", table.unpack(blocks))
    assert.same({ 6, 1.5 }, { simulated[1], simulated[3] })
    assert.is_true(simulated[2] >= 3 and simulated[2] < 4) -- additions on imul's port hold the chain up now and then
  end))

  it("takes a file as well as a directory, and has another version for another mapping", with_chart(function(path)
    local p = assert(named.open("chart:" .. path .. "/mapping.json"))
    assert.equal(3, p:predict({ "\x48\x0f\xaf\xc3" })[1].cycles)
    local other = small()
    other.schemes["imul r64, r64"].latencies[1].cycles = 4
    assert(file.write(path .. "/other.json", assert(mapping.encode(other))))
    local q = assert(named.open("chart:" .. path .. "/other.json"))
    assert.equal(4, q:predict({ "\x48\x0f\xaf\xc3" })[1].cycles)
    assert.not_equal(p.version, q.version)
    assert.is_true(p:describe().latencies)
  end))

  it("does not answer what it does not know", with_chart(function(path)
    local p = assert(named.open("chart:" .. path))
    local answers = p:predict { { text = "add rax, rbx; rdtsc; cpuid" }, "\xff\xff", { text = "add rax, rbx" }, { text = "nonsense" } }
    assert.matches("does not explain cpuid, rdtsc$", answers[1].error)
    assert.is_true(answers[1].unsupported and answers[2].unsupported and answers[4].unsupported)
    assert.equal(1, answers[3].cycles)
  end))

  it("says what is wrong with a name", with_chart(function(path)
    local function refusal(name) return (select(2, named.open(name))) end
    assert.matches("which chart", refusal "chart:")
    assert.matches("write bounds or simulation", refusal("chart:" .. path .. ",by=guess"))
    assert.matches("runs no program", refusal("chart:" .. path .. ",seconds=5"))
    assert.matches("no such file", refusal("chart:" .. path .. "/none.json"))
  end))

  it("counts registers that start alike, if asked", with_chart(function(path)
    assert.is_table(core.predict)
    assert.same({ 1 }, cycles(path, ",start=alike", "add rax, rbx"))
  end))
end)
