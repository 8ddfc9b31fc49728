-- What `cmake --install` puts in place works without the source tree.
local file = require "portolan.support.file"
local process = require "process"
local uv = require "luv"

local function quoted(path) return "'" .. path .. "'" end

describe("an installation", function()
  local prefix

  setup(function()
    prefix = assert(require("luv").fs_mkdtemp("/tmp/portolan-test-XXXXXX"))
    local r = process.run { args = { "cmake", "--install", os.getenv("PORTOLAN_BUILD"), "--prefix", prefix } }
    assert(r.status == 0, r.err)
  end)

  teardown(function() os.execute("rm -rf " .. quoted(prefix)) end)

  -- The installed program, from another directory and without any variable that could lead it to the source tree.
  local function portolan(...)
    return process.run {
      args = { prefix .. "/bin/portolan", ... }, cwd = "/",
      env = { LUA_PATH = false, LUA_CPATH = false, PORTOLAN_ARCH = false, PORTOLAN_BUILD = false, PORTOLAN_SOURCE = false },
    }
  end

  it("tells its version", function()
    local r = portolan("--version")
    assert.same({ 0, "portolan " .. require("portolan.core").version .. "\n", "" }, { r.status, r.out, r.err })
  end)

  it("uses its own files", function()
    local r = portolan("repl", "-e", "package.searchpath('portolan', package.path)", "-e",
      "package.searchpath('portolan.core', package.cpath):gsub('/lib.*/portolan/portolan/', ' ')", "-e", "portolan.support.paths.arch()")
    assert.equal("", r.err)
    assert.equal(('"%s/share/portolan/lua/portolan/init.lua"\n"%s core.so"  1\n"%s/share/portolan/arch"\n'):format(prefix, prefix, prefix),
      r.out)
  end)

  it("knows schemes and their exclusions", function()
    local r = portolan("isa", "show", "add r64, r64")
    assert.same({ 0, "" }, { r.status, r.err })
    assert.matches("add r64, r64", r.out, 1, true)
  end)

  it("predicts", function()
    local mapping = prefix .. "/mapping.json"
    assert(require("portolan.support.file").write(mapping, [==[{ "format": "portolan-mapping", "version": 1, "ports": ["0", "1"],
      "schemes": { "add r64, r64": { "uops": [[["0", "1"], 1]], "status": "explained" } } }]==]))
    local r = portolan("repl", "-e", ("portolan.mapping.compile(portolan.mapping.load(%q)):throughput { ['add r64, r64'] = 3 }"):format(mapping))
    assert.same({ 0, "1.5\n", "" }, { r.status, r.out, r.err })
    if package.searchpath("portolan.cli.predict", package.path) then
      r = portolan("predict", "--mapping", mapping, "3*add r64, r64")
      assert.same({ 0, "" }, { r.status, r.err })
      assert.matches("1.5", r.out, 1, true)
    end
  end)

  it("has every command", function()
    for _, name in ipairs(require("portolan.cli").commands) do
      if package.searchpath("portolan.cli." .. name, package.path) then
        local r = portolan(name, "--help")
        assert.same({ 0, "" }, { r.status, r.err })
      end
    end
  end)
end)

-- The lines of README.md on how to build, in a folder of their own, where pkg-config finds only what `scripts/install-deps` installs without --test.
describe("README's lines", function()
  local source = os.getenv "PORTOLAN_SOURCE"
  local lines = assert(assert(file.read(source .. "/README.md")):match "\n## Install, build, test\n.-\n\n(    .-)\n\n")

  local function sh(d, command, env)
    local r = process.run { args = { "sh", "-ec", command }, cwd = d, env = env, seconds = 300 }
    assert.equal(0, r.status, r.out .. r.err)
    return r.out
  end

  it("build on a system without the packages for tests", function()
    local packages = process.run { args = { source .. "/scripts/install-deps", "--list" } }.out:gsub("\n", " ")
    if process.emulated or not os.execute("dpkg -L " .. packages .. " >/dev/null 2>&1") then return pending "no Debian with the packages" end
    process.in_directory(function(d)
      for _, name in ipairs(process.names(source)) do
        if name ~= "build" and not name:find "^%." then assert(uv.fs_symlink(source .. "/" .. name, d .. "/" .. name)) end
      end
      sh(d, "mkdir seen; ln -s $(dpkg -L " .. packages .. " | grep '[.]pc$') seen")
      local env = { PKG_CONFIG_LIBDIR = d .. "/seen", PKG_CONFIG_PATH = false, DESTDIR = false }
      assert.equal(1, process.run { args = { "pkg-config", "--exists", "cmocka" }, env = env }.status)
      local said = {}
      for line in (lines .. "\n"):gmatch " +([^\n]-) *\n" do
        line = line:gsub(" *#.*", "")
        if line:find "^cmake" then
          said[#said + 1] = line
          -- to compile all of it takes a minute; that it would, ninja's plan says, and one program
          local quick = line:gsub("cmake %-%-build (%S+)", "ninja -C %1 -n && cmake --build %1 --target portolan_worker")
          sh(d, (quick:gsub("^cmake %-%-install.*", "true")), env)
        end
      end
      assert.equal(2, #said)
      assert.is_nil(sh(d, "ninja -C build/release -t targets all"):find("tests/", 1, true))
    end)
  end)
end)
