-- What cannot be done is refused before anything else is said or done: one line, status 2.
local file = require "portolan.support.file"
local process = require "process"

local source = os.getenv "PORTOLAN_SOURCE"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local function refused(words, ...)
  local r = portolan(...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan %l+: [^\n]+\n$", r.err)
  assert.truthy(r.err:find(words, 1, true), r.err)
end

describe("ahead of everything", function()
  it("a chart refuses a kind of cores that there is not, and makes no folder", function()
    process.in_directory(function(d)
      refused("--core-kind no such kind", "chart", "--core-kind", "no such kind", "--out", d .. "/chart")
      assert.is_nil(file.kind(d .. "/chart"))
    end)
  end)

  it("a prediction refuses a page that cannot be written", function()
    process.in_directory(function(d)
      local mapping = source .. "/scripts/examples/code/raptor-cove.json"
      refused("there is no folder " .. d .. "/nowhere", "predict", "--mapping", mapping, "--report", d .. "/nowhere/x.html", "add rax, rbx")
      refused("this is a folder", "predict", "--mapping", mapping, "--report", d, "add rax, rbx")
      assert(file.write(d .. "/file", "x"))
      refused("this is no folder", "predict", "--mapping", mapping, "--pictures", d .. "/file", "add rax, rbx")
      refused("there is no folder " .. d .. "/file", "predict", "--mapping", mapping, "--report", d .. "/file/x.html", "add rax, rbx")
    end)
  end)

  it("a page goes where it can, through what is no file as well", function()
    process.in_directory(function(d)
      local mapping = source .. "/scripts/examples/code/raptor-cove.json"
      for _, path in ipairs { d .. "/x.html", "/dev/null" } do
        local r = portolan("predict", "--mapping", mapping, "--report", path, "add rax, rbx")
        assert.equal(0, r.status, r.err)
      end
      assert.equal("file", file.kind(d .. "/x.html"))
    end)
  end)

  it("an option of one architecture is refused with another", function()
    refused("--evex: aarch64 has no such schemes", "isa", "list", "--arch", "aarch64", "--evex")
    refused("--evex: aarch64 has no such schemes", "isa", "count", "--arch", "aarch64", "--evex")
  end)
end)

describe("a predictor of one's own", function()
  local function with(text, f)
    process.in_directory(function(d)
      assert(file.write(d .. "/mine.lua", text))
      f("lua:" .. d .. "/mine.lua")
    end)
  end

  it("may be of another architecture, whose text and schemes it gets", function()
    with("return { architecture = 'aarch64', predict = function(b) return b.schemes[1]:find '^add x, x' and #b.schemes + 0.25 end }", function(name)
      local r = portolan("predict", "--predictor", name, "add x0, x1, x2; mul x3, x4, x5")
      assert.equal(0, r.status, r.err)
      assert.matches(" 2%.250\n", r.out)
    end)
  end)

  it("is refused if there is no such architecture, and beside predictors of another one", function()
    with("return { architecture = 'z80', predict = function() return 1 end }", function(name)
      refused("no architecture 'z80'", "predict", "--predictor", name, "nop")
    end)
    with("return { architecture = 'aarch64', predict = function() return 1 end }", function(name)
      with("return { architecture = 'x86_64', predict = function() return 1 end }", function(other)
        refused("compare predictors of one architecture", "predict", "--predictor", name, "--predictor", other, "nop")
      end)
    end)
  end)
end)
