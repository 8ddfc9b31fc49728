--- A predictor of which every assumption has a name: `assume:mapping.json,width=6,latencies=llvm-mca-16:skylake,alias=no,code=loop`.
--
-- What it says is the largest of four bounds: of the ports of a mapping, of units that are busy for longer, of the front end, and of
-- dependencies (portolan.dependencies). So a campaign of two settings shows what one assumption changes. docs/predictors.md has a table of them.
-- @module portolan.predictor.adapters.assume
local core = require "portolan.core"
local dependencies = require "portolan.dependencies"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local isa = require "portolan.isa"
local latencies = require "portolan.predictor.assumed.latencies"
local mappings = require "portolan.mapping"
local model = require "portolan.model"
local name_settings = require "portolan.predictor.machinery.name_settings"
local protocol = require "portolan.predictor.machinery.protocol"

local assume = {}

local Assume = { deterministic = true }

local method = "a1" -- part of the version: changes when answers do

local branch = "jnz rel8" -- of the loop, fused with its counter

-- In the order in which they are written.
local order = { "width", "latencies", "load", "alias", "idioms", "code" }

-- Setting -> what it is unless given, and words that it may be besides a number.
local known = {
  width = { "mapping", words = { mapping = true, none = true }, least = 0.01 },
  latencies = { "none" },
  load = { "0" },
  alias = { "no", words = dependencies.aliasing },
  idioms = { "yes", words = { yes = true, no = true } },
  code = { "copies", words = { copies = true, loop = true } },
}

local most = 1e6 -- of a width or a latency

--- Facts for provenance: every assumption.
function Assume:describe()
  return { name = self.name, version = self.version, file = self.path, assumptions = self.settings,
    bounds = "the largest of ports, busy units, front end and dependencies" }
end

-- Cycles that ports and busy units take, and issue slots; nil and an answer where the mapping does not know.
local function resources(self, e, count)
  if not self.model then return 0, count end
  for name in pairs(e) do
    if not self.model:explains(name) then return nil, protocol.unsupported("the mapping does not explain " .. name) end
  end
  local p, message = self.model:predict_ports(e)
  if not p then return nil, { error = message } end
  return math.max(p.ports_cycles, self.model.units and (self.model.units:cycles(e)) or 0), p.slots
end

-- The front end's cycles. A loop adds its fused branch, and begins each iteration in a cycle of its own.
local function front_end(self, slots)
  local loop = self.settings.code == "loop"
  local cycles = self.width and (slots + (loop and 1 or 0)) / self.width or 0
  return loop and math.max(1, math.ceil(cycles - 1e-9)) or cycles
end

-- The latencies of all instructions; or nil and an answer.
local function latencies_of(self, accesses)
  local list = {}
  for i, access in ipairs(accesses) do
    local cycles, message = self.latencies.of(access.scheme)
    if not cycles then return nil, protocol.unsupported(message) end
    list[i] = cycles
  end
  return list
end

-- Cycles of an instruction's latency that are its load, by the bytes that it loads: up to 8, 16, or more.
local function load_of(self, access)
  local cycles = 0
  for _, memory in ipairs(access.memory) do
    local i = memory.bytes <= 8 and 1 or memory.bytes <= 16 and 2 or 3
    if memory.reads then cycles = math.max(cycles, self.load[i]) end
  end
  return cycles
end

-- The bound of dependencies; or nil and an answer.
local function waiting(self, bytes)
  if not self.latencies then return 0 end
  local waits, accesses = dependencies.of(bytes, { aliasing = self.settings.alias, idioms = self.settings.idioms == "yes" })
  if not waits then return nil, protocol.unsupported(accesses) end
  local list, answer = latencies_of(self, accesses)
  if not list then return nil, answer end
  local cycles, message = dependencies.bound(waits, #accesses, function(i, kind)
    return kind == "value" and math.max(0, list[i] - load_of(self, accesses[i])) or list[i]
  end)
  if not cycles then return nil, { error = message } end
  return cycles
end

-- The schemes of a block, in order; or nil and an answer. Positions on x87's stack are no registers.
local function schemes_of(bytes)
  local code, message = core.isa.decode(bytes)
  if not code then return nil, protocol.unsupported(message) end
  local names = {}
  for i, instruction in ipairs(code.instructions) do
    local scheme = isa.scheme(instruction.scheme)
    if scheme and scheme.extension == "X87" then return nil, protocol.unsupported "x87's stack is not modelled" end
    names[i] = instruction.scheme
  end
  return names
end

