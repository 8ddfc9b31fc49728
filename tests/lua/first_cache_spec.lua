-- What a mapping says of the first data cache, and how a chart finds it out.
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local first_cache = require "portolan.mapping.first_cache"
local probes = require "portolan.processor.first_cache_probes"
local shape = require "portolan.support.shape"
local small_core = require "small_core"
local stage = require "portolan.infer.chart.stages.first_cache"

local function checked(c) return shape.check(first_cache.shape, c, "first_cache") end

-- A processor that answers with the cycles given for each probe, by its name.
local function survey_of(cycles)
  local processor = {}
  function processor.measure_bodies(_, jobs)
    local results = {}
    for i, job in ipairs(jobs) do
      assert(#job.kernels()[1].bytes > 0)
      local t = cycles[job.key:match "^probe: (.*)$"]
      results[i] = t and { status = "ok", cycles = t } or { status = "unstable" }
    end
    return results
  end
  return { processor = processor, experiments = 0, list = function() end, stage = function() end }
end

local function found(cycles)
  local s = survey_of(cycles)
  stage(s)
  assert.equal(40, s.experiments)
  return s.first_cache
end

local golden_cove = { ["loads of banks"] = 1 / 3, ["loads of one"] = 0.5, ["loads of lines"] = 0.504, ["stores to line"] = 0.5,
  ["stores to lines"] = 1, blocked = 17.1, ["loads of halves"] = 0.335, ["in place moved"] = 1, ["in place indexed"] = 7.4, ["held up"] = 15 }

describe("the first cache's stage", function()
  it("tells that loads of one bank, and stores to different lines, are held up", function()
    local c = found(golden_cove)
    assert.same({ bank_loads = 2, bank_bytes = 4, stored_lines = 1, blocked = 17.1, in_place_moved = 1, in_place_indexed = 7.4,
      held_up = 15 }, c)
    assert.is_true(checked(c))
  end)

  it("tells stores to many lines from such to a few, which a core may gather", function()
    local c = found { ["stores to line"] = 0.5, ["stores to lines"] = 0.501, ["stores to many lines"] = 1.04 }
    assert.is_nil(c.stored_lines)
    assert.near(1 / 1.04, c.scattered_lines, 1e-9)
  end)

  it("finds no limit where all take the same time", function()
    assert.same({}, found { ["loads of banks"] = 0.5, ["loads of one"] = 0.5, ["loads of lines"] = 0.501, ["stores to line"] = 1,
      ["stores to lines"] = 1.02 })
  end)

  it("tells what a load across two lines costs, of which the probe has one in two", function()
    assert.same({ crossing_loads = 1 }, found { ["loads within lines"] = 0.5, ["loads across lines"] = 0.75 })
    assert.same({}, found { ["loads within lines"] = 0.5, ["loads across lines"] = 0.502 })
    assert.same({}, found { ["loads across lines"] = 0.75 })
  end)

  it("blames no bank if loads of one address are slow alone, nor without a reading", function()
    local one_slow = {}
    for key, value in pairs(golden_cove) do one_slow[key] = value end
    one_slow["loads of lines"] = 1 / 3
    assert.is_nil(found(one_slow).bank_loads)
    one_slow["loads of lines"] = nil
    assert.is_nil(found(one_slow).bank_loads)
  end)

  it("tells banks of four bytes from those of eight", function()
    local eight = {}
    for key, value in pairs(golden_cove) do eight[key] = value end
    eight["loads of halves"] = 0.5
    assert.equal(8, found(eight).bank_bytes)
  end)

  local zen_3 = { ["stores to line"] = 0.5, ["stores to lines"] = 1, ["stores to halves"] = 1.001, ["stores in threes"] = 2.01,
    ["narrow 2"] = 5.02, ["narrow 3"] = 6, chained = 0.785, unchained = 0.667,
    ["narrow 4"] = 7.01, ["narrow 6"] = 6.01, ["narrow 8"] = 8, ["narrow word"] = 5, handed = 1, ["not handed"] = 0.667, ["held up from start"] = 18 }

  it("tells what narrow stores hold up, which leave alone, and how much of a line is written at once", function()
    local c = found(zen_3)
    assert.near(3.02, c.narrow_stall, 1e-9)
    assert.near(0.118, c.chained, 1e-9)
    c.narrow_stall, c.chained = nil, nil
    assert.same({ stored_lines = 1, stored_at_once = 4, stored_bytes = 32, narrow_lines = 4, narrow_bytes = 2, handed = 1,
      held_up_from_start = 18 }, c)
    assert.is_true(checked(c))
  end)

  it("says nothing of narrow stores, of what is handed on or of halves where they cost no more", function()
    local other = { ["stores to halves"] = 0.5, ["stores in threes"] = 3, unchained = 0.75, ["narrow 2"] = 2.01, ["narrow word"] = 2,
      handed = 0.7, ["held up from start"] = 1.3 }
    for key, value in pairs(zen_3) do other[key] = other[key] or value end
    assert.same({ stored_lines = 1 }, found(other)) -- 0.785 is not much more than 0.75
    other["stores to lines"] = 0.5
    assert.same({}, found(other))
  end)

  it("does nothing on a processor that cannot be asked", function()
    local other = { processor = {} }
    stage(other)
    assert.is_nil(other.first_cache)
  end)
end)

describe("a probe of the first cache", function()
  -- Displacements of all accesses to memory of a body.
  local function displacements(name)
    local list = {}
    for i, access in ipairs(assert(core.isa.accesses(probes[name]()[1].bytes))) do list[i] = access.memory[1].displacement end
    return list
  end

  it("reaches one bank, or all of a line", function()
    for name, step in pairs { loads_of_banks = 8, loads_of_one = 0, loads_of_lines = 64, stores_to_line = 8, stores_to_lines = 64 } do
      local list = displacements(name)
      assert.equal(64, #list)
      for i = 1, #list do assert.equal((i - 1) % 8 * step, list[i]) end
    end
  end)
end)

describe("what was just stored", function()
  -- An add to memory that takes a cycle if memory is renamed, 8 if it is looked up by its address.
  local function cycles_of(first_cache_of, text, start)
    local m = small_core()
    m.schemes["add m64, imm8"] = { uops = { { { "2" }, 1 } }, latencies = { { from = "1", to = "1", cycles = 1 },
      { from = "1.base", to = "1", cycles = 13 },
      { from = "1.index", to = "1", cycles = 13 } } }
    m.schemes["mov r32, m32"] = m.schemes["mov r64, m64"]
    for _, name in ipairs { "mov r64, r64", "add r64, imm8", "sub r64, imm8" } do m.schemes[name] = { uops = { { { "0" }, 1 } }, latency = 1 } end
    m.first_cache = first_cache_of
    return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes, { start = start })).bounds.dependencies
  end

  it("is had without the cache as the mapping says", function()
    local plain, indexed = "add qword ptr [rbx+8], 1", "add qword ptr [rbx+rcx+8], 1"
    local moved = "mov rbx, qword ptr [rsi]; add qword ptr [rbx], 1"
    local raptor_cove = { in_place_moved = 1, in_place_indexed = 7.4 }
    for text, cycles in pairs { [plain] = 1, [indexed] = 7.4, [moved] = 1 } do assert.near(cycles, cycles_of(raptor_cove, text), 1e-9, text) end
    for text, cycles in pairs { [plain] = 1, [indexed] = 1, [moved] = 8 } do assert.near(cycles, cycles_of({}, text), 1e-9, text) end
    assert.near(9, cycles_of({ in_place_moved = 9, in_place_indexed = 1 }, moved), 1e-9)
    assert.near(1, cycles_of({ in_place_moved = 9, in_place_indexed = 1 }, indexed), 1e-9)
  end)

  local by_other, by_stack = "mov qword ptr [rbx], rax; mov rax, qword ptr [rcx]",
    "mov qword ptr [rsp+8], rax; sub rsp, 8; mov rax, qword ptr [rsp+16]; add rsp, 8"
  local half = "mov qword ptr [rbx], rax; mov eax, dword ptr [rbx+4]"
  local renamed, looked_up = 5, 9 -- from the store 4 cycles; from what it stored to what is loaded 1, from the load's address 5

  it("is had without the cache in straight code as that was measured, otherwise as in loops", function()
    for field, text in pairs { straight_other_base = by_other, straight_stack = by_stack, straight_inside = half } do
      assert.near(looked_up, cycles_of({ in_place_moved = 1, [field] = 7 }, text, "alike"), 1e-9, field)
      assert.near(renamed, cycles_of({ in_place_moved = 1, [field] = 1 }, text, "alike"), 1e-9, field)
      assert.near(looked_up, cycles_of({ in_place_moved = 1, [field:gsub("straight", "in_place")] = 7 }, text, "alike"), 1e-9, field)
      assert.near(renamed, cycles_of({ in_place_moved = 1 }, text, "alike"), 1e-9, field)
    end
    assert.near(looked_up + 3, cycles_of({ in_place_moved = 1, straight_other_base = looked_up + 3 }, by_other, "alike"), 1e-9) -- as it was timed
    local moved = "mov qword ptr [rbx], rax; mov rbx, rcx; mov rax, qword ptr [rbx]"
    assert.near(renamed, cycles_of({ in_place_moved = 1 }, moved, "alike"), 1e-9)
    assert.near(looked_up, cycles_of({ in_place_moved = 1, straight_moved = 7 }, moved, "alike"), 1e-9)
    assert.near(looked_up, cycles_of({ in_place_moved = 1, straight_stack = 7 }, by_stack, "alike"), 1e-9)
    assert.near(renamed, cycles_of({ in_place_moved = 7, straight_stack = 1 }, by_stack, "alike"), 1e-9)
    assert.near(looked_up, cycles_of({ in_place_moved = 7 }, by_stack, "alike"), 1e-9)
    local counted = "add qword ptr [rip+64], 1" -- from elsewhere in each copy of straight code
    assert.near(1, cycles_of({ in_place_moved = 7, straight_moved = 7 }, counted), 1e-9)
    assert.near(7, cycles_of({ in_place_moved = 7, straight_moved = 7 }, counted, "alike"), 1e-9)
    assert.near(1, cycles_of({ in_place_moved = 1 }, counted, "alike"), 1e-9)
  end)

  it("is had without the cache by registers that stay as they are, and by the stack pointer, unless that was measured", function()
    local own, framed = "mov qword ptr [rbx], rax; mov rax, qword ptr [rbx]", "mov qword ptr [rsp+8], rax; mov rax, qword ptr [rsp+8]"
    local zen_3 = { in_place_plain = 1, in_place_framed = 1, straight_plain = 7.5, straight_framed = 1, in_place_moved = 1 }
    for text, cycles in pairs { [own] = looked_up, [framed] = renamed, ["add qword ptr [rbx+8], 1"] = 7.5, ["add qword ptr [rsp+8], 1"] = 1 } do
      assert.near(cycles, cycles_of(zen_3, text, "alike"), 1e-9, text)
      assert.near(math.min(cycles, text:find "^add" and 1 or renamed), cycles_of(zen_3, text), 1e-9, text) -- a loop is learned
      assert.near(text:find "^add" and 1 or renamed, cycles_of({ in_place_moved = 1 }, text, "alike"), 1e-9, text)
    end
    assert.near(looked_up, cycles_of({ in_place_moved = 1, straight_framed = 7 }, framed, "alike"), 1e-9)
  end)

  it("is had without the cache in loops as loops say, whatever straight code does", function()
    local copied = "mov rcx, rbx; " .. by_other
    local all = { in_place_moved = 1, straight_moved = 7, straight_other_base = 7, straight_stack = 7, straight_inside = 7 }
    for _, text in ipairs { copied, by_stack, half } do assert.near(renamed, cycles_of(all, text), 1e-9, text) end
    assert.near(looked_up, cycles_of({ in_place_moved = 1, in_place_other_base = 7 }, copied), 1e-9)
    assert.near(looked_up, cycles_of({ in_place_moved = 1, in_place_inside = 7 }, half), 1e-9)
  end)

  it("holds up loads that need more than the store has, once for each store that comes after the last wait", function()
    local store, load = "mov dword ptr [rbx+%d], eax", "mov rdx, qword ptr [rbx+%d]"
    local from_start
    local function at(...)
      local m = small_core()
      m.schemes["mov m32, r32"] = m.schemes["mov m64, r64"]
      m.first_cache = { held_up = 15, held_up_from_start = from_start }
      return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(table.concat({ ... }, "; "))).bytes)).bounds.memory or 0
    end
    local first, second = { store:format(4), load:format(0) }, { store:format(0x44), load:format(0x40) }
    assert.near(15, at(first[1], first[2]), 1e-9)
    assert.near(15, at(first[2], first[1]), 1e-9)
    assert.near(30, at(first[1], first[2], second[1], second[2]), 1e-9)
    assert.near(15, at(first[1], second[1], first[2], second[2]), 1e-9)
    assert.near(0, at(store:format(0), load:format(0)), 1e-9) -- it begins where the store does
    assert.near(0, at(store:format(8), load:format(0)), 1e-9)
    from_start = 18
    assert.near(18, at(store:format(0), load:format(0)), 1e-9)
    assert.near(33, at(first[1], first[2], store:format(0x40), load:format(0x40)), 1e-9)
    assert.near(18, at("lea rbx, [rbx+64]", store:format(0), load:format(0)), 1e-9, "both move")
    assert.near(0, at("lea rbx, [rbx+64]", "mov dword ptr [rcx+4], eax", load:format(0)), 1e-9)
  end)

  it("is not had in every iteration from a store that went elsewhere, by a pointer that it changed", function()
    local m = small_core()
    m.first_cache = { blocked = 25, held_up = 18, held_up_from_start = 18, in_place_moved = 1 }
    m.schemes["mov m16, r16"] = m.schemes["mov m64, r64"]
    local function memory_of(text)
      local p = assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes, { start = "alike" }))
      return math.max(p.bounds.memory or 0, p.bounds.dependencies)
    end
    assert.is_true(memory_of "mov r9, qword ptr [rsp+0x10]; mov word ptr [r9+0x12], ax; add rcx, rdx" < 5)
    assert.near(18, memory_of "mov r9, qword ptr [rsp+0x10]; mov word ptr [rsp+0x12], ax; add rcx, rdx", 1e-9)
  end)

  it("gives loads near the code from the beginning of a line of their own, where blocks are measured", function()
    local m = small_core()
    m.first_cache = { bank_loads = 2 }
    local function memory_of(text, start)
      return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes, { start = start })).bounds.memory or 0
    end
    local near, further = "mov rax, qword ptr [rip+0x1008]; mov rcx, qword ptr [rbx%s]", "mov rdx, qword ptr [rip+0x2001]; "
    assert.near(1, memory_of(near:format "", "alike"), 1e-9)
    assert.near(0.5, memory_of(near:format "+8", "alike"), 1e-9)
    assert.near(1, memory_of(further .. near:format "", "alike"), 1e-9, "the nearest begins the line")
    assert.near(1, memory_of("mov rax, qword ptr [rip+0x1000]; mov rcx, qword ptr [rax]", "alike"), 1e-9, "what it loads is what all memory holds")
  end)

  it("is had from the store of the iteration before, though buffers change places", function()
    local m = small_core()
    m.first_cache = { in_place_moved = 9, in_place_plain = 9 }
    m.schemes["mov r64, r64"] = { uops = {}, latency = 0 }
    local text = "mov qword ptr [rax], rcx; mov rcx, qword ptr [rdx]; add rcx, rsi; mov r8, rax; mov rax, rdx; mov rdx, r8"
    assert.is_true(assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes)).bounds.dependencies > 4)
  end)

  it("is had before the store's address is known", function()
    local text = "mov rdx, qword ptr [rsp+8]; mov qword ptr [rdx+8], rax"
    local m = small_core()
    m.first_cache = { in_place_moved = 1 }
    local bytes = assert(core.isa.assemble(text)).bytes
    assert.equal(0, assert(block_model.of(m)):bounds({ bytes }, { start = "alike" }).cycles[1] // 2)
  end)
end)

