--- `portolan doctor`: what this machine offers for measuring, and what of Portolan's company is installed.
-- @module portolan.cli.doctor
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local must = require("portolan.support.failure").check
local named = require "portolan.predictor.named"
local plural = require "portolan.support.plural"
local quietness = require "portolan.processor.quietness"
local terminal = require "portolan.support.terminal"
local ticker = require "portolan.progress.ticker"
local weather_words = require "portolan.machine.weather_words"
local wrap = require "portolan.support.wrap"

local command = { summary = "what this machine offers: CPU, counters, noise, tools" }

local most_processors = 8 -- looked at one by one
local most_columns = 120 -- of text for people
local sharing = "which of them share a core"

-- These layers keep measured code in (docs/security.md): the session's word for each, and ours.
local layers = { { "seccomp", "no system calls" }, { "privileges", "no new privileges" }, { "capabilities", "no capabilities" },
  { "landlock", "no files (Landlock)" }, { "namespaces", "own namespaces" }, { "limits", "limits" }, { "guards", "guard pages" } }

function command.configure(parser)
  parser:description("Tells what processor this is, whether it has cycle counters, what keeps measured code in, how quiet "
    .. "each of its processors is right now, which of them share a core, and which throughput predictors are installed.")
  parser:flag("--json", "print JSON")
end

