--- Asks for room for more files, ahead of code that would not say what it lacks if there were none.
-- @module portolan.support.room
local uv = require "luv"

--- Tells whether so many more files can be opened now.
-- @param needed number of descriptors
return function(needed)
  local opened = {}
  while #opened < needed do
    local fd = uv.fs_open("/dev/null", "r", 0)
    if not fd then break end
    opened[#opened + 1] = fd
  end
  for _, fd in ipairs(opened) do uv.fs_close(fd) end
  return #opened == needed
end
