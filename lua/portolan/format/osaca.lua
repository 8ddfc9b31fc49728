--- OSACA's machine models (YAML) of x86 and AArch64: reading. `portolan.format.osaca_write` writes them.
--
-- An instruction form becomes the schemes it stands for (`portolan.format.osaca_match`, `osaca_a64_match`). What stands for none keeps a name of
-- the same kind: OSACA's mnemonic and operand types, in Intel's order, as `cmpeqpd xmm, xmm` or `foo gpr, m[base+offset]`.
-- `portolan.format.osaca_pressure` says how pressures become uops. One that is no whole number of cycles, a choice of several, or one
-- that OSACA itself cannot use, leaves the scheme unexplained; the last kind is listed in `provenance.notes`, too.
-- @module portolan.format.osaca
local a64_match = require "portolan.format.osaca_a64_match"
local isa = require "portolan.scheme.isa"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local match = require "portolan.format.osaca_match"
local pressure = require "portolan.format.osaca_pressure"
local transfers = require "portolan.format.osaca_transfers"
local yaml = require "portolan.format.yaml"

local osaca = {}

--- Tells whether a text looks like a machine model.
function osaca.is_model(text)
  return text:find("^instruction_forms:") ~= nil or text:find("\ninstruction_forms:", 1, true) ~= nil
    or text:find("^osaca_version:") ~= nil or text:find("\nosaca_version:", 1, true) ~= nil
end

local Reader = {}
Reader.__index = Reader

-- nil, message with the line of the table (or of the one around it) and the path of the field
function Reader:fault(at, path, message) return nil, ("%s:%d: %s (%s)"):format(self.name, self.lines[at] or 1, message, path) end

local function absent(value) return value == nil or value == yaml.null end

local function is_name(value) return type(value) == "string" and value ~= "" or math.type(value) == "integer" end

function Reader:list_field(at, field, path)
  local value = at[field]
  if absent(value) then return {} end
  if self.kinds[value] ~= "list" then return self:fault(at, path or field, ("field '%s' must be a list"):format(field)) end
  return value
end

