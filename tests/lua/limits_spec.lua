-- Files that are too large, too deep or no files: refused early, in one line that says which limit it is.
local core = require "portolan.core"
local csv = require "portolan.format.csv"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local input = require "portolan.support.input"
local json = require "portolan.support.json"
local limits = require "portolan.support.limits"
local lines = require "portolan.support.lines"
local process = require "process"
local uops_info = require "portolan.format.uops_info"
local yaml = require "portolan.format.yaml"

-- Expects nil and one line with these words, within some seconds (sanitizers are slow) and 500 MiB.
local function refused(expected, f, ...)
  collectgarbage()
  local began, before = core.base.now(), collectgarbage "count"
  local value, message = f(...)
  assert.is_nil(value)
  assert.is_truthy(message:find(expected, 1, true), message)
  assert.is_nil(message:find("\n", 1, true))
  assert.is_true(core.base.now() - began < 20 * process.slowness)
  assert.is_true(collectgarbage "count" - before < 500 << 10)
end

describe("a text", function()
  it("of too many lines is refused", function()
    local many = ("\n"):rep(20000000)
    refused("f:1000001: more than 1000000 lines", experiments.parse, many, "f")
    refused("f:1000001: more than 1000000 lines", lines.of, many, "f")
    refused("more than 1000000 lines", csv.mapping, "scheme,usage\n" .. many, "f")
    local list = {}
    for number, line, behind in assert(lines.of("a\n\nb", "f")) do list[number] = line .. behind end
    assert.same({ "a3", "4", "b5" }, list)
  end)

  it("of JSON with too many values, or too deep, or too long, is refused", function()
    refused("f:1:4499999: more than 3000000 values", json.decode, "[" .. ("[],"):rep(4000000) .. "1]", "f")
    refused("more than 6000000 values", json.decode_plain, "[" .. ("1,"):rep(7000000) .. "1]", "f")
    refused("nested more than 100 deep", json.decode, ("["):rep(1000000), "f")
    refused("more than 64 MiB", json.decode, (" "):rep((64 << 20) + 1), "f")
    refused("the number is too large", json.decode, ("9"):rep(1000000), "f")
    refused("the number is too large", json.decode, "1e999", "f")
    assert.equal(2, #assert(json.decode "[[],[]]"))
  end)

  it("of YAML with too many values is refused, those that aliases repeat included", function()
    local parts = { "a0: &a0 [x,x,x,x,x,x,x,x,x,x]" }
    for i = 1, 20 do parts[i + 1] = ("a%d: &a%d [%s]"):format(i, i, ("*a%d,"):format(i - 1):rep(10)) end
    refused("f:6: more than 500000 values", yaml.load, table.concat(parts, "\n"), "f")
    refused("nested too deeply", yaml.load, "a: " .. ("["):rep(1000000), "f")
    refused("a control character", yaml.load, "a: \0", "f")
    refused("not UTF-8", yaml.load, "a: \xff", "f")
  end)

  it("of XML is refused where it is too deep, or a tag is too long, or an instruction has too many operands", function()
    refused("nested too deeply", uops_info.parse, ("<a>"):rep(100000), "f")
    refused("a tag or a comment is longer", uops_info.parse, '<a b="' .. ("x"):rep(3 << 20), "f")
    refused("'x' has more than 50 operands", uops_info.parse, '<r><instruction string="x">' .. ("<operand/>"):rep(1000), "f")
    local many = {}
    for i = 1, 1001 do many[i] = ('<architecture name="%d"/>'):format(i) end
    refused("more than 1000 microarchitectures", uops_info.parse, "<r>" .. table.concat(many), "f")
  end)

  it("of CSV is refused where a row or a field is too long", function()
    refused("f:2: more than 1000 fields", csv.mapping, "scheme,usage\n" .. (","):rep(100000), "f")
    refused("f:2: a field is longer", csv.mapping, 'scheme,usage\n"' .. ('""'):rep(1000000), "f")
  end)
end)

describe("a file", function()
  it("that nobody writes to is not waited for", function()
    process.in_directory(function(d)
      local before = limits.silence
      limits.silence = 0.1
      os.execute(("mkfifo '%s/p'"):format(d))
      refused("p: nobody writes to this pipe", input.all, d .. "/p")
      limits.silence = before
      os.execute(("(sleep 0.2; printf a; sleep 0.2; printf b) > '%s/p' &"):format(d))
      assert.equal("ab", (input.all(d .. "/p")))
      assert.is_nil(input.beginning(d .. "/p", 10)) -- what was read of a pipe is lost to others
    end)
  end)

  it("that is none, or too large, is named", function()
    process.in_directory(function(d)
      refused("is a directory", input.all, d)
      refused("/none: no such file or directory", input.all, d .. "/none")
      refused("a path cannot have a NUL character", input.all, "a\0b")
      assert(file.write(d .. "/f", ("x"):rep(100)))
      refused("/f: it is larger than 99 bytes", input.all, d .. "/f", 99)
      assert.equal(100, #assert(input.all(d .. "/f", 100)))
      refused("larger than 1 MiB", input.all, "/dev/zero", 1 << 20)
      assert.equal("", (input.all "/dev/null"))
      assert.equal("xxxxx", (input.beginning(d .. "/f", 5)))
    end)
  end)
end)
