-- Simulated cores with known latencies, for latency_spec.lua and tests/bench/latency.lua.
require "portolan"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local place = require "portolan.scheme.place"
local rng = require("portolan.core").base.rng
local scheme_set = require "portolan.scheme.set"
local tables = require "portolan.predictor.llvm_mca.tables"
local llvm_mca = require "portolan.predictor.llvm_mca"

local truth = {}

local late = 5 -- cycles by which operands in registers may come later than addresses of loads, as with LLVM's ReadAfterLd

local zeroing = lists.set { "xor", "sub", "pxor", "vpxor", "xorps", "vxorps", "psubd", "vpsubd" }

local function latency_of(scheme, from, cycles)
  local loads = lists.any(scheme.operands, function(o) return o.kind == "memory" and o.access:find "r" end)
  local at = place.parse(from, scheme)
  if loads and (at.kind == "register" or at.kind == "flag") then return math.max(1, cycles - late) end
  return cycles
end

-- Cycles of a base that is written back: one from itself and from what is added; nil from anything else, which it does not wait for. And of what
-- is added behind an access, to anything else: none.
local function of_moving(scheme, from, to)
  local base = tonumber(to:match "^(%d+)%.base$")
  local at = place.parse(from, scheme)
  local behind = at.kind == "register" and at.operand > 1 and scheme.operands[at.operand - 1].kind == "memory"
  if base then return true, (at.kind == "base" or behind) and 1 or nil end
  return behind, 0
end

