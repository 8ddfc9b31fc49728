--- The measured experiments that `portolan eval` is given: one file, or several as one set.
-- @module portolan.cli.eval_set
local accuracy = require "portolan.prediction.accuracy"
local bhive = require "portolan.format.bhive"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"

local eval_set = {}

-- The records of one file; a note about it, where there is one; or nil and a message.
local function load_one(path, is_bhive)
  if not is_bhive and bhive.is(path) then
    return nil, ("%s: a table of machine code; add --bhive if its numbers are the cycles of 100 runs"):format(path)
  end
  if not is_bhive then return experiments.load(path) end
  local records, strange = bhive.experiments(path, "throughput")
  if not records then return nil, strange end
  local note = bhive.undecoded(strange, #records, path)
  if note and #records == 0 then return nil, note end
  return records, note
end

--- Is no file given twice? Its experiments would count twice.
-- @param paths list
-- @return true; or nil and a message
function eval_set.check_different(paths)
  for i, path in ipairs(paths) do
    for k = 1, i - 1 do
      if path == paths[k] or file.same(path, paths[k]) then return nil, ("%s: the same experiments are given twice"):format(path) end
    end
  end
  return true
end

--- Returns what several files are called together.
-- @param names list of their names
-- @return text
function eval_set.title(names)
  return #names == 1 and names[1] or ("%s and %d more"):format(names[1], #names - 1)
end

--- Reads the experiments of all files.
-- @param paths list
-- @param is_bhive whether they are tables of BHive's measured blocks
-- @return set (`portolan.prediction.accuracy`), list of notes about the files; or nil and a message
function eval_set.load(paths, is_bhive)
  local ok, message = eval_set.check_different(paths)
  if not ok then return nil, message end
  local all, notes = {}, {}
  for _, path in ipairs(paths) do
    local records, note = load_one(path, is_bhive)
    if not records then return nil, note end
    local fault = select(2, accuracy.set(records))
    if fault then return nil, path .. ": " .. fault end
    notes[#notes + 1] = note
    table.move(records, 1, #records, #all + 1, all)
  end
  local set = assert(accuracy.set(all))
  if #set.records == 0 then
    return nil, ("%s: there is no measured experiment in it (of %d); evaluation needs records with 'cycles'")
      :format(eval_set.title(paths), set.total)
  end
  return set, notes
end

return eval_set
