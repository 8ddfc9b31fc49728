-- Measuring on this machine: agreement of five runs of the same batch, and experiments a second, next to a naive clock.
-- usage: scripts/portolan repl tests/bench/measure.lua    (nothing else should run meanwhile)
local core = require "portolan.core"
local hardware = require "portolan.processor.hardware"

local known = { -- inverse throughput where it is published: Skylake family, Golden Cove family
  { "add r64, r64", 0.25, 0.20 }, { "imul r64, r64", 1.0, 1.0 }, { "shl r64, imm8", 0.5, 0.5 }, { "vpaddd ymm, ymm, ymm", 1 / 3, 1 / 3 },
  { "vaddpd ymm, ymm, ymm", 0.5, 0.5 }, { "vpermd ymm, ymm, ymm", 1.0, 1.0 }, { "mov r64, m64", 0.5, 1 / 3 }, { "mov m64, r64", 1.0, 0.5 },
}
local runs = 5

local function quantiles(values)
  table.sort(values)
  return values[1], values[(#values + 1) // 2], values[#values]
end

local p = assert(hardware.open { patience = 30 })
local machine = p:describe()
local column = machine.microarchitecture and machine.microarchitecture:find("Cove") and 3
  or machine.microarchitecture and machine.microarchitecture:find("Lake") and 2 or nil
print(("%s (%s), %.2f GHz time stamps"):format(machine.cpu, machine.microarchitecture or "not known by name", machine.tsc_hz / 1e9))

-- What a clock without brackets and gate would say: ticks of the wall clock at the nominal frequency.
local function naive(result) return result.cycles and result.cycles * machine.tsc_hz / result.frequency end

local batch, values, plain, failures = {}, {}, {}, 0
for i, row in ipairs(known) do batch[i], values[i], plain[i] = { [row[1]] = 1 }, {}, {} end
for _ = 1, runs do
  for i, result in ipairs(assert(p:measure(batch))) do
    if result.status == "ok" then
      table.insert(values[i], result.cycles)
      table.insert(plain[i], naive(result))
    else
      failures = failures + 1
    end
  end
end

print(("\n%-24s %8s %8s %8s %7s %10s %9s %12s"):format("five runs", "min", "median", "max", "spread", "published", "deviation", "naive clock"))
for i, row in ipairs(known) do
  if #values[i] > 0 then
    local low, middle, high = quantiles(values[i])
    local _, raw = quantiles(plain[i])
    local expected = column and row[column]
    print(("%-24s %8.4f %8.4f %8.4f %6.2f%% %10s %9s %12.4f"):format(row[1], low, middle, high, 100 * (high - low) / middle,
      expected and ("%.3f"):format(expected) or "-", expected and ("%+.1f%%"):format(100 * (middle / expected - 1)) or "-", raw))
  else
    print(("%-24s unstable"):format(row[1]))
  end
end
print(("%d of %d results unstable"):format(failures, runs * #known))

-- Sustained rate: distinct experiments of two schemes each.
local list = {}
for i = 1, #known do
  for j = i + 1, #known do
    for a = 1, 5 do
      for b = 1, 5 do list[#list + 1] = { [known[i][1]] = a, [known[j][1]] = b } end
    end
  end
end
local start, ok = core.base.now(), 0
for _, result in ipairs(assert(p:measure(list))) do ok = ok + (result.status == "ok" and 1 or 0) end
local seconds = core.base.now() - start
local d = p:describe()
print(("\n%d different experiments in %.1f s: %.0f a second, %d ok; %.0f %% of samples quiet"):format(#list, seconds, #list / seconds, ok,
  100 * d.accepted / (d.accepted + d.rejected)))
p:close()
