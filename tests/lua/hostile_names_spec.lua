-- Names and messages from files and tools, with all that could harm a terminal or mislead a reader, through every command that shows them.
local csv = require "portolan.format.csv"
local file = require "portolan.support.file"
local html = require "portolan.report.html"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local printable = require "portolan.support.printable"
local process = require "process"
local small_core = require "support.small_core"
local terminal = require "portolan.support.terminal"

-- Escape sequences of 7 and 8 bits, a bell, a carriage return, marks of direction, separators, a formula, a line of its own,
-- and longer than string.format has columns.
local hostile = "=\27]0;x\7\27[2J\u{9b}31m\u{85}\rz\u{202e}abc\u{2066}\u{200f}\u{2028}\127\nEVIL" .. ("w"):rep(120)

local function harmless(text)
  return utf8.len(text) ~= nil and not text:find "[\0-\8\11-\31\127]" and not text:find "\xC2[\x80-\x9F]" and not text:find "\xD8\x9C"
    and not text:find "\xE2\x80[\x8E\x8F\xA8-\xAE]" and not text:find "\xE2\x81[\xA6-\xA9]"
end

describe("printable", function()
  it("replaces what acts, and nothing else", function()
    local plain = "add r64, m64 µops — é 日本 😀 ░█"
    assert.equal(plain, printable(plain))
    assert.equal(plain .. "\n\t", printable.text(plain .. "\n\t"))
    assert.is_true(harmless(printable(hostile)))
    assert.equal("a??b??", printable "a\n\tb\xFF\xC2")
    assert.equal("?[31m", printable "\u{9b}[31m")
    assert.equal("??", printable "\xE2\x80") -- half a character
    assert.equal("one; two", printable.line "one\n  two\n")
    for code = 0, 0x3000 do
      local c = utf8.char(code)
      assert.is_true(harmless(printable.text("a" .. c .. "b")), ("U+%04X"):format(code))
    end
  end)

  it("takes random bytes", function()
    math.randomseed(16)
    for _ = 1, 20000 do
      local bytes = {}
      for i = 1, math.random(0, 12) do bytes[i] = string.char(math.random(0, 255)) end
      local text = table.concat(bytes)
      assert.is_true(harmless(printable.text(text)))
      assert.is_true(harmless(html.escape(text)))
      assert.is_true(harmless(terminal.harmless(text)))
    end
  end)

  it("lets the terminal's own styles through, and no others", function()
    assert.equal("\27[31mred\27[0m ?[31mnot", terminal.harmless(terminal.style("red", "red", true) .. " \27[31mnot"))
  end)

  it("has JSON escape what it replaces, without loss", function()
    local text = assert(json.encode { name = hostile })
    assert.is_true(harmless(text))
    assert.equal(hostile, assert(json.decode(text, "text")).name)
  end)
end)

