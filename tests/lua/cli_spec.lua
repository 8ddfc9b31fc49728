local file = require "portolan.support.file"
local process = require "process"

-- Runs the front end: status, output, errors.
local function portolan(...)
  local r = process.run { args = { process.portolan, ... } }
  return r.status, r.out, r.err
end

local function fails(status, message, ...)
  local found, out, err = portolan(...)
  assert.same({ status, "", message .. "\n" }, { found, out, err })
end

-- A subcommand for tests that stands in for `doctor`: calls f with its directory and a function that runs it.
local function with_command(code, f)
  process.in_directory(function(d)
    assert(file.make_directory(d .. "/portolan/cli"))
    assert(file.write(d .. "/portolan/cli/doctor.lua", code))
    f(function(command, shell)
      local path = d .. "/?.lua;" .. package.path
      local main = ("lua5.4 -e 'os.exit(require(\"portolan.cli\").main(arg), true)' - %s"):format(command)
      local preload = os.getenv("PORTOLAN_PRELOAD")
      if preload then main = "LD_PRELOAD=" .. preload .. " " .. main end
      local r = process.run { args = { "bash", "-c", (shell or "%s"):gsub("%%s", (main:gsub("%%", "%%%%"))) }, env = { LUA_PATH = path } }
      return r.status, r.out, r.err
    end)
  end)
end

