--- The processor of this machine: answers experiments by measuring them.
--
-- An experiment is turned into loop bodies (Algorithm 3.1) in several variants: the unroll factors and, where it accesses
-- memory, the layouts of the register policy. The fastest variant's result counts (dissertation section 3.2.1 and Appendix D);
-- docs/measuring.md tells how samples are taken and judged.
-- @module portolan.processor.hardware
local answer = require "portolan.processor.answer"
local architectures = require "portolan.support.architectures"
local chain = require "portolan.experiment.chain"
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local experiment = require "portolan.experiment"
local hash = require "portolan.support.hash"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"
local memory_use = require "portolan.scheme.memory_use"
local real_blocks = require "portolan.processor.real_blocks"

local hardware = {}
hardware.__index = hardware

for _, part in ipairs { "hardware_counters", "hardware_probes", "hardware_schemes" } do
  for name, method in pairs(require("portolan.processor." .. part)) do hardware[name] = method end
end

-- Part of every key in the store: results of another way of measuring are not mixed with these.
local method = "m9"
local chain_links = { 40, 80 } -- in a loop body of a chain, about: what happens once per iteration is off the chain
local reordered = 2 -- which of the numbers of instructions to unroll to has another order
local unroll_of_jumps = 12 -- instances, with some seven NOPs and idioms each: the loop's own two still do not count
local most_instances = 500 -- longer loop bodies leave the cache of decoded instructions

-- The register policy, and a digest of its text.
local function load_policy(path)
  local policy, text = loop_body.declared(path)
  if not policy then return nil, text end
  return policy, hash.hex(text)
end

--- Opens the processor: calibrates clock and noise gate.
-- @tparam[opt] table options
-- @tparam[opt] table options.store a portolan.experiment.store; results are kept there and not measured again
-- @tparam[opt=1] int options.seed of the order of visits
-- @tparam[opt=10] number options.patience seconds to wait for quiet when calibrating, and for each batch of 64 experiments
-- @tparam[opt=0] number options.wait seconds to go on trying, in all, while the machine is noisy
-- @tparam[opt] int options.cpu number of the processor to measure on; by default the quieter ones of one kind
-- @tparam[opt] string options.core_kind name of the kind of cores to measure on, where there are several (`portolan.cpu.kinds`); by default
-- that of `cpu`, or the fastest
-- @tparam[opt] boolean options.again measure even what the store has
-- @tparam[opt] boolean options.pointers general registers start as pointers into accessible memory; for code that is not from Algorithm 3.1
-- @tparam[opt] string options.policy path of a register policy
-- @tparam[opt] boolean options.uncalibrated code only gets its status
-- @return processor; or nil, message, status
function hardware.open(options)
  options = options or {}
  local measurable, why = architectures.check_measurable()
  if not measurable then return nil, why end
  local kind, cpus = cpu.usable(options.cpu, options.core_kind)
  if not kind and cpus then return nil, cpus end
  local facts, message = cpu.facts(nil, options.cpu or cpus and cpus[1])
  if not facts then return nil, message end
  local declared, digest = load_policy(options.policy)
  if not declared then return nil, digest end
  local session, trouble, status = core.bench.open {
    cpu = options.cpu, cpus = cpus, seed = options.seed, patience = options.patience, pointers = options.pointers, adders = facts.adders,
    uncalibrated = options.uncalibrated,
  }
  if not session then return nil, trouble, status end
  return setmetatable({
    name = "hardware",
    facts = facts,
    measure_bodies = facts.architecture == "x86_64" and hardware.measure_bodies, -- the probes that ask for them are written for x86-64
    session = session,
    store = options.store,
    again = options.again,
    seed = options.seed or 1,
    patience = { seconds = options.wait or 0 },
    declared = declared,
    unroll = declared.unroll,
    layouts = declared.layouts,
    policy = core.isa.policy(declared),
    kind = kind,
    key = ("%s%s/%s/%s"):format(facts.key, kind and "-" .. kind or "", method, digest),
    readings = {},
    rounds = {},
    started = core.base.now(),
  }, hardware)
end

--- Opens the processor; on a machine that is too noisy to be calibrated, tries again for some time.
-- @param seconds
-- @param[opt] options of `open`
-- @param[opt] waiting function(seconds left, why), after each try
-- @return processor; or nil, message, status ("interrupted" after Ctrl-C)
function hardware.open_within(seconds, options, waiting)
  local deadline = core.base.now() + seconds
  while true do
    local processor, why, status = hardware.open(options)
    local left = deadline - core.base.now()
    if processor then return processor end
    if core.base.interrupted() then return nil, why, "interrupted" end
    if status ~= "limit reached" or left <= 0 then return nil, why, status end
    if waiting then waiting(left, why) end
  end
