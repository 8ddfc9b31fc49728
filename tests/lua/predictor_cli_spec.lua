-- `portolan predict --predictor`, the processor as predictor, and llvm-mca through the protocol.
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local llvm_mca = require "portolan.predictor.llvm_mca"
local named = require "portolan.predictor.named"
local process = require "process"
local several = require "portolan.predictor.machinery.several"

local source = os.getenv "PORTOLAN_SOURCE"
local newest = llvm_mca.installed()[1]

local function portolan(...) return process.run { args = { process.portolan, ... } } end

local function with_llvm(name, f)
  if newest then it(name, f) else pending(name .. ": llvm-mca is not installed") end
end

describe("portolan predict --predictor", function()
  it("prints a row per block and a column per predictor, and what is wrong below", function()
    local length, twice = "command-batch:awk '{ print length($0) / 2 }'", "command:expr length {}"
    local r = portolan("predict", "--predictor", length, "--predictor", twice, "add rax, rbx", "nop; nop", "foo", "--hex", "90 90")
    assert.equal(1, r.status, r.err)
    assert.matches("add rax, rbx +3.000 +6.000\n", r.out)
    assert.matches("nop; nop +2.000 +4.000\n", r.out)
    assert.matches("90 90 +2.000 +4.000\n", r.out)
    assert.matches("foo +%- +%-\n", r.out)
    assert.matches("command:expr length {}: foo: unknown mnemonic", r.out)
    assert.equal(0, portolan("predict", "--predictor", length, "nop").status)
    local rows = assert(json.decode(portolan("predict", "--json", "--predictor", length, "nop", "foo").out))
    assert.same({ 1, length }, { rows[1].predictions[1].cycles, rows[1].predictions[1].predictor })
    assert.is_true(rows[2].predictions[1].unsupported)
  end)

  it("predicts machine code by a mapping as it does text, and names all that the mapping lacks", function()
    local mapping = source .. "/scripts/examples/code/raptor-cove.json"
    local text = portolan("predict", "--mapping", mapping, "imul rax, rbx")
    assert.equal(0, text.status, text.err)
    assert.equal(text.out, (portolan("predict", "--mapping", mapping, "--hex", "48 0f af c3").out:gsub("^48 0f af c3", "imul rax, rbx")))
    for _, kind in ipairs { "mapping", "assume", "chart" } do
      local r = portolan("predict", "--predictor", kind .. ":" .. mapping, "paddd xmm0, xmm1; pmulld xmm0, xmm1; crc32 rax, rbx")
      assert.matches("does not explain crc32 r64, r64, paddd xmm, xmm, pmulld xmm, xmm\n", r.out)
    end
  end)

  it("says what it needs", function()
    for words, arguments in pairs {
      ["which model%? give %-%-mapping FILE, or %-%-predictor NAME"] = { "nop" },
      ["%-%-hex: there is no instruction"] = { "--mapping", source .. "/scripts/examples/code/raptor-cove.json", "--hex", "" },
      ["%-%-mapping does not go with %-%-predictor"] = { "--mapping", "x", "--predictor", "hw", "nop" },
      ["which block%?"] = { "--predictor", "command:cat" },
      ["%-%-hex: 'x' is no hex"] = { "--predictor", "command:cat", "--hex", "9x" },
      ["%-%-predictor: no predictor 'some:thing'; there are assume, bhive"] = { "--predictor", "some:thing", "nop" },
      ["%-%-predictor: osaca: for which processor"] = { "--predictor", "osaca:", "nop" },
      ["cannot be set; write flags of llvm%-mca"] = newest and { "--predictor", newest.name .. ":skylake,json", "nop" } or nil,
    } do
      local r = portolan("predict", table.unpack(arguments))
      assert.equal(2, r.status)
      assert.matches("^portolan predict: [^\n]*" .. words .. "[^\n]*\n$", r.err)
    end
  end)
end)

describe("this processor as a predictor", function()
  it("says of each block why it cannot be measured, and is not blamed for it", function()
    if isa.host ~= "x86_64" then pending "its code is x86-64's" end
    local p, message = named.open("hw", { patience = 3 })
    if not p then return pending("this machine cannot be measured on: " .. message) end
    local answers = p:predict { "\x0f\x0b", "\x06", { text = "mov rax, [rax]" }, { text = "mov r15, 1" }, { text = "imul rax, rbx" } }
    for i, words in ipairs { "illegal instruction", "no instruction", "memory fault; hw,pages=mapped ", "loop counter" } do
      assert.matches(words, answers[i].error)
      assert.is_nil(answers[i].crash)
    end
    assert.is_true(answers[1].unsupported)
    assert.is_true(answers[5].transient or answers[5].cycles > 2)
    assert.same({ false, true }, { p.deterministic, p.exclusive })
    assert.is_string(p:describe().cpu)
    p:close()
  end)

  it("measures loops of files and blocks of tables as those of real programs, unless told how", function()
    if isa.host ~= "x86_64" then pending "its code is x86-64's" end
    process.in_directory(function(d)
      local loop = "nop\nl: mov rax, [rdi+rcx*8]\nadd rcx, 8\ncmp rcx, r15\njnz l\n"
      assert(file.write(d .. "/loop.s", loop))
      assert(file.write(d .. "/blocks.csv", "488b04cf,1\n"))
      for option, path in pairs { ["--code"] = "loop.s", ["--file"] = "blocks.csv" } do
        local r = portolan("predict", "--predictor", "hw", option, d .. "/" .. path)
        if r.status == 2 then return pending("this machine cannot be measured on: " .. r.err) end
        assert.matches("^block +hw,pages=mapped\n", r.out)
        assert(r.out:find("cannot be measured: its copies take now", 1, true) or r.out:find "\n[^\n]+ %d%.%d%d%d\n", r.out)
      end
      local r = portolan("predict", "--predictor", "hw,code=loop", "--code", d .. "/loop.s")
      assert.matches("^block +hw,code=loop\n", r.out)
      assert.matches("r15 is the loop counter", r.out)
    end)
  end)
end)

