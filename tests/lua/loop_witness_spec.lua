-- The part of a loop that a prediction is wrong about (portolan.loop.witness), with a processor that is made up.
local code = require "portolan.code"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local witness = require "portolan.loop.witness"

if core.isa.host ~= "x86_64" then return end

local text = [[
loop:
  movzx rbx, word ptr [rsi + rax*8]
  sub rbx, r9
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
      return cycles and { status = "ok", cycles = 1 + cycles, fresh = true } or { status = "unstable" }
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
    local all = { "movzx", "sub", "imul", "xor", "mov", "shl", "add" }
    local names, w = look(function(has)
      return lists.all(all, function(mnemonic) return has[mnemonic] end) and 2 or 0
    end)
    assert.same({ 9, 0, true }, { #names, w.left_out, w.complete })
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

  it("is not another difference, which is larger", function()
    local names = look(function(has) return has.sub and (has.imul and 2 or 0) or 9 end)
    assert.same({ "sub", "imul", "cmp", "jnz" }, names)
  end)

  it("is not what crosses a line only where the loop stands", function()
    local piece, places = loop_of(text), {}
    local p = processor(function(has) return has.imul and has.shl and 2 or 0 end)
    local plain = p.measure_blocks
    function p:measure_blocks(codes, _, forms) -- code across a line takes two cycles more
      local results = plain(self, codes)
      for i, result in ipairs(results) do
        places[i] = tonumber(forms[i].kind:match "^loop@(%d+)")
        if places[i] + #codes[i] > 64 then result.cycles = result.cycles + 2 end
      end
      return results
    end
    local w = assert(witness.of(p, piece, { predict = function() return 1 end, cycles = 3, predicted = 1, address = 64 + 60, seconds = 60 }))
    assert.same({ "imul", "shl", "cmp", "jnz" }, lists.map(w.instructions, function(i) return piece.instructions[i].text:match "^%S+" end))
    assert.same({ 3, { 0, 60 } }, { w.cycles, lists.keys(lists.set(places)) })
  end)

  it("has to show twice", function()
    local times = 0
    local names = look(function(has) -- the first piece without imul is slow by chance
      if has.imul then return 2 end
      times = times + 1
      return times == 1 and 2 or 0
    end)
    assert.same({ "imul", "cmp", "jnz" }, names)
  end)

  it("ends when its time is over, and says so", function()
    local piece, p = loop_of(text), processor(function(has) return has.imul and has.shl and 2 or 0 end)
    local w = assert(witness.of(p, piece, { predict = function() return 1 end, cycles = 3, predicted = 1, address = 0, seconds = 0 }))
    assert.same({ 0, 3, 0, false }, { p.asked, w.cycles, w.left_out, w.complete })
  end)

  it("hands on what the processor says", function()
    local p = { measure_blocks = function() return nil, "no space left", "system error" end }
    local w, message, status = witness.of(p, loop_of(text), { predict = function() return 1 end, cycles = 3, predicted = 1, address = 0,
      seconds = 9 })
    assert.same({ "no space left", "system error" }, { message, status })
    assert.is_nil(w)
  end)

  it("may be of a loop that has nothing to leave out", function()
    local piece, p = loop_of "loop:\n dec rcx\n jne loop\n", processor(function() return 2 end)
    if not require("portolan.block.loop").new(piece.bytes) then return end -- such a loop is not measured at all
    local w = assert(witness.of(p, piece, { predict = function() return 1 end, cycles = 3, predicted = 1, address = 0, seconds = 9 }))
    assert.same({ 0, 0, true }, { p.asked, w.left_out, w.complete })
  end)
end)
