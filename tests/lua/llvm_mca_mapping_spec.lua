-- What the mapping made from llvm-mca says of a scheme, against what llvm-mca itself says of the instruction: for several processors, over
-- legacy and VEX schemes, with texts that the maker of mappings has no part in.
local batch = require "portolan.predictor.machinery.batch"
local core = require "portolan.core"
local file = require "portolan.support.file"
local instance = require "portolan.scheme.instance"
local isa = require "portolan.scheme.isa"
local llvm_mca = require "portolan.predictor.llvm_mca"
local mapping = require "portolan.mapping"
local process = require "process"
local runs = require "portolan.predictor.llvm_mca.runs"
local spelling = require "portolan.predictor.llvm_mca.spelling"

local installed = false
for _, one in ipairs(llvm_mca.installed()) do installed = installed or one.version == "19" end

local function with(name, f)
  if installed then it(name, f) else pending(name .. ": llvm-mca-19 is not installed") end
end

-- All legacy and VEX schemes for two processors, every fifth for others; every 20th under a sanitizer.
local whole = { skylake = true, znver3 = true }

local function all_names(cpu)
  local step = (os.getenv "PORTOLAN_SANITIZE" or "") ~= "" and 20 or whole[cpu] and 1 or 5
  local names, schemes = {}, assert(isa.schemes { legacy = true, vex = true })
  for i = 1 + #cpu % step, #schemes, step do names[#names + 1] = schemes[i].name end -- not the same fifth of all
  return names
end