describe("portolan predict --fill", function()
  with_llvm("lets LLVM's model say what the mapping does not know of code, and marks it", function()
    local known = source .. "/scripts/examples/code/raptor-cove.json"
    process.in_directory(function(d)
      local m = assert(json.decode(assert(file.read(known))))
      m.schemes["imul r64, r64"] = nil
      assert(file.write(d .. "/m.json", assert(json.encode(m))))
      assert(file.write(d .. "/f.s", "f:\n.L1:\n imulq %rax, %rbx\n addq %rcx, %rdx\n subq $1, %rsi\n jnz .L1\n ret\n"))
      local r = portolan("predict", "--mapping", d .. "/m.json", "--code", d .. "/f.s")
      assert.matches("without 1 unknown scheme", r.out)
      r = portolan("predict", "--mapping", d .. "/m.json", "--code", d .. "/f.s", "--fill", newest.name .. ":skylake")
      assert.equal(0, r.status, r.err)
      assert.matches("f: loop at 0x0\n  3.000 cycles per iteration", r.out)
      assert.matches("imul rbx, rax  %(by " .. newest.name:gsub("%-", "%%-") .. ":skylake%)", r.out)
      assert.truthy(r.out:find("not known to the mapping, as " .. newest.name .. ":skylake says: imul r64, r64", 1, true), r.out)
      assert.equal(newest.name .. ":skylake", json.decode(portolan("predict", "--mapping", d .. "/m.json", "--code", d .. "/f.s", "--fill",
        newest.name .. ":skylake", "--json").out)[1].instructions[1].source)
      r = portolan("predict", "--mapping", known, "--code", d .. "/f.s", "--fill", newest.name .. ":skylake")
      assert.is_nil(r.out:find("(by ", 1, true)) -- nothing is missing
      for words, arguments in pairs { ["no predictor 'nonsense:x'"] = { "--code", d .. "/f.s", "--mapping", d .. "/m.json", "--fill", "nonsense:x" },
        ["no predictor 'x'"] = { "--code", d .. "/f.s", "--mapping", known, "--fill", "x" }, -- though nothing is missing
        ["/absent.s"] = { "--code", d .. "/absent.s", "--mapping", known, "--fill", newest.name .. ":skylake" },
        ["--fill is of a file of --code"] = { "nop", "--mapping", known, "--fill", "llvm-mca:native" },
        ["--fill does not go with --predictor"] = { "nop", "--predictor", newest.name .. ":skylake", "--fill", "llvm-mca:native" } } do
        r = portolan("predict", table.unpack(arguments))
        assert.equal(2, r.status, r.out)
        assert.truthy(r.err:find(words, 1, true), r.err)
        assert.matches("^[^\n]+\n$", r.err)
      end
    end)
  end)
end)

describe("llvm-mca", function()
  with_llvm("answers as its command line does, and its flags count", function()
    local p = assert(named.open(newest.name .. ":skylake"))
    local q = assert(named.open(newest.name .. ":skylake,noalias=false,iterations=200"))
    assert.matches(",noalias=false,iterations=200$", q.name)
    local code = "mov rax, qword ptr [rsi]\nadd rax, 1\nmov qword ptr [rdi], rax\n"
    local by_hand = process.run { args = { newest.path, "-mcpu=skylake" }, input = ".intel_syntax noprefix\n" .. code }
    local cycles = tonumber(by_hand.out:match "Total Cycles:%s+(%d+)")
    assert.equal(cycles / 100, p:predict({ { text = code } })[1].cycles)
    by_hand = process.run { args = { newest.path, "-mcpu=skylake", "-noalias=false", "-iterations=200" },
      input = ".intel_syntax noprefix\n" .. code }
    assert.equal(tonumber(by_hand.out:match "Total Cycles:%s+(%d+)") / 200, q:predict({ { text = code } })[1].cycles)
    assert.is_true(cycles / 100 < q:predict({ { text = code } })[1].cycles)
  end)

  with_llvm("keeps what came before a hang, and finds what hangs among many", function()
    local p = assert(named.open(newest.name .. ":sapphirerapids"))
    local blocks, hang = {}, { text = "vdpps xmm1, xmm2, xmm3, 43" }
    for i = 1, 120 do blocks[i] = ("\x48\x0f\xaf\xc3"):rep(1 + i % 5) .. ("\x90"):rep(i % 3) end
    local expected = p:predict(blocks)
    if not p:predict({ hang })[1].crash then return pending "this llvm-mca simulates vdpps" end
    blocks[1], blocks[70], blocks[120] = hang, hang, { text = "foo" }
    local lists = several.predict({ p, p }, blocks, { jobs = 2 })
    for _, answers in ipairs(lists) do
      for i = 1, 120 do
        if blocks[i] == hang then assert.is_true(answers[i].crash) elseif i < 120 then assert.same(expected[i], answers[i]) end
      end
      assert.is_true(answers[120].unsupported)
    end
  end)
end)
