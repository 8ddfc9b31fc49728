-- The part of a loop that a prediction is wrong about (portolan.loop.witness), with a processor that is made up.
local code = require "portolan.code"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local witness = require "portolan.loop.witness"

if core.isa.host ~= "x86_64" then return end

local text = [[
loop:
  mov rbx, qword ptr [rsi + rax*8]
  add rbx, r9
  imul r10, rbx
  xor r11, r10
  mov qword ptr [rdi + rax*8], r11
  shl r12, 3
  add rax, 1
  cmp rax, rcx
  jne loop
]]

local function loop_of(source)
  local pieces = assert(code.of(source, "loop.s"))
  return assert(lists.first(pieces, function(piece) return piece.kind == "loop" end))
end

local function texts_of(bytes)
  return lists.map(assert(core.isa.decode(bytes)).instructions, function(instruction) return instruction.text end)
end

-- A processor on which a loop takes a cycle, and what `more` says for the mnemonics that it has; `asked` counts.
local function processor(more)
  local made_up = { asked = 0 }
  function made_up:measure_blocks(codes)
    self.asked = self.asked + #codes
    return lists.map(codes, function(bytes)
      local has = {}
      for _, line in ipairs(texts_of(bytes)) do has[line:match "^%S+"] = true end
      local cycles = more(has)
      return cycles and { status = "ok", cycles = 1 + cycles } or { status = "unstable" }
    end)
  end
  return made_up
end

local function look(more, predict)
  local piece, p = loop_of(text), processor(more)
  local w = assert(witness.of(p, piece, { predict = predict or function() return 1 end, cycles = 3, predicted = 1, address = 0, seconds = 60 }))
  return lists.map(w.instructions, function(i) return piece.instructions[i].text:match "^%S+" end), w, p
end

describe("the part of a loop that a prediction is wrong about", function()
  it("is what is needed for the difference, and what counts", function()
    local names, w = look(function(has) return has.imul and has.shl and 2 or 0 end)
    assert.same({ "imul", "shl", "cmp", "jnz" }, names)
    assert.same({ 3, 1, 5 }, { w.cycles, w.predicted, w.left_out })
  end)

  it("may be the whole loop", function()
    local names, w = look(function(has) return has.mov and has.add and has.imul and has.xor and has.shl and 2 or 0 end)
    assert.equal(9, #names + w.left_out)
    assert.truthy(w.left_out <= 2) -- there are two mov and two add
  end)

  it("keeps half of the difference, in the same direction", function()
    assert.same({ "imul", "cmp", "jnz" }, (look(function(has) return (has.imul and 1.2 or 0) + (has.shl and 0.8 or 0) end)))
    local names = look(function(has) return has.imul and has.xor and 2 or -0.9 end) -- without them it is faster than predicted
    assert.same({ "imul", "xor", "cmp", "jnz" }, names)
  end)

  it("leaves nothing out that makes the loop unsteady, or whose prediction is not known", function()
    assert.same({ "imul", "shl", "cmp", "jnz" }, (look(function(has) return has.imul and (has.shl and 2 or nil) or 0 end)))
    local names = look(function() return 2 end, function(bytes)
      return lists.any(texts_of(bytes), function(line) return line:find "^xor" end) and 1 or nil
    end)
    assert.same({ "xor", "cmp", "jnz" }, names)
  end)

  it("ends when its time is over", function()
    local piece, p = loop_of(text), processor(function() return 2 end)
    local w = assert(witness.of(p, piece, { predict = function() return 1 end, cycles = 3, predicted = 1, address = 0, seconds = 0 }))
    assert.equal(3, w.cycles)
    assert.truthy(p.asked <= 13, p.asked) -- one round
  end)
end)
