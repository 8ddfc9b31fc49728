-- Predictors that are any program, mappings, the answers' memory, and which schemes are supported.
local cached = require "portolan.predictor.machinery.cached"
local core = require "portolan.core"
local mapping = require "portolan.mapping"
local named = require "portolan.predictor.named"
local process = require "process"
local program = require "portolan.predictor.machinery.program"
local protocol = require "portolan.predictor.machinery.protocol"
local supported = require "portolan.predictor.machinery.supported"

-- Writes an executable script and calls f with its path and its directory.
local function with_script(text, f)
  process.in_directory(function(directory)
    local path = directory .. "/tool"
    local file = assert(io.open(path, "w"))
    file:write("#!/bin/sh\n", text, "\n")
    file:close()
    os.execute("chmod +x " .. path)
    f(path, directory)
  end)
end

local function cycles_of(answers)
  local list = {}
  for i, answer in ipairs(answers) do list[i] = answer.cycles or false end
  return list
end

-- Blocks that the scripts tell apart: nop (90), ud2 (0f0b), hlt (f4), cpuid (0fa2), add rax, rbx (4801d8).
local nop, ud2, hlt, cpuid, add = "\x90", "\x0f\x0b", "\xf4", "\x0f\xa2", "\x48\x01\xd8"

-- What the scripts do with a block: crash, hang, garbage, refuse, or answer the number of its digits.
local moods = [[
judge() {
  case "$1" in
    0f0b) kill -SEGV $$ ;;
    f4) while :; do :; done ;;
    0fa2) echo what is that ;;
    4801d8) echo unsupported add ;;
    *) echo ${#1} ;;
  esac
}
]]