local function one(self, bytes, names)
  local e = experiment.of_list(names)
  if self.loop_branch then e[branch] = (e[branch] or 0) + 1 end
  local ports, slots = resources(self, e, #names)
  if not ports then return slots end
  if self.loop_branch then slots = slots - 1 end -- front_end counts it, with or without ports
  local waits, answer = waiting(self, bytes)
  if not waits then return answer end
  return { cycles = math.max(ports, front_end(self, slots), waits) }
end

-- Latencies of all blocks at once.
local function prepare(self, lists)
  if not (self.latencies and self.latencies.prepare) then return end
  local all, seen = {}, {}
  for _, names in pairs(lists) do
    for _, name in ipairs(names) do
      if not seen[name] then all[#all + 1], seen[name] = name, true end
    end
  end
  table.sort(all)
  self.latencies.prepare(all)
end

--- Answers of `predict`.
function Assume:answer(blocks)
  local answers, bytes, lists = {}, {}, {}
  for i, block in ipairs(blocks) do
    local message
    bytes[i], message = protocol.bytes(block)
    if bytes[i] then lists[i], answers[i] = schemes_of(bytes[i]) else answers[i] = protocol.unsupported(message) end
  end
  prepare(self, lists)
  for i in ipairs(blocks) do
    if core.base.interrupted() then break end
    if lists[i] then answers[i] = one(self, bytes[i], lists[i]) end
  end
  return answers
end

protocol.class(Assume)

-- One setting, checked.
local function check(key, value)
  local rule = known[key]
  local n = rule.least and tonumber(value)
  if not rule.words or rule.words[value] or n and n >= rule.least and n <= most then return value end
  local words = {}
  for word in pairs(rule.words) do words[#words + 1] = word end
  table.sort(words)
  if rule.least then table.insert(words, 1, ("a number from %g to %g"):format(rule.least, most)) end
  return nil, ("%s=%s: write %s"):format(key, value, table.concat(words, " or "))
end

-- "5" or "5/6/7" -> { 5, 5, 5 } or { 5, 6, 7 }; or nil and a message.
local function loads_of(text)
  local list = {}
  for word in (text .. "/"):gmatch "([^/]*)/" do
    local n = tonumber(word)
    list[#list + 1] = n and n >= 0 and n <= most and n or nil
  end
  local words = select(2, text:gsub("/", "")) + 1
  if words == #list and #list == 1 then return { list[1], list[1], list[1] } end
  if words == #list and #list == 3 then return list end
  return nil, ("load=%s: write a number of cycles, or 5/6/7: of up to 8, of 16, of more bytes"):format(text)
end

-- All settings, with those that are not given; the mapping as `[1]`.
local function settings_of(text)
  local given, message = name_settings.parse(text, known)
  if not given then return nil, message end
  if not given[1] then return nil, "which ports? write assume:mapping.json, assume:llvm-mca-16:skylake or assume:none" end
  if given.program or given.seconds then return nil, "it runs no program; leave out program= and seconds=" end
  local all = { ports = given[1] }
  for _, key in ipairs(order) do
    all[key], message = check(key, given[key] or known[key][1])
    if not all[key] then return nil, message end
  end
  if all.ports == "none" and all.width == "mapping" then all.width = "none" end
  return all
end

-- The name with every setting that is not the usual one.
local function name_of(s)
  local words = { "assume:" .. s.ports }
  for _, key in ipairs(order) do
    if s[key] ~= known[key][1] then words[#words + 1] = key .. "=" .. s[key] end
  end
  return table.concat(words, ",")
end

-- Ports, without those of the loop's zeroing idioms: a block has its own. Nil for none; or nil and a message.
local function open_model(path)
  if path == "none" then return nil end
  local m, message = model.load(path)
  if not m then return nil, message end
  if not m.mapping then return nil, path .. ": a conjunctive mapping has no issue slots; give a port mapping" end
  return assert(model.of(mappings.of_code(m.mapping), m.method))
end

local function width_of(setting, m)
  if setting == "none" then return nil end
  if setting ~= "mapping" then return tonumber(setting) end
  return m and m.compiled:rmax()
end

local function version_of(m, path, latency)
  local text = m and file.kind(path) == "file" and file.read(path)
  local provenance = m and m.mapping.provenance
  return fingerprint.of(method, text or provenance and provenance.key or "", latency and latency.version or "")
end

--- Opens the predictor.
-- @tparam string text what stands behind the colon of its name: a mapping, or `none`, and settings
-- @return predictor; or nil and a message
function assume.open(text)
  local settings, message = settings_of(text)
  if not settings then return nil, message end
  local m, latency, load_cycles
  load_cycles, message = loads_of(settings.load)
  if not load_cycles then return nil, message end
  m, message = open_model(settings.ports)
  if message then return nil, message end
  latency, message = latencies.open(settings.latencies, m and m.mapping)
  if latency == nil then return nil, "latencies=" .. message end
  local self = setmetatable({ name = name_of(settings), settings = settings, path = settings.ports, model = m, latencies = latency,
    load = load_cycles, width = width_of(settings.width, m) }, Assume)
  self.loop_branch = settings.code == "loop" and m ~= nil and m:explains(branch)
  self.version = version_of(m, settings.ports, latency)
  return self
end

return assume
