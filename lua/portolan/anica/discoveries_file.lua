--- Checks that discoveries.json looks as it must for its report.
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local shape = require "portolan.support.shape"
local check = {}

local text, amount, whole, boolean, plain = shape.text, shape.amount, shape.whole, shape.boolean, shape.plain
local object, list, map = shape.object, shape.list, shape.map

local answer = object { cycles = amount, error = text, crash = boolean, unsupported = boolean }
local sample = object { hex = text, text = text, a = answer, b = answer }
local step = object { expansions = list(text), accepted = boolean, text = list(text), samples = whole, from = whole, reason = text, failure = text,
  witnesses = list(sample), counter = list(sample) }
local discovery = object { id = text, text = list(text), block = sample, original = sample, interestingness = amount, infinite = boolean,
  generality = amount, subsumed_by = text, covers = whole, witnesses = list(sample), tree = list(step), order = whole }
local predictor = object { name = text, version = plain, spec = text }

local campaign = object {
  format = text, seed = plain, a = predictor, b = predictor, domain = object { file = text, architecture = text, features = list(plain),
    mapping = text },
  universe = object { name = text, content = text },
  interest = object { kind = text, threshold = amount, name = text, content = text, further = list(predictor) },
  samples = whole, first = whole, provisional = whole, length = whole, orders = whole,
  strategy = text, batch = whole, concurrent = whole, schemes = whole, excluded = list(object { reason = text, count = whole }),
  filters = map(plain), limits = map(plain),
}

local coverage = object { blocks = whole, interesting = whole, covered = whole,
  top = list(object { k = whole, covered = whole, discoveries = list(text), proven = boolean }) }

local result = object {
  format = text, campaign = campaign, discoveries = list(discovery), coverage = coverage, reason = text, failure = text, partial = boolean,
  figures = object { seconds = amount, predictor_calls = whole, blocks_sampled = whole, interesting = whole, expansions = whole, batches = whole,
    unlike = whole },
  heat = object { predictors = list(text), blocks = whole, share = list(list(shape.maybe(amount))) },
  version = text, command = text, date = text,
}

-- Returns what is wrong that kinds of values do not say; nil if nothing is. Every step must start from an earlier one,
-- and every discovery must have a name of its own.
local function fault(r)
  local seen = {}
  for i, d in ipairs(r.discoveries) do
    if not d.id then return ("discoveries[%d].id is missing"):format(i) end
    if seen[d.id] then return ("discoveries[%d].id: '%s' is there twice"):format(i, d.id) end
    seen[d.id] = true
    for k, s in ipairs(d.tree or {}) do
      if (s.from or 0) >= k then return ("discoveries[%d].tree[%d].from must be the number of an earlier step"):format(i, k) end
    end
  end
end

--- Checks and copies.
-- @param tables what discoveries.json holds
-- @treturn table|nil the same without what a report does not need, and without nulls; or nil and one line
function check.result(tables)
  if type(tables) ~= "table" or tables.format ~= "portolan-discoveries" then
    return nil, "no discoveries of a campaign ('format' must be \"portolan-discoveries\")"
  end
  if tables.version ~= 1 then return nil, ("version %s of the format is not known here, only 1"):format(printable(tostring(tables.version))) end
  local copy = lists.copy(tables)
  copy.version = tables.portolan -- of the program that wrote it
  local r, message = shape.read(result, copy, "discoveries")
  if not r then return nil, (message:gsub("^discoveries%.", "")) end
  r.campaign, r.figures, r.discoveries = r.campaign or {}, r.figures or {}, r.discoveries or {}
  local wrong = fault(r)
  if wrong then return nil, wrong end
  return r
end

return check