function Reader:read_ports(tree)
  local list, message = self:list_field(tree, "ports")
  if not list then return nil, message end
  if #list == 0 then return self:fault(tree, "ports", "a machine model needs 'ports'") end
  local units, trouble = self:list_field(tree, "portolan_units")
  if not units then return nil, trouble end
  self.ports, self.known, self.units = {}, {}, {}
  local issue = tree.portolan_issue
  if not absent(issue) then
    local fit = self.kinds[issue] == "map" and is_name(issue.port) and type(issue.rmax) == "number" and issue.rmax > 0
    if not fit then return self:fault(tree, "portolan_issue", "field 'portolan_issue' needs a port and an R_max") end
    self.issue = { port = tostring(issue.port), rmax = issue.rmax }
  end
  for _, unit in ipairs(units) do
    if not is_name(unit) then return self:fault(units, "portolan_units", "a unit must have a name") end
    self.units[tostring(unit)] = true
  end
  for i, port in ipairs(list) do
    if not is_name(port) then return self:fault(list, ("ports[%d]"):format(i), "a port must have a name") end
    port = tostring(port)
    if self.known[port] then return self:fault(list, ("ports[%d]"):format(i), ("port '%s' is there twice"):format(port)) end
    self.known[port] = true
    if not self.units[port] and not (self.issue and self.issue.port == port) then self.ports[#self.ports + 1] = port end
  end
  return true
end

-- Returns what a field says, as `{ uops =, busy = cycles for which it keeps a unit, if it does, slots = issue slots, if it says }` or `{ reason = }`.
-- What OSACA would die of is noted, with its line.
function Reader:pressure(value, at, path)
  local uops, reason, odd, busy, slots = pressure.read(self, value)
  if odd then
    reason = ("%s (line %d)"):format(reason, self.lines[value] or self.lines[at] or 1)
    table.insert(self.notes, ("%s (%s)"):format(reason, path))
  end
  return { uops = uops, reason = reason, busy = busy, slots = slots }
end

-- Forms --------------------------------------------------------------------------------------------------------------

-- The names of a form, in lower case: one, or a list of aliases.
function Reader:form_names(form, path)
  local value = form.name
  local list = self.kinds[value] == "list" and value or { value }
  local result = {}
  for i, name in ipairs(list) do
    if type(name) == "boolean" then name = tostring(name) end
    if not is_name(name) then return self:fault(form, path .. ".name", "an instruction form needs a name") end
    result[i] = tostring(name):lower()
  end
  if #result == 0 then return self:fault(form, path .. ".name", "an instruction form needs a name") end
  return result
end

-- The operands, in Intel's order for x86.
function Reader:form_operands(form, path)
  local list, message = self:list_field(form, "operands", path .. ".operands")
  if not list then return nil, message end
  local operands = {}
  for i, operand in ipairs(list) do
    local where = ("%s.operands[%d]"):format(path, i)
    if self.kinds[operand] ~= "map" or type(operand.class) ~= "string" then
      return self:fault(list, where, "an operand must have a 'class'")
    end
    operands[self.x86 and #list - i + 1 or i] = operand
  end
  return operands
end

-- Portolan's names, which `osaca_write` adds to a form; nil if there are none.
function Reader:own_names(form, path)
  if absent(form.portolan) then return nil end
  local list = form.portolan
  if self.kinds[list] ~= "list" then return self:fault(form, path .. ".portolan", "field 'portolan' must be a list of schemes") end
  for _, name in ipairs(list) do
    if type(name) ~= "string" or name == "" then
      return self:fault(form, path .. ".portolan", "field 'portolan' must be a list of schemes")
    end
  end
  return list
end

-- Ports that are units, which are no ports of the mapping.
function Reader:find_units(forms)
  local values = lists.map(forms, function(form) return self.kinds[form] == "map" and form.port_pressure or false end)
  for port in pairs(pressure.units(self, values)) do self.units[port] = true end
  self.ports = lists.where(self.ports, function(port) return not self.units[port] end)
end

local function positive(value) return limits.is_amount(value) and value > 0 and value or nil end

function Reader:read_form(form, i)
  local path = ("instruction_forms[%d]"):format(i)
  if self.kinds[form] ~= "map" then return self:fault(self.forms_at, path, "an instruction form must have fields") end
  local words, fault = self:form_names(form, path)
  if not words then return nil, fault end
  local operands, trouble = self:form_operands(form, path)
  if not operands then return nil, trouble end
  local own, message = self:own_names(form, path)
  if message then return nil, message end
  local read = self:pressure(form.port_pressure, form, path .. ".port_pressure")
  local uops, reason = read.uops, read.reason
  if uops and #uops == 0 and not read.busy and absent(form.throughput) then uops, reason = nil, "neither ports nor a throughput are known" end
  local result = { names = words, operands = operands, own = own, tp = positive(form.throughput) or positive(read.busy),
    num_uops = positive(form.uops), latency = positive(form.latency), busy = read.busy, slots = read.slots ~= 1 and read.slots or nil,
    written = uops } -- also of forms that take time alone: with a load or store they have a port
  local of_issue = read.slots and not read.busy -- that is all that it takes time for
  if uops and #uops == 0 and result.tp and not of_issue then uops, reason = nil, "it takes time, but no port" end
  result.uops, result.reason = uops, reason
  return result
end

local function scheme_of(form)
  return { uops = form.uops, status = form.uops and (form.busy and "slower than ports" or "explained") or "not explained", tp = form.tp,
    num_uops = form.num_uops, slots = form.slots, latency = form.latency, reason = not form.uops and form.reason or nil }
end

local function address_text(operand)
  local parts = {}
  for _, part in ipairs { "base", "offset", "index" } do
    if operand[part] == "*" then return "m" end
    if not absent(operand[part]) then parts[#parts + 1] = part end
  end
  if type(operand.scale) == "number" and operand.scale ~= 1 then parts[#parts + 1] = "scale" end
  return ("m[%s]"):format(table.concat(parts, "+"))
end

local function operand_text(operand)
  local class, name = operand.class, operand.name or operand.prefix
  if class == "register" then
    local text = (is_name(name) and tostring(name) or "register") .. (is_name(operand.shape) and "." .. operand.shape or "")
    return text .. (absent(operand.mask) and "" or "{k}") .. (absent(operand.zeroing) and "" or "{z}")
  end
  if class == "memory" then return address_text(operand) end
  return class == "immediate" and "imm" or class == "identifier" and "label" or class
end

local function other_name(name, operands)
  local texts = {}
  for i, operand in ipairs(operands) do texts[i] = operand_text(operand) end
  return (name .. (#texts > 0 and " " .. table.concat(texts, ", ") or "")):gsub("%c", "?")
end

-- Forms with wildcards of registers keep their name beside the schemes that they stand for: they stand for others, too, that are no schemes.
local function has_wildcards(form)
  return lists.any(form.operands, function(operand) return operand.prefix == "*" or operand.shape == "*" end)
end

-- Models -------------------------------------------------------------------------------------------------------------

-- load_throughput and store_throughput: addresses with uops; and what counts if there is no entry.
function Reader:transfers(tree, field)
  local entries, message = self:list_field(tree, field)
  if not entries then return nil, message end
  local list = {}
  for i, entry in ipairs(entries) do
    local path = ("%s[%d]"):format(field, i)
    if self.kinds[entry] ~= "map" then return self:fault(entries, path, "an entry must have fields") end
    local read = self:pressure(entry.port_pressure, entry, path .. ".port_pressure")
    list[i] = { base = entry.base, offset = entry.offset, index = entry.index, scale = entry.scale, dst = entry.dst, src = entry.src,
      pre_indexed = entry.pre_indexed, post_indexed = entry.post_indexed,
      uops = read.uops, reason = read.reason }
  end
  return list, self:pressure(tree[field .. "_default"], tree, field .. "_default")
end

function Reader:factors(tree, field)
  local value = tree[field]
  return self.kinds[value] == "map" and value or nil
end

function Reader:memory(tree)
  local loads, load = self:transfers(tree, "load_throughput")
  if not loads then return nil, load end
  local stores, store = self:transfers(tree, "store_throughput")
  if not stores then return nil, store end
  return transfers.new { loads = loads, load = load, stores = stores, store = store,
    load_factors = self:factors(tree, "load_throughput_multiplier"), store_factors = self:factors(tree, "store_throughput_multiplier") }
end

-- The schemes of all forms: those that say which, those that match, and the rest under other names.
local matchers = { x86 = match, aarch64 = a64_match }

local function schemes_of(forms, kind, memory)
  local schemes, unsaid = {}, {}
  for _, form in ipairs(forms) do
    for _, name in ipairs(form.own or {}) do schemes[name] = schemes[name] or scheme_of(form) end
    if not form.own then unsaid[#unsaid + 1] = form end
  end
  if matchers[kind] and #unsaid > 0 then
    for name, form in pairs(matchers[kind].schemes(unsaid, memory)) do schemes[name] = schemes[name] or scheme_of(form) end
  end
  for _, form in ipairs(unsaid) do
    for _, word in ipairs(form.ours and not has_wildcards(form) and {} or form.names) do
      local name = other_name(word, form.operands)
      local another = matchers[kind] and isa.scheme(name) -- "cdqe", which OSACA finds no form for where compilers write "cltq"
      schemes[name] = schemes[name] or not another and scheme_of(form) or nil
    end
  end
  return schemes
end

function Reader:model(tree)
  if self.kinds[tree] ~= "map" then return nil, self.name .. ": a machine model must have fields" end
  local ok, message = self:read_ports(tree)
  if not ok then return nil, message end
  if not is_name(tree.isa) then return self:fault(tree, "isa", "a machine model needs 'isa', such as x86") end
  local kind = tostring(tree.isa):lower()
  self.x86 = kind == "x86"
  local list, fault = self:list_field(tree, "instruction_forms")
  if not list then return nil, fault end
  self.forms_at = list
  self:find_units(list)
  local memory, trouble = self:memory(tree)
  if not memory then return nil, trouble end
  local forms, listed = {}, {}
  for i, form in ipairs(list) do
    local read, why = self:read_form(form, i)
    if not read then return nil, why end
    table.insert(self.kinds[form.name] == "list" and listed or forms, read) -- OSACA looks at forms with a list of names last
  end
  table.move(listed, 1, #listed, #forms + 1, forms)
  local title = tree.arch_code
  if absent(title) then title = tree.micro_architecture end
  return { format = "portolan-mapping", version = 1, ports = self.ports, rmax = self.issue and self.issue.rmax,
    schemes = schemes_of(forms, kind, memory),
    processor = is_name(title) and { name = tostring(title), architecture = kind == "aarch64" and kind or nil } or nil,
    provenance = { source = "OSACA machine model", notes = #self.notes > 0 and self.notes or nil } }
end

--- Reads a machine model.
-- @param text YAML
-- @param name of the text, for messages
-- @return mapping (not yet validated), its `provenance.notes` a list of what was left out, if anything was; or nil and
--   `name:line: what (path of the field)`
function osaca.mapping(text, name)
  local tree, lines, kinds = yaml.load(text, name)
  if tree == nil then return nil, lines end
  return setmetatable({ name = name, lines = lines, kinds = kinds, notes = {} }, Reader):model(tree)
end

return osaca
