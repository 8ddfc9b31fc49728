-- Predictors with named settings: assume, and hw.
local code = require "portolan.anica.code"
local core = require "portolan.core"
local dependencies = require "portolan.block.dependencies"
local domains = require "portolan.anica.domain"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local llvm_mca = require "portolan.predictor.llvm_mca"
local named = require "portolan.predictor.named"
local process = require "process"

local function cycles(name, text)
  local answer = assert(named.open(name)):predict({ { text = text } })[1]
  return answer.cycles, answer
end

-- Additions on two ports, multiplications on the first, branches on the second; 3 slots a cycle.
local function mapping_file(directory)
  local path = directory .. "/m.json"
  assert(file.write(path, json.encode { format = "portolan-mapping", version = 1, ports = { "0", "1" }, rmax = 3, schemes = {
    ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } }, status = "explained", latency = 1 },
    ["imul r64, r64"] = { uops = { { { "0" }, 1 } }, status = "explained", latency = 3 },
    ["nop"] = { uops = json.array {}, status = "explained" },
    ["jnz rel8"] = { uops = { { { "1" }, 1 } }, status = "explained" } } }))
  return path
end

describe("a predictor with named assumptions", function()
  it("is the largest of its bounds, each of which is on or off", function()
    process.in_directory(function(directory)
      local m = mapping_file(directory)
      local text = "imul rax, rbx; add rax, rcx; add rdx, rsi" -- 3 uops on 2 ports; a chain of 4 cycles
      for settings, expected in pairs { [""] = 1.5, [",width=none"] = 1.5, [",width=1"] = 3, [",latencies=mapping"] = 4, [",latencies=2"] = 4,
        [",latencies=1"] = 2, [",code=loop"] = 2, [",code=loop,width=none"] = 2, [",code=loop,width=1"] = 4, [",width=0.5"] = 6 } do
        assert.equal(expected, cycles("assume:" .. m .. settings, text), settings)
      end
      assert.equal(1, cycles("assume:" .. m, "nop; nop; nop"))
      assert.equal(2, cycles("assume:" .. m .. ",code=loop", "nop; nop; nop")) -- with the branch, 4 slots by 3, in whole cycles
      assert.equal(1, cycles("assume:" .. m .. ",code=loop,width=none", "nop"))
      assert.equal(1.5, cycles("mapping:" .. m, text))
    end)
  end)

  it("takes latencies from a file", function()
    process.in_directory(function(directory)
      local path = directory .. "/latencies.json"
      assert(file.write(path, [[{ "imul r64, r64": 3, "add r64, m64": 6, "mov r64, m64": 5 }]]))
      assert.equal(3, cycles("assume:none,latencies=" .. path, "imul rax, rbx"))
      assert.equal(6, cycles("assume:none,latencies=" .. path, "add rax, [rbx]"))
      assert.equal(1, cycles("assume:none,load=5,latencies=" .. path, "add rax, [rbx]"))
      assert.equal(5, cycles("assume:none,load=5,latencies=" .. path, "mov rax, [rax]"))
      for load, expected in pairs { ["0"] = 9, ["5"] = 4, ["5/6/7"] = 2, ["7/6/5.5"] = 3.5, ["20"] = 0 } do
        assert.equal(expected, cycles("assume:none,latencies=9,load=" .. load, "vaddps ymm1, ymm1, [rsi]"))
      end
      assert.equal(3, cycles("assume:none,latencies=9,load=5/6/7", "vaddps xmm1, xmm1, [rsi]"))
      local _, answer = cycles("assume:none,latencies=" .. path, "add rax, rbx")
      assert.is_true(answer.unsupported)
      assert.matches("has no latency of add r64, r64", answer.error)
      local before = assert(named.open("assume:none,latencies=" .. path)).version
      assert(file.write(path, [[{ "imul r64, r64": 4 }]]))
      assert.not_equal(before, assert(named.open("assume:none,latencies=" .. path)).version)
    end)
  end)

  it("has a name that says what is not usual, and describes all", function()
    local p = assert(named.open "assume:none,code=copies,latencies=1,alias=same")
    assert.equal("assume:none,width=none,latencies=1,alias=same", p.name)
    assert.same({ ports = "none", width = "none", latencies = "1", load = "0", alias = "same", idioms = "yes", code = "copies" },
      p:describe().assumptions)
  end)

  it("says what it cannot do", function()
    local _, answer = cycles("assume:none,latencies=1", "fld st0")
    assert.is_true(answer.unsupported)
    answer = assert(named.open "assume:none,latencies=1"):predict({ "\x06" })[1]
    assert.is_true(answer.unsupported)
  end)

  it("refuses wrong settings in one line", function()
    process.in_directory(function(directory)
      local wrong = directory .. "/wrong.json"
      assert(file.write(wrong, [[{ "imul r64, r64": "three" }]]))
      for name, words in pairs {
        ["assume:"] = "which ports%?", ["assume:none,tea=1"] = "no setting 'tea'", ["assume:none,alias=yes"] = "write all or no or same",
        ["assume:none,width=0"] = "width=0: write a number", ["assume:none,width=nan"] = "width=nan", ["assume:none,load=-1"] = "load=%-1",
        ["assume:none,load=5/6"] = "load=5/6: write", ["assume:none,load=5//6"] = "load=5//6: write", ["assume:none,load=x"] = "load=x",
        ["assume:none,code=straight"] = "write copies or loop", ["assume:none,idioms=1"] = "write no or yes",
        ["assume:none,latencies=1e9"] = "latencies=", ["assume:none,latencies=soon"] = "write none, a number",
        ["assume:none,latencies=mapping"] = "has no latencies", ["assume:none,latencies=" .. wrong] = "write a latency as a number",
        ["assume:none,latencies=/nosuch.json"] = "no such file", ["assume:/nosuch.json"] = "no such file",
        ["assume:none,seconds=3"] = "runs no program", ["assume:none,also"] = "KEY=VALUE",
      } do
        local p, message = named.open(name)
        assert.is_nil(p, name)
        assert.matches(words, message)
        assert.is_nil(message:find "\n")
      end
    end)
  end)

  it("is campaigned against itself with another setting, which finds what the setting changes", function()
    process.in_directory(function(directory)
      local m = mapping_file(directory)
      local r = process.run { args = { process.portolan, "campaign", "--a", "assume:" .. m .. ",width=1", "--b",
        "assume:" .. m .. ",width=1,latencies=mapping", "--schemes",
        "name == 'add r64, r64' or name == 'imul r64, r64'", "--dry", "3", "--samples", "30", "--coverage", "100", "--out", directory .. "/out" } }
      assert.equal(0, r.status, r.err)
      assert.matches("mnemonic: imul", r.out)
      assert.is_nil(r.out:find "mnemonic: add\n") -- additions take as long by issue slots as in a chain
    end)
  end)

  local newest = llvm_mca.installed()[1]
  if not newest then return pending "llvm-mca is not installed: latencies of its models are not compared with it" end

  it("agrees with llvm-mca where dependencies decide", function()
    local name = newest.name .. ":skylake"
    local ours = assert(named.open("assume:none,load=5,latencies=" .. name))
    local aliased = assert(named.open("assume:none,load=5,alias=all,latencies=" .. name))
    local llvm, llvm_aliased = assert(named.open(name .. ",steady")), assert(named.open(name .. ",steady,noalias=false"))
    local blocks = {}
    for i, text in ipairs { "imul rax, rbx", "add rax, [rbx]", "mov rbx, [rbx]", "imul rax, rbx; add rax, rcx",
      "vaddps xmm1, xmm1, xmm2; vmulps xmm1, xmm1, xmm3", "mov [rbx], rax; mov rax, [rbx]" } do blocks[i] = { text = text } end
    local a, b, c, d = ours:predict(blocks), llvm:predict(blocks), aliased:predict(blocks), llvm_aliased:predict(blocks)
    for i = 1, 5 do assert.equal(b[i].cycles, a[i].cycles, blocks[i].text) end
    assert.equal(0, a[6].cycles)
    assert.equal(d[6].cycles, c[6].cycles)
  end)
end)

