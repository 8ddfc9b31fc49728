local core = require "portolan.core"
local file = require "portolan.support.file"
local process = require "process"

local function repl(options)
  local r = process.run { args = { process.portolan, "repl", table.unpack(options) }, input = options.input }
  return { r.status, r.out, r.err }
end

describe("repl", function()
  it("evaluates code from the command line", function()
    assert.same({ 0, '2  "x"\n3\n', "" }, repl { "-e", "1 + 1, 'x'", "-e", "y = 3", "-e", "=y" })
    assert.same({ 0, '{ 1, b = { "c\\n" } }\n', "" }, repl { "-e", "{ 1, b = { 'c\\n' } }" })
    assert.same({ 0, '"function"\n', "" }, repl { "-e", "type(portolan.base.rng)" })
    assert.same({ 0, 'nil  "JSON:1:1: expected a value, found the end of the text"\n', "" }, repl { "-e", "portolan.json.decode ''" })
    assert.same({ 1, "", "portolan repl: (-e):1: boo\n" }, repl { "-e", "error 'boo'" })
    assert.same({ 1, "", "portolan repl: { code = 7 }\n" }, repl { "-e", "error { code = 7 }" })
  end)

  it("takes lines from a pipe, statements over several of them, and goes on after errors", function()
    local input = "for i = 1, 2 do\nprint(i)\nend\n\n1 +\n1\nnope.x\nt = { 1,\n2 }\nt\nerror('here')\nfor"
    assert.same({ 1, "1\n2\n2\n{ 1, 2 }\n",
      "stdin:7: attempt to index a nil value (global 'nope')\nstdin:11: here\nstdin:12: <name> expected near <eof>\n" },
      repl { input = input })
    assert.same({ 0, "", "" }, repl { input = "" })
    assert.same({ 0, "5\n", "" }, repl { "-", input = "5" })
  end)

  it("runs scripts with their arguments", function()
    process.in_directory(function(d)
      local script = d .. "/s.lua"
      assert(file.write(script, "#!/usr/bin/env lua\nprint(..., arg[2], portolan.version ~= nil)\nif ... == 'x' then error('no') end"))
      assert.same({ 0, "a\t--b\ttrue\n", "" }, repl { script, "a", "--", "--b" })
      assert.same({ 1, "x\tnil\ttrue\n", ("portolan repl: %s:3: no\n"):format(script) }, repl { script, "x" })
      assert.same({ 2, "", ("portolan repl: cannot open %s/none: No such file or directory\n"):format(d) }, repl { d .. "/none" })
    end)
  end)

  it("ends an endless loop on Ctrl-C", function()
    local shell = [[exec 4< <('%s' repl -e 'print("started") io.stdout:flush() while true do pcall(print) end'); child=$!
      read -r first <&4; kill -INT $child; cat <&4 >/dev/null; wait $child; echo $first $?]]
    local r = process.run { args = { "bash", "-c", shell:format(process.portolan) } }
    assert.same({ "started 130\n", "portolan repl: interrupted\n" }, { r.out, r.err })
  end)

  -- The status of a script that is interrupted so many times, half a second apart.
  local function interrupted(code, times)
    local status
    process.in_directory(function(d)
      assert(file.write(d .. "/s.lua", "print 'started' io.stdout:flush() " .. code))
      local shell = [[exec 4< <('%s' repl %s/s.lua 2>&1); child=$!; read -r first <&4
        for i in $(seq %d); do kill -INT $child; sleep 0.5; done; (exec >/dev/null 2>&1; sleep 20; kill -KILL $child) & killer=$!
        cat <&4; wait $child; s=$?; kill $killer; exit $s]]
      local r = process.run { args = { "bash", "-c", shell:format(process.portolan, d, times) } }
      status = r.status
    end)
    return status
  end

  it("ends loops that swallow errors on the first Ctrl-C", function()
    for _, code in ipairs {
      "while true do pcall(function() for i = 1, 1e9 do end end) end",
      "local function f() while true do pcall(function() while true do pcall(function() for i = 1, 1e9 do end end) end end) end end f()",
      "while true do pcall(coroutine.wrap(function() while true do pcall(function() for i = 1, 1e9 do end end) end end)) end",
      "while true do xpcall(function() for i = 1, 1e9 do end end, function() error 'in the handler' end) end",
      "local ok, e = pcall(function() while true do end end) error('wrapped ' .. tostring(e))",
    } do
      assert.equal(130, interrupted(code, 1), code)
    end
  end)

  it("lets a script tidy up after Ctrl-C", function()
    process.in_directory(function(d)
      assert.equal(130, interrupted(("pcall(function() while true do end end) local f = io.open('%s/kept', 'w') f:write 'x' f:close()"):format(d), 1))
      assert.equal("x", file.read(d .. "/kept"))
    end)
  end)

  it("ends at once on a second Ctrl-C, even within a function of C", function()
    assert.equal(130, interrupted("local _ = (('a'):rep(100000)):find(('a-'):rep(8) .. 'b')", 2))
  end)

  -- Where it would not be left to end by itself: an error in the midst of it, also in callbacks of an event loop that print a traceback.
  it("leaves the library to return what it has so far, and the script to say it: one line, 130 after Ctrl-C, 143 after SIGTERM", function()
    local script = [[
      local asked = 0
      local function predictor(name, f)
        return { name = name, predict = function(_, blocks)
          asked = asked + 1
          if asked == 40 then print "started" io.stdout:flush() end
          local answers = {}
          for i, block in ipairs(blocks) do answers[i] = { cycles = f(block) } end
          for _ = 1, 1e5 do end
          return answers
        end }
      end
      local c = assert(portolan.anica.campaign.new { a = predictor("a", function(block) return block:byte(-1) % 2 + 1 end),
        b = predictor("b", function() return 1 end), limits = { seconds = 60 }, coverage = { blocks = 0 },
        supported = function(_, names) return names end })
      local result, text = assert(c:run()), ""
      for i = 1, 1e5 do text = text .. (i % 100 == 0 and "." or "") end
      print(result.reason, result.figures.blocks_sampled > 0, #text)
      while true do end]]
    process.in_directory(function(d)
      assert(file.write(d .. "/s.lua", script))
      for signal, status in pairs { INT = 130, TERM = 143 } do
        for _, command in ipairs { "run", "repl" } do
          local shell = ([[exec 4< <(cd %s; exec '%s' %s s.lua); child=$!; read -r first <&4; kill -%s $child; cat <&4; wait $child; echo $first $?]])
            :format(d, process.portolan, command, signal)
          local r = process.run { args = { "bash", "-c", shell } }
          assert.same({ ("interrupted\ttrue\t1000\nstarted %d\n"):format(status), ("portolan %s: interrupted\n"):format(command) }, { r.out, r.err })
        end
      end
    end)
  end)

  it("leaves to the script what the library returned, however soon after it was told of Ctrl-C", function()
    local returns = assert(load("local base = ... base.set_interrupted(true) return base.interrupted() and 'so far'", "@library/x.lua"))
    local script = assert(load([[local base, f = ...
      local r = f(base)
      for i = 1, 1e5 do r = r .. (i % 5e4 == 0 and "." or "") end
      return r]], "@s.lua"))
    local said
    local done = core.base.interruptible(function() said = script(core.base, returns) end, "@library/")
    core.base.set_interrupted(false)
    assert.same({ true, "so far.." }, { done, said })
  end)

  it("edits lines on a terminal, keeps a history, and lives through Ctrl-C", function()
    process.in_directory(function(d)
      -- A second Ctrl-C before the first one is dealt with ends the process: they must not come too fast for a slow machine.
      local keys = {
        "sleep 3", "printf '1+1\\n'", "sleep 1", "printf 'half\\003'", "sleep 1", "printf 'more\\003'", "sleep 1",
        "printf 'while true do end\\n'", "sleep 1.5", "printf '\\003'", "sleep 1.5", "printf '\"still here\"\\n'", "sleep 1",
        "printf '\\004'", "sleep 0.5",
      }
      local command = ("(%s) | script -qec \"exec '%s' repl\" /dev/null"):format(table.concat(keys, "; "), process.portolan)
      local r = process.run { args = { "sh", "-c", command }, env = { XDG_STATE_HOME = d, TERM = "xterm" } }
      assert.equal(0, r.status)
      assert.matches("[\r\n]2\r", r.out)
      assert.matches("interrupted\r\n", r.out)
      assert.matches("[\r\n]\"still here\"\r", r.out)
      assert.equal('1+1\nwhile true do end\n"still here"\n', file.read(d .. "/portolan/repl_history"))
    end)
  end)

  it("leaves the terminal as it is when it asks for its width", function()
    local command = ([[script -qec "exec '%s' repl -e 1 -e 'io.lines(\"/proc/self/fdinfo/1\", \"a\")()'" /dev/null]]):format(process.portolan)
    local r = process.run { args = { "sh", "-c", command }, env = { COLUMNS = false } }
    assert.equal(0, r.status)
    assert.equal(0, tonumber(assert(r.out:match("flags:[\\t ]*(%d+)"), r.out), 8) & 2048)
  end)

  -- Who reads the terminal slowly, or has much to read, must not end the program; nor may it leave the terminal in another mode.
  it("waits for a terminal that takes a large table slowly", function()
    process.in_directory(function(d)
      local keys = {
        "sleep 3", "printf 't = {}\\nfor i = 1, 190 do t[i] = {} for k = 1, 190 do t[i][k] = \"some word or other\" end end\\n'", "sleep 1",
        "printf 't\\n'", "sleep 3", "printf 'io.lines(\"/proc/self/fdinfo/1\", \"a\")()\\n'", "sleep 1", "printf '#t + 1\\n'", "sleep 1",
        "printf '\\004'", "sleep 0.5",
      }
      local command = ("(%s) | script -qec \"exec '%s' repl\" /dev/null | (sleep 5; cat)"):format(table.concat(keys, "; "), process.portolan)
      local r = process.run { args = { "sh", "-c", command }, env = { XDG_STATE_HOME = d, TERM = "xterm", COLUMNS = false } }
      assert.equal(0, r.status)
      local _, words = r.out:gsub("some word or other", "")
      assert.is_true(words >= 190 * 190, words)
      local flags = tonumber(assert(r.out:match("flags:[\\t ]*(%d+)"), r.out:sub(-2000)), 8)
      assert.equal(0, flags & 2048, "standard output does not wait") -- O_NONBLOCK
      assert.matches("[\r\n]191\r", r.out)
    end)
  end)
end)

describe("show", function()
  local show = require "portolan.support.show"

  it("cuts what is long, deep or endless", function()
    local loop = {}
    loop.self = loop
    assert.equal("{ self = <the same again> }", show(loop))
    local deep = {}
    for _ = 1, 20 do deep = { deep } end
    assert.matches("{%.%.%.}", show(deep))
    local long = {}
    for i = 1, 1000 do long[i] = i end
    assert.matches("200, %.%.%. 800 more }$", show(long, 2000))
    assert.matches(' %.%.%. %(5000 bytes%)$', show(("x"):rep(5000)))
  end)

  it("writes keys as Lua does, sorted", function()
    assert.equal('{ 1, [5] = 2, ["add r64, r64"] = 3, ["end"] = 4, name = 5 }',
      show { 1, [5] = 2, ["add r64, r64"] = 3, ["end"] = 4, name = 5 })
  end)
end)
