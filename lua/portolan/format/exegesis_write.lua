--- llvm-exegesis' files of benchmarks (YAML): writing, for its analysis, which says where LLVM's scheduling model and measurements disagree.
--
-- One document for each scheme and one kind of measurement, as a file may only have one: the inverse throughput alone, the latency, or the number of
-- issue slots (LLVM's NumMicroOps). The snippet is one instance of the scheme: what it stands for was measured with other registers and in a loop.
-- @module portolan.format.exegesis_write
local json = require "portolan.support.json"
local latency_number = require "portolan.mapping.latency_number"
local mapping = require "portolan.mapping"

local writer = {}

-- Kinds of measurements: the key of the value, and function(name, entry) -> value, nil if it is not known.
local kinds = {
  inverse_throughput = { key = "inverse_throughput", of = function(_, entry) return entry.tp and entry.tp > 0 and entry.tp or nil end },
  latency = { key = "latency", of = latency_number.longest },
  uops = { key = "NumMicroOps", of = function(_, entry) return entry.uops and (entry.slots or 1) or nil end },
}

--- The kinds of measurements, sorted.
writer.kinds = { "inverse_throughput", "latency", "uops" }

-- A YAML scalar in single quotes, of text without line ends.
local function quoted(text) return "'" .. text:gsub("'", "''") .. "'" end

local function hexadecimal(bytes) return (bytes:gsub(".", function(c) return ("%02X"):format(c:byte()) end)) end

local ret = "C3" -- what ends a snippet

local function document(kind, value, instruction, options)
  local number = json.encode(value)
  return table.concat {
    "---\nmode:            ", kind, "\nkey:\n  instructions:\n    - ", quoted(instruction.text), "\n  config:          ''\n",
    "  register_initial_values: []\ncpu_name:        ", options.cpu, "\nllvm_triple:     ", options.triple, "\nmin_instructions: 1\n",
    ("measurements:\n  - { key: %s, value: %s, per_snippet_value: %s, validation_counters: {} }\n"):format(kinds[kind].key, number, number),
    "error:           ''\ninfo:            ", quoted(options.info), "\nassembled_snippet: ", hexadecimal(instruction.bytes), ret, "\n...\n",
  }
end

--- The text of a mapping's measurements of one kind.
-- @param m valid mapping
-- @param kind one of `writer.kinds`
-- @param instructions scheme -> `{ text =, bytes = }` (`portolan.predictor.llvm_mca.llvm_mc`)
-- @param options `{ cpu = LLVM's name of the processor, triple = optional }`
-- @return text; `{ kept =, unknown = schemes without such a measurement, unnamed = schemes that LLVM has no words for }`
function writer.encode(m, kind, instructions, options)
  local given = { cpu = options.cpu, triple = options.triple or "x86_64-pc-linux-gnu", info = "measured by Portolan" }
  local parts, counts = {}, { kept = 0, unknown = 0, unnamed = 0 }
  for _, name in ipairs(mapping.schemes(m)) do
    local value = kinds[kind].of(name, m.schemes[name])
    if not value then
      counts.unknown = counts.unknown + 1
    elseif not instructions[name] then
      counts.unnamed = counts.unnamed + 1
    else
      parts[#parts + 1] = document(kind, value, instructions[name], given)
      counts.kept = counts.kept + 1
    end
  end
  return table.concat(parts), counts
end

return writer
