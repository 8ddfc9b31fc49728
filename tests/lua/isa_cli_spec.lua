local file = require "portolan.support.file"
local json = require "portolan.support.json"
local process = require "process"

local function portolan(...)
  local r = process.run { args = { process.portolan, "isa", ... } }
  return r.status, r.out, r.err
end

local function succeeds(...)
  local status, out, err = portolan(...)
  assert.are.same({ 0, "" }, { status, err })
  return out
end

local function fails(pattern, ...)
  local status, out, err = portolan(...)
  assert.are.same({ 2, "" }, { status, out })
  assert.matches("^portolan isa[^\n]*" .. pattern .. "[^\n]*\n$", err)
end

describe("portolan isa", function()
  it("lists schemes in columns", function()
    local out = succeeds("list", "--filter", 'mnemonic == "lea"')
    assert.are.equal([[
name        extension  category  encoding
lea r16, m  BASE       MISC      legacy
lea r32, m  BASE       MISC      legacy
lea r64, m  BASE       MISC      legacy
3 schemes
]], out)
  end)

  it("lists EVEX schemes and usable ones if asked to", function()
    local filter = 'mnemonic == "vmovaps" and not memory'
    assert.matches("\n2 schemes\n", succeeds("list", "--filter", filter))
    assert.matches("\nvmovaps xmm, xmm {evex} ", succeeds("list", "--evex", "--filter", filter))
    local out = succeeds("list", "--evex", "--usable", "--filter", filter)
    assert.matches("\nvmovaps zmm{k} *, zmm ", (out:gsub("{k},", "{k} ,")))
    local usable = succeeds("list", "--usable", "--filter", 'mnemonic == "leave" or mnemonic == "add"')
    assert.matches("\nadd r64, r64 ", usable)
    assert.is_nil(usable:find("\nleave ", 1, true))
    assert.matches("\n1 scheme\n$", succeeds("list", "--filter", 'name == "add r64, r64"'))
  end)

  it("lists the schemes of blocks, the most frequent first", function()
    process.in_directory(function(d)
      local blocks = d .. "/blocks.csv"
      -- add rbx, rax; add rbx, rax; mov rbx, rax | mov rbx, rax; add rax, rbx; mov [rax], rbx | an opcode that does not exist
      assert(file.write(blocks, "4801c34801c34889c3,1\n4889c34801d8488918,1000\n06,5\n"))
      local r = process.run { args = { process.portolan, "isa", "list", "--blocks", blocks, "--most", "2" } }
      assert.are.equal(0, r.status)
      assert.are.equal([[
   count  name          extension  category  encoding
       3  add r64, r64  BASE       BINARY    legacy
       2  mov r64, r64  BASE       DATAXFER  legacy
2 schemes
]], r.out)
      assert.are.equal("portolan isa: 1 block cannot be decoded and was left out\n", r.err)
      assert.are.equal("add r64, r64\nmov r64, r64\nmov m64, r64\n", succeeds("list", "--names", "--blocks", blocks))
      assert.are.equal("mov r64, r64\n", succeeds("list", "--names", "--blocks", blocks, "--filter", 'mnemonic == "mov"', "--most", "1"))
      local list = assert(json.decode(succeeds("list", "--json", "--blocks", blocks)))
      assert.are.same({ 3, "add r64, r64", 3 }, { #list, list[1].name, list[1].count })
      fails("blocks%.csv:1: field 1", "list", "--blocks", (function()
        assert(file.write(blocks, "xy,1\n"))
        return blocks
      end)())
    end)
    fails("add %-%-blocks FILE", "list", "--most", "2")
    fails("%-%-most must be a whole number", "list", "--blocks", "x", "--most", "0")
  end)

  it("gives JSON", function()
    local list = assert(json.decode(succeeds("list", "--json", "--filter", 'name == "add r64, r64"')))
    assert.are.equal(1, #list)
    assert.are.equal("add r64, r64", list[1].name)
    assert.are.equal("gpr64", list[1].operands[1].class)
    local scheme = assert(json.decode(succeeds("show", "--json", "shl r64, cl")))
    assert.are.equal("cl", scheme.operands[2].fixed)
    local count = assert(json.decode(succeeds("count", "--json")))
    assert.is_true(count.schemes >= 3600)
    assert.are.equal(count.schemes, count.usable + (function()
      local n = 0
      for _, reason in ipairs(count.excluded) do n = n + reason.count end
      return n
    end)())
  end)

  it("shows all about a scheme", function()
    local out = succeeds("show", "adc r64, r64")
    for _, pattern in ipairs {
      "^adc r64, r64\n", "legacy", "BASE, set I86, category BINARY", "gpr64 +64 bits +explicit +read, written", "rflags +64 bits +hidden",
      "flags +read: cf; written: cf pf af zf sf of", "example +%x+ +adc %l", "measured +yes, with 1 zeroing idiom ahead of each instance",
    } do
      assert.matches(pattern, out)
    end
    assert.matches("measured +yes\n", succeeds("show", "add r64, r64"))
    assert.matches("measured +no: reads and writes a hard%-wired operand", succeeds("show", "enter imm16, imm8"))
    assert.matches("measured +no: moves the stack pointer\n", succeeds("show", "push r64"))
  end)

  it("counts and checks", function()
    local out = succeeds("count", "--check", "--filter", 'category == "CMOV"')
    assert.matches("^ +96  schemes\n +96  legacy\n", out)
    assert.matches("96  make sense to measure", out)
    assert.matches("Encoded and decoded again: 1344 instances of 96 schemes, 0 failures", out)
    assert.matches("instances of 96 schemes, 0 failures", out)
    assert.matches("agrees on length and mnemonic of 60 schemes, disagrees on 36, 0 of these unexplained", out)
    assert.matches(" 36  another name for the same instruction", out)
  end)

  it("takes a user's exclusions", function()
    process.in_directory(function(d)
      local path = d .. "/mine.lua"
      assert(file.write(path, [[return { { reason = "not a shift", when = { 'category ~= "SHIFT"' } } }]]))
      local out = succeeds("count", "--exclusions", path)
      assert.matches(" 96  make sense to measure", out)
      assert.matches("not a shift", out)
    end)
    fails("nowhere", "count", "--exclusions", "/nowhere.lua")
  end)

  it("says in one line what is wrong", function()
    fails("bad filter 'extension ==': unexpected symbol", "list", "--filter", "extension ==")
    fails("unknown name 'size'; known: ", "count", "--filter", "size > 3")
    fails("did you mean: add r64, r64 | ", "show", "add r64,r64")
    fails("no such instruction scheme %(frobnicate%)", "show", "frobnicate")
    fails("", "show")
    fails("", "no-such-action")
    fails("")
  end)
end)
