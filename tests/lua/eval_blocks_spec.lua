-- portolan eval --blocks as users run it, with recorded measurements.
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local measured_blocks = require "portolan.format.measured_blocks"
local process = require "process"

local function portolan(...)
  return process.run { args = { process.portolan, "eval", ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local paths = {}
local function write(text, ending)
  local path = os.tmpname()
  os.remove(path)
  path = path .. (ending or "")
  paths[#paths + 1] = path
  assert(file.write(path, text))
  return path
end
local function unused(ending)
  local path = os.tmpname()
  os.remove(path)
  paths[#paths + 1] = path .. (ending or "")
  return paths[#paths]
end

local function hex(text)
  return (assert(core.isa.assemble(text), text).bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local add, load, both, divide = hex "add rax, rbx", hex "mov rax, [rbx]", hex "add rax, rbx; mov [rcx], rdx", hex "div rcx"
local vector = hex "vaddps ymm0, ymm1, ymm2"

local function refused(words, ...)
  local r = portolan(...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan eval: [^\n]+\n$", r.err)
  assert.matches(words, r.err)
end

describe("portolan eval --blocks", function()
  local blocks, measured, narrow, wide
  setup(function()
    blocks = write(("%s,10\n%s,5\n%s,5\n%s,1\n%s,1\n%s,7\n"):format(add, load, both, divide, vector, add), ".csv")
    measured = write((
      "block,cycles,status\n%s,1\n%s,0.5,ok\n%s,1.0,ok\n%s,,arithmetic fault\n%s,0.5,ok\n"):format(add, load, both, divide, vector))
    narrow = write(assert(mapping.encode(mapping.two_level({ "0", "1", "2" }, { ["add r64, r64"] = { "0" }, ["mov r64, m64"] = { "1", "2" } }))))
    wide = write(assert(mapping.encode(mapping.two_level({ "0", "1", "2" }, { ["add r64, r64"] = { "0", "1" }, ["mov r64, m64"] = { "1", "2" },
      ["mov m64, r64"] = { "2" }, ["vaddps ymm, ymm, ymm"] = { "0", "1" } }))))
  end)
  teardown(function() for _, path in ipairs(paths) do os.remove(path) end end)

  local function run(...)
    return portolan("--blocks", blocks, "--oracle", "blocks:" .. measured, "--predictor", "mapping:" .. narrow, "--predictor",
      "mapping:" .. wide, ...)
  end

  it("says what was measured, and compares on what all predict and on what each does", function()
    local r = run "--json"
    assert.same({ 0, "" }, { r.status, r.err })
    local o = assert(json.decode(r.out))
    assert.same({ 5, 4, { ["arithmetic fault"] = 1 }, 2 }, { o.total, o.measured, o.unmeasured, o.covered_by_all })
    local a, b = o.models[1], o.models[2]
    assert.same({ 2, 2, 2, 4 }, { a.common.n, a.alone.n, b.common.n, b.alone.n })
    assert.near(0, a.common.mape, 1e-9)
    assert.near(0.25, b.common.mape, 1e-9) -- add at half a cycle instead of 1
    assert.near(0.125, b.alone.mape, 1e-9)
    for i, kind in ipairs { "scalar", "scalar, loads", "scalar, stores", "vector" } do
      assert.same({ kind, i <= 2 and 1 or 0 }, { b.by_kind[i].kind, b.by_kind[i].n })
    end
    assert.same({ "ok", 1, "scalar", "add rax, rbx" }, { o.blocks[1].status, o.blocks[1].cycles, o.blocks[1].kind, o.blocks[1].text })
    assert.same({ 1, 0.5 }, o.blocks[1].predictions)
    assert.equal("arithmetic fault", o.blocks[4].status)
  end)

  it("prints the same for people, the worst blocks with their text", function()
    local r = run("--worst", "2", "--heatmap")
    assert.same({ 0, "" }, { r.status, r.err })
    for _, words in ipairs { "4 of 5 blocks measured %(80.0%%%)", "1 arithmetic fault %(20.0%%%)", "the 2 blocks that all predict",
      "each on what it predicts", "leaves out 2 of 4: instructions that it does\n? *not know", "scalar, loads +1 ",
      "the worst 2", "%-50.0%%\n    add rax, rbx\n" } do
      assert.matches(words, r.out)
    end
  end)

  it("writes a page, and the same one twice", function()
    local page = unused ".html"
    assert.equal(0, run("--report", page).status)
    local again = assert(file.read(page))
    assert.equal(0, run("--report", page).status)
    assert.equal(again, assert(file.read(page)))
    for _, words in ipairs { "By kind", "Not measured", "Each on what it predicts", "add rax, rbx", "arithmetic fault" } do
      assert.is_truthy(again:find(words, 1, true), words)
    end
  end)

  it("writes measurements that it can read", function()
    local table_of = unused ".csv"
    assert.equal(0, run("--measured", table_of).status)
    local known = assert(measured_blocks.load(table_of))
    local n = 0
    for code, result in pairs(known) do
      n = n + 1
      assert.equal(code == core.isa.assemble("div rcx").bytes and "arithmetic fault" or "ok", result.status)
    end
    assert.equal(5, n)
    local r = portolan("--blocks", blocks, "--oracle", "blocks:" .. table_of, "--predictor", "mapping:" .. narrow, "--json")
    assert.equal(4, assert(json.decode(r.out)).measured)
  end)

  it("draws a sample, the same for the same seed", function()
    local function drawn(seed)
      local o = assert(json.decode(run("--json", "--sample", "2", "--seed", seed).out))
      return { o.blocks[1].block, o.blocks[2].block, o.blocks[3] }
    end
    assert.same(drawn "2", drawn "2")
    local seen = {}
    for seed = 1, 8 do seen[table.concat(drawn(tostring(seed)), ",")] = true end
    assert.is_truthy(next(seen, next(seen)))
    assert.equal(5, assert(json.decode(run("--json", "--sample", "100").out)).total)
  end)

  it("keeps predictions in a store", function()
    local kept = unused ".db"
    assert.equal(4, assert(json.decode(run("--json", "--store", kept).out)).models[2].asked)
    local again = assert(json.decode(run("--json", "--store", kept).out))
    assert.same({ 0, 4 }, { again.models[2].asked, again.models[2].alone.n })
  end)

  it("refuses what does not go together, in one line", function()
    local oracle = "blocks:" .. measured
    refused("what is to be evaluated")
    refused("which measurements", "--blocks", blocks, "--predictor", "mapping:" .. wide)
    refused("which predictors", "--blocks", blocks, "--oracle", oracle)
    refused("name mappings as predictors", "--blocks", blocks, "--oracle", oracle, "--mapping", wide)
    refused("%-%-orders is of experiments", "--blocks", blocks, "--oracle", oracle, "--predictor", "mapping:" .. wide, "--orders")
    refused("not both", blocks, "--blocks", blocks, "--oracle", oracle, "--predictor", "mapping:" .. wide)
    refused("%-%-oracle is of %-%-blocks", measured, "--oracle", oracle)
    refused("%-%-predictor is of %-%-blocks", measured, "--predictor", "hw")
    refused("no oracle 'nonsense'", "--blocks", blocks, "--oracle", "nonsense", "--predictor", "mapping:" .. wide)
    refused("no predictor 'nonsense'", "--blocks", blocks, "--oracle", oracle, "--predictor", "nonsense")
    refused("measures experiments, not blocks", "--blocks", blocks, "--oracle", "sim:" .. wide, "--predictor", "mapping:" .. wide)
    refused("would overwrite", "--blocks", blocks, "--oracle", oracle, "--predictor", "mapping:" .. wide, "--report", blocks)
    refused("would overwrite", "--blocks", blocks, "--oracle", oracle, "--predictor", "mapping:" .. wide, "--measured", measured)
    refused("/nonexistent", "--blocks", "/nonexistent", "--oracle", oracle, "--predictor", "mapping:" .. wide)
    refused("/nonexistent", "--blocks", blocks, "--oracle", "blocks:/nonexistent", "--predictor", "mapping:" .. wide)
  end)

  it("says where a table is not right", function()
    local predictor = "mapping:" .. wide
    for text, words in pairs {
      ["4801d8,x\n"] = ":1: field 2 %(cycles%): 'x' is no positive number",
      ["4801d8,-1\n"] = "no positive number", ["4801d8,0\n"] = "no positive number",
      ["block,cycles\n4801d8,1,unstable\n"] = ":2: field 3 %(status%)",
      ["4801d8,1\n4801d8,2\n"] = ":2: the block is there already",
      ["48 01\n"] = ":1: a row must have", ["480,1\n"] = ":1: an odd number", [""] = "there is no block", ["\0\1\2"] = ":1: a row must",
    } do
      refused(words, "--blocks", blocks, "--oracle", "blocks:" .. write(text), "--predictor", predictor)
    end
    refused(":1: ", "--blocks", write "what\n", "--oracle", "blocks:" .. measured, "--predictor", predictor)
    refused("none of its 1 blocks was measured: not recorded", "--blocks", write(hex "imul rax, rbx" .. ",1\n"), "--oracle", "blocks:" .. measured,
      "--predictor", predictor)
  end)

  it("takes blocks that do not decode for what they are", function()
    local path = write(("06,1\n%s,1\n"):format(add))
    local r = portolan("--blocks", path, "--oracle", "blocks:" .. write("06,1,ok\n" .. add .. ",1\n"), "--predictor", "mapping:" .. wide, "--json")
    local o = assert(json.decode(r.out))
    assert.same({ 1, { ["not decoded"] = 1 } }, { o.measured, o.unmeasured })
  end)
end)
