-- For tests: a made-up chart of real scheme names, as large as one likes. Deterministic.
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local isa = require "portolan.scheme.isa"
local mapping = require "portolan.mapping"
local scheme_set = require "portolan.scheme.set"

local synthetic_chart = {}

local ports = { "0", "1", "2", "3", "4", "5", "6", "7" }
local function set(text)
  local list = {}
  for port in text:gmatch "." do list[#list + 1] = port end
  return list
end

-- Port sets of register uops by what is in a category's name, first match counts.
local by_category = {
  { "SHIFT", "06" }, { "ROTATE", "06" }, { "LOGICAL_FP", "015" }, { "LOGICAL", "0156" }, { "BINARY", "0156" }, { "CMOV", "06" },
  { "CONVERT", "01" }, { "FMA", "01" }, { "BROADCAST", "5" }, { "KMASK", "0" }, { "BITBYTE", "1" }, { "BMI", "15" }, { "AES", "0" },
  { "BLEND", "015" }, { "DATAXFER", "015" }, { "SETCC", "06" }, { "FLAG", "06" }, { "GFNI", "05" }, { "IFMA", "0" },
}
local floods = { { "imul r64, r64", "1" }, { "vpermd ymm, ymm, ymm", "5" }, { "shl r64, imm8", "06" }, { "vaddps ymm, ymm, ymm", "01" },
  { "mov r64, m64", "23" }, { "vpaddd ymm, ymm, ymm", "015" }, { "pdep r64, r64, r64", "1" }, { "vpand ymm, ymm, ymm", "015" } }

local statuses = { "eliminated at rename", "microcoded", "slower than ports", "input-dependent", "unstable", "unsupported here",
  "contradicting" }
local with_ports = { explained = true, ["slower than ports"] = true }

local function hash(text)
  local h = 0xcbf29ce484222325
  for i = 1, #text do h = (h ~ text:byte(i)) * 0x100000001b3 end
  return (h >> 20) & 0xfffff
end

local function uops_of(scheme, h)
  local base = "05"
  for _, entry in ipairs(by_category) do
    if scheme.category:find(entry[1], 1, true) then base = entry[2] break end
  end
  local uops = { { set(base), 1 + (h % 23 == 0 and 1 or 0) } }
  for _, operand in ipairs(scheme.operands) do
    if operand.kind == "memory" and operand.access:find "r" then uops[#uops + 1] = { set "23", 1 } end
    if operand.kind == "memory" and operand.access:find "w" then
      uops[#uops + 1] = { set "4", 1 }
      uops[#uops + 1] = { set "237", 1 }
    end
  end
  if h % 11 == 0 then uops[#uops + 1] = { set "5", 1 } end
  return uops
end

-- Floods of every known set with one instance of the scheme; readings are up to 0.3% off what the mapping says.
local function witnesses(compiled, name, h)
  local list = {}
  for i, flood in ipairs(floods) do
    if flood[1] ~= name then
      local k = 6 * #flood[2]
      local e = { [flood[1]] = k, [name] = 1 }
      local expected = compiled:throughput(e) or k / #flood[2]
      local n = math.floor((expected - k / #flood[2]) * #flood[2] + 0.5)
      list[#list + 1] = { experiment = experiment.format(e), expected = expected, cycles = expected * (1 + ((h + i) % 7 - 3) / 1000),
        role = n > 0 and "shows" or "bounds",
        says = n > 0 and ("%d uop%s cannot evade p%s"):format(n, n > 1 and "s" or "", flood[2]) or "evades p" .. flood[2] }
    end
  end
  return list
end

local is_flood = {}
for _, flood in ipairs(floods) do is_flood[flood[1]] = flood[2] end

local function scheme_entry(name)
  local h = hash(name)
  local status = h % 9 == 0 and not is_flood[name] and statuses[h // 9 % #statuses + 1] or "explained"
  local entry = { status = status, slots = is_flood[name] and 1 or 1 + h % 3 // 2 }
  if is_flood[name] then
    entry.uops = { { set(is_flood[name]), 1 } }
  elseif with_ports[status] then
    entry.uops = uops_of(assert(isa.scheme(name)), h)
  end
  if status == "eliminated at rename" then entry.uops = {} end
  if status ~= "explained" then entry.note = ("made up: %d of a thousand"):format(h % 1000) end
  return entry
end

-- Measurements: cycles alone, and witnesses.
local function measure(compiled, name, entry)
  if entry.status == "unsupported here" then return end
  local h = hash(name)
  entry.tp = compiled:throughput { [name] = 1 } or 1 + h % 8
  if entry.status == "slower than ports" then entry.tp = 2 * entry.tp end
  entry.witnesses = witnesses(compiled, name, h)
  if entry.status == "contradicting" then
    entry.witnesses[1].role, entry.witnesses[1].cycles = "contradicts", entry.witnesses[1].cycles * 1.2
  end
end

local function evaluation(compiled, names)
  local list, other, rng = {}, {}, core.base.rng(7)
  for i = 1, 500 do
    local e = {}
    for _ = 1, 5 do
      local name = names[rng:below(#names) + 1]
      e[name] = (e[name] or 0) + 1
    end
    local cycles = compiled:throughput(e)
    list[i] = { experiment = experiment.format(e), measured = cycles * (1 + rng:unit() * 0.1), modelled = cycles, binder = cycles * 1.02 }
    other[i] = cycles * (0.7 + rng:unit())
  end
  return { list = list, mape = 0.05, pearson = 0.99, kendall = 0.93, metric = "IPC", binder = { mape = 0.04, pearson = 0.99, kendall = 0.95 },
    others = { { name = "llvm-mca-19", mape = 0.21, pearson = 0.9, kendall = 0.8, cycles = other },
      { name = "a table", mape = 0.3, pearson = 0.8, kendall = 0.7 } } }
end

local function disagreements(m, names)
  local list, verdicts = {}, { "ours", "ours", "theirs", "neither", "undecided" }
  for i, name in ipairs(names) do
    if i % 17 == 0 then
      list[#list + 1] = { scheme = name, usage = mapping.usage(m.schemes[name]), reference_usage = i % 2 == 0 and "p05" or "p015",
        experiment = "8*vpermd ymm, ymm, ymm + " .. name, ours = 9, theirs = 8, measured = i % 3 > 0 and 9.02 or nil,
        verdict = verdicts[i % 5 + 1] }
    end
  end
  return { reference = "llvm-mca-19 -mcpu=made-up", renaming = { ["0"] = "SKXPort0", ["1"] = "SKXPort1" }, list = list }
end

-- The chart of a set of schemes (scheme_set), e.g. "all" (some 2,000) or "starter".
function synthetic_chart.of(set_name)
  local groups = assert(scheme_set.load(set_name))
  local m = { format = "portolan-mapping", version = 1, ports = ports, rmax = 4, schemes = {}, processor = { name = "made up" } }
  local misfits, explained = {}, {}
  for _, group in ipairs(groups) do
    for _, name in ipairs(group.schemes) do
      local entry = scheme_entry(name)
      m.schemes[name] = entry
      if entry.status == "explained" then
        explained[#explained + 1] = name
      else
        misfits[#misfits + 1] = { scheme = name, status = entry.status, evidence = entry.note }
      end
    end
  end
  for _, flood in ipairs(floods) do
    if not m.schemes[flood[1]] then m.schemes[flood[1]] = scheme_entry(flood[1]) end
  end
  local compiled = assert(mapping.compile(m))
  for name, entry in pairs(m.schemes) do measure(compiled, name, entry) end
  for _, misfit in ipairs(misfits) do misfit.experiments = m.schemes[misfit.scheme].witnesses end
  return {
    title = "Chart of the execution ports of", date = "2024-01-02", seconds = 7020, version = "0.1", rmax = 4,
    machine = { cpu = "Made-up 2000", cores = 2, hypervisor = "KVM", counters = false }, mapping = m, groups = groups, misfits = misfits,
    evaluation = evaluation(compiled, explained), disagreements = disagreements(m, explained),
    counting = { source = "issue slots", says = "Numbers of uops are the issue slots measured with NOPs; stores have one more." },
    agreement = { runs = 3, agree = #explained - 2, disagree = { explained[1], { scheme = explained[2], usages = { "p05", "p015" } } } },
    inference = { experiments = 12000, seconds = 6000, epsilon = 0.01, open = {} }, provenance = { seed = 1, command = "portolan chart --set all" },
  }
end

return synthetic_chart
