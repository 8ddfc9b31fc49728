-- Loops of programs as code to measure.
local core = require "portolan.core"
local real_loop = require "portolan.block.loop"

if core.isa.host ~= "x86_64" then return end

local function assembled(text) return assert(core.isa.assemble(text)).bytes end

local function texts(bytes)
  local list = {}
  for i, instruction in ipairs(assert(core.isa.decode(bytes)).instructions) do list[i] = instruction.text end
  return list
end

-- Where the branch back leads, and the branch.
local function head_of(bytes)
  for _, instruction in ipairs(assert(core.isa.decode(bytes)).instructions) do
    local distance = instruction.scheme:find "^j%l+ rel" and string.unpack(#instruction.bytes == 2 and "<i1" or "<i4", instruction.bytes,
      #instruction.bytes == 2 and 2 or #instruction.bytes - 3)
    if distance and distance < 0 then return instruction.offset + #instruction.bytes + distance, instruction end
  end
end

describe("a loop to measure", function()
  it("counts as it does by itself, where it counts down to 0 or up to it", function()
    for text, number in pairs { ["sub rcx, 2; jnz -20"] = "mov rcx, 200", ["dec rcx; jnz -20"] = "mov rcx, 100",
      ["sub ecx, 3; ja -20"] = "mov ecx, 300", ["add rcx, 8; jnz -20"] = "mov rcx, -800" } do
      local form = real_loop.form { address = 0 }
      local b = assert(form.new(assembled("addsd xmm0, [rdi+rcx*8]; " .. text)))
      assert.equal("own", b.counted)
      local list = texts(form.body(b, 100))
      local wanted = texts(assembled(number))[1]
      local found = false
      for _, line in ipairs(list) do found = found or line == wanted end
      assert.is_true(found, wanted .. " in " .. table.concat(list, "; "))
    end
  end)

  it("has a counter in the place of what only compares", function()
    local b = assert(real_loop.new(assembled "addsd xmm0, [rdi+rax*8]; add rax, 1; cmp rax, rdx; jnz -20"))
    assert.equal("compare", b.counted)
    local list = texts(real_loop.as_measured { b })
    assert.same({ "addsd xmm0, qword ptr [rdi+rax*8]", "add rax, 0x1", "dec " .. b.register }, { table.unpack(list, 1, 3) })
    assert.equal(0, (head_of(real_loop.as_measured { b })))
  end)

  it("has a counter beside what does more than compare", function()
    for _, text in ipairs { "cmp byte ptr [rdi+rax], 0; jnz -20", "cmp rax, [rdi]; jnz -20", "add rax, 1; jb -20", "shr rax, 1; jnz -20" } do
      local b = assert(real_loop.new(assembled("mov rbx, rax; " .. text)))
      assert.equal("added", b.counted)
    end
  end)

  it("begins where it stands in a line, and leads back there", function()
    local code = assembled "addsd xmm0, [rdi+rax*8]; add rax, 1; cmp rax, rdx; jnz -20"
    local b = assert(real_loop.new(code))
    for _, place in ipairs { 0, 7, 16, 63 } do
      for _, unrolled in ipairs { 1, 2, 4 } do
        local form = real_loop.form { address = 640 + place, unrolled = unrolled }
        local head, back = head_of(form.body(form.new(code), 48))
        assert.equal(place, head % 64)
        assert.equal(unrolled * #b.bytes + #b.decrement + #back.bytes, back.offset + #back.bytes - head)
      end
    end
  end)

  it("leads branches that its path does not take to a trap", function()
    local form = real_loop.form { address = 0 }
    local bytes = form.body(assert(form.new(assembled "add rax, 1; test rbx, rbx; jz 60; cmp rax, rdx; jnz -20")), 32)
    assert.equal("\xcc", bytes:sub(-1))
    for _, instruction in ipairs(assert(core.isa.decode(bytes)).instructions) do
      if instruction.text:find "^jz" then
        assert.equal(#bytes - 1, instruction.offset + #instruction.bytes + tonumber(instruction.text:match "0x%x+"))
      end
    end
  end)

  it("says why it is none", function()
    local function refusal(text) return select(2, real_loop.new(assembled(text))) end
    assert.matches("does not end with a branch back", refusal "add rax, 1")
    assert.matches("nothing in it but its branch", refusal "jnz -2")
    assert.matches("nothing in it but a comparison", refusal "cmp rax, rdx; jnz -5")
    assert.matches("branches away: call", refusal "call 100; dec rcx; jnz -20")
    local all = {}
    for i, name in ipairs { "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" } do
      all[i] = "not " .. name
    end
    assert.matches("uses all registers", refusal(table.concat(all, "; ") .. "; cmp rax, rbx; jnz -60"))
  end)
end)
