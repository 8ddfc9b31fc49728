local core = require "portolan.core"
local domain = require "portolan.anica.domain"
local json = require "portolan.support.json"

local names = { "add m64, r64", "add r64, r64", "imul r64, r64", "nop", "sub r64, r64", "vaddps ymm, ymm, ymm" }

local root = os.getenv "PORTOLAN_SOURCE"

describe("decoding abstract blocks", function()
  local D, good
  setup(function()
    D = assert(domain.load(root .. "/scripts/examples/features/encoding.lua", { schemes = names }))
    good = assert(D:represent(core.isa.assemble("add rax, rbx; add [rcx], rax").bytes)):encode()
  end)

  it("says what is wrong", function()
    local function refused(t, pattern)
      local a, message = D:decode(t)
      assert.is_nil(a)
      assert.matches(pattern, message)
    end
    local function one(instruction, aliasing) return { instructions = { instruction, {} }, aliasing = aliasing } end
    refused(nil, "an abstract block is")
    refused({ instructions = {} }, "0 of them; a block has 1 to 16")
    refused(one { nosuch = "x" }, "'nosuch' is no feature of this domain")
    refused(one { mnemonic = "add" }, "instructions%[1%], mnemonic%); write { base =")
    refused(one { mnemonic = { base = "add", edits = 4 } }, "number up to the bound")
    refused(one { memory = { "R", 5 } }, "memory%); write a list of texts")
    refused(one { memory = { x = "R" } }, "memory%); write a list of texts")
    refused(one { length = "99 bytes" }, "write the text of one of its elements")
    refused(one { length = 5 }, "a number is no abstract value")
    refused(one({}, { { a = { 1, 1 }, b = { 1, 1 }, kind = "must" } }), "aliasing%[1%]%); name two")
    refused(one({}, { { a = { 1, 1 }, b = { 3, 1 }, kind = "must" } }), "'b' is no operand of the block")
    refused(one({}, { { a = { 1, 1 }, b = { 2, 1 }, kind = "may" } }), "a kind that is not known")
    refused(one({}, { { a = { 1, 1 }, b = { 2, 1 }, kind = "must" }, { b = { 1, 1 }, a = { 2, 1 }, kind = "must not" } }), "the same pair")
  end)

  it("survives any damage", function()
    local rng, accepted, refused = core.base.rng(9), 0, 0
    local junk = { 0, -1, 1.5, 1e300, "", "none", "x\0y", true, false, {}, { {} }, { base = "add" }, { below = 3 }, { 1, 2, 3 }, json.null,
      ("a"):rep(1000) }
    -- Replaces something in a copy of t.
    local function damaged(t)
      local copy, keys = {}, {}
      for key, value in pairs(t) do copy[key], keys[#keys + 1] = value, key end
      table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
      local key = keys[1 + rng:below(math.max(1, #keys))]
      if key ~= nil and type(copy[key]) == "table" and rng:below(5) > 0 then copy[key] = damaged(copy[key])
      elseif rng:below(4) == 0 then copy[rng:below(2) == 0 and "extra" or #copy + 1] = junk[1 + rng:below(#junk)]
      elseif key ~= nil then copy[key] = junk[1 + rng:below(#junk)] end
      return copy
    end
    for _ = 1, 2000 do
      local a, message = D:decode(damaged(good))
      if a then
        accepted = accepted + 1
        assert.is_true(assert(D:decode(a:encode())):equal(a))
      else
        refused = refused + 1
        assert.is_string(message)
      end
    end
    assert.is_true(accepted > 50 and refused > 500)
  end)
end)
