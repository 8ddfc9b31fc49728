local mapping = require "portolan.mapping"
local conjunctive = require "portolan.mapping.conjunctive"
local damage = require "support.damage"
local json = require "portolan.support.json"
local palmed = require "portolan.format.palmed"
local bhive = require "portolan.format.bhive"

local root = assert(os.getenv("PORTOLAN_SOURCE")) .. "/tests/data/"

local function text_of(name)
  local f = assert(io.open(root .. name, "rb"))
  local content = f:read("a")
  f:close()
  return content
end

-- Every mutation is read, as a mapping that can be written and read back, or refused in one line that names the text.
local function survives(text, read, times)
  local random, refused = damage.generator(7), 0
  for _ = 1, times do
    local value, message = read(damage.text(text, random))
    if value == nil then
      refused = refused + 1
      assert.matches("^m:[^\n]+$", message)
    end
  end
  assert.is_true(refused > 0 and refused < times, refused)
end

local function read_mapping(architecture)
  return function(text)
    local m, message = mapping.parse(text, "m", architecture)
    if not m then return nil, message end
    local encoded = assert(mapping.encode(m))
    assert.equal(encoded, mapping.encode(assert(mapping.parse(encoded))))
    return m
  end
end

-- As a mapping that can be written and read back.
local function read_resources(text)
  local value, message = json.decode(text, "m")
  if message then return nil, message end
  if palmed.is_mapping(value) then
    value, message = palmed.mapping(value)
    if not value then return nil, "m: " .. message end
  end
  value, message = conjunctive.decode(value, "m")
  if not value then return nil, message end
  local encoded = assert(conjunctive.encode(value))
  assert.equal(encoded, conjunctive.encode(assert(conjunctive.decode(assert(json.decode(encoded))))))
  local compiled = assert(conjunctive.compile(value))
  for _, name in ipairs(compiled:schemes()) do assert(compiled:predict { [name] = 3 }) end
  return value
end

describe("a reader of damaged files", function()
  it("of uops.info", function() survives(text_of("uops_info.xml"), read_mapping("EX1"), 300) end)
  it("of uops.info, as Portolan writes it", function() survives(text_of("uops_info_own.xml"), read_mapping(), 300) end)
  it("of OSACA", function() survives(text_of("osaca_model.yml"), read_mapping(), 100) end)
  it("of tables", function()
    survives('scheme,usage,uops,slots,tp,status\n"add r64, r64",1*p01{10}+2*p{DV},3,2,0.25,explained\ncpuid,,,,,unstable\n', read_mapping(), 300)
  end)
  it("of resource mappings", function()
    survives('{"format":"portolan-conjunctive","version":1,"resources":["R1","R12","issue"],"processor":{},"schemes":'
      .. '{"add":{"R12":0.5,"issue":0.25},"mul":{"R1":2,"R12":1e0,"issue":0.25},"nop":{}},"provenance":{"a":[1]}}', read_resources, 2000)
    survives('{"instr_to_class":{"ADD":"ADD","SUB":"ADD","MUL":"MUL"},"class_to_resources":{"ADD":{"name":"ADD","resource_use":'
      .. '[[0.25,"R10"],[0.5,"R2"]]},"MUL":{"name":"MUL","resource_use":[]}}}', read_resources, 2000)
  end)
  it("of blocks", function()
    survives(text_of("bhive.csv"), function(text)
      local blocks, message = bhive.parse(text, "m")
      for _, block in ipairs(blocks or {}) do bhive.experiment(block) end
      return blocks, message
    end, 300)
  end)
end)
