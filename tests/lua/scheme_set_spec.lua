-- Sets of schemes: named, by filter, and of other sets.
local file = require "portolan.support.file"
local scheme_set = require "portolan.scheme.set"

local function with_set(text, f)
  local name = os.tmpname() -- which makes a file of this name
  local path = name .. ".lua"
  assert(file.write(path, text))
  local result = table.pack(scheme_set.load(path))
  os.remove(path)
  os.remove(name)
  return f(table.unpack(result, 1, result.n))
end

local function contains(groups, name)
  for _, group in ipairs(groups) do
    for _, scheme in ipairs(group.schemes) do
      if scheme == name then return group.name end
    end
  end
end

describe("a set of schemes", function()
  it("takes usable schemes by filter, each once, in the first group that has it", function()
    with_set([[return { { name = "One", schemes = { "shl r64, imm8" } },
      { name = "Shifts", filter = 'category == "SHIFT" or mnemonic == "leave"' } }]], function(groups)
      assert.equal("One", contains(groups, "shl r64, imm8"))
      assert.equal("Shifts", contains(groups, "sar r64, imm8"))
      assert.is_nil(contains(groups, "leave")) -- not usable: it reads and writes the stack pointer
      local seen = {}
      for _, group in ipairs(groups) do
        for _, name in ipairs(group.schemes) do
          assert.is_nil(seen[name])
          seen[name] = true
        end
      end
    end)
  end)

  it("may consist of others", function()
    local all, parts = assert(scheme_set.load "all"), 0
    for _, name in ipairs { "scalar", "avx", "avx2" } do
      for _, group in ipairs(assert(scheme_set.load(name))) do
        for _, scheme in ipairs(group.schemes) do
          assert.is_truthy(contains(all, scheme), scheme)
          parts = parts + 1
        end
      end
    end
    assert.is_true(parts > 2000)
    assert.is_truthy(contains(all, "vaddps ymm, ymm, ymm"))
    assert.is_truthy(contains(all, "mov r64, r64"))
  end)

  it("may take what is left out only beside other schemes", function()
    assert.is_nil(contains(assert(scheme_set.load "all"), "addps xmm, xmm"))
    local sse, branches = assert(scheme_set.load "sse"), assert(scheme_set.load "branches")
    assert.equal("SSE floating point", contains(sse, "addps xmm, xmm"))
    assert.equal("Branches never taken", contains(branches, "jnz rel8"))
    for _, name in ipairs { "vaddps xmm, xmm, xmm", "paddd mm, mm", "jnz rel8" } do assert.is_nil(contains(sse, name), name) end
    assert.equal("Branches always taken", contains(branches, "jz rel8"))
    assert.equal("Jumps, calls and returns", contains(branches, "call rel32"))
    assert.equal("Jumps, calls and returns", contains(branches, "ret"))
    assert.equal("Stack", contains(branches, "push r64"))
    assert.equal("Stack", contains(branches, "leave"))
    for _, name in ipairs { "jmp r64", "ret imm16", "loop rel8", "loope rel8", "addps xmm, xmm" } do assert.is_nil(contains(branches, name), name) end
    with_set("return { { name = 'x', filter = 'true', apart = 1 } }", function(groups, message)
      assert.is_nil(groups)
      assert.matches("'apart' must be a text", message)
    end)
  end)

  it("may say whose times alone are asked", function()
    local groups = assert(scheme_set.load "serializing")
    assert.equal("Locked", groups[1].name)
    assert.is_string(groups[1].alone)
    assert.is_nil(groups[#groups].alone)
    for _, name in ipairs { "rdtsc", "pause", "mfence", "fnstcw m16" } do assert.equal("Fences and time stamps", contains(groups, name)) end
    with_set("return { { name = 'x', filter = 'true', alone = 1 } }", function(none, message)
      assert.is_nil(none)
      assert.matches("'alone' must be a text", message)
    end)
  end)

  it("is refused in one line where it is wrong", function()
    for text, expected in pairs {
      ["return 5"] = "must return a list of groups", ["return {}"] = "no groups", ["return { { name = 'x' } }"] = "a group is",
      ["return { { name = 'x', schemes = { 'nosuch r64' } } }"] = "group 1", ["return { { name = 'x', filter = 'foo(' } }"] = "group 1",
      ["return { 'nosuchset' }"] = "no instruction set 'nosuchset'", ["return {"] = "expected", ["error('x')"] = "",
      ["return { { name = 'x', filter = 'mnemonic == \"nosuch\"' } }"] = "no usable scheme",
    } do
      with_set(text, function(groups, message)
        assert.is_nil(groups)
        assert.is_truthy(message:find(expected, 1, true), message)
        assert.is_nil(message:find("\n", 1, true))
      end)
    end
  end)
end)
