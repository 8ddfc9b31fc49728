-- The parts of the llvm-mca predictor that need no llvm-mca: what it writes is recorded here.
local batch = require "portolan.predictor.machinery.batch"
local core = require "portolan.core"
local port_resources = require "portolan.predictor.llvm_mca.port_resources"
local program = require "portolan.predictor.machinery.program"
local runs = require "portolan.predictor.llvm_mca.runs"
local summary = require "portolan.predictor.llvm_mca.summary"
local supported = require "portolan.predictor.machinery.supported"
local text = require "portolan.predictor.llvm_mca.text"
local pressure = require "portolan.predictor.llvm_mca.pressure"

local one = pressure.one

-- A vector of { unit = cycles }.
local function vector(cycles)
  local info = {}
  for unit, n in pairs(cycles) do info[#info + 1] = { unit = unit, cycles = n } end
  return assert(pressure.vector(info))
end

local function words(sum)
  local parts = {}
  for i, term in ipairs(sum) do parts[i] = ("%d*%s"):format(term[2], table.concat(term[1].units)) end
  table.sort(parts)
  return table.concat(parts, "+")
end

local function all_words(v, groups)
  local list = {}
  for i, sum in ipairs((pressure.sums(v, groups, 100))) do list[i] = words(sum) end
  table.sort(list)
  return list
end

describe("resource pressure", function()
  it("is made of whole numbers, or refused", function()
    assert.same({ [1] = one // 3, [2] = one }, vector { 0.33333333333333331, 1 })
    local v, message = pressure.vector { { unit = 1, cycles = 0.12345 } }
    assert.is_nil(v)
    assert.matches("0.12345 cycles is no sum", message)
    assert.same({ 2, 1.5 }, { pressure.mass(vector { 1.5, 0.5 }) })
  end)

  it("teaches groups by instructions of one uop", function()
    local groups = pressure.learn {
      { v = vector { 0.5, 0.5 }, name = "a" }, { v = vector { [3] = 1 }, name = "b" }, { v = vector { [2] = 0.5, [3] = 0.5 }, name = "c" },
      { v = vector { 1, 1 }, name = "two uops of a set that is known" },
    }
    local found = {}
    for i, group in ipairs(groups) do found[i] = table.concat(group.units) .. "=" .. tostring(group.blocker) end
    assert.same({ "12=a", "23=c", "3=b" }, found)
    assert.same({ "1*12+1*3" }, all_words(vector { 0.5, 0.5, 1 }, groups))
    assert.same({ "1*12+1*23" }, all_words(vector { 0.5, 1, 0.5 }, groups))
    assert.same({ "1*12+1*23+1*3" }, all_words(vector { 0.5, 1, 1.5 }, groups))
    assert.same({}, all_words(vector { 1 }, groups))
  end)

  it("teaches groups that are never used alone, and whether they may be several", function()
    local groups = pressure.learn {
      { v = vector { 0.5, 0.5 }, name = "load" },
      { v = vector { [3] = 1, [4] = 1 / 3, [5] = 1 / 3, [6] = 1 / 3 }, name = "store" },
      { v = vector { 0.5, 0.5, 1, 1 / 3, 1 / 3, 1 / 3 }, name = "both" },
      { v = vector { [7] = 0.5, [8] = 0.5, [9] = 0.5, [10] = 0.5 }, name = "two pairs" },
      { v = vector { [11] = 1, [12] = 1 }, name = "two units" },
    }
    local found = {}
    for i, group in ipairs(groups) do found[i] = table.concat(group.units, ",") .. (group.assumed and "?" or "") end
    assert.same({ "7,8,9,10?", "4,5,6", "1,2", "3", "11", "12" }, found)
    assert.same({ "1*12+1*3+1*456" }, all_words(vector { 0.5, 0.5, 1, 1 / 3, 1 / 3, 1 / 3 }, groups))
  end)

  it("has all sums that fit, large sets first", function()
    local groups = pressure.learn {
      { v = vector { 0.5, 0.5 } }, { v = vector { 1 } }, { v = vector { [2] = 1 } }, { v = vector { 1 / 3, 1 / 3, 1 / 3 } },
      { v = vector { [3] = 1 } },
    }
    assert.same({ "1*1+1*2", "2*12" }, all_words(vector { 1, 1 }, groups))
    local first, complete = pressure.sums(vector { 1, 1, 1 }, groups, 1)
    assert.same("3*123", words(first[1]))
    assert.is_false(complete)
    assert.same({ "1*1+1*2+1*3", "1*3+2*12", "3*123" }, all_words(vector { 1, 1, 1 }, groups))
  end)
end)

describe("resources of LLVM's models", function()
  it("have short names", function()
    assert.same({ "SKLDivider", "0", "1" }, { "SKLDivider", table.unpack(port_resources.names { "SKLDivider", "SKLPort0", "SKLPort1" }, 2) })
    assert.same({ "0", "5", "10", "Invalid" }, (port_resources.names { "SPRPort00", "SPRPort05", "SPRPort10", "SPRPortInvalid" }))
    assert.same({ "Divider", "0", "2", "3" }, (port_resources.names { "SBDivider", "SBPort0", "SBPort23.\0", "SBPort23.\1" }))
    assert.same({ "AGU0", "FP0", "LSU.0", "LSU.1" }, (port_resources.names { "Zn3AGU0", "Zn3FP0", "Zn3LSU.\0", "Zn3LSU.\1" }))
    assert.same({ "FPC_RSV0", "IEC_RSV0", "Divider" }, (port_resources.names { "SLM_FPC_RSV0", "SLM_IEC_RSV0", "SLMDivider" }))
    assert.equal("Zn2", select(2, port_resources.names { "Zn2AGU0", "Zn2FPU0" }))
    assert.equal("SPR", select(2, port_resources.names { "SPRPort00", "SPRPort05" }))
  end)

  it("are ports, or not", function()
    assert.equal("divider", port_resources.kind "SKXFPDivider")
    assert.equal("port", port_resources.kind "Zn2Multiplier")
    assert.equal("unknown", port_resources.kind "ADLPPortInvalid")
  end)

  it("are left out where others are always as busy", function()
    -- 1, 2: load pipes; 3, 4: the unit that every load and store goes through; 5, 6: a pair that works on its own, too
    local loads, stores, third = { 1, 1, 1, 1 }, { [3] = 1, [4] = 1, [5] = 1, [6] = 1 }, { [5] = 2, [6] = 2 }
    assert.same({ [1] = true, [2] = true }, port_resources.shadows({ loads, stores, third }, 2))
    -- not if a uop may choose between one of the units and others
    assert.same({}, port_resources.shadows({ loads, stores, third, { [1] = 1, [7] = 1 } }, 2))
    -- of three, each as busy as the next or less, one stays
    assert.same({ [1] = true, [2] = true }, port_resources.shadows({ { 2, 2, 2 }, { 2, 4, 6 } }, 2))
  end)
end)

describe("what llvm-mca writes", function()
  local region = '{"InstructionInfoView":{"InstructionList":[{"NumMicroOpcodes":1}]},"Instructions":["add\\trax, rbx"],"Name":"%d"}'
  local function output(...)
    local list = {}
    for i, name in ipairs { ... } do list[i] = region:format(name) end
    return ('{"CodeRegions":[%s],"TargetInfo":{"CPUName":"znver3","Resources":["Zn3LSU.\\u0000"]}}'):format(table.concat(list, ","))
  end

  it("is found by the names of regions, whatever their order", function()
    local regions, target = runs.parse(output(2, 1), 2)
    assert.equal("1", regions[1].Name)
    assert.equal("2", regions[2].Name)
    assert.equal("Zn3LSU.\0", target.Resources[1])
  end)

  it("is not believed if it is not whole", function()
    assert.same({ nil, "llvm-mca said nothing of it" }, { runs.parse(output(1, 3), 3) })
    local regions = assert(runs.parse(output(1, 3), 3, "no model"))
    assert.equal("no model", regions[2].error)
    assert.same({ nil, "llvm-mca wrote no JSON that can be read" }, { runs.parse(output(1):sub(1, -4), 1) })
    assert.same({ nil, "llvm-mca wrote no JSON that can be read" }, { runs.parse("", 1) })
  end)

  it("tells which region is at fault", function()
    local err = "<stdin>:2:5: error: invalid operand for instruction\nbswap ax\n      ^~\n<stdin>:5:1: error: invalid instruction mnemonic 'foo'\n"
      .. "foo\n^~~\n<stdin>:2:9: error: another\n<stdin>:9:1: warning: no fault\n"
    local faults = runs.faults(err, { 1, 1, 2, 2, 3, 3, 4, 4, 4 })
    assert.same({ [1] = { error = "llvm-mca cannot read it: invalid operand for instruction", unsupported = true },
      [3] = { error = "llvm-mca cannot read it: invalid instruction mnemonic 'foo'", unsupported = true } }, faults)
  end)
end)

describe("summaries", function()
  it("are read up to where the output was cut off, and no further", function()
    local parts = {}
    for i = 1, 3 do
      parts[i] = ("\n[%d] Code Region - %d\n\nIterations:        100\nInstructions:      500\nTotal Cycles:      %d\nTotal uOps:        700\n")
        :format(i - 1, i, 1230 + i) .. "\nDispatch Width:    6\nuOps Per Cycle:    3.49\nIPC:               2.49\nBlock RThroughput: 1.8\n\n"
    end
    local out = table.concat(parts)
    local whole = summary.parse(out)
    assert.same({ { cycles = 12.31 }, { cycles = 12.32 }, { cycles = 12.33 } }, whole)
    local most = 0
    for length = 0, #out do
      local answers = summary.parse(out:sub(1, length))
      assert.is_true(#answers >= most)
      most = #answers
      for i, answer in pairs(answers) do assert.same(whole[i], answer) end
    end
    assert.same({}, summary.parse "Iterations: 1\nTotal Cycles: 3\n")
  end)
end)

describe("code for LLVM", function()
  it("names the encoding and avoids the accumulator", function()
    assert.matches("^{vex} vaddps ymm%d+, ymm%d+, ymm%d+$", text.of_scheme "vaddps ymm, ymm, ymm")
    assert.matches("^{evex} vaddps ", text.of_scheme "vaddps ymm, ymm, ymm {evex}")
    assert.matches("^add [^a]%w+, ", text.of_scheme "add r8, imm8")
    assert.matches("^add r", text.of_scheme "add r64, r64")
    assert.is_nil(text.of_scheme "no such, scheme")
    assert.matches("^mov r%w+, ds$", text.of_scheme "mov r64, sreg") -- the register policy has no operands for it
  end)

  it("is the instruction itself, not the zeroing idiom that stands ahead of every instance", function()
    for _, name in ipairs { "adc r64, r64", "sbb r64, imm8", "shl r64, cl", "mul r64", "cmpxchg r64, r64", "rcl r64, 1", "cdqe", "div r64" } do
      assert.equal(name:match "^%w+", text.of_scheme(name):match "^%w+")
    end
    local bytes = {}
    local asked = { name = "asked", version = "1", predict = function(_, blocks)
      local answers = {}
      for i, block in ipairs(blocks) do bytes[i], answers[i] = block, { cycles = 1 } end
      return answers
    end }
    local directory = assert(require("luv").fs_mkdtemp "/tmp/portolan-test-XXXXXX")
    assert.same({ "adc r64, r64", "mul r64" }, (supported.of(asked, { "adc r64, r64", "mul r64" }, { directory = directory, again = true })))
    os.execute("rm -r " .. directory)
    for i, mnemonic in ipairs { "adc", "mul" } do
      local code = assert(core.isa.decode(bytes[i]))
      assert.same({ 1, mnemonic }, { #code.instructions, code.instructions[1].text:match "^%w+" })
    end
  end)

  it("has no sizes of gathers", function()
    assert.matches("^{vex} vpgatherdd xmm%d+, %[r14%+xmm15", text.of_scheme "vpgatherdd xmm, m32[xmm], xmm")
    assert.equal("add rax, rbx\nnop", text.of_bytes "\x48\x01\xd8\x90")
    assert.is_nil(text.of_bytes "\x06")
  end)

  it("is delicate if it may change how other code is read", function()
    for _, code in ipairs { "l: dec rax", ".rept 3\nnop", "nop; .att_syntax", "/* nop", "nop # LLVM-MCA-END" } do
      assert.is_true(text.is_delicate(code), code)
    end
    assert.is_false(text.is_delicate "add rax, rbx; mov rax, [r14+8]\nvaddps ymm1, ymm2, ymm3 # fast")
  end)
end)

describe("a batch", function()
  -- A program that refuses items by name ("bad"), fails without a word ("crash"), answers others.
  local function attempt_of(log)
    return function(items)
      log.runs = (log.runs or 0) + 1
      local faults, answers = {}, {}
      for i, item in ipairs(items) do
        if item == "bad" then faults[i] = "it is bad" end
        if item == "crash" then log.crash = true end
        answers[i] = { value = item }
      end
      for _, item in ipairs(items) do
        if item == "crash" then return nil, "it crashed" end
      end
      if next(faults) then return nil, "faults", faults end
      return answers
    end
  end

  it("loses only what is at fault", function()
    local items, log = {}, {}
    for i = 1, 40 do items[i] = i % 10 == 3 and "bad" or i == 25 and "crash" or "item " .. i end
    local answers = batch.answer(items, attempt_of(log))
    for i, item in ipairs(items) do
      if item == "bad" then
        assert.equal("it is bad", answers[i].error)
      elseif item == "crash" then
        assert.equal("it crashed", answers[i].error)
      else
        assert.equal(item, answers[i].value)
      end
    end
    assert.is_true(log.runs < 25)
  end)

  it("takes one run if all is well, more if they are asked for", function()
    local items, log = {}, {}
    for i = 1, 10 do items[i] = i end
    batch.answer(items, attempt_of(log))
    assert.equal(1, log.runs)
    batch.answer(items, attempt_of(log), { most = 4 })
    assert.equal(1 + 3, log.runs)
    batch.answer(items, attempt_of(log), { alone = function(item) return item > 8 end })
    assert.equal(4 + 3, log.runs)
    assert.same({}, batch.answer({}, attempt_of(log)))
  end)
end)

describe("a program", function()
  it("is found in the path", function()
    assert.matches("/sh$", program.find "sh")
    assert.is_nil(program.find "no-such-program-anywhere")
    assert.equal("/bin/sh", program.find "/bin/sh")
    assert.is_nil(program.find "/bin")
    local found = {}
    for _, name in ipairs(program.names "s[hx]") do found[name] = true end
    assert.is_true(found.sh)
  end)

  it("gets its input and says how it ended", function()
    local long = ("0123456789\n"):rep(50000)
    local r = assert(program.run("/bin/sh", { "-c", 'cat; echo "$1" >&2; exit 3', "-", "a word" }, { input = long }))
    assert.equal(long, r.out)
    assert.equal("a word\n", r.err)
    assert.equal(3, r.status)
    assert.is_false(r.late)
    r = assert(program.run("/bin/sh", { "-c", "exit 0" }, { input = long })) -- does not read it
    assert.equal(0, r.status)
    r = assert(program.run("/bin/sh", { "-c", "kill -SEGV $$" }))
    assert.equal(11, r.signal)
    assert.is_false(r.late)
  end)

  it("does not run for ever", function()
    local r = assert(program.run("/bin/sh", { "-c", "while :; do :; done" }, { seconds = 1 }))
    assert.is_true(r.late)
  end)
end)
