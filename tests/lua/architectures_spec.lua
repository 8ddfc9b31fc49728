-- Two architectures in one library: data is found by architecture, and nothing mixes them.
local architectures = require "portolan.support.architectures"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local filler = require "portolan.processor.filler"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local own_file = require "portolan.support.own_file"
local protocol = require "portolan.predictor.machinery.protocol"
local scheme_set = require "portolan.scheme.set"
local simulated = require "portolan.processor.simulated"
local universe = require "portolan.anica.universe"

local x86, a64 = "add r64, r64", "add x, x, x"

-- What f returns for a file with this text.
local function with_file(text, f)
  local path = os.tmpname()
  os.rename(path, path .. ".lua")
  path = path .. ".lua"
  assert(file.write(path, text))
  local result = table.pack(f(path))
  os.remove(path)
  return table.unpack(result, 1, result.n)
end

local function two_level(...)
  local schemes = {}
  for _, name in ipairs { ... } do schemes[name] = { "0" } end
  return mapping.two_level({ "0" }, schemes)
end

describe("the architectures", function()
  it("are both known on any host", function()
    assert.same({ "aarch64", "x86_64" }, (function(list) table.sort(list) return list end)(architectures.names()))
    assert.equal(architectures.default(), architectures.from()[1])
    assert.equal("aarch64", architectures.from("aarch64")[1])
    assert.equal(2, #architectures.from("aarch64"))
  end)

  it("have names that are checked", function()
    local none, message = architectures.check "mips"
    assert.is_nil(none)
    assert.matches("no architecture 'mips'; there are", message, 1, true)
  end)

  it("share no scheme", function()
    local seen = {}
    for _, architecture in ipairs(architectures.names()) do
      for _, scheme in ipairs(assert(isa.everything(architecture))) do
        assert.equal(architecture, scheme.architecture)
        assert.is_nil(seen[scheme.name], scheme.name)
        seen[scheme.name] = architecture
      end
    end
  end)

  it("of schemes is told by their names", function()
    assert.equal("x86_64", isa.architecture { x86, "made up" })
    assert.equal("aarch64", isa.architecture { "made up", a64 })
    assert.is_nil(isa.architecture { "made up" })
    local none, message = isa.architecture { x86, a64 }
    assert.is_nil(none)
    assert.equal("'add r64, r64' is of x86_64, 'add x, x, x' of aarch64; keep to one architecture", message)
  end)
end)

describe("files by name", function()
  it("are those of the architecture that is asked for", function()
    for _, architecture in ipairs(architectures.names()) do
      for _, kind in ipairs { "sets", "universes", "domains" } do
        local name = kind == "sets" and "starter" or kind == "universes" and "predicted" or "default"
        local path, of = own_file.find(kind, name, architecture)
        assert.matches(("arch/%s/%s/%s.lua"):format(architecture, kind, name), path, 1, true)
        assert.equal(architecture, of)
      end
    end
  end)

  it("are the host's first, and otherwise of whichever architecture has them", function()
    assert.equal(architectures.default(), select(2, own_file.find("sets", "starter")))
    assert.equal("aarch64", select(2, own_file.find("sets", "simd")))
    assert.equal("x86_64", select(2, own_file.find("sets", "avx2")))
    assert.is_nil(own_file.find("sets", "avx2", "aarch64"))
  end)
end)

describe("a set of schemes", function()
  it("is of the architecture of its folder, or of the one that it declares", function()
    assert.equal("aarch64", isa.architecture(scheme_set.names(assert(scheme_set.load("starter", "aarch64")))))
    assert.equal("aarch64", isa.architecture(scheme_set.names(assert(scheme_set.load "simd"))))
    with_file([[return { architecture = "aarch64", { name = "Sums", filter = 'mnemonic == "add"' }, "scalar" }]], function(path)
      local names = scheme_set.names(assert(scheme_set.load(path)))
      assert.equal("aarch64", isa.architecture(names))
      assert.is_true(#names > 100)
    end)
  end)

  it("has schemes of one architecture only, and of the wanted one", function()
    with_file([[return { { schemes = { "add r64, r64", "add x, x, x" } } }]], function(path)
      local set, message = scheme_set.load(path)
      assert.is_nil(set)
      assert.matches("keep to one architecture", message, 1, true)
    end)
    with_file([[return { { schemes = { "add r64, r64" } } }]], function(path)
      local set, message = scheme_set.load(path, "aarch64")
      assert.is_nil(set)
      assert.matches("is of x86_64, not of aarch64", message, 1, true)
    end)
    with_file([[return { architecture = "mips", { schemes = { "add r64, r64" } } }]], function(path)
      local set, message = scheme_set.load(path)
      assert.is_nil(set)
      assert.matches("'architecture': no architecture 'mips'", message, 1, true)
    end)
  end)
end)

describe("a universe", function()
  it("knows its architecture", function()
    local u = assert(universe.load("predicted", "aarch64"))
    assert.equal("aarch64", u.architecture)
    assert.is_true(u.scheme_count > 1800)
    assert.equal("aarch64", isa.architecture(u.names))
    assert.equal("x86_64", assert(universe.load("predicted", "x86_64")).architecture)
  end)
end)

describe("a mapping", function()
  it("says its architecture when it is written", function()
    local text = assert(mapping.encode(two_level(a64)))
    assert.equal("aarch64", json.decode(text).processor.architecture)
    assert.equal("aarch64", mapping.architecture(assert(mapping.parse(text))))
  end)

  it("of schemes that nobody knows has none", function()
    local text = assert(mapping.encode(two_level("made up")))
    assert.is_nil(json.decode(text).processor)
  end)

  it("does not mix architectures", function()
    local ok, message = mapping.validate(two_level(x86, a64))
    assert.is_nil(ok)
    assert.matches("keep to one architecture (schemes)", message, 1, true)
  end)

  it("is not of another architecture than its processor", function()
    local m = two_level(a64)
    m.processor = { name = "a core", architecture = "x86_64" }
    local ok, message = mapping.validate(m)
    assert.is_nil(ok)
    assert.equal("the schemes are of aarch64, the processor of x86_64; keep to one architecture (processor.architecture)", message)
    m.processor.architecture = "mips"
    ok, message = mapping.validate(m)
    assert.is_nil(ok)
    assert.matches("no architecture 'mips'", message, 1, true)
  end)
end)

describe("a file of experiments", function()
  it("is of one architecture", function()
    local line = '{"e":{"%s":1},"cycles":1}\n'
    assert.equal(2, #assert(experiments.parse(line:format(a64) .. line:format(a64), "f")))
    local list, message = experiments.parse(line:format(x86) .. line:format("made up") .. line:format(a64), "f")
    assert.is_nil(list)
    assert.matches("^f:3: 'add r64, r64' is of x86_64, 'add x, x, x' of aarch64; keep to one architecture$", message)
  end)
end)

describe("predictors", function()
  it("are compared on blocks of one architecture", function()
    assert.equal("aarch64", protocol.architecture { { name = "a", architecture = "aarch64" }, { name = "b", architecture = "aarch64" } })
    assert.equal(architectures.default(), protocol.architecture { { name = "a" } })
    local none, message = protocol.architecture { { name = "a", architecture = "x86_64" }, { name = "b", architecture = "aarch64" } }
    assert.is_nil(none)
    assert.equal("a is of x86_64, b of aarch64; compare predictors of one architecture", message)
  end)
end)

describe("a simulated processor", function()
  it("fills its front end with a NOP of its architecture", function()
    assert.equal("hint imm7", filler.of(assert(simulated.new { mapping = two_level(a64) })).name)
    assert.equal("nop", filler.of(assert(simulated.new { mapping = two_level(x86) })).name)
  end)
end)

describe("the code of A64 experiments", function()
  local loop_body = require "portolan.experiment.loop_body"
  local sample = require "portolan.block.sample"

  it("is listed in A64's assembler", function()
    local declared = assert(loop_body.declared "aarch64")
    local lines = loop_body.listing(assert(loop_body.of({ e = { [a64] = 1 } }, declared, 4)))
    assert.equal(4, #lines)
    for _, line in ipairs(lines) do assert.matches("^ +%x+ +add x%d+, x%d+, x%d+$", line) end
  end)

  it("can be that of blocks", function()
    local records = assert(sample.of_blocks({ "\x20\x00\x02\x8b" }, "aarch64"))
    assert.same({ [a64] = 1 }, records[1].e)
    assert.equal("2000028b", records[1].hex)
  end)

  it("is not made by the other architecture's policy", function()
    local body, message = loop_body.of({ e = { [a64] = 1 } }, assert(loop_body.declared "x86_64"), 4)
    assert.is_nil(body)
    assert.matches("a scheme of aarch64 under a policy of x86_64", message, 1, true)
  end)
end)

describe("predictors of a mapping of A64", function()
  it("read text and code as A64, with dependencies where the mapping has latencies", function()
    local named = require "portolan.predictor.named"
    local m = mapping.two_level({ "I", "M" }, { [a64] = { "I" }, ["madd x, x, x, x"] = { "M" } }, { rmax = 3 })
    m.schemes["madd x, x, x, x"].latencies = { { from = "2", to = "1", cycles = 3 } }
    local path = os.tmpname()
    assert(mapping.save(m, path))
    for name, cycles in pairs { chart = 3, mapping = 1, assume = 1 } do
      local p = assert(named.open(name .. ":" .. path))
      assert.equal("aarch64", p.architecture)
      local answers = p:predict { { text = "madd x0, x0, x1, x2; add x3, x4, x5" }, "\x20\x08\x01\x9b\x83\x00\x05\x8b" }
      assert.equal(cycles, answers[1].cycles, name)
      assert.is_number(answers[2].cycles, name)
    end
    os.remove(path)
  end)
end)
