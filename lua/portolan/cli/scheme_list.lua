--- A file of names of schemes, one a line; empty lines and those that begin with # are skipped.
-- @module portolan.cli.scheme_list
local file = require "portolan.support.file"
local lines = require "portolan.support.lines"

--- Reads one.
-- @param path of the file
-- @return list of names; or nil and a message
return function(path)
  local text, message = file.read(path)
  if not text then return nil, message end
  local each, too_many = lines.of(text, path)
  if not each then return nil, too_many end
  local list = {}
  for _, line in each do
    local name = line:match("^%s*(.-)%s*$")
    if name ~= "" and name:sub(1, 1) ~= "#" then list[#list + 1] = name end
  end
  if #list == 0 then return nil, path .. ": no schemes in it; write one a line" end
  return list
end

