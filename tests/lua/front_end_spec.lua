-- What a mapping says of the front end, and how a chart finds it out.
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local front_end = require "portolan.mapping.front_end"
local front_end_probes = require "portolan.processor.front_end_probes"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local report = require "portolan.report"
local shape = require "portolan.support.shape"
local small_core = require "small_core"
local stage = require "portolan.infer.chart.stages.front_end"

local width = 4

local function checked(f) return shape.check(front_end.shape, f, "front_end") end

-- A front end that counts slots of loop bodies: four a cycle; `fuses(compare, jump)` says which pairs are one uop.
local function slots_of(bytes, fuses)
  local list, n, k = assert(core.isa.decode(bytes)).instructions, 0, 1
  while k <= #list do
    local jump = list[k + 1] and list[k + 1].scheme:match "^(j%l+) "
    if jump and fuses(list[k].scheme, jump) then k = k + 1 end
    n, k = n + 1, k + 1
  end
  return n
end

-- A survey of schemes, as far as the stage needs one.
local function survey_of(names, fuses, indexed, given)
  local processor = {}
  function processor.measure_bodies(_, jobs)
    local results = {}
    for i, job in ipairs(jobs) do
      local body = job.kernels()[1]
      local known = given and given[job.key]
      results[i] = { status = "ok", cycles = known or job.key:find " and " and slots_of(body.bytes, fuses) / width / body.copies or 1 }
    end
    return results
  end
  function processor.issue_slots(_, list, _, options)
    assert(options.indexed)
    local counts = {}
    for i, s in ipairs(list) do counts[i] = indexed[s.name] or 1 end
    return counts
  end
  local s = { processor = processor, order = names, filler = "nop m32, r32", facts = {}, width = width, measured_width = width, experiments = 0,
    list = function() end, stage = function() end }
  for _, name in ipairs(names) do s.facts[name] = { slots = 1, single = { cycles = 1 } } end
  return s
end

local function set(list)
  local all = {}
  for _, x in ipairs(list or {}) do all[x] = true end
  return all
end

