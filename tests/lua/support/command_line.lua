-- For tests: command lines run in this very process, a hundred times as fast as in one of their own. What they print is kept.
local cli = require "portolan.cli"

local command_line = {}

-- A stream that keeps what is written.
local function kept()
  local parts = {}
  local stream = { flush = function() return true end, text = function() return table.concat(parts) end }
  function stream.write(_, ...)
    for _, part in ipairs { ... } do parts[#parts + 1] = tostring(part) end
    return stream
  end
  return stream
end

-- Runs a list of arguments: { status =, out =, err = }.
function command_line.run(arguments)
  local out, err, real_out, real_err = kept(), kept(), io.stdout, io.stderr
  io.stdout, io.stderr = out, err -- luacheck: ignore 122
  local ok, status = xpcall(cli.main, debug.traceback, arguments)
  io.stdout, io.stderr = real_out, real_err -- luacheck: ignore 122
  if not ok then error(status, 0) end
  return { status = status, out = out.text(), err = err.text() }
end

return command_line
