-- How blocks of programs are measured: with all pages on one, and with each apart.
local core = require "portolan.core"
local real_blocks = require "portolan.processor.real_blocks"
local real_loop = require "portolan.block.loop"

-- A processor on which a byte of code takes so many cycles, by whether pages are `apart` (false: it says nothing); it counts what it measures.
local function processor(pages, on_one, apart)
  local self = { key = "k", patience = { seconds = 0 }, measured = { [true] = 0, [false] = 0 } }
  function self.run_code(_, kernels)
    local results = {}
    for i, kernel in ipairs(kernels) do
      local variant = kernel[1]
      local each = variant.apart and apart or not variant.apart and on_one
      local cycles = each and #variant.bytes * each
      if not variant.probe then self.measured[variant.apart == true] = self.measured[variant.apart == true] + 1 end
      results[i] = variant.probe and { status = "ok", pages = pages, range = { low = 1000 } }
        or cycles and { status = "ok", cycles = cycles, error = 0, n = 9, rejected = 0, spread = 0 }
        or { status = "unstable", unsteady = true, n = 0, rejected = 0 }
    end
    return results, "ok"
  end
  return self
end

local block = assert(core.isa.assemble "mov rax, [rdi]; add rax, rcx").bytes

local function measured(p) return assert(real_blocks.measure(p, { block }))[1] end

describe("a block that touches memory", function()
  it("is measured both ways if it touches several pages, and the faster counts", function()
    for _, case in ipairs { { 0.5, 0.25, 0.25 }, { 0.25, 0.5, 0.25 }, { false, 0.5, 0.5 }, { 0.5, false, 0.5 } } do
      local p = processor({ 1, 2 }, case[1], case[2])
      local result = measured(p)
      assert.equal("ok", result.status)
      assert.near(case[3] * #block, result.cycles, 0.05 * case[3] * #block)
      assert.is_true(p.measured[true] > 0 and p.measured[false] > 0)
    end
    assert.equal("unstable", measured(processor({ 1, 2 }, false, false)).status)
  end)

  it("is measured once if it touches one page", function()
    local p = processor({ 1 }, 0.5, 0.25)
    assert.near(0.5 * #block, measured(p).cycles, 0.05 * 0.5 * #block)
    assert.equal(0, p.measured[true])
  end)

  it("is measured with fewer copies, too, if it touches more pages than a first cache holds", function()
    local pages, longest = {}, {}
    for k = 1, 100 do pages[k] = k end
    local p = processor(pages, 0.5, 0.25)
    local run = p.run_code
    function p.run_code(self, kernels)
      for _, kernel in ipairs(kernels) do longest[#longest + 1] = not kernel[1].probe and #kernel[1].bytes or nil end
      return run(self, kernels)
    end
    assert.near(0.25 * #block, measured(p).cycles, 0.05 * 0.25 * #block)
    table.sort(longest)
    local copies = longest[3] // #block -- of the shortest three lengths
    assert.is_true(copies <= 256 and copies >= 16, copies)
    assert.is_true(longest[#longest] > 2 * longest[3])
  end)
end)

describe("a loop", function()
  -- Measures one whose cycles of so many iterations are `cycles_of(iterations, whether jumps run ahead of it)`.
  local function measured_loop(cycles_of)
    local self, kinds = { key = "k", patience = { seconds = 0 } }, { [true] = 0, [false] = 0 }
    function self.run_code(_, kernels)
      local bytes, probe = kernels[1][1].bytes, kernels[1][1].probe
      local after_jumps = bytes:sub(1, 2) == "\xeb\x01"
      if not probe then kinds[after_jumps] = kinds[after_jumps] + 1 end
      local counter = bytes:match "[\x48\x49][\xc7]\xc0(....)" -- mov r8, iterations
      local iterations = string.unpack("<i4", counter)
      local cycles = cycles_of(iterations, after_jumps)
      return { probe and { status = "ok", pages = {}, range = { low = 1000 } }
        or { status = "ok", cycles = cycles, error = 0, n = 9, rejected = 0, spread = 0 } }, "ok"
    end
    local code = assert(core.isa.assemble "l: add rax, rbx; imul rax, rcx; cmp rax, rdx; jnz l").bytes
    return assert(real_blocks.measure(self, { code }, nil, real_loop.form { address = 0, quick = true }))[1], kinds
  end

  it("is not run behind jumps where its times are on a line", function()
    local result, kinds = measured_loop(function(n) return 50 + 4 * n end)
    assert.near(4, result.cycles, 1e-9)
    assert.same({ nil, 0 }, { result.after_jumps or nil, kinds[true] })
  end)

  it("is run behind jumps where they are not, as what predicts branches may end it too soon", function()
    local result, kinds = measured_loop(function(n, after_jumps) return 50 + 4 * n + (not after_jumps and n % 400 * 3 or 0) end)
    assert.near(4, result.cycles, 1e-9)
    assert.is_true(result.after_jumps and kinds[true] > 0)
    assert.equal("unstable", measured_loop(function(n) return 50 + 4 * n + n % 400 * 3 end).status)
  end)
end)

describe("of two results of a loop", function()
  it("that without jumps counts, then the faster one", function()
    local plain, faster, jumps, none = { cycles = 8.05 }, { cycles = 8 }, { cycles = 7.8, after_jumps = true }, { status = "unstable" }
    for _, case in ipairs { { nil, none, none }, { none, jumps, jumps }, { jumps, none, jumps }, { jumps, plain, plain }, { plain, jumps, plain },
      { plain, faster, faster }, { faster, plain, faster } } do
      assert.equal(case[3], real_blocks.better(case[1], case[2]))
    end
  end)
end)