describe("the front end's stage", function()
  local names = { "cmp r64, r64", "cmp r32, m32", "cmp m64, imm8", "test r8, imm8", "inc r64", "and r64, imm32", "vaddps ymm, ymm, m256" }
  local signed = set { "jl", "jle", "jnl", "jnle", "jz", "jnz" }
  local function fuses(compare, jump)
    if compare:find "imm" and compare:find "m64" then return false end
    return compare:find "^cmp" and signed[jump] or compare:find "^test" ~= nil or compare:find "^inc" and jump == "jnz"
  end
  local s = survey_of(names, fuses, { ["vaddps ymm, ymm, m256"] = 2, ["cmp r32, m32"] = 2.1, ["cmp m64, imm8"] = 1.5 })
  stage(s)
  local found = s.front_end

  it("finds how much later a stack pointer comes that pushes have moved", function()
    for cycles, sync in pairs { [2] = 1, [1.5] = 0.5, [1.1] = false, [0.9] = false } do
      local other = survey_of({}, fuses, {}, { ["probe: pushes and additions"] = cycles })
      stage(other)
      assert.equal(sync or nil, other.front_end.stack_sync, tostring(cycles))
    end
    local texts = {}
    for _, i in ipairs(core.isa.decode(front_end_probes.stack()[1].bytes).instructions) do texts[i.text] = true end
    assert.same({ ["push rax"] = true, ["add rsp, 0x8"] = true }, texts)
  end)

  it("asks apart what it costs addresses", function()
    for cycles, sync in pairs { [2] = 1, [1.1] = 0, [0.9] = 0 } do
      local other = survey_of({}, fuses, {}, { ["probe: pushes and additions"] = 2, ["probe: pushes and addresses"] = cycles })
      stage(other)
      assert.equal(sync, other.front_end.stack_sync_address, tostring(cycles))
    end
    local none = survey_of({}, fuses, {}, { ["probe: pushes and additions"] = 1, ["probe: pushes and addresses"] = 2 })
    stage(none)
    assert.is_nil(none.front_end.stack_sync_address)
    local texts = {}
    for _, i in ipairs(core.isa.decode(front_end_probes.stack_address()[1].bytes).instructions) do texts[i.text] = true end
    assert.same({ ["push rax"] = true, ["lea rsp, [rsp+0x8]"] = true }, texts)
  end)

  it("asks what straight code costs with many instructions in a line, where that is more than their slots", function()
    local function lines_of(cost)
      local core_at_hand = survey_of({}, fuses, {})
      function core_at_hand.processor.measure_blocks(_, blocks)
        return lists.map(blocks, function(bytes)
          local slots = #assert(core.isa.decode(bytes)).instructions
          return #bytes == 4 and { status = "unstable" } or { status = "ok", cycles = cost(slots, #bytes) }
        end)
      end
      stage(core_at_hand)
      return core_at_hand.front_end.straight_lines
    end
    assert.is_nil(lines_of(function(slots) return slots / width end))
    local dense = lines_of(function(slots, bytes) return slots / bytes > 0.4 and 20 * bytes / 64 or slots / width end)
    assert.near(64 / 3.5, dense[1].slots, 1e-9)
    for i, line in ipairs(dense) do
      assert.near(line.slots > 0.4 * 64 and 20 or line.slots / width, line.cycles, 1e-9)
      assert.is_true(i == 1 or line.slots > dense[i - 1].slots)
    end
    assert.is_true(checked { straight_lines = dense })
    assert.equal(4, #dense)
  end)

  it("tells which instructions are one with a copy ahead of them", function()
    local s_copies = survey_of({ "add r64, r64", "add r32, imm32", "lea r64, m", "cmp r64, r64", "add m64, r64", "imul r64, r64",
      "mulsd xmm, xmm", "shufps xmm, xmm, imm8", "movaps xmm, xmm", "vfmadd231ps xmm, xmm, xmm", "pinsrd xmm, r32, imm8" }, fuses, {})
    local measure = s_copies.processor.measure_bodies
    function s_copies.processor.measure_bodies(self, jobs)
      local results = measure(self, jobs)
      for i, job in ipairs(jobs) do
        local takes, apart = job.key:match "^probe: copy of another and (%l+)", job.key:find ", apart$"
        if takes then results[i].cycles = takes == "imul" and apart and 2.9 or takes ~= "imul" and apart and 3.25 or 3 end
      end
      return results
    end
    stage(s_copies)
    assert.same({ ["add r64, r64"] = true, ["add r32, imm32"] = true, ["imul r64, r64"] = false, ["mulsd xmm, xmm"] = true,
      ["shufps xmm, xmm, imm8"] = true, ["pinsrd xmm, r32, imm8"] = true }, s_copies.front_end.takes_copy)
    assert.is_true(checked(s_copies.front_end))
    for name, unit in pairs { ["add r64, r64"] = { "mov rcx, r9", "nop", "add rcx, rbx" },
      ["shufps xmm, xmm, imm8"] = { "movaps xmm1, xmm9", "nop", "shufps xmm1, xmm2, 0x2d" } } do
      local code = core.isa.decode(front_end_probes.copies(isa.scheme(name), { text = "nop" }, true)[1].bytes)
      local texts = lists.map(assert(code).instructions, function(instruction) return instruction.text end)
      assert.same(unit, { texts[1], texts[2], texts[3] })
    end
  end)

  it("tells pairs that fuse from those that do not", function()
    for _, name in ipairs(names) do
      for _, jump in ipairs(front_end_probes.jumps) do
        local known = front_end.fused(found, name, jump)
        if known ~= nil then assert.equal(not not fuses(name, jump), known, name .. " " .. jump) end
      end
    end
    assert.is_true(front_end.fused(found, "cmp r64, r64", "jz"))
    assert.is_true(front_end.fused(found, "inc r64", "jnz")) -- its jump is always taken
    assert.is_false(front_end.fused(found, "cmp m64, imm8", "jz"))
    assert.is_nil(front_end.fused(found, "vaddps ymm, ymm, m256", "jz"))
  end)

  it("tells them where a taken jump ends a cycle, and most slots are lost with it", function()
    for _, fused in ipairs { true, false } do
      local function fusing(compare) return fused and compare == "dec r64" end
      local other = survey_of({ "dec r64" }, fusing, {})
      function other.processor.measure_bodies(_, jobs)
        local results = {}
        for i, job in ipairs(jobs) do
          local body = job.kernels()[1]
          local slots = job.key:find " and " and slots_of(body.bytes, fusing) // body.copies or width
          results[i] = { status = "ok", cycles = math.ceil(slots / width) }
        end
        return results
      end
      stage(other)
      assert.equal(fused, set(other.front_end.fuses["dec r64"]).jnz or false) -- the jump that is taken
    end
  end)

  it("asks every pair that it can", function()
    for _, name in ipairs { "cmp r64, r64", "cmp r32, m32", "test r8, imm8" } do
      assert.equal(16, #(found.fuses[name] or {}) + #(found.separate[name] or {}), name)
    end
  end)

  it("expects of schemes that do the same what the first one said, and asks what would refute it", function()
    local function asked(fusing)
      local four, jumps = { "cmp r64, r64", "cmp r32, r32", "cmp r16, r16", "cmp r8, r8" }, {}
      local other = survey_of(four, fusing, {})
      local measure = other.processor.measure_bodies
      function other.processor.measure_bodies(self, jobs)
        for _, job in ipairs(jobs) do
          local name = job.key:match "^probe 2: (.*) and "
          if name and not job.key:find "apart" then jumps[name] = (jumps[name] or 0) + 1 end
        end
        return measure(self, jobs)
      end
      stage(other)
      for _, name in ipairs(four) do
        for _, jump in ipairs(front_end_probes.jumps) do
          assert.equal(not not fusing(name, jump), front_end.fused(other.front_end, name, jump), name .. " " .. jump)
        end
      end
      return lists.map(four, function(name) return jumps[name] end)
    end
    assert.same({ 16, 2, 2, 2 }, asked(function(compare, jump) return compare:find "^cmp" and signed[jump] end))
    assert.same({ 16, 1, 1, 1 }, asked(function(compare) return compare:find "^cmp" ~= nil end))
    assert.same({ 16, 2, 18, 2 }, asked(function(compare, jump)
      return compare:find "^cmp" and compare ~= "cmp r16, r16" and signed[jump]
    end))
  end)

  it("notes who takes more slots with an index", function()
    assert.same({ ["vaddps ymm, ymm, m256"] = 2, ["cmp r32, m32"] = 2 }, found.indexed_slots)
    assert.is_true(found.unlaminated)
  end)

  it("does nothing on a processor that cannot be asked", function()
    local other = { processor = {} }
    stage(other)
    assert.is_nil(other.front_end)
  end)
end)

describe("a pair of a compare and a jump", function()
  it("consists of these, side by side or with a NOP between them", function()
    for _, apart in ipairs { false, true } do
      local variants = assert(front_end_probes.pairs(isa.scheme "sub r32, imm8", "jle", { text = "nop dword ptr [rax + rax], eax" }, apart))
      local list = assert(core.isa.decode(variants[1].bytes)).instructions
      local pairs_found = 0
      for k, instruction in ipairs(list) do
        if instruction.scheme == "sub r32, imm8" then
          pairs_found = pairs_found + 1
          assert.equal("jle rel8", list[k + (apart and 2 or 1)].scheme)
          if apart then assert.equal("nop m32, r32", list[k + 1].scheme) end
        end
      end
      assert.equal(variants[1].copies, pairs_found)
    end
  end)

  it("is made of what writes flags and stores nothing", function()
    for name, can in pairs {
      ["cmp r64, r64"] = true, ["test m8, imm8"] = true, ["dec r16"] = true, ["add r64, m64"] = true,
      ["add m64, r64"] = false, ["mov r64, r64"] = false, ["cmp rax, imm32"] = false, ["lock add m64, r64"] = false, ["adc r64, r64"] = false,
    } do
      local scheme = isa.scheme(name)
      if scheme then assert.equal(can, front_end_probes.compares(scheme), name) end
    end
  end)
end)

describe("an address with an index", function()
  it("is the same address", function()
    local function with(text) return front_end_probes.with_index(text, "r12", 67) end
    assert.equal("add rax, qword ptr [r14 + r12 - 67]", with "add rax, qword ptr [r14]")
    assert.equal("mov dword ptr [r14 + r12 + 61], ecx", with "mov dword ptr [r14+0x80], ecx")
    assert.is_nil(with "add rax, rcx")
  end)
end)

describe("a mapping's front end", function()
  it("is checked", function()
    local function refusal(f) return (select(2, checked(f))) end
    assert.is_true(checked { width = 6, fuses = { a = { "jz" } }, indexed_slots = { a = 2 }, unlaminated = true })
    for text, f in pairs {
      ["front_end.width"] = { width = "x" }, ["front_end.decoded"] = { decoded = 0 },
      ["front_end.loop"] = { loop = -1 }, ["front_end.unlaminated"] = { unlaminated = 1 },
      ["front_end.fuses.a"] = { fuses = { a = "jz" } }, ["front_end.separate.a"] = { separate = { a = { 1 } } },
      ["front_end.indexed_slots.a"] = { indexed_slots = { a = 0 / 0 } }, ["front_end.fuses must"] = { fuses = 5 },
      ["front_end.loop is null; leave it out"] = { loop = json.null },
      ["front_end.takes_copy.a"] = { takes_copy = { a = 1 } },
      ["front_end.straight_lines"] = { straight_lines = { { slots = 16, cycles = 5 }, { slots = 16, cycles = 6 } } },
      ["with 'slots'"] = { straight_lines = { { slots = 16 } } }, ["must be a list"] = { straight_lines = 3 },
    } do
      assert.is_truthy(refusal(f):find(text, 1, true), text)
      local m = mapping.two_level({ "0" }, { a = { "0" } }, { front_end = f })
      assert.is_nil((mapping.validate(m)))
    end
  end)

  it("is joined with that of another mapping of the processor", function()
    local a = { width = 6, fuses = { x = { "jz" } }, loop = 1 }
    local b = { width = 5, fuses = { x = { "jo" }, y = { "js" } }, taken_branch = 2 }
    assert.same({ width = 6, fuses = { x = { "jz", "jo" }, y = { "js" } }, loop = 1, taken_branch = 2 }, front_end.union(a, b))
    a.straight_lines, b.straight_lines = { { slots = 16, cycles = 5 } }, { { slots = 17, cycles = 5 } }
    assert.same(a.straight_lines, front_end.union(a, b).straight_lines)
    assert.same(b.straight_lines, front_end.union({}, b).straight_lines)
    assert.same({ x = { "jz" } }, front_end.union({ separate = {} }, { separate = { x = { "jz" } } }).separate)
    assert.same({ x = true, y = false }, front_end.union({ takes_copy = { x = true } }, { takes_copy = { x = false, y = false } }).takes_copy)
  end)

  it("believes the first of two mappings that disagree about a pair", function()
    local a = { separate = { x = { "jz" } }, fuses = { x = { "js" } } }
    local b = { separate = { x = { "js", "jo" } }, fuses = { x = { "jz", "jb" } } }
    assert.same({ separate = { x = { "jz", "jo" } }, fuses = { x = { "js", "jb" } } }, front_end.union(a, b))
    assert.same({ separate = { x = { "jz" } }, fuses = {} }, front_end.union({ separate = { x = { "jz" } } }, { fuses = { x = { "jz" } } }))
  end)
end)

describe("a prediction", function()
  local function cycles_of(sync, text, of_address)
    local m = small_core()
    m.front_end.stack_sync, m.front_end.stack_sync_address = sync, of_address
    m.schemes["lea r64, m"] = { uops = { { { "0" }, 1 } }, latencies = { { from = "2.base", to = "1", cycles = 1 } } }
    for _, name in ipairs { "push r64", "pop r64" } do m.schemes[name] = { uops = { { { "3" }, 1 } } } end
    for _, name in ipairs { "add r64, imm8", "sub r64, imm8" } do m.schemes[name] = { uops = { { { "0" }, 1 } }, latency = 1 } end
    return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes)).bounds.dependencies
  end

  it("has a moved stack pointer later for all but pushes and pops", function()
    for text, cycles in pairs { ["push rax; add rsp, 8"] = 1, ["add rsp, 16; pop rax; pop rcx"] = 1, ["pop rax; pop rcx"] = 0,
      ["push rax; sub rsp, 8; pop rax; add rsp, 8"] = 2 } do
      assert.near(cycles, cycles_of(nil, text), 1e-9, text)
      assert.near(2 * cycles, cycles_of(1, text), 1e-9, text)
    end
    assert.near(2, cycles_of(1, "add rsp, 8; sub rsp, 8"), 1e-9)
    assert.near(2, cycles_of(1, "push rax; lea rsp, [rsp + 8]"), 1e-9)
    assert.near(1, cycles_of(1, "push rax; lea rsp, [rsp + 8]", 0), 1e-9)
    assert.near(2, cycles_of(1, "push rax; add rsp, 8", 0), 1e-9)
  end)
end)

