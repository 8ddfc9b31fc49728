-- What `cmake --install` puts in place works without the source tree.
local process = require "process"

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
      "package.searchpath('portolan.core', package.cpath):gsub('/lib.*/portolan/portolan/', ' ')", "-e", "portolan.paths.arch()")
    assert.equal("", r.err)
    assert.equal(('"%s/share/portolan/lua/portolan/init.lua"\n"%s core.so"  1\n"%s/share/portolan/arch"\n'):format(prefix, prefix, prefix),
      r.out)
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
