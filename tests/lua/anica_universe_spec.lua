-- Universes: what blocks are sampled from, with schemes once for each kind of immediate; campaigns in them.
local campaign = require "portolan.anica.campaign"
local core = require "portolan.core"
local domain = require "portolan.anica.domain"
local feature = require "portolan.anica.feature"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local process = require "process"
local protocol = require "portolan.predictor.machinery.protocol"
local universe = require "portolan.anica.universe"

local function code(text) return assert(core.isa.assemble(text)).bytes end

local function set(list)
  local members = {}
  for _, name in ipairs(list) do members[name] = true end
  return members
end

describe("a universe", function()
  local predicted = assert(universe.load "predicted")

  it("has every scheme that it does not say it leaves out", function()
    local all = #assert(isa.schemes { legacy = true, vex = true, evex = true })
    for _, name in ipairs { "predicted", "published", "measurable" } do
      local u, left_out = assert(universe.load(name)), 0
      for _, one in ipairs(u.left_out()) do left_out = left_out + one.count end
      assert.are.equal(all, u.scheme_count + left_out)
    end
  end)

  it("has string operations, prefixes, division, fxsave and SSE where nothing is executed", function()
    local members = set(predicted.names)
    for _, name in ipairs { "cmpsq", "rep movsb", "repne scasd", "lock add m64, r64", "div r64", "fxsave m4096", "hsubpd xmm, xmm",
      "shld r64, r64, cl", "xchg m64, r64" } do
      assert.is_true(members[name], name)
    end
    for _, name in ipairs { "jz rel8", "hlt", "fadd st0, m32", "vaddpd zmm, zmm, zmm" } do assert.is_nil(members[name], name) end
    local measurable = set(assert(universe.load "measurable").names)
    for _, name in ipairs { "cmpsq", "lock add m64, r64", "div r64", "hsubpd xmm, xmm" } do assert.is_nil(measurable[name], name) end
  end)

  it("has a scheme once for each kind of immediate that it can have", function()
    local function variants(name) return assert(core.anica.variants(name, require("portolan.scheme.instance").policy())) end
    assert.are.same({ "shl r64, imm8 = 0", "shl r64, imm8 = small" }, variants "shl r64, imm8") -- 1 is another scheme
    assert.are.same({ "add r64, imm8 = 0", "add r64, imm8 = 1", "add r64, imm8 = small" }, variants "add r64, imm8")
    assert.are.same({ "shl r64, 1" }, variants "shl r64, 1")
    local members = set(predicted.names)
    assert.is_true(members["add r64, imm32 = wide"] and members["mov r32, imm32 = 0"] and members["add r64, r64"])
    assert.is_nil(members["add r64, imm32 = small"]) -- which is add r64, imm8
    assert.is_nil(members["add r64, imm8"])
    assert.are.same({ "shl r16, imm8 = 0", "shl r64, 1", "add r64, imm8 = small", "nop" },
      core.anica.elements(code "shl ax, 0; shl rax, 1; add rax, -5; nop"))
    assert.are.same({ "shl r16, imm8", "0" }, { core.anica.variant "shl r16, imm8 = 0" })
    assert.are.same({ "shl r16, imm8 = tea" }, { core.anica.variant "shl r16, imm8 = tea" })
  end)

  it("is by default what the predictors can take", function()
    assert.are.equal("predicted", universe.usual { { name = "model" } })
    assert.are.equal("measurable", universe.usual { { name = "model" }, { name = "hw", exclusive = true } })
  end)
end)

