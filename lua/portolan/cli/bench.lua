--- `portolan bench`: the inverse throughput of code on this machine, with the evidence.
-- @module portolan.cli.bench
local block = require "portolan.block"
local chain = require "portolan.experiment.chain"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local hardware = require "portolan.processor.hardware"
local limits = require "portolan.support.limits"
local lines = require "portolan.support.lines"
local listing = require "portolan.cli.listing"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local printable = require "portolan.support.printable"

local command = { summary = "measure code on this CPU", interruptible = true }

function command.configure(parser)
  parser:description("Measures the inverse throughput, in core cycles, of blocks of code that run in a loop: assembler text, machine "
    .. "code, experiments, whose operands are chosen so that nothing but the ports holds them up, or chains, in which nothing but the latencies "
    .. "from place to place does.")
  parser:argument("asm", "assembler text in Intel syntax, statements separated by ';'; - reads it from standard input"):args("*")
  parser:option("--hex", "machine code in hexadecimal"):argname("HEX"):count("*")
  parser:option("--experiment", "a sum of count*scheme, e.g. '2*add r64, r64 + imul r64, r64'"):argname("EXPERIMENT"):count("*")
  parser:option("--chain", "instructions that wait for each other, e.g. 'imul r64, r64 [2 > 1] -> add r64, r64 [1 > 1]': each reads at its first "
    .. "place what the one before wrote at its second, and the first what the last wrote; cycles of a round"):argname("CHAIN"):count("*")
  parser:option("--file", "file with an experiment a line; # begins a comment"):argname("FILE")
  parser:option("--patience", "seconds to wait for a quiet machine", "10"):convert(number.any("--patience", 0))
  parser:option("--cpu", "number of the processor to measure on; by default the quieter ones"):convert(number.whole("--cpu", 0, 1023))
  parser:option("--core-kind", "kind of cores to measure on, where there are several (portolan doctor lists them)")
  parser:option("--seed", "of the order of samples", "1"):convert(number.whole "--seed")
  parser:flag("--listing", "list the code: blocks, and loop bodies of experiments, as Capstone reads it")
  parser:flag("--json", "print JSON")
end

local hints = {
  ["unstable"] = "too few quiet samples agree; raise --patience",
  ["illegal instruction"] = "this CPU does not have it",
  ["memory fault"] = "a wild or misaligned access, an unbalanced stack, or a privileged instruction",
  ["arithmetic fault"] = "division by zero, or an overflow of the quotient",
  ["trap"] = "a breakpoint or trap instruction",
  ["system call"] = "the sandbox allows none",
  ["timeout"] = "the code did not come back",
  ["derailed"] = "the code left its loop",
  ["interrupted"] = "before there was a result",
}


-- One thing to measure: { title=, kernels=, code= }; or nil and a message.
local function from_block(title, code, message)
  if not code then return nil, message end
  return { title = title, code = code, kernels = block.kernels(code, { 40, 80, 200 }) }
end

local function one_line(text)
  local short = text:gsub("%s*\n%s*", "; "):gsub("%s+", " ")
  return #short > 60 and short:sub(1, 57) .. "..." or short
end

