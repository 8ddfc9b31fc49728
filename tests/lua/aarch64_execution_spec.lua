-- Every A64 scheme that user mode may run is run, on an AArch64 processor or an emulated one: what is generated for it is an instruction there, and
-- touches no memory but its own. All others are excluded, with a reason.
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local loop_body = require "portolan.experiment.loop_body"

local architecture = "aarch64"
local elsewhere = isa.host ~= architecture and "it needs an AArch64 processor: the build for AArch64 runs it in qemu"
local runs = { ok = true, unstable = true } -- nothing is timed

-- The names of those that do not run, with their statuses. bodies: list of { name =, bytes =, ... }; lacking: a processor may not have all of them,
-- and refuse half precision, say; an emulator has them.
local function failing(bodies, lacking)
  local session = assert(core.bench.open { uncalibrated = true, patience = 0 })
  local refused = lacking and not session:describe().layers.emulator and "illegal instruction"
  local list = {}
  for first = 1, #bodies, 64 do
    local batch = {}
    for k = first, math.min(first + 63, #bodies) do batch[#batch + 1] = { bodies[k] } end
    for k, result in ipairs(assert(session:run(batch))) do
      if not runs[result.status] and result.status ~= refused then
        list[#list + 1] = bodies[first + k - 1].name .. ": " .. result.status
      end
    end
  end
  session:close()
  return list
end

local function excluded_for(reason)
  local list = {}
  local _, excluded = assert(isa.usable(assert(isa.everything(architecture))))
  for _, one in ipairs(excluded) do
    if not reason or one.reason == reason then list[#list + 1] = one.scheme end
  end
  return list
end

-- An instance of a scheme that moves its base register, after that was set again: x0, the others are x1, x2, ... and v0, v1, ...
local function with_base(name)
  local general, vector = 0, -1
  local mnemonic, operands = name:match "^(%S+) (.*)$"
  operands = (" " .. operands):gsub("%[x", "[BASE"):gsub("([ {])([a-z])%f[%W]", function(before, class)
    if class == "x" or class == "w" then
      general = general + 1
      return before .. class .. general
    end
    vector = vector + 1
    return before .. class .. vector
  end)
  operands = operands:gsub("BASE", "x0"):gsub("%[imm%]", "[0]"):gsub("imm%d*", "16")
  return ("add x0, x28, 0x800; %s%s"):format(mnemonic, operands)
end

describe("on AArch64,", function()
  it("every scheme that makes sense to measure runs", function()
    if elsewhere then pending(elsewhere) return end
    local declared, bodies = assert(loop_body.declared(architecture)), {}
    for _, scheme in ipairs((assert(isa.usable(assert(isa.everything(architecture)))))) do
      local body = assert(loop_body.of({ e = { [scheme.name] = 1 } }, declared, 4))
      body.name, body.generated = scheme.name, true
      bodies[#bodies + 1] = body
    end
    assert.is_true(#bodies >= 1800, #bodies)
    assert.same({}, failing(bodies, true))
  end)

  it("every scheme that moves its base register runs, too", function()
    if elsewhere then pending(elsewhere) return end
    local bodies = {}
    for _, scheme in ipairs(excluded_for "moves its base register") do
      local text = with_base(scheme.name)
      local made = assert(core.isa.assemble(text, architecture), text)
      assert.equal(scheme.name, made.instructions[2].scheme, text)
      bodies[#bodies + 1] = { name = scheme.name, bytes = made.bytes, copies = 1, generated = true }
    end
    assert.is_true(#bodies >= 400, #bodies)
    assert.same({}, failing(bodies, true))
  end)

  it("what is excluded and cannot be run by user mode faults, as is said", function()
    if elsewhere then pending(elsewhere) return end
    local bodies, declared = {}, assert(loop_body.declared(architecture))
    for _, reason in ipairs { "exception", "system or memory system" } do
      for _, scheme in ipairs(excluded_for(reason)) do
        local body = loop_body.of({ e = { [scheme.name] = 1 } }, declared, 1)
        if body then
          body.name, body.generated = scheme.name, true
          bodies[#bodies + 1] = body
        end
      end
    end
    local list = table.concat(failing(bodies), "\n") .. "\n"
    for _, name in ipairs { "brk imm16: trap", "hvc imm16: illegal instruction", "msr imm6, imm4: illegal instruction" } do
      assert.is_truthy(list:find(name .. "\n", 1, true), name)
    end
  end)
end)