describe("what works on a copy right behind it", function()
  local function slots_taken(text, takes)
    local m = small_core()
    m.schemes["mov r64, r64"] = { uops = {}, slots = 1, latency = 0 }
    m.schemes["mov r32, r32"] = { uops = {}, slots = 1, latency = 0 }
    m.schemes["mov r64, imm32"] = { uops = { { { "0" }, 1 } }, slots = 1, latency = 1 }
    for _, name in ipairs { "movaps xmm, xmm", "movapd xmm, xmm", "movdqa xmm, xmm", "vmovaps xmm, xmm" } do
      m.schemes[name] = { uops = {}, slots = 1, latency = 0 }
    end
    for _, name in ipairs { "mulsd xmm, xmm", "vaddsd xmm, xmm, xmm" } do
      m.schemes[name] = { uops = { { { "1" }, 1 } }, slots = 1, latency = 4 }
    end
    m.front_end.takes_copy = { ["add r64, r64"] = takes, ["mulsd xmm, xmm"] = takes }
    local p = assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes))
    return p.slots, p.items
  end

  it("takes its issue slot", function()
    local slots, items = slots_taken("mov rcx, rax; add rcx, rdx", true)
    assert.same({ 1, true, false }, { slots, items[1].with_next, items[2].with_next })
    assert.equal(2, slots_taken("mov rcx, rax; add rcx, rdx", false))
    assert.equal(2, slots_taken("mov rcx, rax; add rdx, rcx", true), "another register")
    assert.equal(2, slots_taken("mov rcx, rcx; add rcx, rdx", true), "to itself")
    assert.equal(2, slots_taken("mov rcx, rax; add rcx, rcx", true), "no source of its own")
    assert.equal(2, slots_taken("mov ecx, eax; add rcx, rdx", true), "another width")
    assert.equal(2, slots_taken("mov rcx, 1000; add rcx, rdx", true), "no copy")
    assert.equal(3, slots_taken("mov rcx, rax; add rdx, rsi; add rcx, rsi", true), "not right behind it")
    assert.equal(3, slots_taken("mov rcx, rax; mov rcx, rdx; add rcx, rdx; add rcx, rdx", true))
    assert.equal(1, slots_taken("movaps xmm1, xmm9; mulsd xmm1, xmm2", true), "vectors")
    for _, move in ipairs { "movapd", "movdqa" } do assert.equal(1, slots_taken(move .. " xmm1, xmm9; mulsd xmm1, xmm2", true)) end
    assert.equal(2, slots_taken("movaps xmm1, xmm9; mulsd xmm1, xmm2", false))
    assert.equal(2, slots_taken("movaps xmm1, xmm9; mulsd xmm2, xmm1", true), "another register")
    assert.equal(2, slots_taken("vmovaps xmm1, xmm9; vaddsd xmm1, xmm1, xmm2", true), "VEX")
  end)
