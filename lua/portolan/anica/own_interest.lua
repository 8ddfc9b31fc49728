--- Interestingness of the user's own: a function of all predictors' answers (section 8.1.1 leaves open what is interesting); and crashes.
--
-- A function gets the answers of A, B and all further predictors in their order, `{ cycles = }` or `{ error =, crash =, unsupported = }`, and the
-- block (machine code). It returns a degree: a number, which is interesting beyond the threshold; true or false; or nil, if there is no verdict.
-- @module portolan.anica.own_interest
local failure = require "portolan.support.failure"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local own_file = require "portolan.support.own_file"

local own_interest = {}
own_interest.__index = own_interest

--- Those that have names: how many of the predictors crash.
local crashes = {
  ["crash-one"] = function(n) return n == 1 end,
  ["crash-any"] = function(n) return n > 0 end,
  ["crash-all"] = function(n, of) return n == of end,
}

--- Their names, for messages.
own_interest.names = { "crash-one", "crash-any", "crash-all" }

local function of_crashes(enough)
  return function(answers)
    local n, silent = 0, false
    for _, answer in ipairs(answers) do
      if answer.crash then n = n + 1 elseif not answer.cycles then silent = true end
    end
    if silent and n == 0 then return nil end
    return enough(n, #answers) and math.huge or 0
  end
end

local function of_file(path)
  local loaded, text = own_file.load(path, "a function(answers, block), or { interesting = that, threshold = number } (docs/extending.md)",
    function(value) return type(value) == "function" or type(value) == "table" and type(value.interesting) == "function" end)
  if not loaded then return nil, text end
  if type(loaded) == "function" then loaded = { interesting = loaded } end
  return { f = function(...)
    local degree, why = own_file.call(path, loaded.interesting, ...)
    if degree == nil and why then failure.raise(tostring(why)) end
    return degree
  end, threshold = loaded.threshold, name = path, content = fingerprint.of(text) }
end

-- What tells a function from an edited one: its code, without the values that it has from around it. A function of C has none.
local function digest(f)
  local ok, code = pcall(string.dump, f, true)
  return ok and fingerprint.of(code) or nil
end

--- A criterion.
-- @tparam string|func what one of `names`, a Lua file by its path or its name in a folder `interesting` (portolan.support.own_file), or a function
-- @tparam[opt] number threshold that the degree must exceed; by default what the file says, or 0
-- @return criterion with `judge`, `kind` ("own"), `threshold`, `name`, `content`; or nil and a message
function own_interest.new(what, threshold)
  local self, message = { f = what, name = "a function", content = type(what) == "function" and digest(what) or nil }, nil
  if type(what) == "string" then
    if crashes[what] then
      self = { f = of_crashes(crashes[what]), name = what, crashes = true }
    elseif own_file.find("interesting", what) then
      self, message = of_file(own_file.find("interesting", what))
    else
      return nil, ("interesting: '%s'; write a Lua file, or %s%s"):format(what, table.concat(own_interest.names, ", "),
        own_file.listed "interesting")
    end
  end
  if not self then return nil, "interesting: " .. message end
  self.kind, self.threshold = "own", threshold or self.threshold or 0
  if type(self.threshold) ~= "number" or self.threshold ~= self.threshold then return nil, "interesting: the threshold must be a number" end
  return setmetatable(self, own_interest)
end

--- What decides a prediction: blocks for which the first predictor says the same as for this one are interesting (in the manner of COMET,
-- arXiv 2302.06836).
-- @tparam number cycles that it says for the block
-- @tparam[opt=0.05] number threshold share of these by which another prediction may differ, and be the same
-- @return criterion
function own_interest.same(cycles, threshold)
  local share = threshold or 0.05
  local function f(answers)
    local x = answers[1].cycles
    if not x then return nil end
    return math.abs(x - cycles) <= share * cycles
  end
  return setmetatable({ f = f, kind = "own", name = "same", threshold = share }, own_interest)
end

--- The verdict on a block.
-- @param a answer of the first predictor
-- @param b answer of the second
-- @param block machine code
-- @param further answers of further predictors
-- @return true or false, nil if there is none; the degree
function own_interest:judge(a, b, block, further)
  local degree = self.f({ a, b, table.unpack(further or {}) }, block)
  if type(degree) == "boolean" then return degree, degree and 1 or 0 end
  if degree == nil or degree ~= degree then return nil end
  if type(degree) ~= "number" then
    failure.raise(("%s: it must return a number, true, false or nil, and returned a %s"):format(self.name, type(degree)))
  end
  return degree > self.threshold, degree
end

return own_interest
