-- docs/predicting.md and the loops of scripts/examples/code: every loop assembles and is predicted, and the page quotes the code as it is.
local code = require "portolan.code"
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local place = require "portolan.scheme.place"
local process = require "process"

local folder = os.getenv "PORTOLAN_SOURCE" .. "/scripts/examples/code/"
local page = assert(file.read(os.getenv "PORTOLAN_SOURCE" .. "/docs/predicting.md"))

local function sources()
  local list = {}
  for _, name in ipairs(process.names(folder)) do
    if name:find "%.s$" then list[#list + 1] = name end
  end
  return list
end

-- Every pair of places takes one cycle, of a multiplication six, from an address five.
local function latencies_of(scheme)
  local list, cycles = {}, scheme.name:find "^vfmadd" and 6 or 1
  for _, from in ipairs(place.inputs(scheme)) do
    for _, to in ipairs(place.outputs(scheme)) do
      list[#list + 1] = { from = from, to = to, cycles = from:find(".", 1, true) and 5 or cycles }
    end
  end
  return list
end

-- A core with two ports for all that is in the files.
local function small_core()
  local m = { format = "portolan-mapping", version = 1, ports = { "0", "1" }, rmax = 4, schemes = {},
    front_end = { fuses = { ["cmp r64, r64"] = { "jb" } } } }
  for _, name in ipairs(sources()) do
    for _, piece in ipairs(assert(code.open(folder .. name, {}, "x86_64"))) do
      for _, instruction in ipairs(piece.instructions) do
        local scheme = assert(core.isa.scheme(instruction.scheme))
        m.schemes[scheme.name] = { status = "explained", slots = 1, uops = { { { "0", "1" }, 1 } }, latencies = latencies_of(scheme) }
      end
    end
  end
  return m
end

-- Functions of a source, by `name:` at the beginning of a line.
local function functions_of(text)
  local list = {}
  for name in ("\n" .. text):gmatch "\n(%l[%w_]*):" do list[#list + 1] = name end
  return list
end

describe("the page about predictions", function()
  local path, remove
  setup(function()
    path = os.tmpname()
    remove = function() os.remove(path) end
    assert(file.write(path, assert(json.encode(small_core()))))
  end)
  teardown(function() remove() end)

  local function predict(name, ...)
    return process.run { args = { process.portolan, "predict", "--mapping", path, "--code", folder .. name, ... },
      env = { LANG = "C", LC_ALL = false, NO_COLOR = "1" } }
  end

  for _, name in ipairs(sources()) do
    it("has loops that assemble and are predicted: " .. name, function()
      local functions = functions_of(assert(file.read(folder .. name)))
      local r = predict(name, "--json")
      assert.equal(0, r.status, r.err)
      local list = assert(json.decode(r.out))
      assert.equal(#functions, #list)
      for i, p in ipairs(list) do
        assert.equal("loop", p.kind)
        assert.equal(functions[i], p.title:match "^[%w_]+")
        assert.is_nil(p.unknown)
        assert.is_nil(p.lacking_latency)
        assert.is_true(p.cycles >= p.slots / 4 - 1e-9 and p.cycles >= p.bounds.dependencies)
        assert.is_true(p.simulated_cycles >= p.cycles - 1e-9)
        assert.truthy(page:find("| `" .. functions[i] .. "` |", 1, true), functions[i])
      end
    end)
  end

  it("quotes the sources as they are", function()
    local all, quoted = {}, 0
    for _, name in ipairs(sources()) do all[#all + 1] = assert(file.read(folder .. name)) end
    all = table.concat(all)
    for loop in page:gmatch "\n    (%.L.-\n)\n" do
      quoted = quoted + 1
      assert.truthy(all:find(loop:gsub("\n    ", "\n"), 1, true), loop)
    end
    assert.is_true(quoted >= 11, quoted)
  end)

  it("shows the output as it is", function()
    local r = predict("dot.s", "--function", "dot")
    assert.equal(0, r.status, r.err)
    for _, line in ipairs { "     #  cycles  waits for          places        instruction\n", "  critical cycle: 6 cycles in 1 iteration\n",
      "dot: loop at 0x6\n", "     2       6  2, by ymm0         1 > 1         vfmadd231ps ymm0," } do
      assert.truthy(r.out:find(line, 1, true), r.out)
    end
    assert.matches("\n     4      1  p01 +same  cmp rax, rdx\n     5         one with 4 +same  jb  to 1\n", r.out)
    assert.matches("\n%*    2      1  p01 +[%d.]+ +%-%d+%%  vfmadd231ps ymm0, ymm1, ymmword ptr %[rsi%+rax%*4%]\n", r.out)
  end)

  it("says what is missing", function()
    local m = small_core()
    m.schemes["vmovups ymm, m256"] = nil
    m.schemes["vfmadd231ps ymm, ymm, m256"].latencies = nil
    assert(file.write(path, assert(json.encode(m))))
    local r = predict("dot.s", "--function", "dot")
    assert(file.write(path, assert(json.encode(small_core()))))
    assert.equal(0, r.status, r.err)
    assert.matches("\n  at least [%d.]+ cycles per iteration, without 1 unknown scheme: limited by", r.out)
    assert.matches("\n  unknown to the mapping: vmovups ymm, m256\n", r.out)
    assert.matches("\n  latency not known, taken for 0: vfmadd231ps ymm, ymm, m256\n", r.out)
  end)

  it("reads standard input, in both syntaxes, and regions", function()
    local intel = ".intel_syntax noprefix\nf:\n.L:\n  add rax, 8\n  cmp rax, rdx\n  jb .L\n  ret\n"
    local att = "f:\n.L:\n  addq $8, %rax\n  cmpq %rdx, %rax\n  jb .L\n  ret\n"
    local marked = "# LLVM-MCA-BEGIN mine\n addq $8, %rax\n# LLVM-MCA-END\n addq $8, %rax\n"
    local function piped(text)
      local r = process.run { args = { "sh", "-c", "printf '%s' \"$2\" | \"$0\" predict --mapping \"$1\" --code -", process.portolan, path, text },
        env = { LANG = "C", LC_ALL = false, NO_COLOR = "1" } }
      assert.equal(0, r.status, r.err)
      return r.out
    end
    assert.equal(piped(intel), piped(att))
    assert.matches("  jb  to 1\n", piped(att))
    assert.matches("^region mine of line 1\n  1%.000 cycles per run", piped(marked))
  end)
end)
