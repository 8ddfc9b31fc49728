-- Where numbers of uops come from, and what is postulated of memory operands.
local core = require "portolan.core"
local counting = require "portolan.measuring.counting"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local memory_uops = require "portolan.mapping.memory_uops"
local simulated = require "portolan.processor.simulated"
local uop_sources = require "portolan.infer.uop_sources"

local truth = { format = "portolan-mapping", version = 1, rmax = 4, ports = { "0", "1", "2", "3", "4" }, schemes = {
  ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } } },
  ["add r64, m64"] = { uops = { { { "0", "1" }, 1 }, { { "2", "3" }, 1 } } },
  ["mov r64, m64"] = { uops = { { { "2", "3" }, 1 } } },
  ["mov m64, r64"] = { uops = { { { "2", "3" }, 1 }, { { "4" }, 1 } } },
  ["add m64, r64"] = { uops = { { { "0", "1" }, 1 }, { { "2", "3" }, 2 }, { { "4" }, 1 } } },
  ["vpaddd ymm, ymm, m256"] = { uops = { { { "0", "1" }, 2 }, { { "2", "3" }, 2 } }, slots = 3 },
  ["bswap r64"] = { uops = { { { "0" }, 1 }, { { "1" }, 1 } } },
  ["mov r64, r64"] = { uops = {} },
} }
local names = { "add r64, r64", "add r64, m64", "mov r64, m64", "mov m64, r64", "add m64, r64", "vpaddd ymm, ymm, m256", "bswap r64" }
local uops = { 1, 2, 1, 2, 4, 4, 2 }
local slots = { 1, 1, 1, 1, 2, 3, 2 }

local function fields(list, field)
  local values = {}
  for i, entry in ipairs(list) do values[i] = entry[field] or false end
  return values
end

describe("the source of uop counts", function()
  for _, case in ipairs {
    { counters = { "macro-ops", "uops" }, name = "uops", evidence = "^4%.00 uops counted$" },
    { counters = { "macro-ops" }, name = "macro-ops", evidence = "^3%.00 macro%-ops counted, and 1 more by Postulate 6%.5$" },
    { counters = { "ports" }, name = "issue slots", evidence = "^2%.00 issue slots, and 2 more by micro%-fusion$" },
    { name = "issue slots", evidence = "^2%.00 issue slots, and 2 more by micro%-fusion$" },
  } do
    it(("is %s with the counters %s"):format(case.name, table.concat(case.counters or { "none" }, ", ")), function()
      local source = assert(uop_sources.choose(assert(simulated.new { mapping = truth, counters = case.counters })))
      assert.equal(case.name, source.name)
      assert.matches(case.name == "issue slots" and "a postulate" or "performance counter", source.says)
      local list = assert(source.count(names))
      assert.same(uops, fields(list, "uops"))
      assert.same(slots, fields(list, "slots"))
      assert.matches(case.evidence, list[5].evidence)
    end)
  end

  it("tells what is eliminated at rename only if it counts uops", function()
    local function count(...)
      return assert(uop_sources.choose(assert(simulated.new { mapping = truth, counters = { ... } }))).count { "mov r64, r64" }[1]
    end
    assert.same({ 0, 1 }, { count("uops").uops, count("uops").slots })
    assert.same({ 1, 1 }, { count().uops, count().slots })
  end)

  it("is right in noise, and counts again what is no whole number", function()
    for _, counters in ipairs { { "uops" }, { "macro-ops" }, {} } do
      for seed = 1, 10 do
        local p = assert(simulated.new { mapping = truth, counters = counters, seed = seed,
          noise = { kind = "gaussian", width = 0.01, unit = "relative", outliers = 0.05 } })
        local list = assert(assert(uop_sources.choose(p)).count(names))
        assert.same(uops, fields(list, "uops"))
        assert.same(slots, fields(list, "slots"))
      end
    end
  end)

  it("gives no number that its readings do not carry", function()
    local p = assert(simulated.new { mapping = truth, counters = { "uops" } })
    local half = { counters = p.counters, count = function(_, list)
      local results = {}
      for i, e in ipairs(list) do results[i] = { status = "ok", count = e["bswap r64"] and 1.5 or 1, n = 9 } end
      return results
    end }
    local list = assert(uop_sources.choose(setmetatable(half, { __index = { events = { "uops" } } })).count { "bswap r64", "add r64, r64" })
    assert.same({ false, 1 }, fields(list, "uops"))
    assert.equal("1.50 uops counted, no whole number", list[1].evidence)
    assert.is_nil(list[2].slots) -- this processor cannot be padded
    local unknown = assert(uop_sources.choose(p)).count { "nosuch" }[1]
    assert.same({ evidence = "not counted: unsupported" }, unknown)
    unknown = assert(uop_sources.choose(assert(simulated.new { mapping = truth }))).count { "nosuch" }[1]
    assert.is_nil(unknown.uops)
    assert.equal("its issue slots could not be measured", unknown.evidence)
  end)

  it("is missing where nothing can be counted or padded", function()
    local none, message = uop_sources.choose { measure = function() end }
    assert.is_nil(none)
    assert.matches("need a counter of uops or macro%-ops, or", message)
    local endless = { format = truth.format, version = 1, ports = truth.ports, schemes = truth.schemes }
    none, message = assert(uop_sources.choose(assert(simulated.new { mapping = endless }))).count(names)
    assert.is_nil(none)
    assert.matches("no limit on its issue width", message)
  end)
end)