describe("the command line", function()
  it("shows its version and its commands", function()
    local status, out, err = portolan("--version")
    assert.same({ 0, "portolan " .. require("portolan.core").version .. "\n", "" }, { status, out, err })
    for _, flag in ipairs { "--help", "-h" } do
      status, out, err = portolan(flag)
      assert.same({ 0, "" }, { status, err })
      assert.matches("\n   repl  +a Lua prompt", out)
    end
  end)

  it("has --help for every command", function()
    for _, name in ipairs(require("portolan.cli").commands) do
      if package.searchpath("portolan.cli." .. name, package.path) then
        local status, out, err = portolan(name, "--help")
        assert.same({ 0, "" }, { status, err })
        assert.matches("^Usage: portolan " .. name, out)
      end
    end
  end)

  it("lists the sets of the architecture that is charted", function()
    local _, out = portolan("chart", "--help")
    assert.matches("avx512vl", out)
    assert.is_nil(out:find("simd", 1, true)) -- of A64
  end)

  it("counts one as one", function()
    process.in_directory(function(d)
      local mapping = require "portolan.mapping"
      assert(mapping.save(mapping.two_level({ "0", "1" }, { ["add r64, r64"] = { "0", "1" } }), d .. "/m.json"))
      local _, out = portolan("infer", "cegis", "--oracle", "sim:" .. d .. "/m.json", "add r64, r64")
      assert.matches("\n1 experiment, 1 round, ", out)
    end)
  end)

  it("says in one line what is wrong with a command, and exits with 2", function()
    fails(2, "portolan: which command? (doctor, loop, isa, bench, sample, measure, chart, explain, recheck, patterns, report, infer, verify, "
      .. "predict, eval, compare, disagree, campaign, generalize, cover, domain, export, merge, run, repl); see portolan --help")
    fails(2, "portolan: unknown command 'reple'; did you mean 'repl'?", "reple")
    fails(2, "portolan predict: unknown option '-3'; see portolan predict --help", "predict", "-3*add r64, r64")
    fails(2, "portolan: unknown command 'xyzzy'; see portolan --help", "xyzzy")
    fails(2, "portolan: unknown command '../file'; see portolan --help", "../file")
    fails(2, "portolan: unknown command 'init'; see portolan --help", "init")
    fails(2, "portolan: unknown option '--frob'; see portolan --help", "--frob")
    fails(2, "portolan repl: unknown option '--frob'; see portolan repl --help", "repl", "--frob")
    fails(2, "portolan repl: option '-e' requires an argument; see portolan repl --help", "repl", "-e")
  end)

  it("turns what a command returns into a status", function()
    local command = [[
      return {
        summary = "a test", configure = function(p) p:argument("code"); p:flag("--json") end,
        run = function(args, context) return load(args.code)(context) end,
      }]]
    with_command(command, function(run)
      assert.same({ 0, "x%d\n", "" }, { run [[doctor 'local c = ... c.out("x%d\n")']] })
      assert.same({ 0, "x7\n", "" }, { run [[doctor 'local c = ... c.out("x%d\n", 7)']] })
      assert.same({ 3, "", "" }, { run [[doctor 'return 3']] })
      assert.same({ 0, "true", "" }, { run [[doctor --json 'local c = ... c.out(tostring(c.json))']] })
      assert.same({ 2, "", "portolan doctor: no such file; look again\n" }, { run [[doctor 'return nil, "no such file\n look again\n"']] })
      assert.same({ 1, "", "portolan doctor: failed\n" }, { run [[doctor 'return nil, "failed", 1']] })
    end)
  end)

  it("shows an internal error in one line, with --debug where it was", function()
    with_command([[return { summary = "a test", run = function() local t; return t.x end }]], function(run)
      local status, out, err = run "doctor"
      assert.same({ 1, "" }, { status, out })
      assert.matches("^portolan doctor: internal error: .*doctor.lua:1: attempt to index a nil value.*; %-%-debug shows where\n$", err)
      for _, command in ipairs { "--debug doctor", "doctor --debug" } do
        status, out, err = run(command)
        assert.same({ 1, "" }, { status, out })
        assert.matches("^portolan doctor: internal error: .*stack traceback:\n.*doctor.lua:1: in", err)
      end
    end)
  end)

  it("reports a command that cannot be loaded", function()
    with_command("syntax error", function(run)
      local status, out, err = run "doctor"
      assert.same({ 1, "" }, { status, out })
      assert.matches("^portolan doctor: internal error: .*\n$", err)
      status, out = run "--help"
      assert.equal(0, status)
      assert.matches("repl", out)
    end)
  end)

  it("ends quietly when nobody reads its output", function()
    local endless = [[return { summary = "a test", run = function(_, c) while true do c.out("line\n") end end }]]
    with_command(endless, function(run)
      assert.same({ 141, "line\n", "" }, { run("doctor", "%s | head -n 1; exit ${PIPESTATUS[0]}") })
      assert.same({ 1, "", "portolan: cannot write to standard output: No space left on device\n" }, { run("doctor", "%s > /dev/full") })
    end)
    local short = [[return { summary = "a test", run = function(_, c) c.out("line\n") end }]]
    with_command(short, function(run)
      assert.same({ 1, "", "portolan: cannot write to standard output: No space left on device\n" }, { run("doctor", "%s > /dev/full") })
    end)
    for _, closed in ipairs { "<&-", ">&-", "2>&-", "<&- >&- 2>&-" } do
      local r = process.run { args = { "sh", "-c", ("'%s' repl -e 1 %s"):format(process.portolan, closed) } }
      assert.equal(0, r.status)
      assert.equal("", r.err)
    end
  end)

  it("exits with 130 after Ctrl-C, 143 after SIGTERM, with what the command had to write", function()
    local command = [[return { summary = "a test", interruptible = true, run = function(_, c)
      local core = require "portolan.core"
      c.out("started\n") io.stdout:flush()
      while not core.base.interrupted() do end
      c.out("partial\n")
    end }]]
    -- The shell waits for the first line, so that the signal comes when the command runs.
    local shell = [[exec 4< <(%s); child=$!; read -r first <&4; kill -INT $child; cat <&4; wait $child; echo $first $?]]
    with_command(command, function(run)
      assert.same({ 0, "partial\nstarted 130\n", "" }, { run("doctor", shell) })
      assert.same({ 0, "partial\nstarted 143\n", "" }, { run("doctor", (shell:gsub("INT", "TERM"))) })
    end)
    local deaf = [[return { summary = "a test", run = function(_, c) c.out("started\n") io.stdout:flush() while true do end end }]]
    with_command(deaf, function(run)
      assert.same({ 0, "started 130\n", "portolan doctor: interrupted\n" }, { run("doctor", shell) })
    end)
  end)

  it("exits with 130 after Ctrl-C while it is being loaded, too", function()
    process.in_directory(function(d)
      -- A module that it needs, in whose place it is interrupted; the front end's look for modules passes by.
      assert(file.write(d .. "/argparse.lua", "if arg[0] == '-' then io.popen('kill -INT $PPID'):close() for _ = 1, 1e6 do end end"))
      local r = process.run { args = { process.portolan, "--version" }, env = { LUA_PATH = d .. "/?.lua;" .. package.path } }
      assert.same({ 130, "", "portolan: interrupted\n" }, { r.status, r.out, r.err })
    end)
  end)

  it("says how to mend a tree that is not built", function()
    process.in_directory(function(d)
      assert(file.make_directory(d .. "/scripts"))
      assert(file.write(d .. "/scripts/portolan", (file.read(process.portolan))))
      local function attempt(env)
        local r = process.run { args = { "sh", d .. "/scripts/portolan", "--version" }, env = env }
        return { r.status, r.out, r.err }
      end
      assert.same({ 1, "", "portolan: not built yet; build it: cmake --preset release && cmake --build build/release\n" },
        attempt { PORTOLAN_BUILD = false })
      assert.same({ 1, "", "portolan: nothing is built in PORTOLAN_BUILD=/nowhere; build it, or unset PORTOLAN_BUILD\n" },
        attempt { PORTOLAN_BUILD = "/nowhere" })
    end)
  end)

  it("works through a symbolic link and from any directory", function()
    process.in_directory(function(d)
      assert(require("luv").fs_symlink(process.portolan, d .. "/p"))
      local r = process.run { args = { d .. "/p", "--version" }, cwd = "/" }
      assert.same({ 0, "" }, { r.status, r.err })
    end)
  end)
end)
