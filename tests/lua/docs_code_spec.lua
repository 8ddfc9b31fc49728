-- What documents say about the code exists: `engine/...` and `lua/...` are files, and the functions that follow, `file`: `function`, are in them.
-- The commands that they show are read by the program's own parser, and options that they name are its commands' or its scripts'.
local cli = require "portolan.cli"
local docs_commands = require "docs_commands"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local process = require "process"
local uv = require "luv"

local root = os.getenv "PORTOLAN_SOURCE"

-- Is the function (its name, or the last part of it) defined in that text?
local function defines(text, path, name)
  local plain = name:gsub("%p", "%%%0")
  if path:find "%.lua$" then
    return text:find("function [%w_%.]*[.:]?" .. plain .. "%s*%(") ~= nil or text:find("function [%w_]+[.:]" .. plain .. "%s*%(") ~= nil
  end
  return text:find("\n[%a][^\n;]*[%s*]" .. plain .. "%(") ~= nil
end

-- What is wrong with the last cell of a row of "From the papers to the code": it names a test, or a command, that exists.
local function test_fault(cell, commands)
  local any = false
  for word in cell:gmatch "`([^`]+)`" do
    local path = word:match "^tests/%S+$" or word:match "^portolan run (%S+)$"
    local command = word:match "^portolan (%S+)"
    local known = path and file.kind(root .. "/" .. path) == "file" or not path and command and commands[command]
      or not path and word:find "^build/release/bench/" and file.kind(root .. "/tests/bench/" .. word:match "[^/]+$" .. ".c") == "file"
    if not known then return word end
    any = true
  end
  return not any and "no test and no command" or nil
end