--- The latencies of all pairs of a scheme whose latency is so many cycles.
function truth.latencies(name, cycles)
  local list, scheme = {}, isa.scheme(name)
  for _, from in ipairs(place.inputs(name) or {}) do
    for _, to in ipairs(place.outputs(name) or {}) do
      local entry = { from = from, to = to, cycles = latency_of(scheme, from, cycles) }
      local moving, own = of_moving(scheme, from, to)
      if moving then entry.cycles = own end
      if zeroing[scheme.mnemonic] and scheme.operands[2].kind == "register" and from:find "^[12]$" then entry.same = 0 end
      if entry.cycles then list[#list + 1] = entry end
    end
  end
  return list
end

-- Ports of a small core, with the cycles that a scheme's results take.
local small = {
  ["imul r64, r64, imm8"] = { "1", 3 }, ["imul r64, r64"] = { "1", 3 }, ["add r64, r64"] = { "0156", 1 }, ["sub r64, r64"] = { "0156", 1 },
  ["xor r64, r64"] = { "0156", 1 }, ["and r64, r64"] = { "0156", 1 }, ["test r64, r64"] = { "0156", 1 }, ["cmp r64, r64"] = { "0156", 1 },
  ["lea r64, m"] = { "15", 1 }, ["cmovb r64, r64"] = { "06", 1 }, ["cmovz r64, r64"] = { "06", 1 }, ["cmovs r64, r64"] = { "06", 1 },
  ["cmovo r64, r64"] = { "06", 1 }, ["cmovp r64, r64"] = { "06", 1 }, ["setb r8"] = { "06", 1 }, ["setz r8"] = { "06", 1 },
  ["adc r64, r64"] = { "06", 1 }, ["movzx r32, r8"] = { "0156", 1 }, ["vmovq xmm, r64"] = { "5", 2 }, ["vmovq r64, xmm"] = { "0", 3 },
  ["vpmuludq xmm, xmm, xmm"] = { "01", 5 }, ["vmulpd xmm, xmm, xmm"] = { "01", 4 }, ["vpaddd xmm, xmm, xmm"] = { "015", 1 },
  ["vpxor xmm, xmm, xmm"] = { "015", 1 }, ["vmovmskpd r32, xmm"] = { "0", 3 }, ["vptest xmm, xmm"] = { "0", 4 }, ["bsf r64, r64"] = { "1", 3 },
  ["mov r64, m64"] = { "23", 5 }, ["popcnt r64, r64"] = { "1", 3 }, ["mov r64, r64"] = { false, 0 },
}

--- A small core whose latencies are known.
-- @param[opt] changed scheme -> { ports, cycles } in place of the usual ones
-- @return mapping
function truth.small(changed)
  local m = { format = mapping.format, version = mapping.version, ports = { "0", "1", "2", "3", "5", "6" }, rmax = 4, schemes = {} }
  for name, usual in pairs(small) do
    local ports, one = {}, changed and changed[name] or usual
    for port in (one[1] or ""):gmatch "." do ports[#ports + 1] = port end
    m.schemes[name] = { uops = one[1] and { { ports, 1 } } or {}, status = one[1] and "explained" or "eliminated at rename", slots = 1,
      latencies = truth.latencies(name, one[2]) }
  end
  -- Several uops that keep its ports busy for longer than its result takes.
  m.schemes["xchg r64, r64"] = { uops = { { { "1", "5" }, 8 } }, status = "explained", slots = 8, latencies = truth.latencies("xchg r64, r64", 2) }
  return m
end

local sets = { x86_64 = { "avx2", "scalar", "sse" }, aarch64 = { "all", "moving", "flags" } }

-- Names of all schemes of the sets, in an order that the seed decides; those that chains need come first.
local function names_of(architecture, seed)
  local first, rest, seen = {}, {}, {}
  local data = dofile(("%s/%s/connectors.lua"):format(os.getenv "PORTOLAN_ARCH", architecture))
  local function add(list, name)
    if not seen[name] then list[#list + 1], seen[name] = name, true end
  end
  for _, part in ipairs { data.delays, data.connectors } do
    for _, c in ipairs(part) do
      if not c.scheme:find "mm, mm$" and not c.scheme:find "zmm" and not c.scheme:find "^k" then add(first, c.scheme) end
    end
  end
  for _, set in ipairs(sets[architecture]) do
    for _, group in ipairs(assert(scheme_set.load(set, architecture))) do
      for _, name in ipairs(group.schemes) do add(rest, name) end
    end
  end
  local random = rng(seed)
  for i = #rest, 2, -1 do
    local k = random:below(i) + 1
    rest[i], rest[k] = rest[k], rest[i]
  end
  return table.move(rest, 1, #rest, #first + 1, first)
end

-- The mapping of a model, with the schemes of the sets that stand apart.
local function whole_mapping(model)
  local whole = assert(mapping.load(model))
  for _, set in ipairs(mapping.architecture(whole) == "aarch64" and sets.aarch64 or {}) do
    for name, scheme in pairs(assert(mapping.load(("%s#%s"):format(model, set))).schemes) do whole.schemes[name] = whole.schemes[name] or scheme end
  end
  return whole
end

--- A core with ports and latencies of a model of LLVM's.
-- @param model such as "llvm-mca-19:sapphirerapids"
-- @param count schemes
-- @return mapping with latencies; or nil and a message
function truth.of_llvm(model, count, seed)
  local version, cpu = model:match "^llvm%-mca%-(%d+):(.+)$"
  local tool, message = llvm_mca.open { version = version, cpu = cpu }
  if not tool then return nil, message end
  local whole = whole_mapping(model)
  local names = names_of(mapping.architecture(whole), seed)
  local entries = tables.read(tool, names)
  local m = { format = whole.format, version = whole.version, ports = whole.ports, rmax = whole.rmax, schemes = {} }
  local n = 0
  for _, name in ipairs(names) do
    local scheme, entry = whole.schemes[name], entries[name]
    if n < count and scheme and scheme.uops and scheme.status == "explained" and entry.latency and entry.latency < 100 then
      local copy = lists.copy(scheme)
      copy.witnesses, copy.latencies, n = nil, truth.latencies(name, #scheme.uops == 0 and 0 or math.max(1, entry.latency)), n + 1
      m.schemes[name] = copy
    end
  end
  return m
end

--- The same mapping as one who measures has it: without latencies.
function truth.ports_only(m)
  local copy = lists.copy(m)
  copy.schemes = {}
  for name, scheme in pairs(m.schemes) do
    local one = lists.copy(scheme)
    one.latencies = nil
    copy.schemes[name] = one
  end
  return copy
end

--- How well an outcome agrees with the truth.
function truth.compare(m, found)
  local score = { schemes = 0, determined = 0, exact = 0, intervals = 0, contained = 0, same = 0, same_right = 0, wrong = {} }
  local function wrong(text, ...) table.insert(score.wrong, text:format(...)) end
  for _, name in ipairs(lists.keys(m.schemes)) do
    local known = {}
    for _, entry in ipairs(m.schemes[name].latencies) do known[entry.from .. ">" .. entry.to] = entry end
    score.schemes = score.schemes + 1
    for _, entry in ipairs(found.latencies[name] or {}) do
      local true_one = known[entry.from .. ">" .. entry.to]
      local cycles = true_one.cycles
      if entry.low then
        score.intervals = score.intervals + 1
        if entry.low - 1e-6 <= cycles and cycles <= entry.high + 1e-6 then score.contained = score.contained + 1
        else wrong("%s [%s > %s]: %g, not in %g to %g", name, entry.from, entry.to, cycles, entry.low, entry.high) end
      else
        score.determined = score.determined + 1
        if math.abs(entry.cycles - cycles) < 1e-6 and not entry.independent then score.exact = score.exact + 1
        else wrong("%s [%s > %s]: %g, found %g%s", name, entry.from, entry.to, cycles, entry.cycles, entry.independent and " independent" or "") end
      end
      if entry.same then
        score.same = score.same + 1
        if entry.same == true_one.same then score.same_right = score.same_right + 1 else wrong("%s: same %g", name, entry.same) end
      end
    end
  end
  return score
end

return truth