-- The predictors that are installed, each version of llvm-mca once.
local function find_tools()
  local tools, seen = {}, {}
  for _, tool in ipairs(named.installed()) do
    local p = named.open(tool.name)
    local version = p and p.version
    if not (version and seen[version]) then tools[#tools + 1] = { name = tool.name, path = tool.path, version = version, doubt = tool.doubt } end
    if version then seen[version] = true end
  end
  return tools
end

-- Lists what is looked at, with the seconds it takes where it is quiet (portolan.progress.pace).
local function stages_of(numbers)
  local stages = {}
  for i = 1, math.min(#numbers, most_processors) do stages[i] = { name = "processor " .. numbers[i], seconds = 0.5 } end
  stages[#stages + 1] = { name = sharing, seconds = 1 }
  return stages
end

-- Additions a cycle that a processor is known for; cores of one system may differ.
local function adders_of(number)
  local facts = cpu.facts(nil, number)
  return facts and facts.adders
end

local function examine_processors()
  local list, all = {}, cpu.allowed()
  local line <close> = ticker.new { title = "doctor", stages = stages_of(all) }
  for i, number in ipairs(all) do
    if i > most_processors then break end
    line:update("processor " .. number)
    local share, calibration = quietness.quiet_share(number, adders_of(number))
    list[i] = { cpu = number, quiet = share or 0, trouble = not share and calibration or nil, calibration = share and calibration or nil }
  end
  line:update(sharing)
  if #all > 1 then
    local shares, quiet = quietness.shares_core(all[2], all[1], adders_of(all[2]))
    local known = shares ~= nil
    list.pair = { cpu = all[2], busy = all[1], shares_core = shares, quiet = known and quiet or nil, trouble = not known and quiet or nil }
  end
  return list
end

-- The layers of protection that a session has, as a set of words; or nil and why there is no session.
local function examine_sandbox()
  local session, message = core.bench.open { uncalibrated = true, patience = 0 }
  if not session then return nil, message end
  local held = session:describe().layers
  session:close()
  return held
end

local function examine()
  local facts = must(cpu.facts())
  local counter, reason = core.bench.counter()
  local processors = examine_processors()
  local pair = processors.pair
  processors.pair = nil
  facts.flags = nil
  local sandbox, trouble = examine_sandbox()
  local kinds = cpu.kinds()
  return { sandbox = { layers = sandbox, trouble = trouble }, version = core.version, machine = facts,
    counters = { available = counter == true, reason = reason }, processors = processors, kinds = #kinds > 0 and kinds or nil,
    pair = pair, tools = find_tools() }
end

local function x86_numbers(m) return ("%s family %d, model %d, stepping %d"):format(m.vendor, m.family, m.model, m.stepping) end

local function arm_numbers(m) return m.part and ("%s, part %s, %s"):format(m.vendor, m.model, m.stepping) or "unknown" end

local function print_machine(context, d)
  local m = d.machine
  context.out("%s\n", context.style(m.cpu, "bold"))
  context.out("  processor      %s%s\n", m.architecture == "aarch64" and arm_numbers(m) or x86_numbers(m),
    m.microarchitecture and ": " .. m.microarchitecture or ", not known by name")
  for i, kind in ipairs(d.kinds or {}) do
    context.out("  %-14s %s: processors %s\n", i == 1 and "kinds of cores" or "", kind.name, table.concat(kind.cpus, ", "))
  end
  if d.kinds then context.out("                 measured one kind at a time; the first, unless --core-kind names another\n") end
  context.out("  system         %s%s\n", plural(m.cores, "processor"), m.hypervisor and ", under a hypervisor" or "")
  context.out("  counters       %s\n", d.counters.available and "cycles can be counted in user mode"
    or "none: cycles come from the calibrated clock\n                 (" .. (d.counters.reason or "?") .. ")")
end

local function print_sandbox(context, d)
  local held, missing = {}, {}
  for _, layer in ipairs(d.sandbox.layers and layers or {}) do
    local list = d.sandbox.layers[layer[1]] and held or missing
    list[#list + 1] = layer[2]
  end
  context.out("  sandbox        %s\n", d.sandbox.trouble or table.concat(held, ", "))
  if d.sandbox.layers and d.sandbox.layers.emulator then
    context.out("                 this processor is emulated (qemu): code runs without seccomp filters, and nothing can be timed\n")
  end
  if #missing > 0 then context.out("                 not available here: %s\n", table.concat(missing, ", ")) end
end

local function print_noise(context, d)
  for _, p in ipairs(d.processors) do
    if p.calibration then
      local c = p.calibration
      context.out("  processor %-4d %3.0f %% quiet; %s GHz (time stamps %.2f), operation %.3f, imul %d cycles\n", p.cpu, 100 * p.quiet,
        c.frequency_hz and ("%.2f"):format(c.frequency_hz / 1e9) or "?", c.tsc_hz / 1e9, c.sentinel, c.imul_latency)
    else
      context.out("  processor %-4d %s\n", p.cpu, p.trouble)
    end
  end
  if d.pair and d.pair.trouble then
    context.out("  sharing        whether processors %d and %d share a core: %s\n", d.pair.busy, d.pair.cpu, d.pair.trouble)
  elseif d.pair then
    context.out("  sharing        a busy processor %d %s processor %d (%.0f %% quiet)\n", d.pair.busy,
      d.pair.shares_core and "disturbs" or "does not disturb", d.pair.cpu, 100 * d.pair.quiet)
  end
end

-- Shares of undisturbed windows by their length, a processor a line, where the session knows them.
local function print_windows(context, d)
  local any = false
  for _, p in ipairs(d.processors) do
    local text = p.calibration and weather_words.windows(p.calibration.weather)
    if text and not any then context.out("  windows of so many cycles that pass undisturbed:\n") end
    if text then context.out("    processor %-2d %s\n", p.cpu, text) end
    any = any or text ~= nil
  end
end

-- The facts that words on the weather need. They are those of the quietest processor, as charts measure there.
local function quietest(d)
  local best
  for _, p in ipairs(d.processors) do
    if p.calibration and (not best or p.quiet > best.quiet) then best = p end
  end
  local c = best and best.calibration
  return best and { clean = best.quiet, length = c.sample_cycles, by_length = c.weather, shared = c.shared, quietest = true }
end

local function print_verdict(context, d)
  local facts = quietest(d)
  if not facts then return context.out("  verdict        no processor can be measured on now\n") end
  context.out("  verdict        %s\n", weather_words.verdict(facts))
  local width = math.min(most_columns, terminal.width(io.stdout))
  for _, text in ipairs(weather_words.advice(facts)) do context.out("%s\n", wrap(text, width, (" "):rep(17))) end
end

local function print_tools(context, d)
  for _, tool in ipairs(d.tools) do
    context.out("  %-20s %s%s\n", tool.name, tool.version or tool.path, tool.doubt and (" (%s)"):format(tool.doubt) or "")
  end
  if #d.tools == 0 then context.out("  predictors     none found (llvm-mca, osaca, uiCA.py, ...)\n") end
end

function command.run(args, context)
  local d = must(examine())
  if args.json then
    context.write_json(d)
  else
    print_machine(context, d)
    print_sandbox(context, d)
    print_noise(context, d)
    print_windows(context, d)
    print_verdict(context, d)
    print_tools(context, d)
  end
  return 0
end

return command
