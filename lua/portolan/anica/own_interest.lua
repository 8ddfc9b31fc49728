--- Interestingness by name or as a function of the user's own: of all predictors' answers, also for changed blocks (section 8.1.1 leaves open what
-- is interesting).
--
-- Both are written alike: `portolan.anica.interests` says what a function gets and returns.
-- @module portolan.anica.own_interest
local failure = require "portolan.support.failure"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local interests = require "portolan.anica.interests"
local own_file = require "portolan.support.own_file"

local own_interest = {}
own_interest.__index = own_interest

-- A predictor that disagrees with itself. Its predictions are not measured: a tenth is no noise.
local function of_itself(self, change)
  return { f = self.interesting, blocks = self.blocks, fewest = 1, threshold = 0.1, shows = "block " .. change }
end

-- Those that have names. `fewest`: predictors that are needed; `shows`: what B's column is, where there is no B.
local named = {
  ["relative"] = { f = interests.relative, threshold = 0.5 },
  ["absolute"] = { f = interests.absolute, threshold = 1 },
  ["crash-one"] = { f = interests.crash_one, crashes = true },
  ["crash-any"] = { f = interests.crash_any, crashes = true },
  ["crash-all"] = { f = interests.crash_all, crashes = true },
  ["self-renamed"] = of_itself(interests.renamed, "renamed"),
  ["self-rotated"] = of_itself(interests.rotated, "rotated"),
  ["self-copied"] = of_itself(interests.copied, "copied"),
  ["processors"] = { f = interests.processors, threshold = 0.5 },
}

--- Their names, sorted, for messages and help.
own_interest.names = {}
for name in pairs(named) do table.insert(own_interest.names, name) end
table.sort(own_interest.names)

local what_files_return = "a function(answers, block, more), or { interesting = that, threshold = number, predictors = number, "
  .. "blocks = function(block) } (docs/extending.md)"

local function fits(value)
  if type(value) == "function" then return true end
  return type(value) == "table" and type(value.interesting) == "function" and (value.blocks == nil or type(value.blocks) == "function")
    and (value.predictors == nil or value.predictors == 1 or value.predictors == 2)
end

-- A function of the user's that raises an error ends the campaign, with its line.
local function guarded(path, f)
  return function(...)
    local first, second, raised = own_file.call(path, f, ...)
    if raised then failure.raise(tostring(second)) end
    return first, second
  end
end

local function of_file(path)
  local loaded, text = own_file.load(path, what_files_return, fits)
  if not loaded then return nil, text end
  if type(loaded) == "function" then loaded = { interesting = loaded } end
  return { f = guarded(path, loaded.interesting), blocks = loaded.blocks and guarded(path, loaded.blocks), threshold = loaded.threshold, name = path,
    fewest = loaded.predictors, shows = loaded.blocks and "block changed", content = fingerprint.of(text) }
end

-- Returns what tells a function from an edited one: a fingerprint of its code, without the values that it has from around it.
-- A function of C has none: nil.
local function digest(f)
  local ok, code = pcall(string.dump, f, true)
  return ok and fingerprint.of(code) or nil
end

-- The criterion of a name, with a name of its own.
local function of_name(name)
  local copy = { name = name }
  for key, value in pairs(named[name]) do copy[key] = value end
  return copy
end

local function look_up(what)
  if type(what) == "function" then return { f = what, name = "a function", content = digest(what) } end
  if named[what] then return of_name(what) end
  local path = own_file.find("interesting", what)
  if path then return of_file(path) end
  return nil, ("'%s'; write a Lua file, or %s%s"):format(what, table.concat(own_interest.names, ", "), own_file.listed "interesting")
end

--- A criterion.
-- @tparam string|func what one of `names`, a Lua file by its path or its name in a folder `interesting` (portolan.support.own_file), or a function
-- @tparam[opt] number threshold that the degree must exceed; by default what the name or the file says, or 0
-- @return criterion with `judge`, `changed`, `kind` ("own"), `threshold`, `name`, `content`, `fewest` predictors, `shows`; or nil and a message
function own_interest.new(what, threshold)
  local self, message = look_up(what)
  if not self then return nil, "interesting: " .. message end
  self.kind, self.fewest, self.threshold = "own", self.fewest or 2, threshold or self.threshold or 0
  if type(self.threshold) ~= "number" or self.threshold ~= self.threshold then return nil, "interesting: the threshold must be a number" end
  return setmetatable(self, own_interest)
end

--- Makes the criterion for what decides a prediction (`portolan.anica.interests.same`).
-- @tparam number cycles that the first predictor says for the block
-- @tparam[opt=0.05] number threshold share of these by which another prediction may differ, and be the same
-- @return criterion
function own_interest.same(cycles, threshold)
  local share = threshold or 0.05
  return setmetatable({ f = interests.same(cycles, share), kind = "own", name = "same", threshold = share, fewest = 1 }, own_interest)
end

--- The changed blocks that must be predicted, too.
-- @param block machine code
-- @tparam[opt] string architecture by default the host's
-- @return list of machine code
function own_interest:changed(block, architecture)
  local list = self.blocks and self.blocks(block, architecture) or {}
  local fine = type(list) == "table"
  for _, changed in ipairs(fine and list or {}) do fine = fine and type(changed) == "string" and changed ~= "" end
  if not fine then failure.raise(("%s: blocks must return a list of blocks, machine code"):format(self.name)) end
  return list
end

--- The verdict on a block.
-- @tparam {table,...} answers of all predictors
-- @param block machine code
-- @tparam table more `{ predictors = list, changed = { { block =, answers = }, ... } }`
-- @return true or false, nil if there is none; the degree; the answer that is shown beside that of A, nil for that of B
function own_interest:judge(answers, block, more)
  local degree, shown = self.f(answers, block, more)
  if type(shown) ~= "table" then shown = nil end
  if type(degree) == "boolean" then return degree, degree and 1 or 0, shown end
  if degree == nil or degree ~= degree then return nil, nil, shown end
  if type(degree) ~= "number" then
    failure.raise(("%s: it must return a number, true, false or nil, and returned a %s"):format(self.name, type(degree)))
  end
  return degree > self.threshold, degree, shown
end

return own_interest
