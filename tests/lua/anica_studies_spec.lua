-- The studies of scripts/campaigns, small, with predictors that are written in Lua: what they print, and what they refuse.
local file = require "portolan.support.file"
local process = require "process"

local scripts = os.getenv "PORTOLAN_SOURCE" .. "/scripts/campaigns/"

local function run(script, ...) return process.run { args = { process.portolan, "run", scripts .. script, ... }, seconds = 120 } end

local function with_model(f)
  process.in_directory(function(d)
    assert(file.write(d .. "/plain.lua", "return { predict = function(b) return #b.schemes / 4 end }"))
    assert(file.write(d .. "/slow.lua", [[return { predict = function(b)
      for _, scheme in ipairs(b.schemes) do if scheme:find "^lock" then return 20 end end
      return #b.schemes / 4
    end }]]))
    f(d)
  end)
end

describe("a study", function()
  it("of dependencies through memory has a line for every predictor (Table 8.4)", function()
    with_model(function(d)
      local r = run("table-8.4.lua", ("lua:%s/plain.lua"):format(d), ("lua:%s/slow.lua"):format(d))
      assert.same({ 0, "" }, { r.status, r.err })
      assert.matches("\nblock 3: add %[rcx %+ 16%], rbx; add %[rdx %+ 16%], rbx\n", r.out)
      assert.matches("\nlua:[^\n]*plain.lua +0.50 +0.50 +0.50\n", r.out)
    end)
  end)

  it("of two processors finds what they differ in, and covers blocks of programs by cluster", function()
    with_model(function(d)
      local r = run("two-processors.lua", d .. "/c", ("lua:%s/plain.lua"):format(d), ("lua:%s/slow.lua"):format(d), "1")
      assert.equal(0, r.status, r.err)
      assert.matches("\n +1%. lock: lock\n", r.out)
      r = process.run { args = { "sh", "-c", "command -v llvm-mca-16" } }
      if r.status ~= 0 then return pending "llvm-mca-16, by whose ports blocks are clustered, is not installed" end
      assert(file.write(d .. "/blocks.csv", "f0480103,1\n4801d8,2\n488b03,1\nc5f458c2,1\n48890366,1\n488903,1\n"))
      r = run("bhive-clusters.lua", d .. "/c", d .. "/blocks.csv")
      assert.equal(0, r.status, r.err)
      assert.matches("5 different blocks %(1 left out%)", r.out)
      assert.matches("100%% of these covered", r.out)
      assert.equal(6, select(2, r.out:gsub("\ncluster %d:", "")))
    end)
  end)

  it("says how it is used", function()
    for _, script in ipairs { "table-8.3.lua", "table-8.5.lua", "two-processors.lua", "bhive-clusters.lua" } do
      local r = run(script)
      assert.equal(2, r.status)
      assert.matches("^usage: portolan run " .. script:gsub("%p", "%%%0") .. " DIRECTORY", r.err)
    end
    local r = run("table-8.5.lua", "/nonexistent", "1", "G")
    assert.equal(2, r.status)
    assert.matches("^there is no row 'G'; there are A, B, C, D, E, E%-hw and F\n$", r.err)
  end)
end)