end

--- Facts for the provenance of results: the processor, its clock, the noise met so far.
function hardware:describe()
  local f, d = self.facts, self.session:describe()
  return {
    cpu = f.cpu, vendor = f.vendor, family = f.family, model = f.model, stepping = f.stepping,
    microarchitecture = f.microarchitecture, known_ports = f.ports, kind_of_core = self.kind, cores = f.cores, hypervisor = f.hypervisor,
    tsc_hz = d.tsc_hz, frequency_hz = self.frequency, sentinel = d.sentinel,
    accepted = d.accepted, rejected = d.rejected, weather = d.weather, sample_cycles = d.long_cycles, timeline = self.rounds,
  }
end

-- Does any instance of the experiment access memory through the policy's layouts?
local function accesses_memory(e)
  return lists.any(experiment.schemes(e), function(name)
    local use = memory_use(name)
    return use.reads or use.writes
  end)
end

-- Does the experiment have branches that are taken?
local function jumps(e)
  return lists.any(experiment.schemes(e), function(name) return (core.isa.scheme(name) or {}).taken end)
end

-- The numbers of instructions to unroll to. Cores have few places for jumps in their fastest tables.
local function unrolls(self, e)
  if not jumps(e) then return self.unroll end
  return table.move(self.unroll, 1, #self.unroll, 2, { unroll_of_jumps })
end

-- The record of an experiment with its instances in an order that its text decides.
local function shuffled(e)
  local order, rng = {}, core.base.rng(1)
  for _, name in ipairs(experiment.schemes(e)) do
    for _ = 1, e[name] do order[#order + 1] = name end
  end
  rng:shuffle(order)
  return { e = e, order = order }
end

--- All variants of an experiment: all numbers of instructions to unroll to, of which one has the instances in another order (a core that binds uops
-- by their place among others may then be faster), and all layouts of memory.
-- @param e experiment
-- @param[opt] record of it that names an order, or a variant of operands (portolan.experiment.loop_body)
-- @return list of kernels for the session; or nil and why there is none
function hardware:kernels(e, record)
  if experiment.length(e) > most_instances then
    return nil, ("%d instances; at most %d can be measured as one experiment"):format(experiment.length(e), most_instances)
  end
  local kernels = {}
  for i, layout in ipairs(self.layouts) do
    for k, target in ipairs(unrolls(self, e)) do
      local kernel, message = loop_body.of(record or k == reordered and shuffled(e) or { e = e }, self.declared, target, layout.name)
      if not kernel then return nil, message end
      kernels[#kernels + 1] = kernel
    end
    if i == 1 and not accesses_memory(e) then break end
  end
  return kernels
end

-- The share of quiet samples over time, one point for every second in which something was measured.
local function note_quiet(rounds, time, quiet)
  local last = rounds[#rounds]
  if last and math.floor(last.t) == math.floor(time) then
    last.runs = last.runs + 1
    last.quiet = last.quiet + (quiet - last.quiet) / last.runs
  else
    rounds[#rounds + 1] = { t = time, quiet = quiet, runs = 1 }
  end
end

-- Runs lists of kernels that Portolan made itself.
function hardware:run(jobs, progress)
  for _, variants in ipairs(jobs) do
    for _, kernel in ipairs(variants) do kernel.generated = true end
  end
  return self:run_code(jobs, progress)
end

-- Runs lists of kernels on the session and notes the noise. Those that are not `generated` have processes of their own.
function hardware:run_code(jobs, progress)
  return self.session:run(jobs, function(done, _, quiet)
    note_quiet(self.rounds, core.base.now() - self.started, quiet)
    if progress then progress(done) end
  end)
end

-- Adds what the session does not know to its result.
function hardware:complete(result, kernels)
  local kernel = result.variant and kernels[result.variant]
  if kernel then
    result.layout, result.unroll = kernel.layout, kernel.unroll
    result.cuts, result.together = next(kernel.cuts or {}) and kernel.cuts, kernel.together -- of chains
  end
  if self.counting and result.status == "ok" then
    if result.counts then result.copies = kernel.copies else result.status = "not counted" end
  end
  result.variant = nil
  self.frequency = result.frequency or self.frequency
  return result
end

-- Gives registers other values, until what is returned is closed, by an error as well: later readings must not be taken with them.
local function other_values(self)
  self.session:operands(true)
  return setmetatable({}, { __close = function() self.session:operands(false) end })
end

--- Measures experiments with other values in the registers: an experiment that then takes another time depends on its input.
-- @param experiments list of experiments
-- @param[opt] options as of `measure`
-- @return as of `measure`
function hardware:measure_other_inputs(experiments, options)
  local jobs = {}
  for index, e in ipairs(experiments) do
    jobs[index] = { key = experiment.key(e) .. " @other inputs", kernels = function() return self:kernels(e) end }
  end
  local _ <close> = other_values(self)
  return answer(self, jobs, options)
end

--- Measures experiments. What the store has is not measured again; what is measured is stored batch by batch.
-- @param experiments list of experiments
-- @tparam[opt] table options
-- @tparam[opt] func options.progress function(done, total[, note])
-- @tparam[opt] boolean options.again one more reading of each: not the result that there is
-- @return list of results in the same order: `cycles` (inverse throughput), `status`, `n`, `rejected`, `spread`, `frequency`,
-- `layout`, `unroll`; after Ctrl-C those that are missing have status "interrupted"; or nil and a message
function hardware:measure(experiments, options)
  local jobs = {}
  for index, e in ipairs(experiments) do
    jobs[index] = { key = experiment.key(e), kernels = function() return self:kernels(e) end }
  end
  return answer(self, jobs, options)
end

--- All variants of a chain: all numbers of instructions to unroll to.
-- @param links of portolan.experiment.chain
-- @return list of kernels; or nil and why there is none
function hardware:chain_kernels(links)
  local fault = chain.fault(links)
  if fault then return nil, fault end
  local kernels = {}
  for i, target in ipairs(chain_links) do
    local kernel, message = loop_body.of_chain(links, self.declared, target)
    if not kernel then return nil, message end
    kernels[i] = kernel
  end
  return kernels
end

--- Measures chains (portolan.experiment.chain): the cycles of a round. What the store has is not measured again.
--
-- A chain tells its latencies if nothing else takes as long as they do: a round is never faster than `chain.experiment(links, result.cuts)`,
-- whose bound a mapping knows.
-- @param chains list of lists of links
-- @tparam[opt] table options as of `measure`
-- @tparam[opt] boolean options.other_inputs with other values in the registers
-- @return list of results in the same order, as of `measure`, with `cuts` = scheme -> how many instances a round has beside its links, and, where
-- links read further flags that come with the carrier, `together` = their numbers: then the longer way counts. The status is "unsupported" where
-- neighbours do not fit or other dependencies cannot be cut. Or nil and a message
function hardware:measure_chains(chains, options)
  local other, jobs = options and options.other_inputs or false, {}
  for index, links in ipairs(chains) do
    jobs[index] = { key = "chain: " .. chain.key(links) .. (other and " @other inputs" or ""), kernels = function()
      return self:chain_kernels(links)
    end }
  end
  local _ <close> = other and other_values(self)
  return answer(self, jobs, options)
end

--- Measures machine code as it is; nothing is stored.
-- @param blocks list of lists of variants `{ bytes = , copies = , vector_bits = }`: bytes of a loop body that holds `copies`
-- copies of what is measured
-- @param[opt] progress function(done)
-- @return list of results; or nil and a message
function hardware:measure_code(blocks, progress)
  local results, message = self:run_code(blocks, progress)
  if not results then return nil, message end
  for i, result in ipairs(results) do self:complete(result, blocks[i]) end
  return results
end

--- Measures code of real programs, of any registers and addresses (portolan.processor.real_blocks).
-- @tparam {string,...} blocks machine code
-- @param[opt] progress function(done, total)
-- @param[opt=portolan.block.real] form what they are: basic blocks, or loops (portolan.block.loop)
-- @return list of results; or nil and a message
function hardware:measure_blocks(blocks, progress, form)
  if self.facts.architecture ~= real_blocks.architecture then return nil, "code of programs is measured on x86-64 only" end
  return real_blocks.measure(self, blocks, progress, form)
end

--- Measures loop bodies.
-- @param jobs list of `{ key = what the body is, for the store, kernels = function() -> list of variants }`
-- @param[opt] options as of `measure`
-- @return list of results, as of `measure`; or nil and a message
function hardware:measure_bodies(jobs, options) return answer(self, jobs, options) end

--- Releases the worker's memory. The processor must not be used any more.
function hardware:close() self.session:close() end

return hardware