describe("loads across two lines", function()
  local function cycles_of(text, more, options)
    local m = small_core()
    for _, name in ipairs { "movups xmm, m128", "vmovups ymm, m256", "vmovups zmm, m512" } do m.schemes[name] = m.schemes["mov r64, m64"] end
    m.first_cache = { crossing_loads = more }
    local bytes = assert(core.isa.assemble(text .. "; dec rcx; jnz 0")).bytes
    return assert(assert(block_model.of(m)):explain(bytes, options or { loop = true })).bounds.memory or 0
  end
  local three = "vmovups zmm0, zmmword ptr [rsi]; vmovups zmm1, zmmword ptr [rsi+8]; vmovups zmm2, zmmword ptr [rsi+16]; add rsi, 64"
  local port = 1 / #small_core().schemes["mov r64, m64"].uops[1][1] -- cycles of a load

  it("count as more of them, as often as they cross where the array lies best", function()
    assert.near(5 * port, cycles_of(three, 1), 1e-9) -- two of three cross
    assert.near(4 * port, cycles_of(three, 0.5), 1e-9)
    assert.near(4 * port, cycles_of((three:gsub("zmm", "ymm"):gsub("64", "32")), 1), 1e-9) -- of 32 bytes each of these does every other time
    assert.near(1.25 * port, cycles_of("movups xmm0, xmmword ptr [rsi]; add rsi, 20", 1), 0.07)
  end)

  it("are none if the array may lie so that nothing crosses, and then it says nothing", function()
    assert.equal(0, cycles_of("vmovups zmm0, zmmword ptr [rsi+8]; add rsi, 64", 1))
    assert.equal(0, cycles_of("vmovups zmm0, zmmword ptr [rsi]; vmovups zmm1, zmmword ptr [rdi+8]; add rsi, 64; add rdi, 64", 1))
  end)

  it("are none where nothing is known of them, nor of the next address, nor how far apart they are, nor in straight code", function()
    assert.equal(0, cycles_of(three, nil))
    assert.equal(0, cycles_of(three, 1, { start = "alike" }))
    assert.equal(0, cycles_of((three:gsub("add rsi, 64", "mov rsi, qword ptr [rsi]")), 1))
    assert.equal(0, cycles_of("vmovups zmm0, zmmword ptr [rip]; vmovups zmm1, zmmword ptr [rip]", 1)) -- before linking all numbers are 0
  end)
end)

