-- `portolan bench`: one clear line for everything that can be wrong.
local process = require "process"

local function bench(...)
  local r = process.run { args = { process.portolan, "bench", ... } }
  return r.status, r.out, r.err
end

local function refused(message, ...)
  local status, out, err = bench(...)
  assert.same({ 2, "" }, { status, out })
  assert.matches("^portolan bench: [^\n]*" .. message .. "[^\n]*\n$", err)
end

describe("portolan bench", function()
  it("refuses what is no code, in one line", function()
    refused("nothing to measure")
    refused("unknown mnemonic 'foo' %(line 1, column 1%)", "foo rax")
    refused("r15 is the loop counter", "mov r15, 1")
    refused("no hexadecimal digit", "--hex", "4x")
    refused("no instruction", "--hex", "06")
    refused("no such instruction scheme", "--experiment", "foo r64")
    refused("a scheme is missing", "--experiment", "2*add r64, r64 +")
    refused("link 1 of the chain: no such instruction scheme %(foo r64%)", "--chain", "foo r64 [1 > 1]")
    refused("link 2 of the chain: add r64, r64 does not write its place '2'", "--chain", "imul r64, r64 [1 > 1] -> add r64, r64 [1 > 2]")
    refused("is not SCHEME %[FROM > TO%]", "--chain", "add r64, r64")
    refused("/nonexistent", "--file", "/nonexistent")
    refused("is a directory", "--file", "/tmp")
    refused("%-%-patience must be a number from 0 on, not 'soon'", "--patience", "soon", "nop")
  end)

  it("lists the loop bodies of experiments", function()
    local r = process.run { args = { process.portolan, "bench", "--experiment", "2*add r64, r64 + imul r64, r64", "--listing" }, seconds = 120 }
    if r.err:find("wait until", 1, true) then pending("this machine is too noisy: " .. r.err) end
    local copies, body = r.out:match "\n  loop body: (%d+) copies of the experiment [^\n]+\n(.*)$"
    assert.is_truthy(copies, r.out .. r.err)
    assert.equal(2 * tonumber(copies), select(2, body:gsub("    %x+ +add r%w+, r%w+\n", "")))
    assert.equal(1 * tonumber(copies), select(2, body:gsub("    %x+ +imul r%w+, r%w+\n", "")))
  end)

  it("lists the loop bodies of chains, and what is ahead of them", function()
    local r = process.run { args = { process.portolan, "bench", "--chain", "mov r64, m64 [2.base > 1]", "--listing" }, seconds = 120 }
    if r.err:find("wait until", 1, true) then pending("this machine is too noisy: " .. r.err) end
    local rounds, ahead, body = r.out:match "\n  loop body: (%d+) rounds of the chain, [^\n]+\n  ahead of the loop:\n(.-)  loop:\n(.*)$"
    assert.is_truthy(rounds, r.out .. r.err)
    assert.matches("mov qword ptr %[r14%], r14\n", ahead)
    assert.equal(tonumber(rounds), select(2, body:gsub("    %x+ +mov r%w+, qword ptr %[r%w+%]\n", "")))
  end)

  it("says why no chain can be made", function()
    refused("mul r64 %[1 > 2%]': what it reads beside the carrier cannot be cut: it is in the register of the carrier", "--chain", "mul r64 [1 > 2]")
    refused("link 1 leaves a vector register, link 2 reads a general register", "--chain", "paddd xmm, xmm [1 > 1] -> add r64, r64 [1 > 1]")
  end)

  it("takes a mebibyte of text, and says that it is too much", function()
    local text = ("add rax, rbx\n"):rep(1 << 20):sub(1, 1 << 20)
    local r = process.run { args = { process.portolan, "bench", "-" }, input = text }
    assert.same({ 2, "" }, { r.status, r.out })
    assert.matches("^portolan bench: [^\n]+\n$", r.err)
  end)

  it("gives misbehaving code a status each, and the rest its cycles", function()
    local status, out, err = bench("ud2", "int3", "syscall", "xor ecx, ecx; div ecx", "mov [0x1234], rax", "hlt", "l: jmp l", "imul rax, rbx")
    if err:find("wait until", 1, true) then pending("this machine is too noisy: " .. err) end
    assert.same({ 1, "" }, { status, err })
    local lines = {}
    for line in out:gmatch("[^\n]+") do lines[#lines + 1] = line end
    local expected = { "illegal instruction", "trap", "system call", "arithmetic fault", "memory fault", "memory fault", "timeout" }
    for i, what in ipairs(expected) do assert.matches(what, lines[i]) end
    assert.equal(8, #lines)
    assert.is_truthy(lines[8]:find("cycles", 1, true) or lines[8]:find("unstable", 1, true))
  end)
end)
