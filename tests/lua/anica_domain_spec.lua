local core = require "portolan.core"
local domain = require "portolan.anica.domain"
local json = require "portolan.support.json"
local twin = require "support.abstract_twin"

local function code(text) return assert(core.isa.assemble(text)).bytes end

local D -- the default domain, with some schemes that are not usually measured
setup(function()
  D = assert(domain.load(nil, { blocks = { code "push rax; stosb; lock add [rax], rbx; rep movsb; fxrstor [rax]; fxrstor64 [rax]" } }))
end)

local function decode(instructions, aliasing)
  return assert(D:decode { instructions = instructions, aliasing = aliasing })
end

-- A random number of random expansions.
local function expanded(a, rng, most)
  for _ = 1, rng:below(most + 1) do
    local list = a:expansions()
    if #list == 0 then return a end
    a = a:expand(list[1 + rng:below(#list)])
  end
  return a
end

describe("the abstract blocks of Fig. 8.5", function()
  it("(a) a logical instruction that reads and writes memory", function()
    local a = decode { { category = "logical", memory = { "R", "W" } } }
    assert.is_true(a:contains(code "and [rax], rbx"))
    assert.is_true(a:contains(code "not dword ptr [rax]"))
    assert.is_false(a:contains(code "and rax, [rbx]"))
    assert.is_false(a:contains(code "add [rax], rbx"))
    assert.are.same({ "Instructions:", "  1. category: logical; memory: R, W" }, a:text())
  end)

  it("(b) two instructions that access the same memory", function()
    local a = decode({ { memory = { "R", "W" }, category = "binary" }, { memory = { "W" } } },
      { { a = { 1, 1 }, b = { 2, 1 }, kind = "must" } })
    assert.is_true(a:contains(code "add [rcx + 16], rbx; mov [rcx + 16], rdx"))
    assert.is_true(a:contains(code "add [rcx + 16], rbx; add [rcx + 16], ebx")) -- widths do not matter
    assert.is_false(a:contains(code "add [rcx + 16], rbx; mov [rcx + 128], rdx"))
    assert.is_true(D:subsumes(a, code "nop; mov [rcx + 16], rdx; nop; add [rcx + 16], rbx"))
    assert.is_false(D:subsumes(a, code "nop; mov [rcx + 8], rdx; nop; add [rcx + 16], rbx"))
    assert.matches("operand 1 of instruction 1 must alias with operand 1 of instruction 2", a:text()[5])
  end)

  it("(c) fewer than 8 uops, by a mapping", function()
    local names = { "add m64, r64", "xchg m64, r64", "mov m64, r64", "nop" }
    local ports = { "0", "1" }
    local mapping = { format = "portolan-mapping", version = 1, ports = ports, schemes = {
      ["add m64, r64"] = { uops = { { ports, 3 }, { { "0" }, 1 } } }, ["xchg m64, r64"] = { uops = { { ports, 8 } } },
      ["mov m64, r64"] = { status = "unsupported" } } }
    local E = assert(domain.load(nil, { schemes = names, mapping = mapping }))
    local a = assert(E:decode { instructions = { { memory = { "R", "W" }, uops = { below = 8 } } } })
    assert.are.same({ "add m64, r64" }, a:schemes(1))
    assert.are.same({ below = 8 }, assert(E:represent(code "add [rax], rbx")):encode().instructions[1].uops)
    assert.is_nil(assert(E:represent(code "mov [rax], rbx")):encode().instructions[1].uops) -- not known: top
  end)

  it("(d) near vpsubq, then fxrstor", function()
    local a = decode { { mnemonic = { base = "vpsubq", edits = 1 }, memory = { "R" } }, { mnemonic = { base = "fxrstor", edits = 2 } } }
    assert.is_true(a:contains(code "vpsubd ymm0, ymm1, [rax]; fxrstor [rbx]"))
    assert.is_true(a:contains(code "vpsubq xmm0, xmm1, [rax]; fxrstor64 [rbx]"))
    assert.is_false(a:contains(code "vpsubd ymm0, ymm1, ymm2; fxrstor [rbx]"))
    assert.is_false(a:contains(code "vpsubsw ymm0, ymm1, [rax]; fxrstor [rbx]"))
    assert.are.equal("  1. mnemonic: vpsubq + 1 edit; memory: R", a:text()[2])
  end)

  it("(e) sar; shr is one edit away", function()
    local a = decode { { mnemonic = { base = "sar", edits = 0 } } }
    assert.is_true(a:contains(code "sar rax, 3"))
    assert.is_false(a:contains(code "shr rax, 3"))
    local wider = a:expand(a:expansions()[1])
    assert.is_true(wider:contains(code "shr rax, 3"))
    assert.is_true(a:leq(wider))
    assert.is_false(wider:leq(a))
  end)
end)

describe("AB1 (Example 8.1)", function()
  local ab1
  setup(function()
    ab1 = decode({ { mnemonic = { base = "mov", edits = 0 }, memory = { "R" } },
        { mnemonic = { base = "add", edits = 0 }, category = "binary", memory = { "R", "W" } } },
      { { a = { 2, 2 }, b = { 1, 1 }, kind = "must" } })
  end)

  it("contains its example only as it is", function()
    assert.is_true(ab1:contains(code "mov rbx, [rdx + 42]; add [r8], rbx"))
    assert.is_true(ab1:contains(code "mov rbx, [rdx + 42]; add [r8], bl"))
    assert.is_false(ab1:contains(code "mov rbx, [rdx + 42]; add [r8], rcx"))
    assert.is_false(ab1:contains(code "add [r8], rbx; mov rbx, [rdx + 42]"))
    assert.is_false(ab1:contains(code "mov rbx, [rdx + 42]; nop; add [r8], rbx"))
  end)

  it("subsumes it rotated and padded, too", function()
    for text, map in pairs {
      ["mov rbx, [rdx + 42]; add [r8], rbx"] = { 1, 2 }, ["add [r8], rbx; mov rbx, [rdx + 42]"] = { 2, 1 },
      ["mov rbx, [rdx + 42]; nop; add [r8], rbx"] = { 1, 3 },
    } do
      local yes, found = ab1:subsumes(assert(D:represent(code(text))))
      assert.is_true(yes)
      assert.are.same(map, found)
    end
    assert.is_false(D:subsumes(ab1, code "mov rbx, [rdx + 42]; nop; add [r8], rcx"))
  end)

  it("is drawn as it says, and grows to what Example 8.1 says", function()
    local blocks = assert(ab1:sample(core.base.rng(1), 50))
    for _, block in ipairs(blocks) do assert.is_true(ab1:contains(block)) end
    local dropped = ab1
    for _ = 1, 4 do
      for _, e in ipairs(dropped:expansions()) do
        if e.instruction == 2 and e.feature == "mnemonic" then dropped = dropped:expand(e) end
      end
    end
    assert.are.equal("  2. category: binary; memory: R, W", dropped:text()[3])
    assert.is_true(dropped:contains(code "mov rbx, [rdx + 42]; sub [r8], rbx"))
  end)
end)

describe("abstract blocks", function()
  it("agree with their slow twin", function()
    local rng, names, tally = core.base.rng(7), {}, {}
    for k = 1, 30 do names[k] = D:schemes()[1 + rng:below(#D:schemes())] end
    for _, name in ipairs { "push r64", "stosb", "rep movsb", "xchg r64, r64", "add r64, r64", "mov m64, r64", "shl r64, cl", "bsr r64, r64" } do
      names[#names + 1] = name
    end
    local E = assert(D:restrict(names))
    local function agree(what, fast, slow)
      assert.are.equal(slow, fast, what)
      tally[what .. tostring(fast)] = true
    end
    for _ = 1, 100 do
      local block = assert(E:top(1 + rng:below(3)):sample(rng, 1))[1]
      local b = assert(E:represent(block))
      local x, y = expanded(b, rng, 40), expanded(b, rng, 60)
      agree("leq", x:leq(y), twin.leq(E, x:encode(), y:encode()))
      local other = assert((rng:below(2) == 0 and y or E:top(y:size())):sample(rng, 1))[1]
      agree("contains", x:contains(other), twin.contains(E, x:encode(), other))
      local longer = rng:below(2) == 0 and block or assert(E:top(1):sample(rng, 1))[1] .. block
      local z = expanded(assert(E:represent(longer)), rng, 10)
      agree("subsumes", y:subsumes(z), twin.subsumes(E, y:encode(), z:encode()))
      for i = 1, y:size() do assert.are.same(twin.schemes(E, y:encode().instructions[i]), y:schemes(i)) end
    end
    for _, what in ipairs { "leq", "contains", "subsumes" } do assert.is_true(tally[what .. "true"] and tally[what .. "false"]) end
  end)

  it("obey the laws of Def. 8.2 up to top", function()
    local rng = core.base.rng(11)
    for _ = 1, 30 do
      local block = assert(D:top(1 + rng:below(3)):sample(rng, 1))[1]
      local a = assert(D:represent(block))
      assert.is_true(a:contains(block))
      while true do
        local list, seen = a:expansions(), {}
        if #list == 0 then break end
        for _, e in ipairs(list) do
          assert.is_nil(seen[e.key])
          seen[e.key] = true
        end
        local one, other = list[1 + rng:below(#list)], list[1 + rng:below(#list)]
        local above, both = a:expand(one), a:expand { one, other }
        assert.is_true(a:leq(above) and not above:leq(a) and not a:equal(above))
        assert.is_true(above:leq(both) and a:expand(other):leq(both)) -- law 6
        assert.is_true(both:contains(block) and both:subsumes(a))
        assert.is_true(above:generality() >= a:generality())
        a = both
      end
      assert.is_true(a:equal(D:top(a:size())))
    end
  end)

  it("survive encoding, JSON and decoding", function()
    local rng = core.base.rng(12)
    for _ = 1, 50 do
      local a = expanded(assert(D:represent(assert(D:top(2):sample(rng, 1))[1])), rng, 40)
      local text = json.encode(a:encode())
      local b = assert(D:decode(json.decode(text)))
      assert.is_true(b:equal(a))
      assert.are.equal(text, json.encode(b:encode()))
      assert.are.same(a:text(), b:text())
    end
  end)

  it("are drawn the same from the same seed, and not where nothing can be drawn", function()
    local a = assert(D:represent(code "add rax, rbx; imul rcx, [rdx]"))
    assert.are.same((a:sample(core.base.rng(3), 20)), (a:sample(core.base.rng(3), 20)))
    local none, message = decode({ { mnemonic = { base = "nosuch", edits = 0 } } }):sample(core.base.rng(1), 5)
    assert.is_nil(none)
    assert.matches("no scheme is admissible for instruction 1", message)
  end)
end)

describe("a domain", function()
  it("restricts its universe", function()
    local E = assert(D:restrict { "nop", "add r64, r64", "nop" })
    assert.are.same({ "add r64, r64", "nop" }, E:schemes())
    assert.are.same(E:schemes(), E:top(1):schemes(1))
    local a, message = E:represent(code "nop; sub rax, rbx")
    assert.is_nil(a)
    assert.matches("instruction 2 is outside of the domain's universe %(sub r64, r64%); load the domain with this scheme", message)
    assert.is_nil((D:restrict { "add r64, r63" }))
    assert.has_error(function() E:top(1):leq(D:top(1)) end)
  end)

  it("refuses what is no block", function()
    for _, bytes in ipairs { "", "\x06", code("nop"):rep(17), "\x48" } do
      local a, message = D:represent(bytes)
      assert.is_nil(a)
      assert.is_string(message)
    end
    assert.is_false(D:top(1):contains(code "nop; nop"))
    assert.is_nil((D:top(1):contains "\x06"))
  end)

  it("says many subsumptions at once as it says them one by one", function()
    local rng, above, below = core.base.rng(5), {}, {}
    for k = 1, 20 do
      local block = assert(D:top(1 + rng:below(3)):sample(rng, 1))[1]
      below[k], above[k] = assert(D:represent(block)), expanded(assert(D:represent(block)), rng, 60)
    end
    for j, list in ipairs(D:subsumers(above, below)) do
      local one_by_one = {}
      for i, a in ipairs(above) do
        if a:subsumes(below[j]) then one_by_one[#one_by_one + 1] = i end
      end
      assert.are.same(one_by_one, list)
    end
  end)
end)