describe("blocks of a universe with immediates", function()
  local D = assert(domain.load())

  it("are of it, whatever is drawn", function()
    local members, seen, kinds = set(D:schemes()), {}, {}
    for _, block in ipairs(assert(D:top(4):sample(core.base.rng(7), 12000))) do
      for _, name in ipairs(assert(core.anica.elements(block))) do
        assert.is_true(members[name], name)
        seen[name] = true
        kinds[select(2, core.anica.variant(name)) or "none"] = true
      end
    end
    for _, name in ipairs(D:schemes()) do
      if name:find " = [01]$" then assert.is_true(seen[name], name) end
    end
    assert.are.same({ ["0"] = true, ["1"] = true, small = true, wide = true, none = true }, kinds)
  end)

  it("can be told apart by their immediates", function()
    local a = assert(D:decode { instructions = { { mnemonic = { base = "shl", edits = 0 }, immediate = "0" }, { operands = { "OF R" } } } })
    assert.is_true(a:contains(code "shl r9w, 0; setno r11b"))
    assert.is_false(a:contains(code "shl r9w, 5; setno r11b"))
    assert.is_false(a:contains(code "shl r9w, 0; setc r11b"))
    assert.are.same({ "Instructions:", "  1. mnemonic: shl; immediate: 0", "  2. operands: OF R" }, a:text())
    for _, name in ipairs(a:schemes(1)) do assert.matches(" = 0$", name) end
    for _, block in ipairs(assert(a:sample(core.base.rng(1), 50))) do
      assert.is_true(a:contains(block))
      assert.matches(" = 0$", core.anica.elements(block)[1])
    end
    assert.matches("immediate: 1$", assert(D:represent(code "shl rax, 1")):text()[2]) -- a constant that is not encoded
  end)

  it("have no such feature in universes without", function()
    local plain = assert(domain.load(nil, { universe = "measurable" }))
    assert.is_nil(plain:represent(code "shl ax, 0"):encode().instructions[1].immediate)
    local D2, message = domain.load(nil, { schemes = { "add r64, r64 = 0" } })
    assert.is_nil(D2)
    assert.matches("the scheme has no immediate", message)
  end)
end)

describe("a lattice with its bound in one word", function()
  it("is the one with the bound beside it", function()
    process.in_directory(function(d)
      local function load(fields)
        assert(file.write(d .. "/f.lua", ("return { { name = 'n', %s, value = function(s) return s.mnemonic end } }"):format(fields)))
        return feature.load(d .. "/f.lua")
      end
      local one = assert(load "lattice = 'edit 2'")[1]
      assert.are.same({ "edit", 2 }, { one.lattice, one.bound })
      assert.are.equal(5, assert(load "lattice = 'log 5'")[1].bound)
      assert.matches("only edit and log", select(2, load "lattice = 'subset 2'"))
      assert.matches("both give a bound", select(2, load "lattice = 'edit 2', bound = 2"))
      assert.matches("'bound' must be a whole number", select(2, load "lattice = 'edit 31'"))
    end)
  end)
end)

-- A predictor: the number of instructions by 4, and 25 more for each shift by 0 directly ahead of a setcc, if it is `slow`.
local function model(slow)
  local M = protocol.class { deterministic = true, describe = function() return {} end, answer = function(_, blocks)
    local answers = {}
    for i, block in ipairs(blocks) do
      local names = assert(core.anica.elements(block))
      answers[i] = { cycles = #names / 4 }
      for k = 1, slow and #names - 1 or 0 do
        if names[k]:find "^sh[lr] .* = 0$" and names[k + 1]:find "^set" then answers[i].cycles = answers[i].cycles + 25 end
      end
    end
    return answers
  end }
  return setmetatable({ name = slow and "slow" or "plain", version = "1" }, M)
end

describe("a campaign", function()
  it("finds what depends on an immediate of 0, and says so (Table 8.5, F)", function()
    local c = assert(campaign.new { a = model(false), b = model(true), schemes = 'among(mnemonic, "shl", "shr", "setno", "setz")', seed = 2,
      length = 3, samples = 40, supported = function(_, names) return names end, limits = { dry = 2, batches = 3 }, coverage = { blocks = 0 } })
    local result = assert(c:run())
    assert.are.equal("predicted", result.campaign.universe.name)
    local found = false
    for _, d in ipairs(result.discoveries) do
      local first, second = d.abstract.instructions[1], d.abstract.instructions[2]
      assert.are.equal(2, #d.abstract.instructions)
      assert.is_true(first.immediate == "0" or second.immediate == "0")
      found = found or c.domain:subsumes(assert(c.domain:decode(d.abstract)), code "shl r9w, 0; setno r11b")
    end
    assert.is_true(found)
  end)

  it("of another universe is another campaign; measuring ones keep the old universe, and do not say so", function()
    local function universe_of(options)
      options.schemes, options.supported = 'name == "nop"', function(_, names) return names end
      options.a, options.b = options.a or model(false), model(false)
      local header = require("portolan.anica.preparation").header(assert(campaign.new(options)))
      return header.universe and header.universe.name
    end
    assert.are.equal("predicted", universe_of {})
    assert.are.equal("published", universe_of { universe = "published" })
    assert.is_nil(universe_of { universe = "measurable" })
    local measuring = model(false)
    measuring.exclusive = true
    assert.is_nil(universe_of { a = measuring })
    assert.matches("no such file", select(2, campaign.new { a = measuring, b = measuring, universe = "tea" }))
  end)
end)
