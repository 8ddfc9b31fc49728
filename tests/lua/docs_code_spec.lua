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
