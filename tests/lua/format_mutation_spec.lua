local mapping = require "portolan.mapping"
local bhive = require "portolan.format.bhive"

local root = assert(os.getenv("PORTOLAN_SOURCE")) .. "/tests/data/"

local function text_of(name)
  local f = assert(io.open(root .. name, "rb"))
  local content = f:read("a")
  f:close()
  return content
end

-- A linear congruential generator: the same mutations every time, without touching Lua's.
local function generator(seed)
  return function(n)
    seed = (seed * 6364136223846793005 + 1442695040888963407) & math.maxinteger
    return (seed >> 33) % n + 1
  end
end

local pieces = { "", "'", '"', "<", ">", "&", "{", "}", "[", "]", ":", ",", "\n", "\0", "\255", "-", "*", "~", "1e999", "p", "0" }

-- One to three places are deleted, doubled or replaced.
local function mutated(text, random)
  for _ = 1, random(3) do
    local from = random(#text)
    local to = math.min(#text, from + random(12) - 1)
    local way = random(3)
    local middle = way == 1 and "" or way == 2 and text:sub(from, to):rep(2) or pieces[random(#pieces)]
    text = text:sub(1, from - 1) .. middle .. text:sub(to + 1)
  end
  return text
end

-- Every mutation is read, as a mapping that can be written and read back, or refused in one line that names the text.
local function survives(text, read, times)
  local random, refused = generator(7), 0
  for _ = 1, times do
    local value, message = read(mutated(text, random))
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

describe("a reader of damaged files", function()
  it("of uops.info", function() survives(text_of("uops_info.xml"), read_mapping("EX1"), 300) end)
  it("of OSACA", function() survives(text_of("osaca_model.yml"), read_mapping(), 100) end)
  it("of tables", function()
    survives('scheme,usage,uops,slots,tp,status\n"add r64, r64",1*p01{10}+2*p{DV},3,2,0.25,explained\ncpuid,,,,,unstable\n', read_mapping(), 300)
  end)
  it("of blocks", function()
    survives(text_of("bhive.csv"), function(text)
      local blocks, message = bhive.parse(text, "m")
      for _, block in ipairs(blocks or {}) do bhive.experiment(block) end
      return blocks, message
    end, 300)
  end)
end)