describe("a command", function()
  it("answers for each block; crashes, hangs, garbage and refusals cost only themselves", function()
    for _, how in ipairs { { script = 'judge "$1"', words = " {}" }, { script = 'read -r x; judge "$x"', words = "" } } do
      with_script(moods .. how.script, function(path)
        local p = assert(named.open("command:" .. path .. how.words, { seconds = 1 }))
        local answers = p:predict { nop, ud2, hlt, cpuid, add, { text = "nop; nop" }, { text = "foo" } }
        assert.same({ 2, false, false, false, false, 4, false }, cycles_of(answers))
        assert.is_true(answers[2].crash and answers[3].crash)
        assert.matches("signal 11", answers[2].error)
        assert.matches("did not end", answers[3].error)
        assert.same({ error = "what is that" }, answers[4])
        assert.same({ error = "unsupported add", unsupported = true }, answers[5])
        assert.is_true(answers[7].unsupported)
      end)
    end
  end)

  it("may take assembler text", function()
    with_script('[ "$1" = "add rax, rbx; nop" ] && echo 7', function(path)
      assert.same({ { cycles = 7 } }, assert(named.open("command:" .. path .. " {asm}")):predict { add .. nop })
    end)
  end)

  it("takes many blocks at once: lines in, lines out, and what one does to it costs only itself", function()
    local script = moods .. 'echo run >>"$0.log"; while read -r x; do judge "$x"; done'
    with_script(script, function(path, directory)
      local p = assert(named.open("command-batch:" .. path, { seconds = 1 }))
      local blocks = {}
      for i = 1, 300 do blocks[i] = nop:rep(1 + i % 7) end
      blocks[50], blocks[150], blocks[200], blocks[300] = ud2, hlt, cpuid, add
      local answers = p:predict(blocks)
      for i, block in ipairs(blocks) do
        local odd = i == 50 or i == 150 or i == 200 or i == 300
        assert.equal(not odd and 2 * #block or nil, answers[i].cycles)
      end
      assert.is_true(answers[50].crash and answers[150].crash)
      assert.is_nil(answers[200].crash)
      assert.is_true(answers[300].unsupported)
      local runs = 0
      for _ in io.lines(directory .. "/tool.log") do runs = runs + 1 end
      assert.is_true(runs <= 25, runs)
    end)
  end)

  it("is asked again block by block if the number of lines is wrong", function()
    with_script('read -r x; echo 1; read -r y && echo 2 && echo 3 && echo 4; true', function(path)
      local answers = assert(named.open("command-batch:" .. path)):predict { nop, add, ud2 }
      assert.same({ 1, 1, 1 }, cycles_of(answers))
    end)
    with_script("grep -v 0f0b | wc -L --", function(path) -- one line, whatever the number of blocks
      assert.same({ 2, 6, 0 }, cycles_of(assert(named.open("command-batch:" .. path)):predict { nop, add, ud2 }))
    end)
    with_script("grep -v 0f0b | awk '{ print length($0) }'", function(path) -- silent about one: the others must not get each other's
      local answers = assert(named.open("command-batch:" .. path)):predict { nop, ud2, add, nop .. nop }
      assert.same({ 2, false, 6, 4 }, cycles_of(answers))
      assert.matches("0 lines for 1 blocks", answers[2].error)
    end)
  end)

  it("that was killed is said to have been killed, by which signal; only its own time is its own fault", function()
    for signal, words in pairs { KILL = "was killed %(signal 9, SIGKILL%)$", TERM = "was killed %(signal 15, SIGTERM%)$",
      HUP = "was killed %(signal 1, SIGHUP%)$", ABRT = "crashed %(signal 6%)$", XCPU = "did not end within its time$" } do
      for _, line in ipairs { "kill -%s $$", "sh -c 'kill -%s $$'; exit $?" } do -- itself, and a child of its shell's
        with_script(line:format(signal), function(path)
          local answer = assert(named.open("command:" .. path)):predict({ nop })[1]
          assert.matches("^the command " .. words, answer.error)
          local own = signal == "ABRT" or signal == "XCPU"
          assert.same({ own, not own, signal == "XCPU" }, { answer.crash == true, answer.transient == true, answer.late == true })
        end)
      end
    end
    with_script("while :; do :; done", function(path)
      local answer = assert(named.open("command:" .. path, { seconds = 1 })):predict({ nop })[1]
      assert.matches("did not end within its time$", answer.error)
    end)
    local deaf = assert(program.run("/bin/sh", { "-c", "trap '' XCPU; while :; do :; done" }, { seconds = 1 })) -- the limit kills it
    assert.same({ 9, true }, { deaf.signal, deaf.late })
  end)

  it("must be there", function()
    for name, words in pairs {
      ["command:"] = "which program", ["command:no-such-program x"] = "there is no program",
      ["no-such:x"] = "there are assume, bhive, chart, command,",
    } do
      local p, message = named.open(name)
      assert.is_nil(p)
      assert.matches(words, message)
    end
  end)
end)

describe("a mapping as predictor", function()
  it("adds up ports and the front end, without dependencies", function()
    process.in_directory(function(directory)
      local path = directory .. "/m.json"
      local m = mapping.two_level({ "0", "1" }, { ["add r64, r64"] = { "0", "1" }, ["nop"] = { "0" } })
      m.rmax = 4
      assert(mapping.save(m, path))
      local p = assert(named.open("mapping:" .. path))
      assert.same({ 0.5, 1.5, false, false }, cycles_of(p:predict { add, add:rep(3), cpuid, add .. ud2 }))
      assert.is_true(p:predict({ cpuid })[1].unsupported)
      assert.matches("no dependencies", p:describe().assumptions)
      local version = p.version
      m.rmax = 1
      assert(mapping.save(m, path))
      p = assert(named.open("mapping:" .. path))
      assert.not_equal(version, p.version)
      assert.equal(3, p:predict({ add:rep(3) })[1].cycles)
      assert.is_nil(named.open("mapping:" .. directory .. "/none.json"))
    end)
  end)
end)

-- Answers the length of a block, notes what it was asked; refuses blocks of length 3, is interrupted at length 5, noisy at length 7.
local function fake(version)
  local class = protocol.class {
    deterministic = true, name = "fake", describe = function() return { is = "fake" } end,
    answer = function(self, blocks)
      local answers = {}
      for i, block in ipairs(blocks) do
        self.asked[#self.asked + 1] = block
        local n = #protocol.bytes(block)
        answers[i] = n == 3 and { error = "no", crash = true } or n == 5 and { error = "interrupted", interrupted = true }
          or n == 7 and { error = "noisy", transient = true } or { cycles = n / 3 }
      end
      return answers
    end,
  }
  return setmetatable({ version = version or "1", asked = {} }, class)
end

describe("a cached predictor", function()
  it("asks each block once per version, whoever asks", function()
    process.in_directory(function(directory)
      local path = directory .. "/answers.db"
      local first, second, third = fake(), fake(), fake "2"
      local p, q, r = assert(cached.wrap(first, path)), assert(cached.wrap(second, path)), assert(cached.wrap(third, path))
      local blocks = { "a", "bb", "ccc", "a\0'b", "eeeee", "ggggggg" }
      local answers = p:predict(blocks)
      assert.same({ 1 / 3, 2 / 3, false, 4 / 3, false, false }, cycles_of(p:predict(blocks)))
      assert.same(6 + 2, #first.asked) -- what was interrupted or noisy is asked again
      assert.same(answers, q:predict(blocks))
      assert.same({ "eeeee", "ggggggg" }, second.asked)
      assert.same({ 4, 2 }, { q.known, q.asked })
      assert.is_true(q:predict({ "ccc" })[1].crash)
      r:predict(blocks)
      assert.equal(6, #third.asked)
      assert.same({ "fake", "1", true, "fake" }, { p.name, p.version, p.deterministic, p:describe().is })
      assert.same(answers, q:start(blocks):wait())
      for _, one in ipairs { p, q, r } do one:close() end
      assert.is_nil(cached.wrap(fake(), "/dev/null/x"))
    end)
  end)

  it("asks again when blocks are put to the predictor in another way", function()
    process.in_directory(function(directory)
      local old, new = fake(), fake()
      new.method = "2"
      local p, q = assert(cached.wrap(old, directory .. "/answers.db")), assert(cached.wrap(new, directory .. "/answers.db"))
      for _ = 1, 2 do
        p:predict { "a" }
        q:predict { "a" }
      end
      assert.same({ { "a" }, { "a" } }, { old.asked, new.asked })
      for _, one in ipairs { p, q } do one:close() end
    end)
  end)

  it("keeps what it has when it is killed", function()
    process.in_directory(function(directory)
      local script = directory .. "/s.lua"
      local file = assert(io.open(script, "w"))
      file:write(([[
        local cached = require "portolan.predictor.machinery.cached"
        local named = require "portolan.predictor.named"
        local p = assert(cached.wrap(assert(named.open "command-batch:awk '{print length}'"), %q))
        for i = 1, math.huge do
          p:predict { ("\x90"):rep(i) }
          if i == 20 then io.open(%q, "w"):close() end
        end]]):format(directory .. "/answers.db", directory .. "/ready"))
      file:close()
      os.execute(("lua5.4 %s & pid=$!; while [ ! -e %s/ready ]; do sleep 0.05; done; kill -9 $pid"):format(script, directory))
      local p = assert(cached.wrap(assert(named.open "command-batch:awk '{print length}'"), directory .. "/answers.db"))
      local blocks = {}
      for i = 1, 20 do blocks[i] = ("\x90"):rep(i) end
      assert.equal(40, p:predict(blocks)[20].cycles)
      assert.same({ 20, 0 }, { p.known, p.asked })
      assert.is_true(p.store:check())
      p:close()
    end)
  end)
end)

describe("supported schemes", function()
  it("are those with a prediction above zero; kept by version and list", function()
    with_script([[while read -r x; do echo . >>"$0.log"
      case "$x" in 4*) echo 1 ;; *90*) echo 0 ;; *) echo unsupported ;; esac; done]], function(path, directory)
      local names = { "add r64, r64", "nop", "vaddps ymm, ymm, ymm", "no such scheme", "imul r64, r64" }
      local function asked()
        local log, n = io.open(directory .. "/tool.log"), 0
        if log then for _ in log:lines() do n = n + 1 end end
        return n
      end
      local options = { directory = directory .. "/cache" }
      local p = assert(named.open("command-batch:" .. path))
      local list, reasons = supported.of(p, names, options)
      assert.same({ "add r64, r64", "imul r64, r64" }, list)
      assert.same({ "predicts 0 cycles", "unsupported" }, { reasons.nop, reasons["vaddps ymm, ymm, ymm"] })
      assert.is_string(reasons["no such scheme"])
      local n = asked()
      assert.same({ list, reasons }, { supported.of(p, names, options) })
      assert.equal(n, asked())
      supported.of(p, { "nop" }, options)
      assert.equal(n + 1, asked())
      supported.of(p, names, { directory = options.directory, again = true })
      assert.equal(2 * n + 1, asked())
      core.base.catch_interrupts()
      core.base.set_interrupted(true)
      assert.same({ nil, "interrupted" }, { supported.of(p, { "add r64, r64" }, options) })
      core.base.set_interrupted(false)
      assert.same({ "add r64, r64" }, (supported.of(p, { "add r64, r64" }, options)))
    end)
  end)
end)