describe("stores on their way to the cache", function()
  local function cycles_of(first_cache_of, text)
    local m = small_core()
    for _, name in ipairs { "mov m8, imm8", "mov m32, imm32", "mov m32, r32" } do m.schemes[name] = m.schemes["mov m64, r64"] end
    m.first_cache = first_cache_of
    return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes, { start = "alike" })).bounds.memory or 0
  end

  -- By hand on a Zen 3: 5.00, 1.00, 6.00, 7.00, 5.00 and 10.00 cycles; 2.00, 1.00; 2.00; 1.00, 0.67.
  it("take as long as on a Zen 3", function()
    local zen_3 = { stored_lines = 1, stored_at_once = 4, stored_bytes = 32, narrow_stall = 3, narrow_lines = 4, narrow_bytes = 2, handed = 1 }
    local byte, wide = "mov byte ptr [rbp+%d], 1", "mov dword ptr [rbp+%d], 1"
    local function row(...)
      local list = { byte:format(0x40) }
      for _, at in ipairs { ... } do list[#list + 1] = wide:format(at) end
      return table.concat(list, "; ")
    end
    for text, cycles in pairs {
      [row(0x80)] = 5, [row(0x44)] = 0, [row(0x80, 0xc0)] = 6, [row(0x80, 0xc0, 0x100)] = 7, [row(0x80, 0xc0, 0x100, 0x140)] = 5,
      [row(0x80) .. "; " .. row(0x80)] = 10, [row(0x60)] = 5,
      ["mov qword ptr [rbp], rax; mov qword ptr [rbp+32], rax"] = 2, ["mov qword ptr [rbp], rax; mov qword ptr [rbp+24], rax"] = 0,
      ["mov qword ptr [rbp], rax; mov qword ptr [rbp+8], rax; mov qword ptr [rbp+16], rax; mov qword ptr [rbp+64], rax"] = 2,
      ["mov qword ptr [rbp], rax; mov rcx, qword ptr [rbp]"] = 1, ["mov qword ptr [rbp], rax; mov rcx, qword ptr [rbp+8]"] = 0,
      ["mov qword ptr [rbp], rax; mov qword ptr [rbp+8], rax; mov rcx, qword ptr [rbp]"] = 2,
    } do
      assert.near(cycles, cycles_of(zen_3, text), 1e-9, text)
      assert.near(0, cycles_of({}, text), 1e-9, text)
    end
  end)
end)

