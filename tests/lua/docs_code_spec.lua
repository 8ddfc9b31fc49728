-- What documents say about the code exists: `engine/...` and `lua/...` are files, and the functions that follow, `file`: `function`, are in them.
local file = require "portolan.support.file"
local process = require "process"

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
    for _, name in ipairs(require("portolan.cli").commands) do commands[name] = true end
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
