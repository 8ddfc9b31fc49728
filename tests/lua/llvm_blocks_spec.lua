-- Blocks of programs through llvm-mca: what is answered is llvm-mca's own answer to LLVM's disassembly of the same bytes.
--
-- The blocks of a file `hex,...`, one a line, take part if PORTOLAN_BLOCKS names it.
local block = require "portolan.block"
local core = require "portolan.core"
local llvm_mca = require "portolan.predictor.llvm_mca"
local program = require "portolan.predictor.machinery.program"

-- As compilers write them: alignment, stack, SSE, locked instructions, branches at the end.
local ours = {
  "0f1f4000", "662e0f1f840000000000", "66662e0f1f840000000000488d7f01", "0f1f80000000004883c001", "41544989fc5553488b5f48", "5b5d415cc3",
  "f30f6f0ff30f6f06660f74c1660fd7c04885c0", "f0ff0f", "f0410fb13424", "68c2000000", "660f1f4400004883c2104839ca", "4887f74891", "e800000000",
  "31d264488b042528000000", "f20f1005000000000f28c8", "c5f877c5fc58c1", "f348ab", "4898489948f7f9", "c1f81f4863d0", "0fb6004538e6410f94c0",
}

local function bytes_of(hex) return (hex:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)) end

-- LLVM's disassembly, block by block: three int3 stand between them.
local function disassembled(version, blocks)
  local input, texts, lines, ends = {}, {}, {}, 0
  for i, bytes in ipairs(blocks) do input[i] = bytes:gsub(".", function(c) return ("0x%02x "):format(c:byte()) end) .. "\n0xcc 0xcc 0xcc\n" end
  local result = assert(program.run(assert(program.find("llvm-mc-" .. version)), { "-triple=x86_64", "-disassemble", "-output-asm-variant=1" },
    { input = table.concat(input), seconds = 100 }))
  for line in result.out:gmatch "[^\n]+" do
    if line:find "^%s*int3%s*$" then
      ends = ends + 1
      if ends == 3 then
        texts[#texts + 1] = { text = table.concat(lines, "\n"):gsub("(%s)(lock)%s*\n", "%1%2 "):gsub("(%s)(rep%l*)%s*\n", "%1%2 ") }
        lines, ends = {}, 0
      end
    elseif not line:find "^%s*%." then
      -- a branch's distance is no label
      lines[#lines + 1] = line:gsub("^(%s*j%l+%s+)%-?%d+$", "%1somewhere"):gsub("^(%s*call%s+)%-?%d+$", "%1somewhere")
    end
  end
  return texts
end

-- How many blocks are refused, each with its reason; all others must have LLVM's own answer.
local function compare(version, all)
  local p = assert(llvm_mca.open { version = version, cpu = "skylake" })
  local blocks, answers, refused = {}, {}, 0
  for i, answer in ipairs(p:predict(all)) do
    if answer.cycles then
      blocks[#blocks + 1], answers[#answers + 1] = all[i], answer
    else
      refused = refused + 1
      assert.matches("%w", answer.error)
    end
  end
  local texts = disassembled(version, blocks)
  assert.equal(#blocks, #texts)
  for i, theirs in ipairs(p:predict(texts)) do
    assert(theirs.cycles, ("%s: %s"):format(texts[i].text, theirs.error))
    assert(theirs.cycles == answers[i].cycles, ("%s: %g, of LLVM's text %g"):format(texts[i].text, answers[i].cycles, theirs.cycles))
  end
  return refused
end

describe("blocks of programs", function()
  local versions = {}
  for _, one in ipairs(llvm_mca.installed()) do
    if one.version and program.find("llvm-mc-" .. one.version) then versions[#versions + 1] = one.version end
  end
  if #versions == 0 then pending "no llvm-mca-VERSION with its llvm-mc is installed" end
  for _, version in ipairs(versions) do
    it("have the answers of llvm-mca-" .. version, function()
      local blocks = {}
      for i, hex in ipairs(ours) do
        blocks[i] = bytes_of(hex)
        assert(core.isa.decode(blocks[i]), hex)
      end
      assert.equal(0, compare(version, blocks))
    end)

    local path = os.getenv "PORTOLAN_BLOCKS"
    if not path then
      pending "PORTOLAN_BLOCKS names no file of blocks"
    else
      it("of a file have the answers of llvm-mca-" .. version, function()
        local blocks = {}
        for line in io.lines(path) do
          local bytes = block.from_hex(line:match "^%x*")
          if bytes and bytes ~= "" then blocks[#blocks + 1] = bytes end
        end
        local refused = compare(version, blocks)
        print(("llvm-mca-%s: %d of %d blocks refused"):format(version, refused, #blocks))
        assert.is_true(refused <= 0.005 * #blocks)
      end)
    end
  end
end)