describe("loads by what was just loaded", function()
  local function cycles_of(text, chained)
    local m = small_core()
    m.first_cache = { chained = chained }
    return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes)).bounds.memory or 0
  end

  it("cost more of the ports of loads, whatever hands the pointer on; others do not", function()
    local loads = cycles_of("mov rax, qword ptr [rbp]; mov rcx, qword ptr [rbx]", 0.125)
    for text, more in pairs { ["mov rax, qword ptr [rbp]; mov rcx, qword ptr [rax]"] = 1,
      ["mov rax, qword ptr [rbp]; add rax, rdi; mov rcx, qword ptr [rax]"] = 1, ["mov rcx, qword ptr [rbx]; mov rax, qword ptr [rax]"] = 1,
      ["mov rcx, qword ptr [rbx]; mov rax, qword ptr [rbx+rsi]; add rdi, rcx"] = 0 } do
      assert.near(loads + 0.125 * more, cycles_of(text, 0.125), 1e-9, text)
      assert.equal(0, cycles_of(text, nil), text)
    end
    local m = small_core()
    m.first_cache = { chained = 0.125, straight_chained = 0.25 }
    local bytes = assert(core.isa.assemble "mov rax, qword ptr [rbp]; mov rcx, qword ptr [rax]").bytes
    local straight = assert(assert(block_model.of(m)):explain(bytes, { start = "alike" })).bounds.memory
    assert.near(loads + 0.25, straight, 1e-9)
    local once = cycles_of("mov rax, qword ptr [rbp]; mov rcx, qword ptr [rax+rax]", 0.125)
    assert.near(loads + 0.125, once, 1e-9)
  end)
end)

describe("a mapping's first cache", function()
  it("is checked field by field", function()
    for _, bad in ipairs { 0, -1, 1 / 0, "2", false } do
      local ok, message = checked { bank_loads = bad }
      assert.is_nil(ok)
      assert.matches("first_cache.bank_loads", message, 1, true)
    end
    for _, size in ipairs { 3, 128, 0.7, 0.5 } do assert.is_nil(checked { bank_bytes = size }) end
    assert.is_true(checked { bank_bytes = 4 })
    assert.is_nil(checked { stored_bytes = 16 })
  end)

  it("has a probe for everything that may be the matter with a load, in loops and in straight code", function()
    for _, name in ipairs(first_cache.renamed_for) do
      local short, long = probes["in_place_" .. name]()[1], probes["straight_" .. name]()[1]
      assert.is_true(long.copies > 10 * short.copies and #long.bytes < 1 << 16, name)
    end
  end)
end)