-- Schemes that the mapping has a throughput of, and LLVM's text of one instance of each.
local function questions(m, names)
  local asked, texts = {}, {}
  for _, name in ipairs(names) do
    local code = m.schemes[name].uops and core.isa.instantiate({ name, name, name }, instance.policy())
    if code then -- not the first, which may use rax: LLVM's models may have other units for add rax, imm32
      local one = instance.of(name)
      assert.equal(name, one.scheme)
      asked[#asked + 1], texts[#texts + 1] = name, spelling.of(one)
    end
  end
  return asked, texts
end

-- llvm-mca's throughput by the busiest group of units and the dispatch width.
local function block_throughputs(p, texts)
  return batch.answer(texts, function(list)
    local regions, message, faults = runs.run(p, list, { "-iterations=1", "-instruction-info=0", "-resource-pressure=0" }, { seconds = 0.5 })
    if not regions then return nil, message, faults end
    local answers = {}
    for i, region in ipairs(regions) do answers[i] = { cycles = region.SummaryView.BlockRThroughput } end
    return answers
  end, { most = 256 })
end

-- What the mapping does not only assume: the others are compared with nothing, and some of them keep llvm-mca busy for ever.
local function certain(m, asked, texts)
  local names, words = {}, {}
  for i, name in ipairs(asked) do
    if not m.schemes[name].assumed then names[#names + 1], words[#words + 1] = name, texts[i] end
  end
  return names, words
end

local models = {}

-- llvm-mca for a processor, its mapping and the model of that: made once.
local function model_of(cpu)
  if not models[cpu] then
    local p = assert(llvm_mca.open { version = "19", cpu = cpu })
    local m = assert(p:mapping(all_names(cpu)))
    models[cpu] = { p, m, assert(mapping.compile(m)) }
  end
  return table.unpack(models[cpu])
end

-- What the mapping says of a scheme alone; where it keeps a divider, LLVM's cycles.
local function mapped(m, model, name)
  local scheme, cycles = m.schemes[name], model:throughput { [name] = 1 }
  return scheme.status == "slower than ports" and math.max(cycles, scheme.tp) or cycles
end

describe("llvm-mca's mapping", function()
  for _, cpu in ipairs { "skylake", "haswell", "znver3", "znver4", "sapphirerapids" } do
    with("says of schemes what llvm-mca says, for " .. cpu, function()
      local p, m, model = model_of(cpu)
      local asked, texts = questions(m, all_names(cpu))
      local compared, words = certain(m, asked, texts)
      local same, known = 0, 0
      for i, answer in ipairs(block_throughputs(p, words)) do
        local name = compared[i]
        if answer.cycles then
          local cycles = mapped(m, model, name)
          known = known + 1
          -- llvm-mca adds no uops of smaller groups to larger ones that hold them: only then may the mapping be slower
          assert(cycles > 0.99 * answer.cycles - 0.001, ("%s: %g, llvm-mca says %g"):format(name, cycles, answer.cycles))
          if cycles < 1.01 * answer.cycles + 0.001 then
            same = same + 1
          else
            assert(#m.schemes[name].uops > 1, ("%s: %g, llvm-mca says %g"):format(name, cycles, answer.cycles))
          end
        end
      end
      assert(known > 0.8 * #asked and same > 0.98 * known, ("%d of %d alike"):format(same, known))
    end)
  end

  with("is never slower than the simulation, over all schemes", function()
    local p, m, model = model_of "znver3"
    local asked, experiments = questions(m, all_names "znver3"), {}
    for i, name in ipairs(asked) do experiments[i] = { [name] = 1 } end
    local alike = 0
    for i, answer in ipairs(p:throughput(experiments)) do
      local cycles = mapped(m, model, asked[i])
      assert.is_nil(answer.error)
      assert(cycles < 1.01 * answer.cycles + 0.005, ("%s: %g, llvm-mca simulates %g"):format(asked[i], cycles, answer.cycles))
      if cycles > 0.95 * answer.cycles then alike = alike + 1 end
    end
    assert(alike > 0.9 * #asked, ("%d of %d alike"):format(alike, #asked))
  end)

  with("has what waits for itself when it is not cut", function()
    process.in_directory(function(directory)
      local set = directory .. "/set.lua"
      assert(file.write(set, 'return { { name = "few", schemes = { "adc r64, r64", "mul r64", "shl r64, cl", "cdqe" } } }'))
      local name = "llvm-mca-19:skylake"
      local r = process.run { args = { process.portolan, "predict", "--predictor", "mapping:" .. name .. "#" .. set, "--predictor", name .. ",steady",
        "adc rcx, rdx" }, env = { XDG_CACHE_HOME = directory } }
      assert.equal(0, r.status, r.err)
      assert.matches("0%.500", r.out) -- p06
      assert.matches("1%.000", r.out) -- a dependency
    end)
  end)

  with("is of all schemes that the decoder knows, unless a set is named", function()
    process.in_directory(function(directory)
      local r = process.run { args = { process.portolan, "predict", "--predictor", "mapping:llvm-mca-19:skylake", "push rbx; addsd xmm1, xmm2",
        "pop rcx", "--hex", "662e0f1f840000000000" }, env = { XDG_CACHE_HOME = directory } }
      assert.equal("", (r.err:gsub("mapping of llvm%-mca%-19:skylake: [^\n]*\n", "")))
      assert.equal(0, r.status)
      assert.is_nil(r.out:find "does not explain")
    end)
  end)

  -- Reading one took 1.3 s of the processor, and the list of schemes 0.4 s beside that.
  with("is shown in the making on a terminal, read fast once it is made, and the same", function()
    process.in_directory(function(directory)
      assert(file.write(directory .. "/load.lua", [[
        local m = assert(portolan.mapping.load "llvm-mca-19:znver3")
        print(os.clock())
        assert(portolan.mapping.save(m, arg[1]))]]))
      local made = process.run { args = { "script", "-qec", ("'%s' repl '%s/load.lua' '%s/made.json'"):format(process.portolan, directory, directory),
        "/dev/null" }, env = { XDG_CACHE_HOME = directory, TERM = "xterm" }, seconds = 300 }
      assert.equal(0, made.status, made.out)
      assert.matches("mapping of llvm%-mca%-19:znver3: stage 1 of 2, resources of all instructions.*stage 2 of 2", made.out)
      local r = process.run { args = { process.portolan, "repl", directory .. "/load.lua", directory .. "/read.json" },
        env = { XDG_CACHE_HOME = directory } }
      local seconds = tonumber(r.out)
      assert.equal(file.read(directory .. "/made.json"), file.read(directory .. "/read.json"))
      if (os.getenv "PORTOLAN_SANITIZE" or "") == "" then assert.is_true(seconds < 0.4 * process.slowness, seconds) end
    end)
  end)
end)
