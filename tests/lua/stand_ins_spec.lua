-- What stands in for branches that a mapping does not know.
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local process = require "process"
local stand_ins = require "portolan.mapping.stand_ins"

local function scheme(ports, more)
  local s = { uops = { { ports, 1 } }, status = "explained", slots = 1 }
  for key, value in pairs(more or {}) do s[key] = value end
  return s
end

-- Jumps on port 6, a call that stores besides, loads on 2 and 3.
local function small()
  return { format = "portolan-mapping", version = 1, ports = { "0", "2", "3", "4", "6" }, rmax = 4, schemes = {
    ["jmp rel8"] = scheme { "6" }, ["mov r64, m64"] = scheme({ "2", "3" }, { latencies = { { from = "2.base", to = "1", cycles = 5 } } }),
    ["call rel32"] = { uops = { { { "6" }, 1 }, { { "4" }, 1 } }, status = "explained", slots = 2 },
    ["add r64, r64"] = scheme({ "0" }, { latencies = { { from = "1", to = "1", cycles = 1 }, { from = "2", to = "1", cycles = 1 } } }),
    ["mov r64, r64"] = scheme { "0" } } }
end

local function explain(m, text) return assert(assert(block_model.of(m)):explain(assert(core.isa.assemble(text)).bytes)) end

describe("a call or jump to what memory holds", function()
  it("is a load and what the one to a register counts as", function()
    local jump = explain(small(), "jmp qword ptr [rax]").items[1]
    assert.same({ "jmp m64", "jmp rel8 + mov r64, m64", true, 2 }, { jump.scheme, jump.known_as, jump.known, #jump.uops })
    local call = explain(small(), "call qword ptr [rax + rbx*8]")
    assert.same({ "call rel32 + mov r64, m64", 3, 2 }, { call.items[1].known_as, #call.items[1].uops, call.slots })
    assert.equal(4, call.bounds.ports * 4) -- ports 6 and 4 once each, loads on one of two
    assert.equal("jmp rel8", explain(small(), "jmp rax").items[1].known_as)
  end)

  it("hands its address to nobody, as the stack engine moves the pointer", function()
    assert.equal(0, explain(small(), "call qword ptr [rsp + 8]; mov rax, rbx").bounds.dependencies)
  end)

  it("is unknown where the mapping lacks a part of it, and as the mapping says where it says something", function()
    local m = small()
    m.schemes["mov r64, m64"] = nil
    assert.is_false(explain(m, "jmp qword ptr [rax]").items[1].known)
    m = small()
    m.schemes["jmp rel8"] = nil
    assert.is_false(explain(m, "jmp qword ptr [rax]").items[1].known)
    m = small()
    m.schemes["jmp m64"] = scheme { "0" }
    assert.equal("jmp m64", explain(m, "jmp qword ptr [rax]").items[1].known_as)
  end)

  it("leaves the mapping as it was", function()
    local m = small()
    local whole = stand_ins.add(m)
    assert.is_nil(m.schemes["jmp rel8 + mov r64, m64"])
    assert.equal(2, #whole.schemes["jmp rel8 + mov r64, m64"].uops)
    m.schemes["mov r64, m64"] = nil
    assert.equal(m, stand_ins.add(m))
  end)

  it("is told as assumed, with latencies and without", function()
    process.in_directory(function(d)
      local m = small()
      for _, known in ipairs { true, false } do
        if not known then for _, s in pairs(m.schemes) do s.latencies = nil end end
        assert(file.write(d .. "/m.json", json.encode(m)))
        local r = process.run { args = { process.portolan, "predict", "--mapping", d .. "/m.json", "add rax, rbx; jmp qword ptr [rcx]" } }
        assert.equal(0, r.status, r.err)
        assert.matches("taken as jmp rel8 %+ mov r64, m64: jmp m64\n", r.out)
      end
    end)
  end)
end)
