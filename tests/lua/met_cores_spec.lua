-- Charts that ship with Portolan.
local architectures = require "portolan.support.architectures"
local cpu = require "portolan.machine.cpu"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local met_cores = require "portolan.predictor.met_cores"
local process = require "process"

local root = assert(os.getenv "PORTOLAN_SOURCE")

-- A chart's text in a file, for those who read and check it.
local function unpacked(name)
  local path = os.tmpname()
  finally(function() os.remove(path) end)
  assert(os.execute(("gzip -dc '%s/arch/x86_64/mappings/%s.json.gz' >'%s'"):format(root, name, path)))
  return path
end

describe("charts of cores that were met", function()
  it("are those that the list of processors names, and each is whole", function()
    local named = {}
    for _, architecture in ipairs(architectures.names()) do
      for _, entry in ipairs(cpu.known(architecture, "processors.lua")) do named[entry.chart or ""] = true end
    end
    named[""] = nil
    assert.same(lists.keys(named), met_cores.names())
    assert.is_true(#met_cores.names() > 0)
    for _, name in ipairs(met_cores.names()) do
      local m = assert(mapping.load("core:" .. name))
      local explained = lists.where(lists.keys(m.schemes), function(scheme) return m.schemes[scheme].status == "explained" end)
      local with_latencies = lists.where(explained, function(scheme) return #(m.schemes[scheme].latencies or {}) > 0 end)
      assert.is_true(#explained > 1000 and #with_latencies > 0.8 * #explained, ("%s: %d, %d"):format(name, #explained, #with_latencies))
      assert.same(assert(mapping.load(unpacked(name))), m)
      assert.is_truthy(m.front_end and m.front_end.fuses and m.first_cache and m.provenance)
      assert.is_true(m.schemes["movsd xmm, m64"] ~= nil and m.schemes["vmovsd xmm, m64"] ~= nil and m.schemes["jnz rel8"] ~= nil)
    end
  end)

  it("go by their names, and by that of this processor where it was met", function()
    local m, message = mapping.load "core:nonsense"
    assert.is_nil(m)
    assert.matches("^there is no chart of a core 'nonsense'; those that ship are .*zen3.*native$", message)
    local here = met_cores.here()
    local native, why = mapping.load "core:native"
    if here then assert.same(assert(mapping.load("core:" .. here)), native) else assert.matches("was not met", why) end
  end)

  it("that are damaged are refused in one line", function()
    process.in_directory(function(d)
      assert(os.execute(("cp -r '%s/arch' '%s/arch'"):format(root, d)))
      local handle <close> = assert(io.open(root .. "/arch/x86_64/mappings/zen3.json.gz", "rb"))
      assert(file.write(d .. "/arch/x86_64/mappings/zen3.json.gz", handle:read(3000)))
      local args = { process.portolan, "predict", "--mapping", "core:zen3", "add r64, r64" }
      local r = process.run { args = args, env = { PORTOLAN_ARCH = d .. "/arch" } }
      assert.equal(2, r.status)
      assert.matches("^portolan predict: [^\n]+zen3.json.gz: [^\n]+\n$", r.err)
      for _, text in ipairs { "null", "7", "{}", '{"format": "portolan-mapping", "version": 2, "ports": [], "schemes": {}}' } do
        assert(os.execute(("printf '%%s' '%s' | gzip -c >'%s/arch/x86_64/mappings/zen3.json.gz'"):format(text, d)))
        r = process.run { args = args, env = { PORTOLAN_ARCH = d .. "/arch" } }
        assert.equal(2, r.status, text)
        assert.matches("^portolan predict: [^\n]+zen3.json.gz: this is no port mapping of this version\n$", r.err)
      end
    end)
  end)
end)