end)

describe("straight code", function()
  it("is bound by short instructions between the numbers that were measured, and beyond", function()
    local m = small_core()
    m.schemes["mov r64, r64"] = { uops = {}, slots = 1, latency = 0 }
    m.front_end.straight_lines = { { slots = 16, cycles = 4 }, { slots = 20, cycles = 8 } }
    local function code_of(text, options)
      return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes, options)).bounds.code
    end
    local dense, alike = "mov rcx, rax", { start = "alike" } -- 3 bytes
    assert.near(8 * 64 / 3 / 20 * 3 / 64, code_of(dense, alike), 1e-9)
    assert.near((4 + (64 / 3.5 - 16)) * 7 / 64, code_of("mov rcx, rax; lea rdx, [rbx+8]", alike), 1e-9) -- 7 bytes
    assert.is_nil(code_of("mov rax, 0x1122334455667788", alike)) -- 10 bytes
    assert.is_nil(code_of(dense))
  end)
end)

describe("the report", function()
  local function page(f, first_cache)
    local m = mapping.two_level({ "0" }, { ["add r64, m64"] = { "0" } }, { rmax = 4, front_end = f, first_cache = first_cache })
    m.schemes["add r64, m64"].slots = 1
    return report.chart { mapping = m }
  end

  it("shows the front end, if the chart asked", function()
    local text = page { width = 6, loop = 1, fuses = { ["cmp r64, r64"] = { "jz", "jnz" }, ["test r8, r8"] = { "jnz", "jz" } },
      indexed_slots = { ["add r64, m64"] = 2 }, unlaminated = true }
    assert.truthy(text:find("<h2>Front end</h2>", 1, true))
    assert.truthy(text:find("cmp r64, r64; test r8, r8", 1, true)) -- they fuse with the same jumps
    assert.truthy(text:find("with an index", 1, true))
    assert.is_nil(page(nil):find("<h2>Front end</h2>", 1, true))
    assert.is_nil(text:find("in straight code", 1, true))
  end)

  it("shows what a load of what was just stored takes", function()
    local text = page({ width = 6 }, { in_place_moved = 1, straight_moved = 7.25, straight_inside = 8 }):gsub("<[^>]*>", "|"):gsub("|+", "|")
    assert.truthy(text:find("|and a register of the address is written in between|1.000 cycles|7.250 cycles|", 1, true))
    assert.truthy(text:find("|but its second half|\u{2014}|8.000 cycles|", 1, true))
    assert.is_nil(text:find("by another register", 1, true))
  end)

  it("shows what stores and loads by pointers cost, if that is known", function()
    local text = page({ width = 6 }, { stored_bytes = 32, narrow_stall = 3, handed = 1, chained = 0.125, held_up = 18 })
      :gsub("<[^>]*>", "|"):gsub("|+", "|")
    for _, words in ipairs { "at once|32 bytes|", "holds up the next one|3.000 cycles|", "loaded again|1.00 a cycle|",
      "costs loads|0.125 cycles more|" } do
      assert.truthy(text:find(words, 1, true), words)
    end
    assert.is_nil(page({ width = 6 }, { blocked = 12 }):find("bytes</dd>", 1, true))
  end)

  it("shows every amount that has a title", function()
    for field, of in pairs { [1] = front_end, [2] = require "portolan.mapping.first_cache" } do
      local all = { width = 6 }
      for _, amount in ipairs(of.amounts) do all[amount[1]] = 8 end
      local text = field == 1 and page(all, {}) or page({ width = 6 }, all)
      for _, amount in ipairs(of.amounts) do assert.truthy(not amount[3] or text:find(amount[3], 1, true), amount[1]) end
    end
  end)
end)