-- A mapping whose ports, schemes and words are hostile, as far as its file may say so.
local function evil()
  local m = small_core.mapping { [hostile .. " r64, r64"] = { uops = { { { "0", hostile }, 1 } }, slots = 1, status = "explained" },
    ["vpor ymm, ymm, ymm"] = { uops = { { { "1" }, 1 } }, status = "explained", note = hostile, slots = 1 } }
  m.ports[#m.ports + 1] = hostile
  m.provenance = { processor = hostile, method = hostile, command = hostile, notes = { hostile, hostile } }
  return m
end

local function clean(r, what)
  assert.is_true(harmless(r.out), what .. ", stdout: " .. ("%q"):format(r.out:sub(1, 3000)))
  assert.is_true(harmless(r.err), what .. ", stderr: " .. ("%q"):format(r.err:sub(1, 3000)))
  if not what:find "%-%-to csv" then -- where a cell may have lines
    assert.is_nil((r.out .. "\n" .. r.err):find "\n%s*EVIL", what .. ": " .. ("%q"):format(r.out:sub(1, 3000)))
  end
  assert.is_nil(r.err:find("internal error", 1, true), what .. ": " .. r.err)
end

-- Runs each command line (words; D stands for the directory) and looks at what it says.
local function each(d, lines)
  for _, line in ipairs(lines) do
    local args = { process.portolan }
    for i, word in ipairs(line) do args[i + 1] = (" " .. word):gsub("([:= ])D/", function(c) return c .. d .. "/" end):sub(2) end
    clean(process.run { args = args, seconds = 120, env = { XDG_CACHE_HOME = d .. "/cache" } }, table.concat(line, " "))
  end
end

local function prepared(f)
  process.in_directory(function(d)
    assert(mapping.save(evil(), d .. "/evil.json"))
    assert(mapping.save(small_core.mapping(), d .. "/a.json"))
    assert(file.write(d .. "/e.jsonl", assert(json.encode { e = { [hostile .. " r64, r64"] = 1 }, cycles = 0.5, status = "ok" }) .. "\n"
      .. assert(json.encode { e = { [hostile .. " r64, r64"] = 2, ["imul r64, r64"] = 1 }, cycles = 1, status = "ok", note = hostile }) .. "\n"
      .. assert(json.encode { e = { ["imul r64, r64"] = 1 }, status = hostile }) .. "\n"))
    f(d)
  end)
end

describe("hostile names", function()
  it("do nothing on their way through commands that read mappings", function()
    local evil_scheme = hostile .. " r64, r64"
    prepared(function(d)
      each(d, {
        { "predict", "--mapping", "D/evil.json", evil_scheme }, { "predict", "--mapping", "D/evil.json", "vpor ymm, ymm, ymm", "--schedule" },
        { "explain", "--mapping", "D/evil.json" }, { "explain", "--mapping", "D/evil.json", "vpor ymm, ymm, ymm" },
        { "explain", "--mapping", "D/evil.json", evil_scheme }, { "recheck", "--mapping", "D/evil.json", hostile },
        { "compare", "D/evil.json", "D/a.json" }, { "patterns", "D/evil.json", "--full" },
        { "compare", "D/a.json", "D/evil.json", "--json" }, { "verify", "D/evil.json" },
        { "disagree", "D/evil.json", "--reference", "D/a.json" },
        { "eval", "D/e.jsonl", "--mapping", "D/evil.json", "--worst", "3", "--by-length" },
        { "eval", "D/e.jsonl", "--mapping", "D/evil.json", "--json" }, { "predict", "--mapping", "D/" .. hostile:gsub("/", "") .. ".json", "x" },
        { hostile }, { "predict", "--" .. hostile }, { "chart", "--set", hostile }, { "bench", "--experiment", hostile },
        { "bench", "--chain", hostile .. " [1 > 1]" },
        { "bench", "--chain", "add r64, r64 [" .. hostile .. " > 1]" }, { "bench", hostile },
        { "isa", "show", hostile }, { "isa", "list", "--filter", hostile }, { "report", hostile }, { "cover", hostile, hostile },
        { "campaign", "--a", hostile, "--b", hostile }, { "domain", "check", hostile }, { "domain", "show", hostile },
        { "repl", "-e", "error '" .. "\\27[2J\\u{202e}" .. "'" }, { "repl", "-e", "'\\27[2J\\u{202e}'" }, { "repl", "-e", "x =" .. hostile },
        { "--debug", "repl", "-e", "error '" .. "\\27[2J\\u{202e}" .. "'" },
      })
    end)
  end)

  it("do nothing on their way through inference", function()
    prepared(function(d)
      each(d, {
        { "infer", "cegis", "--oracle", "sim:D/evil.json", hostile .. " r64, r64", "imul r64, r64", "--out", "D/c.json" },
        { "infer", "cegis", "--oracle", "sim:D/evil.json", hostile .. " r64, r64", "imul r64, r64", "--json" },
        { "infer", "cegis", "--oracle", "sim:D/evil.json", hostile }, { "infer", "cegis", "--oracle", hostile },
        { "infer", "cegis", "--oracle", "replay:D/e.jsonl", "--ports", "3", "--rmax", "4" }, { "verify", "D/c.json" },
        { "infer", "pmevo", "--oracle", "sim:D/evil.json", "--out", "D/p", "--evaluate", "10", "--threads", "1" },
        { "infer", "explain", "--oracle", "sim:D/evil.json", "--evaluate", "5", "--report", "D/r.html" },
        { "infer", "uops-info", "--oracle", "sim:D/evil.json" },
      })
      assert.is_true(harmless(assert(file.read(d .. "/r.html"))))
      assert.is_true(harmless(assert(file.read(d .. "/p/accuracy.html"))))
    end)
  end)

  it("do nothing in exports and in reports", function()
    prepared(function(d)
      for _, format in ipairs { "json", "conjunctive", "csv", "llvm", "osaca", "pmevo" } do
        local path = d .. "/exported"
        each(d, { { "export", "D/evil.json", "--to", format }, { "export", "D/evil.json", "--to", format, "--out", path } })
        if file.kind(path) then assert.is_true(harmless(assert(file.read(path))), format) end
        os.remove(path)
      end
      each(d, { { "export", "--experiments", "D/e.jsonl", "--to", "csv" }, { "export", "--experiments", "D/e.jsonl", "--to", "json" },
        { "eval", "D/e.jsonl", "--mapping", "D/evil.json", "--report", "D/eval.html" } })
      assert.is_true(harmless(assert(file.read(d .. "/eval.html"))))
    end)
  end)

  it("do nothing in what tools say", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/tool", "#!/bin/sh\nprintf '\\033[2J\\302\\205\\342\\200\\256\\377' >&2\n"
        .. "printf '\\033[2J\\302\\205\\377\\n'\nexit 3\n"))
      assert(file.write(d .. "/silent", "#!/bin/sh\nprintf '\\033]0;x\\007\\377' >&2\nexit 3\n"))
      each(d, { { "predict", "--predictor", "command:sh D/tool", "add rax, rbx" },
        { "predict", "--predictor", "command:sh D/silent", "add rax, rbx" },
        { "predict", "--predictor", "command-batch:sh D/tool", "add rax, rbx", "--json" },
        { "predict", "--predictor", "uica:program=D/tool", "add rax, rbx" } })
    end)
  end)
