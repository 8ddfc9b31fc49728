-- scripts/quickstart, with stand-ins for what installs, builds and measures: where it writes is where other commands look, twice.
local file = require "portolan.support.file"
local process = require "process"

local chart = [[#!/bin/sh
[ "$1" = chart ] || exit 0
out=charts/latest previous=
for a in "$@"; do
  [ "$previous" = --out ] && out=$a
  previous=$a
done
[ -z "${NOTHING:-}" ] || exit 1
mkdir -p "$out"
echo "$*" >>"$out/runs"
echo page >"$out/report.html"
[ -n "${FAIL:-}" ] && exit 1
echo '{}' >"$out/mapping.json"
]]

-- Calls f with a tree that has the real quickstart, and a function that runs it.
local function in_tree(f)
  process.in_directory(function(d)
    local text = assert(file.read(os.getenv("PORTOLAN_SOURCE") .. "/scripts/quickstart"))
    assert(file.make_directory(d .. "/scripts"))
    for name, content in pairs { quickstart = text, ["install-deps"] = "#!/bin/sh\n", ticking = "#!/bin/sh\n", portolan = chart } do
      assert(file.write(d .. "/scripts/" .. name, content))
    end
    os.execute(("chmod +x '%s'/scripts/*"):format(d))
    f(d, function(env, ...)
      return process.run { args = { d .. "/scripts/quickstart", ... }, cwd = "/", env = env }
    end)
  end)
end

describe("quickstart", function()
  it("writes where explain, recheck and report look, and goes on from there when it runs again", function()
    in_tree(function(d, run)
      local default = require("portolan.cli.choose").default
      for round = 1, 2 do
        local r = run({ DISPLAY = false, WAYLAND_DISPLAY = false })
        assert.equal(0, r.status, r.err)
        assert.truthy(r.out:find(d .. "/charts/latest/report.html", 1, true), r.out)
        assert.truthy(r.out:find("scripts/portolan explain 'add r64, m64'", 1, true))
        assert.equal(("chart\n"):rep(round), file.read(d .. "/charts/latest/runs"))
      end
      assert.equal("file", file.kind(d .. "/" .. default))
      assert.equal("latest\n", process.run({ args = { "ls", d .. "/charts" } }).out)
    end)
  end)

  it("finds the report of a directory that is asked for, and passes on a failure", function()
    in_tree(function(d, run)
      local r = run({ DISPLAY = false, WAYLAND_DISPLAY = false }, "--set", "all", "--out", d .. "/mine")
      assert.equal(0, r.status, r.err)
      assert.truthy(r.out:find(d .. "/mine/report.html", 1, true), r.out)
      assert.is_nil(r.out:find("explain", 1, true)) -- it would look elsewhere
      assert.equal("chart --set all --out " .. d .. "/mine\n", file.read(d .. "/mine/runs"))
      r = run({ FAIL = "1", DISPLAY = false, WAYLAND_DISPLAY = false })
      assert.equal(1, r.status)
      assert.truthy(r.out:find(d .. "/charts/latest/report.html", 1, true), r.out)
      assert.is_nil(r.out:find("explain", 1, true))
    end)
  end)

  it("does not show an earlier report as if it were this run's", function()
    in_tree(function(_, run)
      assert.equal(0, run({ DISPLAY = false, WAYLAND_DISPLAY = false }).status)
      local r = run({ NOTHING = "1", DISPLAY = false, WAYLAND_DISPLAY = false })
      assert.equal(1, r.status)
      assert.is_nil(r.out:find("report.html", 1, true), r.out)
      assert.matches("this run wrote no report; [^\n]*/charts/latest/report.html is an earlier one's\n", r.err)
    end)
  end)
end)