describe("from the papers to the code", function()
  it("names a test or a command for each row", function()
    local commands, faults, rows = {}, {}, 0
    for _, name in ipairs(cli.commands) do commands[name] = true end
    for line in (assert(file.read(root .. "/docs/from-the-papers.md"))):gmatch "[^\n]+" do
      local cell = line:match "^|.*|([^|]*)|$"
      if cell and not line:find "^| %-%-%-" and not line:find "^| in the papers" then
        local fault = test_fault(cell, commands)
        if fault then faults[#faults + 1] = line:sub(1, 60) .. ": " .. fault end
        rows = rows + 1
      end
    end
    assert.same({}, faults)
    assert.is_true(rows > 50, rows)
  end)
end)

describe("documents name code that exists:", function()
  for _, name in ipairs(process.names(root .. "/docs")) do
    if name:find "%.md$" then
      it(name, function()
        local faults = {}
        for line in (assert(file.read(root .. "/docs/" .. name)) .. "\n"):gmatch "(.-)\n" do
          for path, rest in line:gmatch "`([el][nu][ga][%w_]*/[%w_/]+%.[chlua]+)`(:?[^|;]*)" do
            local text = file.read(root .. "/" .. path)
            if not text then faults[#faults + 1] = path end
            local functions = text and rest:match "^: (`.*)$" or ""
            functions = functions:match "^(.-),? ?a?n?d? `[el][nu][ga]" or functions
            for f in functions:gmatch "`([%w_.:]+)`" do
              if not f:find "%.lua$" and not defines("\n" .. text, path, f) then faults[#faults + 1] = path .. ": " .. f end
            end
          end
        end
        assert.same({}, faults)
      end)
    end
  end
end)

-- README.md and docs/*.md: path -> text.
local documents = { ["README.md"] = assert(file.read(root .. "/README.md")) }
for _, name in ipairs(process.names(root .. "/docs")) do
  if name:find "%.md$" then documents["docs/" .. name] = assert(file.read(root .. "/docs/" .. name)) end
end

-- Options of a parser and of its commands: set of names.
local function options_of(parser, all)
  all = all or {}
  for _, option in ipairs(parser._options) do
    for _, alias in ipairs(option._aliases) do all[alias] = true end
  end
  for _, command in ipairs(parser._commands) do options_of(command, all) end
  return all
end

uv.os_setenv("PORTOLAN_PATH", root .. "/scripts/examples") -- as docs/extending.md has it
local known = {} -- command -> its options
for _, name in ipairs(cli.commands) do known[name] = options_of(cli.parser(name, { name == "infer" and "widths" or nil })) end

-- Does a text name an option?
local function names_option(text, option) return text:find(option:gsub("%-", "%%-") .. "%f[^%w-]") ~= nil end

-- Is the option one of a script, by its text?
local function of_script(path, option)
  local text = file.read(root .. "/" .. path)
  return text ~= nil and names_option(text, option)
end

-- What is wrong with a command of portolan. What the text names in passing, or has places to fill in, need not be complete.
local function command_fault(command)
  local name, words = command.words[1], {}
  if not name or name:find "^%-" then return nil end
  for i = 2, #command.words do
    if command.words[i] ~= "--help" then words[#words + 1] = command.words[i] end -- it would end the program
  end
  local parser = cli.parser(name, words)
  if not parser then return "there is no such command" end
  if words[1] == "STRATEGY" then words[1] = "cegis" end
  local ok, message = cli.parse(parser, words)
  if ok or (command.is_synopsis or command.inline) and not (message:find "^unknown" or message:find "too many" or message:find "not take") then
    return nil
  end
  return message:gsub("\n.*", "")
end

local function script_fault(command)
  if not file.kind(root .. "/" .. command.program) then return "there is no such script" end
  for _, word in ipairs(command.words) do
    if word:find "^%-" and not of_script(command.program, word) then return "it has no option " .. word end
  end
end

describe("commands that documents show", function()
  it("are read by the program's own parser", function()
    local faults, counts = {}, { plain = 0, others = 0 }
    for path, text in pairs(documents) do
      for _, command in ipairs((docs_commands.of(text))) do
        local kind = (command.is_synopsis or command.inline) and "others" or "plain"
        counts[kind] = counts[kind] + 1
        local fault
        if command.program == "portolan" then fault = command_fault(command) else fault = script_fault(command) end
        if fault then faults[#faults + 1] = ("%s:%d: %s: %s"):format(path, command.place, command.line, fault) end
      end
    end
    assert.same({}, faults)
    assert.is_true(counts.plain > 150 and counts.others > 150, json.encode(counts))
  end)

  it("have no option beside them that does not exist", function()
    local scripts, faults, count = process.names(root .. "/scripts"), {}, 0
    local function exists(named)
      local own = named.section and known[named.section:match "^%S+"]
      if own and own[named.option] then return true end
      for name, options in pairs(known) do
        if options[named.option] and (not own or named.paragraph:find("%f[%w]" .. name .. "%f[%W]") or named.paragraph:find "other commands") then
          return true
        end
      end
      for _, name in ipairs(scripts) do
        if of_script("scripts/" .. name, named.option) then return true end
      end
      return named.paragraph:find "llvm%-exegesis" and not own
    end
    for path, text in pairs(documents) do
      for _, named in ipairs(select(2, docs_commands.of(text))) do
        count = count + 1
        if not exists(named) then faults[#faults + 1] = ("%s:%d: %s"):format(path, named.place, named.option) end
      end
    end
    assert.same({}, faults)
    assert.is_true(count > 300, count)
  end)

  -- In the section of docs/command-line.md, or on a page that its table names for the command.
  it("have all their options described", function()
    local missing, text, section = {}, {}, nil
    for line in documents["docs/command-line.md"]:gmatch "[^\n]+" do
      local row = line:match "^| `([%l]+)` |"
      for page in (row and known[row] and line or ""):gmatch "%]%(([%w-]+%.md)" do text[row] = (text[row] or "") .. documents["docs/" .. page] end
      section = line:match "^## `portolan (%l+)" or section
      if section then text[section] = (text[section] or "") .. line .. "\n" end
    end
    for name, options in pairs(known) do
      for option in pairs(options) do
        local general = option == "--help" or option == "--debug" or option == "--json" or not option:find "^%-%-"
        if not general and not names_option(text[name] or "", option) then missing[#missing + 1] = name .. " " .. option end
      end
    end
    table.sort(missing)
    assert.same({}, missing)
  end)
end)
