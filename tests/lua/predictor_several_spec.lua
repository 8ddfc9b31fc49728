-- Tasks, programs that run side by side, and several predictors at once.
local core = require "portolan.core"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local protocol = require "portolan.predictor.machinery.protocol"
local several = require "portolan.predictor.machinery.several"
local task = require "portolan.predictor.machinery.task"

local function shell(words, options) return assert(program.run("/bin/sh", { "-c", words }, options)) end

-- Calls f with a named pipe's path: who reads it waits for who writes it, so that orders do not depend on time.
local function with_fifo(f)
  process.in_directory(function(directory)
    local path = directory .. "/fifo"
    assert(os.execute("mkfifo " .. path))
    f(path)
  end)
end

describe("tasks", function()
  it("run side by side: each of two waits for what the other does", function()
    with_fifo(function(path)
      local reader = task.start(shell, "cat " .. path)
      assert.is_false(reader:done())
      local writer = task.start(shell, "echo seen >" .. path)
      assert.equal("seen\n", reader:wait().out)
      assert.equal(0, writer:wait().status)
      assert.is_true(writer:done())
    end)
  end)

  it("may start tasks and wait for them, and hand on results and errors", function()
    local outer = task.start(function()
      local inner = task.start(shell, "echo 1")
      return inner:wait().out, nil, 3
    end)
    assert.same({ "1\n", nil, 3 }, { outer:wait() })
    local failing = task.start(function()
      shell "true"
      error "broken here"
    end)
    assert.has_error(function() failing:wait() end)
    assert.matches("broken here.*stack traceback", select(2, pcall(failing.wait, failing)))
    assert.has_error(function() task.wait(function() return false end) end, "waiting for what nobody will do")
  end)

  it("may be many, and leave no descriptor open", function()
    local function open_files()
      local n = 0
      for _ in require("luv").fs_scandir_next, require("luv").fs_scandir "/proc/self/fd" do n = n + 1 end
      return n
    end
    shell "true"
    local before, jobs = open_files(), {}
    for i = 1, 40 do jobs[i] = task.start(shell, "echo " .. i) end
    for i = 40, 1, -1 do assert.equal(i .. "\n", jobs[i]:wait().out) end
    assert.equal(before, open_files())
  end)

  it("leave no child behind", function()
    for _ = 1, 20 do task.start(shell, "exit 3"):wait() end
    local children = shell("ps -o stat= --ppid " .. require("luv").os_getpid()).out
    assert.is_nil(children:find "Z")
  end)
end)

describe("a program", function()
  it("may be fed and may write more than pipes hold, to both of its outputs", function()
    local text = ("0123456789abcde\n"):rep(200000)
    local result = shell([[awk '{ print; print > "/dev/stderr" }']], { input = text })
    assert.is_true(result.out == text and result.err == text)
  end)

  it("may end before it has read its input", function()
    assert.equal(0, shell("exit 0", { input = ("x"):rep(1 << 22) }).status)
  end)

  it("is ended with all that it started, and is not waited for if it leaves others behind", function()
    local result = shell("sleep 100 & while :; do :; done", { seconds = 1 })
    assert.is_true(result.late)
    result = shell "sleep 100 & echo done"
    assert.same({ "done\n", 0, false }, { result.out, result.status, result.late })
  end)

  it("ends at Ctrl-C", function()
    core.base.catch_interrupts()
    local job = task.start(shell, "sleep 100")
    core.base.set_interrupted(true)
    local result = job:wait()
    core.base.set_interrupted(false)
    assert.same({ true, false }, { result.interrupted, result.late })
  end)
end)

-- A predictor that answers after a program has run: the number of bytes, times a factor.
local function fake(name, factor, options)
  local class = protocol.class {
    deterministic = true, log = {},
    answer = function(self, blocks)
      self.log[#self.log + 1] = #blocks
      if options and options.script then shell(options.script) end
      local answers = {}
      for i, block in ipairs(blocks) do answers[i] = { cycles = #protocol.bytes(block) * factor } end
      return answers
    end,
  }
  local p = setmetatable({ name = name, version = "1" }, class)
  for key, value in pairs(options or {}) do p[key] = value end
  return p
end

describe("predictors", function()
  it("answer equal blocks once, and only with numbers", function()
    local p = fake("p", 1)
    assert.same({ { cycles = 1 }, { cycles = 2 }, { cycles = 1 }, { cycles = 3 } }, p:predict { "a", "bb", "a", { text = "add rax, rbx" } })
    assert.same({ 3 }, p.log)
    assert.same({}, p:start({}):wait())
    for _, factor in ipairs { 0 / 0, 1 / 0, -1 } do
      local answer = fake("p", factor):predict({ "a" })[1]
      assert.is_true(answer.crash)
      assert.matches("it answers", answer.error)
    end
  end)

  it("are asked side by side; answers have the order of the questions", function()
    with_fifo(function(path)
      local blocks = {}
      for i = 1, 100 do blocks[i] = ("x"):rep(i) end
      local a, b = fake("a", 1, { script = "cat " .. path .. " >" .. path .. ".seen" }), fake("b", 2, { script = "echo >" .. path })
      local last = fake("last", 3, { exclusive = true, script = "cat " .. path .. ".seen >/dev/null" })
      local lists = several.predict({ last, a, b }, blocks, { jobs = 2 })
      assert.equal(3, #lists)
      for i = 1, 100 do assert.same({ 3 * i, i, 2 * i }, { lists[1][i].cycles, lists[2][i].cycles, lists[3][i].cycles }) end
      assert.same({ 100 }, last.log)
    end)
  end)

  it("give the same with any number of jobs", function()
    local blocks = {}
    for i = 1, 301 do blocks[i] = ("x"):rep(i % 97) end
    local expected = several.predict({ fake("a", 1), fake("b", 2) }, blocks, { jobs = 1 })
    for _, jobs in ipairs { 2, 5 } do assert.same(expected, several.predict({ fake("a", 1), fake("b", 2) }, blocks, { jobs = jobs })) end
    assert.equal(301, #expected[2])
    assert.same({ {}, {} }, several.predict({ fake("a", 1), fake("b", 2) }, {}))
    local halves = fake("a", 1)
    several.predict({ halves }, table.move(blocks, 1, 97, 1, {}), { jobs = 2 })
    assert.same({ 49, 48 }, halves.log)
  end)
end)
