-- portolan explain and portolan recheck, on simulated and recorded processors.
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local function refused(words, ...)
  local r = portolan(...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan %l+: [^\n]+\n$", r.err)
  assert.truthy(r.err:find(words, 1, true), r.err)
end

-- The mapping of a small core with witnesses for two schemes.
local function charted()
  local m = mapping.two_level({ "0", "1", "5" }, { ["imul r64, r64"] = { "1" }, ["shl r64, imm8"] = { "0", "5" },
    ["vpermd ymm, ymm, ymm"] = { "5" } }, { rmax = 4 })
  for _, scheme in pairs(m.schemes) do scheme.tp = 1 / #scheme.uops[1][1] end
  m.schemes["bswap r64"] = { uops = { { { "1", "5" }, 1 }, { { "0", "5" }, 1 } }, slots = 2, status = "explained", tp = 0.67, note = "a \27[31mnote",
    witnesses = {
      { experiment = "12*shl r64, imm8 + bswap r64", cycles = 6.52, expected = 6.5, role = "shows", says = "one uop" },
      { experiment = "6*imul r64, r64 + bswap r64", cycles = 6.03, expected = 6, role = "bounds" },
      { experiment = "6*vpermd ymm, ymm, ymm + bswap r64", cycles = 5.97, expected = 6, role = "bounds" },
    } }
  m.schemes["bswap r32"] = { uops = { { { "1", "5" }, 1 } }, status = "explained", tp = 0.5 }
  m.schemes["vdivps ymm, ymm, ymm"] = { status = "contradicting", tp = 5, witnesses = {
    { experiment = "6*imul r64, r64 + vdivps ymm, ymm, ymm", cycles = 6.6, expected = 6, role = "contradicts", says = "0.6 uops" } } }
  m.schemes["ud2"] = { status = "unsupported here" }
  return m
end

describe("portolan explain", function()
  local path = os.tmpname()
  assert(mapping.save(charted(), path))
  teardown(function() os.remove(path) end)
  local function explain(...) return portolan("explain", "--mapping", path, ...) end

  it("prints the argument for one scheme within 80 columns, without control characters", function()
    local r = explain "bswap r64"
    assert.equal(0, r.status, r.err)
    assert.matches("^bswap r64  explained\n", r.out)
    assert.truthy(r.out:find("2 issue slots, 0.670 cycles alone", 1, true))
    assert.truthy(r.out:find("operands  gpr64", 1, true))
    local text = r.out:gsub("%s+", " ")
    for _, sentence in ipairs {
      "shows 12*shl r64, imm8 + 1 of it takes 6.520 cycles (6.500 expected) where 6.000 would do without it: (6.520 - 6.000) x 2 ports = 1.04: "
        .. "one uop cannot evade p05",
      "bounds 6*imul r64, r64 + 1 of it takes 6.030 cycles (6.000 expected) where 6.000 would do without it: (6.030 - 6.000) x 1 port = 0.03: "
        .. "it evades p1",
    } do assert.truthy(text:find(sentence, 1, true), r.out) end
    assert.truthy(text:find("portolan recheck --mapping " .. path .. " 'bswap r64'", 1, true))
    assert.is_nil(r.out:find("\27", 1, true))
    for line in r.out:gmatch "[^\n]+" do
      if not line:find("^measure it again") then assert.is_true(#line <= 80, line) end
    end
  end)

  it("tells a contradiction, and of a scheme that was not measured", function()
    local r = explain "vdivps ymm, ymm, ymm"
    assert.matches("does not fit\n  but ", r.out)
    assert.truthy(r.out:gsub("%s+", " "):find("6.600 cycles (6.000 expected)", 1, true))
    assert.matches("unsupported here", explain("ud2").out)
  end)

  it("lists what a part of a name or a pattern chooses, or explains all of it", function()
    local list = explain "bswap"
    assert.equal(0, list.status, list.err)
    assert.matches("bswap r32 +p15 +0%.500 +explained\n", list.out)
    assert.matches("bswap r64 +p05 %+ p15 +0%.670 +explained\n", list.out)
    assert.matches("2 schemes; name one in full", list.out)
    assert.matches("^bswap r64  explained", explain("/^bswap r6/").out)
    local full = explain("BSWAP", "--full")
    assert.matches("^bswap r32  explained.*\nbswap r64  explained", full.out)
    assert.matches("^bswap r64.*\nimul r64, r64  explained", explain("bswap  r64", "imul r64,r64").out)
  end)

  it("has JSON", function()
    local one = assert(json.decode(explain("--json", "bswap r64").out)).arguments[1]
    assert.equal("explained", one.status)
    assert.equal(2, #one.uops)
    assert.equal(6, one.uops[2].shows[1].without)
    assert.equal("one uop cannot evade p05", one.uops[2].shows[1].means)
    local list = assert(json.decode(explain("--json", "bswap").out)).schemes
    assert.equal(2, #list)
    assert.equal(3, list[2].witnesses)
  end)

  it("says what may have been meant", function()
    refused("did you mean 'bswap r32', 'bswap r64'", "explain", "--mapping", path, "bswp r64")
    refused("has no scheme 'imul r32, r32'; did you mean 'imul r64, r64'", "explain", "--mapping", path, "imul r32, r32")
    refused("there is such an instruction: it was not charted", "explain", "--mapping", path, "pdep r64, r64, r64")
    refused("give a part of its name", "explain", "--mapping", path, "nothing of the kind")
    refused("is not a Lua pattern", "explain", "--mapping", path, "/[/")
    refused("'portolan chart' writes it", "explain", "bswap r64")
    refused("'portolan chart' writes it", "recheck", "bswap r64")
    refused("as scripts/quickstart does", "report")
  end)
end)

describe("the latest chart", function()
  it("is what explain, recheck and report are about if nothing is named", function()
    process.in_directory(function(d)
      local function here(...) return process.run { args = { process.portolan, ... }, cwd = d } end
      assert(file.make_directory(d .. "/charts/latest"))
      local m = charted()
      assert(mapping.save(m, d .. "/charts/latest/mapping.json"))
      assert(file.write(d .. "/charts/latest/chart.json", assert(json.encode { mapping = m })))
      local r = here("explain", "bswap r64")
      assert.matches("^bswap r64  explained\n", r.out)
      assert.truthy(r.out:find("portolan recheck 'bswap r64'", 1, true), r.out)
      r = here("recheck", "--oracle", "sim:charts/latest/mapping.json", "bswap r64")
      assert.same({ 0, "" }, { r.status, r.err })
      assert.equal("charts/latest/report.html\n", here("report").out)
    end)
  end)
end)

describe("portolan recheck", function()
  -- Calls f with a directory that holds the mapping (m.json), and the truth to simulate (truth.json).
  local function in_directory(f)
    process.in_directory(function(d)
      local truth = charted()
      truth.schemes["vdivps ymm, ymm, ymm"] = { uops = { { { "0" }, 5 } }, status = "explained" }
      assert(mapping.save(truth, d .. "/truth.json"))
      local m = charted()
      assert(mapping.save(m, d .. "/m.json"))
      f(d, m, function(...) return portolan("recheck", "--mapping", d .. "/m.json", ...) end, "sim:" .. d .. "/truth.json")
    end)
  end

  it("confirms what is measured again, and says within which tolerance", function()
    in_directory(function(_, _, recheck, sim)
      local r = recheck("--oracle", sim .. ",noise=0.004,seed=3", "bswap r64")
      assert.equal(0, r.status, r.out .. r.err)
      assert.matches("^bswap r64  confirmed\n", r.out)
      assert.matches("6%.520 +6%.500 +6%.%d+  yes shows: 12%*shl r64, imm8 %+ 1 of it\n", r.out)
      assert.matches("0%.670 +0%.667 +0%.%d+  yes alone\n", r.out)
      assert.matches("1 scheme: 1 confirmed; 4 experiments measured", r.out)
      assert.truthy(r.out:gsub("%s+", " "):find("at most 2% or 0.01 cycles per instruction faster than expected", 1, true))
      for line in r.out:gmatch "[^\n]+" do assert.is_true(#line <= 80, line) end
    end)
  end)

  it("does not confirm what the processor does not do", function()
    in_directory(function(d, m, recheck)
      m.schemes["bswap r64"].uops[2] = { { "1" }, 1 }
      assert(mapping.save(m, d .. "/other.json"))
      local r = recheck("--oracle", "sim:" .. d .. "/other.json", "bswap r64", "--json")
      assert.equal(1, r.status)
      local scheme = assert(json.decode(r.out)).schemes[1]
      assert.equal("not confirmed", scheme.verdict)
      local verdicts = {}
      for _, claim in ipairs(scheme.claims) do verdicts[claim.experiment] = claim.verdict .. (claim.why and ": " .. claim.why or "") end
      assert.equal("not confirmed: faster than expected", verdicts["bswap r64 + 12*shl r64, imm8"])
      assert.equal("not confirmed: slower than expected", verdicts["bswap r64 + 6*imul r64, r64"])
      assert.equal("confirmed", verdicts["bswap r64 + 6*vpermd ymm, ymm, ymm"])
    end)
  end)

  it("does not confirm a mapping that says something else than its witnesses", function()
    in_directory(function(d, m, recheck, sim)
      m.schemes["bswap r64"].uops = { { { "5" }, 2 } }
      assert(mapping.save(m, d .. "/m.json"))
      local r = recheck("--oracle", sim, "bswap r64")
      assert.equal(1, r.status)
      assert.truthy(r.out:gsub("%s+", " "):find("the mapping predicts 8.000", 1, true), r.out)
    end)
  end)

  it("takes a contradiction for confirmed if it contradicts again", function()
    in_directory(function(d, m, recheck, sim)
      local w = m.schemes["vdivps ymm, ymm, ymm"].witnesses[1] -- 6 cycles in truth
      local function verdict(cycles, expected)
        w.cycles, w.expected = cycles, expected
        assert(mapping.save(m, d .. "/m.json"))
        local r = recheck("--oracle", sim, "vdivps ymm, ymm, ymm")
        return r.status, (r.out:gsub("%s+", " "))
      end
      assert.equal(0, (verdict(6.6, 5)))
      assert.equal(0, (verdict(6, 6))) -- contradicts others, not by itself
      assert.equal(0, (verdict(6.05, nil)))
      local status, text = verdict(6.6, 6)
      assert.equal(1, status)
      assert.truthy(text:find("now it takes what is expected", 1, true), text)
      status, text = verdict(8, 7.2)
      assert.equal(1, status)
      assert.truthy(text:find("now it takes what is expected", 1, true) == nil and text:find("faster than expected", 1, true), text)
    end)
  end)

  it("answers from records, and says what could not be measured", function()
    in_directory(function(d, _, recheck)
      assert(file.write(d .. "/e.jsonl", table.concat({
        '{"e":{"bswap r64":1},"cycles":0.68}', '{"e":{"bswap r64":1,"shl r64, imm8":12},"cycles":6.5}',
        '{"e":{"bswap r64":1,"imul r64, r64":6},"cycles":6.4}', '{"e":{"bswap r64":1,"vpermd ymm, ymm, ymm":6},"status":"unstable"}' }, "\n")))
      local r = recheck("--oracle", "replay:" .. d .. "/e.jsonl", "bswap r64", "--json")
      assert.equal(1, r.status)
      local scheme = assert(json.decode(r.out)).schemes[1]
      assert.equal("could not be measured", scheme.verdict)
      local verdicts = {}
      for _, claim in ipairs(scheme.claims) do verdicts[#verdicts + 1] = claim.verdict end
      assert.same({ "confirmed", "confirmed", "confirmed", "could not be measured" }, verdicts)
      assert.equal("unstable", scheme.claims[4].why)
      assert.matches("not recorded", recheck("--oracle", "replay:" .. d .. "/e.jsonl", "bswap r32").out)
    end)
  end)

  it("goes through all schemes that were measured", function()
    in_directory(function(d, m, recheck, sim)
      m.schemes["vdivps ymm, ymm, ymm"] = nil
      assert(mapping.save(m, d .. "/m.json"))
      local r = recheck("--all", "--oracle", sim)
      assert.equal(0, r.status, r.out .. r.err)
      assert.matches("5 schemes: 5 confirmed; 8 experiments measured, 0 of them anew", r.out)
      assert.equal(1, recheck("ud2", "--oracle", sim).status)
    end)
  end)

  it("refuses what makes no sense", function()
    in_directory(function(d, _, _, sim)
      local m = d .. "/m.json"
      refused("which scheme?", "recheck", "--mapping", m, "--oracle", sim)
      refused("either schemes or --all", "recheck", "--mapping", m, "--all", "bswap r64", "--oracle", sim)
      refused("--store is for measuring on this machine", "recheck", "--mapping", m, "bswap r64", "--oracle", sim, "--store", d .. "/x.db")
      refused("--again is for measuring on this machine", "recheck", "--mapping", m, "bswap r64", "--oracle", sim, "--again")
      refused("no oracle 'foo'", "recheck", "--mapping", m, "bswap r64", "--oracle", "foo")
    end)
  end)
end)
