-- Charts of cores that differ: width and adders, disjoint sets of ports, split vectors; and the quirks that real ones have.
local chart = require "portolan.infer.chart"
local core_habits = require "cores.simulated_habits"
local judge = require "cores.judge"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local gaussian = { kind = "gaussian", width = 0.01, unit = "relative" }

local function charted(m, noise, seed)
  local p = assert(simulated.new { mapping = m, seed = seed or 1, noise = noise or gaussian })
  local names = {}
  for _, name in ipairs(mapping.schemes(m)) do names[#names + 1] = name end
  return chart.run(p, { { name = "All", schemes = names } }, { seed = seed or 1, evaluate = 0 }).mapping, names
end

-- Charts it; all must be right but those that are excused, none invented and none without a witness.
local function check(m, excused, noise, seed)
  local found, names = charted(m, noise, seed)
  local j = judge(found, m, names)
  local texts = {}
  for _, text in ipairs(j.texts) do
    if not (excused or {})[text:match "^[^:]+"] then texts[#texts + 1] = text end
  end
  assert.same({}, texts)
  assert.same({}, j.invented)
  assert.equal(0, j.bare)
  return found.schemes
end

local function add(m, name, like, misfit, status)
  local scheme = like and m.schemes[like] or { uops = {}, slots = 1, status = "eliminated at rename" }
  m.schemes[name] = { uops = scheme.uops, slots = scheme.slots, status = status or scheme.status, misfit = misfit }
end

describe("a chart of", function()
  for _, name in ipairs { "golden_cove", "zen4", "skylake", "gracemont" } do
    it(name .. " is right, with a percent of noise", function() check(small[name]()) end)
  end

  it("a core whose wide code has two rates is right, and of one that stands still now and then", function()
    local m = small.golden_cove()
    for _, scheme in pairs(m.schemes) do
      if #scheme.uops == 1 and #scheme.uops[1][1] == 5 then scheme.misfit = { rates = 1.018 } end
    end
    check(m, nil, { kind = "gaussian", width = 0.01, unit = "relative", stalls = 0.05, hasty = 0.005 }, 2)
  end)
end)

describe("a scheme that stalls the decoder", function()
  it("founds no class and blocks nobody", function()
    local m = small.golden_cove()
    add(m, "add r16, imm16", "add r64, r64", { stall = 0.005 }) -- the first of all adders by name
    add(m, "mov r16, imm16", "add r64, r64", { stall = 0.012 })
    local found = check(m, { ["add r16, imm16"] = true, ["mov r16, imm16"] = true })
    for name, scheme in pairs(found) do
      for _, w in ipairs(scheme.witnesses) do
        assert(name:find("imm16", 1, true) or not w.experiment:find("imm16", 1, true), name .. " rests on " .. w.experiment)
      end
    end
  end)

  it("is not explained where nothing else has its ports", function()
    local m = small.golden_cove()
    local shuffles = { "vpermd ymm, ymm, ymm", "vpermq ymm, ymm, imm8" }
    for _, name in ipairs(shuffles) do m.schemes[name].misfit = { stall = 0.025 } end
    local found = charted(m, { kind = "gaussian", width = 0.001, unit = "relative" })
    for _, name in ipairs(shuffles) do
      assert.equal("slower than ports", found.schemes[name].status, found.schemes[name].note)
    end
    assert.equal("explained", found.schemes["vaddpd ymm, ymm, ymm"].status)
  end)
end)

describe("a scheme that others wait for", function()
  it("founds no class", function()
    local m = small.golden_cove()
    m.schemes["add r64, r64"].misfit = { dependent = true }
    for _, scheme in pairs(check(m)) do
      for _, w in ipairs(scheme.witnesses) do
        local several = w.experiment:match "(%d+)%*add r64, r64"
        assert(not several or tonumber(several) <= 5, w.experiment)
      end
    end
  end)
end)

describe("elimination at rename", function()
  it("is seen beside floods, where no chain can be made", function()
    local m = small.golden_cove()
    add(m, "lea r64, m", nil, { unchainable = true })
    add(m, "mov r64, imm32", nil, { unchainable = true })
    add(m, "movzx r32, r8", nil, { unchainable = true })
    local found = check(m)
    for _, name in ipairs { "lea r64, m", "mov r64, imm32", "movzx r32, r8" } do
      assert.truthy(found[name].note:find("costs nothing", 1, true), found[name].note)
      assert.equal("shows", found[name].witnesses[1].role)
    end
    for name, scheme in pairs(found) do
      for _, uop in ipairs(scheme.uops or {}) do assert(#uop[1] < 6, name .. " has six ports") end
    end
  end)

  it("of a part of the instances is neither a class of its own nor that of the adders", function()
    local m = small.zen4()
    add(m, "mov r32, r32", "add r64, r64", { eliminated = 0.2 }, "eliminated at rename")
    local found = check(m)
    local share = tonumber(found["mov r32, r32"].note:match "(%d+)%% of its instances are executed")
    assert(share and math.abs(share - 80) <= 8, found["mov r32, r32"].note)
  end)

  it("cannot be seen where adders are as many as issue slots: ports are assumed then", function()
    local m = small.skylake()
    add(m, "lea r64, m", nil, { unchainable = true })
    local found = check(m, { ["lea r64, m"] = true })
    assert.equal("explained", found["lea r64, m"].status)
    assert.same(found["add r64, r64"].assumed, found["lea r64, m"].assumed)
    assert.is_truthy(found["lea r64, m"].assumed)
  end)
end)

describe("a store that holds up a flood", function()
  it("has no uops on its ports, if together they are faster than these would allow", function()
    local m = small.golden_cove()
    for _, name in ipairs { "mov m64, r64", "mov m32, r32", "vmovups m256, ymm" } do m.schemes[name].misfit = { hinders = 2 } end
    check(m, { ["add m64, r64"] = true, ["sub m32, r32"] = true }) -- these store and add: what is hindered cannot be told from what they add
  end)
end)

describe("uops that the front end hides", function()
  local function with(name, slots, ...)
    local m, uops = small.skylake(), {}
    for i, ports in ipairs { ... } do
      uops[i] = { {}, 1 }
      for port in ports:gmatch "." do table.insert(uops[i][1], port) end
    end
    m.schemes[name] = { uops = uops, slots = slots, status = "explained" }
    return m
  end

  it("are counted by issue slots, where the operation on registers is another one", function()
    local m = with("adc m64, r64", 4, "0156", "06", "06", "23", "7", "4")
    m.schemes["adc r64, r64"] = { uops = { { { "0", "6" }, 1 } }, slots = 1, status = "explained" }
    assert.truthy(check(m)["adc m64, r64"].note:find "1 uop by elimination")
  end)

  it("are not claimed where issue slots are too many for the noise", function()
    local m = with("cmpxchg16b m128", 17, "0156", "0156", "0156", "0156", "0156", "0156", "06", "06", "06", "06", "5", "5", "5", "5", "0", "0", "23",
      "7", "4")
    local s = check(m, { ["cmpxchg16b m128"] = true })["cmpxchg16b m128"]
    assert.equal("contradicting", s.status, s.note)
    assert.truthy(s.note:find("could not be counted exactly", 1, true), s.note)
  end)
end)

describe("a scheme that a sequencer issues", function()
  it("has the uops that floods show, not as many as its issue slots", function()
    local m = small.golden_cove()
    local function uop(ports)
      local list = {}
      for port in ports:gmatch "." do list[#list + 1] = port end
      return { list, 1 }
    end
    m.schemes["dpps xmm, xmm, imm8"] = { uops = { uop "1", uop "01", uop "01", uop "5", uop "06" }, slots = 17, status = "explained" }
    local found = check(m)["dpps xmm, xmm, imm8"]
    assert.is_true(found.slots >= 15)
    assert.equal("explained", found.status)
  end)
end)

describe("a store whose address runs on the ports of loads", function()
  it("has no other uop for it", function()
    local m = small.skylake()
    m.schemes["vmaskmovps m256, ymm, ymm"] = { uops = { { { "0" }, 1 }, { { "2", "3" }, 1 }, { { "4" }, 1 } }, slots = 2, status = "explained" }
    check(m)
  end)
end)

describe("a flood that loads and stores hold up", function()
  local function held_up(names, more)
    local m = small.golden_cove()
    for _, name in ipairs(names) do m.schemes[name].misfit = { held_up = more } end
    return m
  end

  it("is made of another instruction of the same ports, which they spare", function()
    for _, more in ipairs { 0.7, 2 } do check(held_up({ "add r64, r64" }, more)) end
  end)

  it("leaves open what cannot be told, where most of the class is held up", function()
    check(held_up({ "add r64, r64", "and r32, r32", "not r64" }, 1), { ["sub m32, r32"] = true })
  end)
end)

describe("a flood that is held up by itself", function()
  it("is corrected by those beside it that are faster", function()
    local m = small.golden_cove()
    for _, name in ipairs { "mov r64, m64", "mov r32, m32", "vmovups ymm, m256" } do m.schemes[name].misfit = { sluggish = 1.04 } end
    check(m)
  end)
end)

describe("a scheme that takes now less, now more", function()
  it("is explained by blocking, and its times are told", function()
    local m = small.golden_cove()
    m.schemes["add r64, m64"].misfit = { varies = 0.04 }
    m.schemes["blsi r64, r64"].misfit = { varies = 0.04 }
    local found = check(m)
    for _, name in ipairs { "add r64, m64", "blsi r64, r64" } do
      assert.equal("explained", found[name].status, found[name].note)
      assert.truthy(found[name].note:find("alone it takes now less, now more: 0.33", 1, true), found[name].note)
    end
  end)
end)

describe("moves of which a core eliminates one a cycle, and executes the others", function()
  it("are no class of more ports than these", function()
    local m, moves = small.golden_cove(), {}
    for _, name in ipairs { "vmovaps ymm, ymm", "vmovdqa ymm, ymm" } do
      moves[name] = true
      m.schemes[name] = { uops = { { { "5" }, 1 } }, slots = 1, status = "eliminated at rename", latency = 0.5 }
    end
    local p = assert(simulated.new { mapping = m, seed = 1, noise = gaussian, habits = core_habits.of { eliminates = { most = 1, moves = moves } } })
    local found = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1, evaluate = 0 }).mapping
    for name in pairs(moves) do
      assert.equal("eliminated at rename", found.schemes[name].status, name)
      assert.truthy(found.schemes[name].note:find("a link", 1, true), found.schemes[name].note)
    end
  end)
end)

describe("a store whose address has the ports of a single load", function()
  it("has its address there", function()
    local m = small.zen4()
    m.schemes["mov r32, m32"], m.schemes["movzx r32, m8"] = nil, nil
    check(m)
  end)
end)
