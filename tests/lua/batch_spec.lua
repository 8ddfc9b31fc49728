local core = require "portolan.core"
local mapping = require "portolan.mapping"
local random_mapping = require "support.random_mapping"

describe("a batch of experiments", function()
  local function model(seed) return assert(mapping.compile(random_mapping.three_level { ports = 8, schemes = 12, uops = 3, seed = seed })) end

  local function experiments(compiled, n)
    local names, list = compiled:schemes(), {}
    for i = 1, n do
      list[i] = { [names[i % #names + 1]] = i % 3 + 1, [names[(i * i + 5) % #names + 1]] = i % 5 + 1 }
    end
    return list
  end

  it("gives what single queries give, with every kernel", function()
    local compiled = model(1)
    local list = experiments(compiled, 100)
    local batch = assert(core.model.batch(compiled, list))
    assert.equal(100, #batch)
    local expected = {}
    for i, e in ipairs(list) do expected[i] = compiled:throughput(e) end
    assert.same(expected, compiled:throughputs(batch))
    for _, kernel in ipairs(core.model.kernels()) do assert.same(expected, compiled:throughputs(batch, { kernel = kernel })) end
    assert.equal("scalar", core.model.kernels()[1])
  end)

  it("runs over populations, with the same numbers for any number of threads", function()
    local population = {}
    for i = 1, 20 do population[i] = model(i) end
    local batch = assert(core.model.batch(population[1], experiments(population[1], 50)))
    local one = assert(core.model.population(population, batch, { threads = 1 }))
    assert.equal(20, #one)
    assert.same(population[7]:throughputs(batch), one[7])
    for _, threads in ipairs { 2, 16 } do assert.same(one, core.model.population(population, batch, { threads = threads })) end
  end)

  it("says what is wrong", function()
    local compiled = model(1)
    local batch, message, status = core.model.batch(compiled, { { nonsense = 1 } })
    assert.is_nil(batch)
    assert.equal("the mapping has no such scheme (nonsense)", message)
    assert.equal("bad input", status)
    batch = assert(core.model.batch(compiled, {}))
    assert.same({}, compiled:throughputs(batch))
    assert.has_error(function() compiled:throughputs(batch, { kernel = "mmx" }) end,
      "option 'kernel' must be auto, scalar, avx2 or avx512")
    local other = assert(mapping.compile(mapping.two_level({ "0" }, { add = { "0" } })))
    assert.has_error(function() other:throughputs(batch) end, "the batch was read for a mapping with other schemes")
    local unknown = mapping.two_level({ "0" }, { add = { "0" } })
    unknown.schemes.cpuid = { status = "not explained" }
    compiled = assert(mapping.compile(unknown))
    batch = assert(core.model.batch(compiled, { { add = 1 }, { cpuid = 1 } }))
    batch, message = compiled:throughputs(batch)
    assert.is_nil(batch)
    assert.equal("experiment 2 has a scheme that the mapping does not explain; leave it out", message)
    batch = assert(core.model.batch(compiled, { { add = 1 }, { cpuid = 1 } }))
    batch, message = core.model.population({ compiled }, batch)
    assert.is_nil(batch)
    assert.equal("mapping 1: experiment 2 has a scheme that the mapping does not explain; leave it out", message)
  end)
end)
