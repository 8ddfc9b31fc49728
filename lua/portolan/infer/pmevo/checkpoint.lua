--- Checkpoints of an evolution: where it stands, so that a run that was killed goes on and ends with the same result.
-- @module portolan.infer.pmevo.checkpoint
local core = require "portolan.core"
local failure = require "portolan.support.failure"
local file = require "portolan.support.file"
local hash = require "portolan.support.hash"
local json = require "portolan.support.json"

local interval = 10 -- seconds between two of them

local checkpoint = {}
checkpoint.__index = checkpoint

--- Computes a hash of what makes two evolutions the same: their experiments and the options that their course depends on.
-- @param list experiments with `schemes`, `counts`, `cycles`, `least`
-- @param options list of strings and numbers
-- @return text
function checkpoint.key(list, options)
  local parts = {}
  for i, x in ipairs(list) do
    parts[i] = ("%s:%s:%.17g:%.17g"):format(table.concat(x.schemes, "+"), table.concat(x.counts, "+"), x.cycles, x.least or 0)
  end
  for _, option in ipairs(options) do parts[#parts + 1] = tostring(option) end
  return hash.hex(table.concat(parts, "\n"))
end

local function digest_of(state) return hash.hex(json.encode(state) or "") end

--- A checkpoint.
-- @param path of its file; nil: there is none
-- @param key of `checkpoint.key`; a file with another one is not read
-- @return checkpoint
function checkpoint.new(path, key)
  return setmetatable({ path = path, key = key, written = core.base.now() }, checkpoint)
end

--- The state that was saved; nil if there is none for this key.
function checkpoint:read()
  if not self.path or file.kind(self.path) ~= "file" then return nil end
  local text = file.read(self.path)
  local saved = text and json.decode(text, self.path)
  if type(saved) ~= "table" or saved.format ~= "portolan-pmevo-checkpoint" or saved.version ~= 1 or saved.key ~= self.key then return nil end
  if saved.digest ~= digest_of(saved.state) then return nil end -- it was changed since
  self.resumed = true
  return saved.state
end

--- Saves the state, if it is time, or in any case.
-- @param state function that returns it, a table for JSON
-- @param now save in any case
-- @return true; or nil and a message
function checkpoint:write(state, now)
  if not self.path or not now and core.base.now() - self.written < interval then return true end
  local saved = state()
  local text, message = json.encode { format = "portolan-pmevo-checkpoint", version = 1, key = self.key, state = saved, digest = digest_of(saved) }
  if not text then return nil, message end
  self.written = core.base.now()
  return failure.of_machine(file.write(self.path, text))
end

return checkpoint