describe("hw's settings", function()
  it("are checked before anything is measured", function()
    for name, words in pairs { ["hw,nonsense"] = "write hw, or settings", ["hw:x"] = "write hw, or settings",
      ["hw,code=straight"] = "write copies or loop",
      ["hw,code=usual"] = "write copies or loop", ["hw,values=zero"] = "write large or small", ["hw,registers=1"] = "write numbers or pointers",
      ["hw,pages=all"] = "write mapped or own", ["hw,pages=mapped,code=loop"] = "leave out code, registers and values",
      ["hw,tea=1"] = "no setting 'tea'", ["hw,cpu=x"] = "cpu=x: write the number of a processor",
      ["hw,cpu=77777"] = "there is no processor 77777; the processors of this system are %d",
      ["hw,code=loop,core_kind=tea"] = "core%-kind tea: " } do
      local p, message = named.open(name)
      assert.is_nil(p)
      assert.matches(words, message)
    end
  end)
end)

describe("the independent domain", function()
  local D = assert(domains.load "independent")

  it("draws blocks of which no iteration waits for another", function()
    local blocks = assert(D:top(5):sample(core.base.rng(2), 300))
    assert.equal(300, #blocks)
    for _, block in ipairs(blocks) do
      for _, aliasing in ipairs { "no", "same" } do
        local waits, accesses = assert(dependencies.of(block, { aliasing = aliasing, idioms = false }))
        assert.equal(0, (assert(dependencies.bound(waits, #accesses, function() return 1 end))), code.text(block))
      end
    end
  end)

  it("has a part of the usual schemes, and says nothing of aliasing", function()
    local set = {}
    for _, name in ipairs(D:schemes()) do set[name] = true end
    assert.is_true(set["vaddps ymm, ymm, ymm"] and set["mov r64, m64"] and set["mov m64, r64"] and set["cmp r64, r64"])
    assert.is_nil(set["add r64, r64"] or set["mul r64"] or set["adc r64, r64"] or set["popcnt r64, r64"] or set["add m64, r64"])
    local block = assert(D:top(3):sample(core.base.rng(1), 1))[1]
    local A = assert(D:represent(block))
    assert.same({}, A:encode().aliasing)
    assert.is_true(A:contains(block))
    for _, other in ipairs(assert(A:sample(core.base.rng(3), 20))) do assert.is_true(A:contains(other)) end
  end)

  it("is a word of a domain file", function()
    process.in_directory(function(directory)
      assert(file.write(directory .. "/d.lua", [[return { "default", operands = "tea" }]]))
      local d, message = domains.load(directory .. "/d.lua")
      assert.is_nil(d)
      assert.matches("write random or independent", message)
    end)
    assert.is_nil((domains.load("independent", { blocks = { "\x90" } })))
  end)
end)