describe("counts", function()
  it("are settled by a majority of readings", function()
    assert.equal(2, counting.settled { 2.1 })
    assert.is_nil(counting.settled { 2.5 })
    assert.is_nil(counting.settled({ 2.1 }, 2))
    assert.equal(2, counting.settled({ 2.1, 1.9 }, 2))
    assert.is_nil(counting.settled { 1, 3 }) -- their mean is 2, and none of them
    assert.equal(1, counting.settled { 1.02, 0.99, 1.9 })
    assert.equal(0, counting.settled { 0.1 })
  end)

  it("are read twice where a reading is a single sample, and else once", function()
    for _, case in ipairs { { n = 1, asked = 2 }, { n = 9, asked = 1 } } do
      local asked, again = 0, {}
      local p = { count = function(_, _, _, options)
        asked = asked + 1
        again[asked] = options.again or false
        return { { status = "ok", count = 3, n = case.n } }
      end }
      assert.equal(3, counting.whole(p, { { a = 1 } }, "uops")[1].whole)
      assert.equal(case.asked, asked)
      assert.same({ false, case.asked == 2 or nil }, again)
    end
  end)
end)

-- A name of uops.info's kind as ours: "vaddpd W:YMM0..15, R:YMM0..15, ymmword ptr R:MEM(256)"; nil if it has operands of other kinds.
local function our_name(text)
  local mnemonic, rest = text:match("^(%S+) (.+)$")
  local parts = {}
  for operand in (rest or ""):gmatch("[^,]+") do
    local register, memory, immediate = operand:match("GPR:(%d+)"), operand:match("MEM%((%d+)%)"), operand:match("^%s*IMM%((%d+)%)")
    local vector = operand:match("[RW]:([XY]MM)%d")
    local part = memory and (memory == "0" and "m" or "m" .. memory) or register and "r" .. register or immediate and "imm" .. immediate
      or vector and vector:lower()
    if not part then return nil end
    parts[#parts + 1] = part
  end
  return #parts > 0 and mnemonic .. " " .. table.concat(parts, ", ") or nil
end

describe("postulates of memory operands", function()
  it("add uops to macro-ops and slots", function()
    for name, more in pairs { ["add r64, r64"] = { 0, 0 }, ["lea r64, m"] = { 0, 0 }, ["mov r64, m64"] = { 0, 0 }, ["mov m64, r64"] = { 1, 1 },
      ["add r64, m64"] = { 1, 1 }, ["add m64, r64"] = { 1, 2 }, ["vpaddd ymm, ymm, m256"] = { 2, 1 }, ["vmovapd ymm, m256"] = { 2, 0 },
      ["vmovapd m128, xmm"] = { 1, 1 }, ["vpbroadcastd ymm, m32"] = { 1, 0 }, ["vpbroadcastb ymm, m8"] = { 1, 1 }, ["movhps xmm, m64"] = { 1, 1 },
      ["push r64"] = { 1, 1 }, ["movzx r32, m8"] = { 1, 0 }, ["vgatherdpd ymm, m64[xmm], ymm"] = { 1, 0 }, ["nosuch"] = { 0, 0 } } do
      assert.same(more, { memory_uops.beyond_macro_ops(name), memory_uops.beyond_slots(name) }, name)
    end
    assert.equal(1, memory_uops.beyond_macro_ops("vpaddd ymm, ymm, m256", 256))
  end)

  it("are those that the published mapping of Zen+ rests on", function()
    local path
    for _, base in ipairs { "/../shared/data/", "/../../shared/data/" } do
      local candidate = os.getenv "PORTOLAN_SOURCE" .. base .. "zenp/port_mapping.json"
      path = path or file.kind(candidate) and candidate
    end
    if not path then return pending("shared/data is not here") end
    local compared, with_memory = 0, 0
    for text, entry in pairs(assert(json.decode(assert(file.read(path)))).data) do
      local name = our_name(text)
      if name and core.isa.scheme(name) and type(entry.numuops) == "number" and type(entry.numuops_unadjusted) == "number" then
        local more = memory_uops.beyond_macro_ops(name)
        assert.equal(entry.numuops - entry.numuops_unadjusted, more, text)
        compared, with_memory = compared + 1, with_memory + (more > 0 and 1 or 0)
      end
    end
    assert.is_true(compared > 500 and with_memory > 200, ("%d, %d"):format(compared, with_memory))
  end)
end)