local function read_experiments(args)
  local list = lists.map(args.experiment, function(text) return { text = text, where = "--experiment" } end)
  if args.file then
    local content = must(file.read(args.file))
    local each = must(lines.of(content, args.file))
    for line_number, line in each do
      local text = line:match("^%s*(.-)%s*$")
      if text ~= "" and text:sub(1, 1) ~= "#" then list[#list + 1] = { text = text, where = ("%s:%d"):format(args.file, line_number) } end
    end
  end
  return list
end

-- Chains whose links fit: what cannot be made into code is a wrong question, and no failure of the machine.
local function read_chains(args)
  local chains, declared = {}, assert(loop_body.declared())
  for i, text in ipairs(args.chain) do
    local links, message = chain.parse(text)
    if not links then return nil, "--chain: " .. message end
    local body, trouble = loop_body.of_chain(links, declared, declared.unroll[1])
    if not body then return nil, ("--chain '%s': %s"):format(printable.line(text), printable.line(trouble)) end
    chains[i] = links
  end
  return chains
end

-- Everything asked for: blocks, experiments and chains; or nil and a message.
local function collect(args)
  local blocks, experiments = {}, {}
  for _, text in ipairs(args.asm) do
    if text == "-" then text = io.read(limits.code_bytes + 1) or "" end
    local job = must(from_block(one_line(text), block.from_text(text)))
    blocks[#blocks + 1] = job
  end
  for _, text in ipairs(args.hex) do
    local bytes, message = block.from_hex(text)
    if not bytes then return nil, "--hex: " .. message end
    local job, trouble = from_block(one_line(text), block.from_bytes(bytes))
    if not job then return nil, "--hex: " .. trouble end
    blocks[#blocks + 1] = job
  end
  local texts = must(read_experiments(args))
  for i, entry in ipairs(texts) do
    local e, trouble = experiment.parse(entry.text)
    if not e then return nil, entry.where .. ": " .. trouble end
    for name in pairs(e) do
      local known, why = core.isa.scheme(name)
      if not known then return nil, entry.where .. ": " .. why end
    end
    experiments[i] = e
  end
  local chains = must(read_chains(args))
  if #blocks + #experiments + #chains == 0 then return nil, "nothing to measure; give assembler text, --hex, --experiment, --chain or --file" end
  return blocks, experiments, chains
end

-- If the machine is too noisy to be calibrated, code that crashes still gets its status.
local function open_processor(args, pointers)
  local options = { patience = args.patience, cpu = args.cpu, core_kind = args.core_kind, seed = args.seed, pointers = pointers }
  local p, message, status = hardware.open(options)
  if p or status ~= "limit reached" then return p, message, status end
  options.uncalibrated, options.patience = true, 0
  return hardware.open(options)
end

-- Appends what measure(processor, items) says to the results, each with its name.
local function run(args, items, results, how)
  if #items == 0 then return true end
  local p = must(open_processor(args, how.pointers))
  local measured, trouble, kind = how.measure(p, items)
  p:close()
  if not measured then return nil, trouble, kind end
  for i, result in ipairs(measured) do
    result[how.key] = how.name(items[i])
    results[#results + 1] = result
  end
  return true
end

local ways = {
  blocks = { key = "block", pointers = true, name = function(job) return job.title end, measure = function(p, jobs)
    return p:measure_code(lists.map(jobs, function(job) return job.kernels end))
  end },
  experiments = { key = "experiment", name = experiment.format, measure = function(p, list) return p:measure(list) end },
  chains = { key = "chain", name = chain.format, measure = function(p, list) return p:measure_chains(list) end },
}

-- The code of a block, or the loop body of an experiment that counted; of one without cycles, the shortest.
local function print_listing(context, job, e, result, declared)
  if job then return listing.code(context, job.code) end
  listing.show(context, { e = e }, declared, result.unroll or declared.unroll[1], result.layout)
end

-- The loop body of a chain that counted; of one without cycles, a short one.
local function print_chain(context, links, result, declared)
  local body, message = loop_body.of_chain(links, declared, result.unroll or declared.unroll[1])
  if not body then return context.out("  no code: %s\n", printable.line(message)) end
  context.out("  %s\n", loop_body.chain_title(body))
  if #body.ahead > 0 then
    context.out("  ahead of the loop:\n")
    listing.code(context, { bytes = body.ahead })
    context.out("  loop:\n")
  end
  listing.code(context, body)
end

local function print_result(context, result)
  local title = result.block or result.experiment or result.chain
  if result.status == "ok" then
    local where = result.layout and result.layout ~= "line" and ", " .. result.layout or ""
    context.out("%9.3f cycles  %-30s %s\n", result.cycles, title, context.style(
      ("%d/%d samples, %.1f %%, %.2f GHz, x%d%s"):format(result.n, result.n + result.rejected, 100 * result.spread,
        result.frequency / 1e9, result.unroll or 1, where), "dim"))
  elseif result.range then
    context.out("%.3f to %.3f cycles  %-30s %s\n", result.range.low, result.range.high, title, context.style(
      "takes now less, now more, while the machine is quiet", "dim"))
  else
    context.out("%16s  %-30s %s\n", "-", title, result.status .. ": " .. (result.message or hints[result.status] or ""))
  end
end

function command.run(args, context)
  local blocks, experiments, chains = collect(args)
  if not blocks then return nil, experiments end
  local declared = assert(loop_body.declared())
  local results = {}
  for _, step in ipairs { { blocks, ways.blocks }, { experiments, ways.experiments }, { chains, ways.chains } } do
    must(run(args, step[1], results, step[2]))
  end
  local failed = false
  for i, result in ipairs(results) do
    failed = failed or result.status ~= "ok"
    if not args.json then
      print_result(context, result)
      if args.listing and result.chain then
        print_chain(context, chains[i - #blocks - #experiments], result, declared)
      elseif args.listing then
        print_listing(context, blocks[i], experiments[i - #blocks], result, declared)
      end
    end
  end
  if args.json then context.write_json(results) end
  return core.base.interrupted() and 130 or failed and 1 or 0
end

return command
