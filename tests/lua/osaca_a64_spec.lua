-- OSACA's machine models of AArch64: read as OSACA looks instructions up, written so that they come back. PORTOLAN_OSACA names a directory with
-- OSACA's package `osaca`, whose own models are read, too.
local a64_names = require "portolan.format.osaca_a64_names"
local isa = require "portolan.scheme.isa"
local file = require "portolan.support.file"
local mapping = require("portolan").mapping
local usage = require "portolan.format.usage"
local writer = require "portolan.format.osaca_write"

local path = assert(os.getenv "PORTOLAN_SOURCE") .. "/tests/data/osaca_a64_model.yml"

local function usage_of(m, name)
  local scheme = m.schemes[name]
  return scheme and (scheme.uops and usage.format(scheme.uops) or scheme.status)
end

describe("a scheme as OSACA's parser sees it", function()
  it("has an operand for each register of a list, and none for shifts", function()
    assert.same({ { class = "register", prefix = "v", shape = "s", lanes = 4 }, { class = "register", prefix = "v", shape = "s", lanes = 4 },
      { class = "memory", base = "x", scale = 1, pre = false, post = true } }, a64_names.operands "ld1 {v.4s, v.4s}, [x], x")
    assert.equal(3, #a64_names.operands "add x, x, x, lsl imm6")
    assert.same({ class = "register", prefix = "v", shape = "d" }, a64_names.operands("fmla v.2d, v.2d, v.d[imm]")[3])
  end)

  it("has an address with offset, index, scale and update of the base", function()
    local function address(name) return a64_names.operands(name)[2] end
    assert.same({ class = "memory", base = "x", offset = "imd", scale = 1, pre = false, post = false }, address "ldr x, [x, imm12]")
    assert.same({ class = "memory", base = "x", offset = "imd", scale = 1, pre = true, post = false }, address "ldr x, [x, imm9]!")
    assert.same({ class = "memory", base = "x", scale = 1, pre = false, post = true }, address "ldr x, [x], imm9")
    assert.same({ class = "memory", base = "x", index = "w", scale = 2, pre = false, post = false }, address "ldr x, [x, w, sxtw imm]")
    assert.same({ class = "memory", base = "x", index = "x", scale = 1, pre = false, post = false }, address "ldr x, [x, x]")
    assert.same({ class = "identifier" }, address "ldr x, [pc, imm19]")
  end)

  it("has kinds of immediates, and conditions", function()
    assert.same({ class = "immediate", kind = "double" }, a64_names.operands("fmov d, fp8")[2])
    assert.same({ class = "immediate", kind = "int" }, a64_names.operands("eor xsp, x, bitmask")[3])
    assert.same({ class = "condition" }, a64_names.operands("csel x, x, x, cond")[4])
    assert.same({ class = "register", prefix = "x" }, a64_names.operands("add xsp, xsp, imm12")[1])
  end)
end)

describe("OSACA's machine models of AArch64", function()
  local m = assert(mapping.load(path))

  it("give the schemes that their forms stand for, the first form that fits", function()
    assert.equal("aarch64", m.processor.architecture)
    assert.equal("1*p12", usage_of(m, "add x, x, x"))
    assert.equal("1*p12", usage_of(m, "add x, x, x, lsl imm6")) -- OSACA sees no shift
    assert.equal("1*p1", usage_of(m, "add w, w, w"))
    assert.equal("1*p1", usage_of(m, "sub x, x, x"))
    assert.equal("1*p45", usage_of(m, "add v.4s, v.4s, v.4s")) -- a wildcard without shape is none for vectors
    assert.equal("1*p4", usage_of(m, "fmla v.2d, v.2d, v.2d"))
    assert.equal("1*p4", usage_of(m, "fmla v.2d, v.2d, v.d[imm]"))
    assert.is_nil(m.schemes["fmla v.4s, v.4s, v.4s"])
    assert.equal("1*p4+6*p{4DV}", usage_of(m, "fdiv d, d, d"))
    assert.equal("1*p0", usage_of(m, "b.cond rel19"))
  end)

  it("know instructions by the aliases that compilers write", function()
    assert.equal("1*p2", usage_of(m, "ubfm x, x, imm6, imm6"))
    local function register(prefix) return "{class: register, prefix: " .. prefix .. ", shape: '*'}" end
    local function model(...)
      local lines = { "isa: aarch64\nports: ['0', '1']\ninstruction_forms:" }
      for _, form in ipairs { ... } do
        lines[#lines + 1] = ("- {name: %s, operands: [%s, %s%s], port_pressure: [[1, '%d']]}"):format(table.unpack(form))
      end
      return assert(mapping.parse(table.concat(lines, "\n"), "o.yml"))
    end
    local x, v, imm = register "x", register "v", ", {class: immediate, imd: int}"
    local shifts = model({ "[ubfm, ubfx]", x, x, imm .. imm, 0 }, { "lsl", x, x, imm, 1 })
    assert.equal("1*p1", usage_of(shifts, "ubfm x, x, imm6, imm6")) -- nobody writes ubfm
    for _, form in ipairs { { "ubfm", x, x, imm .. imm, 0 }, { "sshll", v, v, imm, 0 }, { "lslv", x, x, ", " .. x, 0 }, { "mov", v, v, "", 0 } } do
      local unwritten = model(form)
      for _, name in ipairs { "ubfm x, x, imm6, imm6", "sshll v.2d, v.2s, imm5", "lslv x, x, x", "dup v.2d, v.d[imm]" } do
        assert.is_nil(unwritten.schemes[name], name)
      end
    end
    local widened = model({ "sxtl2", v, v, "", 1 }, { "uxtl2", v, v, "", 0 })
    assert.equal("1*p1", usage_of(widened, "sshll2 v.2d, v.4s, imm5"))
    assert.equal("1*p0", usage_of(widened, "ushll2 v.8h, v.16b, imm3"))
    local address = "{class: memory, base: x, offset: imd, index: ~, scale: 1}"
    local moved = model({ "ldr", "{class: register, prefix: s}", address, "", 1 }, { "strh", "{class: register, prefix: w}", address, "", 0 })
    assert.equal("1*p1", usage_of(moved, "ldur s, [x, imm9]"))
    assert.equal("1*p0", usage_of(moved, "sturh w, [x, imm9]"))
    assert.is_nil(usage_of(moved, "ldur d, [x, imm9]"))
  end)

  it("tell addresses apart", function()
    assert.equal("1*p67", usage_of(m, "ldr x, [x, imm12]"))
    assert.equal("1*p67+1*p12", usage_of(m, "ldr x, [x, imm9]!"))
    assert.equal("1*p7", usage_of(m, "ldr x, [x, x, lsl imm]")) -- any scale but 1
    assert.is_nil(m.schemes["ldr x, [x, x]"])
    assert.is_nil(m.schemes["ldr x, [x], imm9"])
  end)

  it("add a load where there is a form for registers only", function()
    assert.equal("2*p67", usage_of(m, "ldr q, [x, imm12]")) -- an entry for q
    assert.equal("1*p67+1*p12", usage_of(m, "ldr q, [x], imm9"))
    assert.equal("1*p6", usage_of(m, "ldr q, [x, x]")) -- the default
  end)

  it("keep what is no scheme under a name of the same kind", function() assert.equal("1*p4", usage_of(m, "fmla z.d, p, z.d, z.d")) end)

  it("keep the name of a form with wildcards, which stands for schemes and for more", function()
    local open = "{class: register, prefix: '*', shape: '*'}"
    local text = "isa: aarch64\nports: ['0']\ninstruction_forms:\n- {name: fadd, operands: [%s, %s, %s], port_pressure: [[1, '0']]}\n"
    local read = assert(mapping.parse(text:format(open, open, open), "o.yml"))
    for _, name in ipairs { "fadd d, d, d", "fadd v.2d, v.2d, v.2d", "fadd *.*, *.*, *.*" } do assert.equal("1*p0", usage_of(read, name), name) end
  end)

  it("come back as they were written", function()
    local known = { format = m.format, version = 1, ports = m.ports, processor = { name = "mua", architecture = "aarch64" }, schemes = {} }
    for name, scheme in pairs(m.schemes) do
      if scheme.uops and isa.scheme(name) then known.schemes[name] = { uops = scheme.uops, status = "explained" } end
    end
    local text, left_out = assert(writer.encode(known))
    assert.matches("\nisa: aarch64\n", text, 1, true)
    assert.equal(0, left_out.inexpressible)
    local again, compared = assert(mapping.parse(text, "again.yml")), 0
    for name, scheme in pairs(known.schemes) do
      if again.schemes[name] then
        assert.equal(usage.format(scheme.uops), usage_of(again, name), name)
        compared = compared + 1
      end
    end
    assert.is_true(compared > 100)
  end)

  it("are written with the aliases that compilers write, too", function()
    local schemes = {}
    for _, name in ipairs { "subs x, x, x", "ands x, x, bitmask", "madd x, x, x, x", "orr x, x, x", "orr v.16b, v.16b, v.16b",
      "csinc x, x, x, cond" } do
      schemes[name] = { uops = { { { "0" }, 1 } }, status = "explained" }
    end
    local text = assert(writer.encode { format = "portolan-mapping", version = 1, ports = { "0" }, schemes = schemes })
    for _, alias in ipairs { "cmp", "tst", "mul", "mov", "cset", "cinc" } do assert.matches('"' .. alias .. '"', text, 1, true) end
    local again = assert(mapping.parse((text:gsub("  portolan: [^\n]*\n", "")), "again.yml"))
    for name in pairs(schemes) do assert.equal("1*p0", usage_of(again, name), name) end
    local copies = text:gsub("\n%- name: \"orr\".-\n%-", "\n-"):gsub("\n%- name: \"orr\".-\n%-", "\n-"):gsub("  portolan: [^\n]*\n", "")
    assert.is_nil(usage_of(assert(mapping.parse(copies, "copies.yml")), "orr x, x, x")) -- a copy tells nothing of it
  end)

  it("are written so that the forms fit without Portolan's own names", function()
    local schemes = {}
    for i, name in ipairs { "add x, x, x", "fmla v.4s, v.4s, v.4s", "ldr x, [x, imm12]", "ldr x, [x], imm9", "ldr x, [x, imm9]!", "ldr q, [x, x]",
      "ldr q, [x, w, sxtw imm]", "fmov d, fp8", "csel x, x, x, cond", "ldp q, q, [x, imm7]" } do
      schemes[name] = { uops = { { { tostring(i % 3) }, i } }, status = "explained" }
    end
    local text = assert(writer.encode { format = "portolan-mapping", version = 1, ports = { "0", "1", "2" }, schemes = schemes })
    local again = assert(mapping.parse((text:gsub("  portolan: [^\n]*\n", "")), "again.yml"))
    for name, scheme in pairs(schemes) do assert.equal(usage.format(scheme.uops), usage_of(again, name), name) end
  end)

  for model, ports in pairs { a72 = 8, n1 = 9, v2 = 21, m1 = 1, a64fx = 1, tx2 = 1, tsv110 = 1 } do
    local package = os.getenv "PORTOLAN_OSACA"
    local real = package and ("%s/osaca/data/%s.yml"):format(package, model)
    local there = real and file.kind(real);
    (there and it or pending)("of " .. model .. " in OSACA itself can be read", function()
      local of_osaca, known = assert(mapping.load(real)), 0
      for _, scheme in pairs(of_osaca.schemes) do known = known + (scheme.uops and 1 or 0) end
      assert.equal("aarch64", mapping.architecture(of_osaca))
      assert.is_true(#of_osaca.ports >= ports)
      assert.is_true(known > 80, ("%d schemes"):format(known))
    end)
  end
end)
