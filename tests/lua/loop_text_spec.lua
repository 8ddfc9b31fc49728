-- What `portolan loop` prints of a loop.
local block_model = require "portolan.block.model"
local code = require "portolan.code"
local loop_text = require "portolan.report.loop_text"
local mapping = require "portolan.mapping"
local page = require "portolan.report.prediction.page"
local prediction = require "portolan.prediction"

local root = assert(os.getenv "PORTOLAN_SOURCE")
local m = assert(mapping.load(root .. "/scripts/examples/code/raptor-cove.json"))

-- The loop `fnv`, predicted to take 4 cycles, with these measurements.
local function with(measured, changes)
  local piece = assert(code.open(root .. "/scripts/examples/code/fnv.s", { "fnv" }))[1]
  local p = prediction.about(piece, assert(prediction.of_block(assert(block_model.of(m)), piece)))
  for key, value in pairs(changes or {}) do p[key] = value end
  p.mapping, p.measured = m, measured
  return p
end

-- Its text.
local function shown(measured, changes)
  local p = with(measured, changes)
  local lines = {}
  loop_text.show(p, { style = function(text) return text end, out = function(form, ...) lines[#lines + 1] = form:format(...) end })
  return table.concat(lines)
end

local function has(text, words) assert.truthy(text:find(words, 1, true), words .. "\nin\n" .. text) end

describe("the text of a loop", function()
  it("says that it takes as long as predicted", function()
    local text = shown { status = "ok", cycles = 4.02, counted = "compare", register = "r8", changes = {} }
    has(text, "measured   4.020 cycles per iteration; a counter in r8 stands in for its comparison")
    has(text, "predicted  4.000, as measured (-0.5%)")
    assert.is_nil(text:find("changed, measured", 1, true))
  end)

  it("compares what was measured, with its counter", function()
    local text = shown { status = "ok", cycles = 5, predicted = 4.9, counted = "added", register = "r9", changes = {} }
    has(text, "a counter in r9 is one instruction more")
    has(text, "predicted  4.900, as measured (-2.0%)")
  end)

  it("says what of the prediction may be to blame where it is not", function()
    local measured = { status = "ok", cycles = 5, counted = "own", register = "rcx", changes = {} }
    local text = shown(measured)
    has(text, "predicted  4.000: -20.0% of what is measured")
    has(text, "the chart says nothing of why")
    text = shown(measured, { rests_on = { ["imul r64, r64"] = "contradicting" }, simulated_cycles = 4.8 })
    has(text, "of imul r64, r64 only what it takes alone is known")
    has(text, "no bound is reached: simulated, it takes 4.800")
    assert.is_nil(text:find("the chart says nothing of why", 1, true))
  end)

  it("shows changes, and places that make no difference in one line", function()
    local text = shown { status = "ok", cycles = 4, counted = "own", register = "rcx", changes = {
      { what = "2 iterations from branch to branch", cycles = 3, predicted = 3.1 },
      { what = "beginning at 0 of 64 bytes", place = 0, cycles = 4.01 }, { what = "beginning at 16 of 64 bytes", place = 16, cycles = 4 },
      { what = "beginning at 32 of 64 bytes", place = 32, cycles = 6 } } }
    has(text, "3.000   -25.0%  predicted 3.100")
    has(text, "beginning at 32 of 64 bytes             6.000   +50.0%")
    has(text, "same: beginning at 0, 16 of 64 bytes")
  end)

  it("says which part of the loop is enough for the difference, and where it stood", function()
    local measured = { status = "ok", cycles = 5, counted = "own", register = "rcx", changes = {},
      witness = { instructions = { 2, 4 }, cycles = 3.5, predicted = 2, left_out = 2, place = 48, complete = true } }
    local text = shown(measured)
    has(text, "where the difference is: 2 of its ")
    has(text, " instructions by themselves, beginning at 48 of 64 bytes\n  measured 3.500, predicted 2.000\n     2  ")
    measured.witness.instructions = {}
    for i = 1, 30 do measured.witness.instructions[i] = 1 + i % 4 end
    measured.witness.complete = false
    has(shown(measured), "and 6 more, which --json lists")
    has(shown(measured), "beginning at 48 of 64 bytes (time was over: fewer may be enough)")
    measured.witness.left_out, measured.witness.place = 0, nil
    has(shown(measured), "where the difference is: the whole loop (time was over: fewer may be enough)\n  measured 3.500")
  end)

  it("says that it is the fetching of code, where another layout takes what is predicted", function()
    local measured = { status = "ok", cycles = 5, counted = "own", register = "rcx", right_layout = "beginning at 16 of 64 bytes", changes = {
      { what = "4 sums", cycles = 4, predicted = 4 }, { what = "beginning at 16 of 64 bytes", place = 16, layout = true, cycles = 4.05 } } }
    has(shown(measured), "beginning at 16 of 64 bytes it takes 4.050, as predicted: what differs is how its code is fetched")
    measured.right_layout, measured.fetching = nil, 4.96
    local text = shown(measured)
    has(text, "NOPs of the same lengths in its place take 4.960: what fetching its code takes")
    assert.is_nil(text:find("what differs", 1, true))
  end)

  it("says whether the mapping is wrong about its instructions, or what differs is something else", function()
    local measured = { status = "ok", cycles = 8, predicted = 5, counted = "own", register = "rcx", changes = {},
      as_experiment = { cycles = 7.2, predicted = 5 }, after_jumps = true }
    has(shown(measured), "as an experiment its instructions take 7.200, predicted 5.000: the mapping is wrong about them together")
    has(shown(measured), "counts by rcx itself; behind jumps, as it is not steady without")
    measured.as_experiment.cycles = 5.4
    has(shown(measured), "take 5.400, predicted 5.000: what differs is where data are, what waits for what, or fetching")
  end)

  it("has a page that says where the difference is, too", function()
    local function page_of(measured) return page.render { predictions = { with(measured) }, ports = m.ports, title = "fnv.s", mapping = "m" } end
    local measured = { status = "ok", cycles = 5, counted = "own", register = "rcx", changes = {}, fetching = 4.5,
      witness = { instructions = { 2, 4 }, cycles = 3.5, predicted = 2, left_out = 2, complete = true } }
    has(page_of(measured), "NOPs of the same lengths in its place take 4.500: what fetching its code takes. ")
    has(page_of(measured), "2 of its 6 instructions by themselves: measured 3.500, predicted 2.000 cycles.")
    measured.witness = nil
    has(page_of(measured), "Where the difference is")
    measured.fetching = nil
    assert.is_nil(page_of(measured):find("Where the difference is", 1, true))
  end)

  it("shows in one line what changes nothing, unless it was predicted to", function()
    local text = shown { status = "ok", cycles = 4, counted = "own", register = "rcx", changes = {
      { what = "2 iterations from branch to branch", cycles = 4.01, predicted = 4 },
      { what = "4 iterations from branch to branch", cycles = 3.99, predicted = 2 } } }
    has(text, "  same: 2 iterations from branch to branch\n")
    has(text, "4 iterations from branch to branch      3.990     same  predicted 2.000")
  end)

  it("says what other mappings say, and why", function()
    local other = { cycles = 3, bounds = { dependencies = 3 }, bottleneck = {}, instructions = {} }
    local least = { cycles = 5, bounds = { ["front end"] = 5 }, bottleneck = {}, instructions = {}, unknown = { "imul r64, r64" },
      ignores = "dependencies" }
    local text = shown({ status = "ok", cycles = 4, counted = "own", register = "rcx", changes = {} }, { elsewhere = {
      { name = "a.json", prediction = other }, { name = "b.json", prediction = least }, { name = "c.json", prediction = { trouble = "no uops" } } } })
    has(text, "a.json                                  3.000   -25.0%  limited by dependencies")
    has(text, "b.json                                  5.000   +25.0%  limited by issue slots; at least, without dependencies and 1 unknown scheme")
    has(text, "c.json                                      -  no uops")
  end)

  it("says why there is no time, and shows the changes that have one", function()
    local text = shown { status = "unstable", message = "only 2 of 5 numbers of iterations agree", changes = {
      { what = "4 iterations from branch to branch", cycles = 1.013 } } }
    has(text, "measured   not: only 2 of 5 numbers of iterations agree")
    has(text, "4 iterations from branch to branch      1.013")
    assert.is_nil(text:find("  predicted  ", 1, true))
  end)
end)