end)

describe("tables for spreadsheets", function()
  it("have no formulas, and read back as they were", function()
    for _, name in ipairs { "=1+1", "+x", "-x", "@SUM(A1)", "'=x", "''-y", "'z", "plain" } do
      local m = { format = "portolan-mapping", version = 1, ports = { "0" },
        schemes = { [name] = { uops = { { { "0" }, 1 } }, status = "explained" } } }
      local text = csv.encode(m)
      for line in text:gmatch "[^\n]+" do assert.is_nil(("," .. line):gsub('"', ""):find ",[=+%-@]", line) end
      assert.same({ name }, { next(assert(csv.mapping(text, "t")).schemes), nil })
    end
  end)
end)

describe("standard output and error", function()
  it("are written to in few places, all of which make text harmless", function()
    local allowed = { ["cli/init.lua"] = true, ["support/terminal.lua"] = true, ["progress/line.lua"] = true,
      ["support/prompt.lua"] = true }
    local root = os.getenv "PORTOLAN_SOURCE" .. "/lua/portolan/"
    for path in io.popen("find '" .. root .. "' -name '*.lua'"):lines() do
      local name = path:sub(#root + 1)
      local code = assert(file.read(path)):gsub("%-%-[^\n]*", "")
      if not allowed[name] then
        assert.is_nil(code:find "io%.std%a+%s*:write", name)
        assert.is_nil(code:find "io%.write", name)
        assert.is_nil(code:find "[^%w_.]print%s*[%(\"']", name)
      end
    end
  end)

  it("are the only places that files are written to but for the writers", function()
    local allowed = { ["support/temporary.lua"] = true, ["support/prompt.lua"] = true, ["support/file.lua"] = true }
    local root = os.getenv "PORTOLAN_SOURCE" .. "/lua/portolan/"
    for path in io.popen("find '" .. root .. "' -name '*.lua'"):lines() do
      local name = path:sub(#root + 1)
      local code = assert(file.read(path))
      if not allowed[name] then
        assert.is_nil(code:find "io%.open%([^\n]-,%s*\"[wa]", name)
        assert.is_nil(code:find "os%.rename", name)
        assert.is_nil(code:find "os%.tmpname", name)
        assert.is_nil(code:find "uv%.fs_rename", name)
        assert.is_nil(code:find "uv%.fs_mkdtemp", name)
        assert.is_nil(code:find "uv%.fs_open%([^\n]-\"[wa]", name)
      end
    end
  end)
end)
