--- Chooses which schemes a campaign samples: those of the domain that its filters let through and that every predictor supports (section 8.2.2).
-- @module portolan.anica.sampled_schemes
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local scheme_filter = require "portolan.scheme.filter"
local support = require "portolan.predictor.machinery.supported"
local universe = require "portolan.anica.universe"

local sampled_schemes = {}

-- Splits names by a filter. Kept, dropped; or nil and a message.
local function split(names, expression, keep)
  local matches, message = scheme_filter.compile(expression)
  if not matches then return nil, message end
  local kept, dropped = {}, {}
  for _, name in ipairs(names) do
    local scheme, why = universe.scheme(name)
    if not scheme then return nil, why end
    local yes, trouble = matches(scheme)
    if yes == nil then return nil, trouble end
    local list = yes == keep and kept or dropped
    list[#list + 1] = name
  end
  return kept, dropped
end

-- The schemes that a predictor supports: variants as their scheme. Or nil, a message, an exit status: nothing is wrong with the input if time is up.
local function supported(names, predictor, options, look)
  local plain, at = lists.distinct(lists.map(names, universe.plain)), 0
  local list, message = (options.supported or support.of)(predictor, plain, { crashes = options.criterion and options.criterion.crashes,
    stop = look and function(done, total)
      at = done
      return look(("schemes that %s supports"):format(predictor.name), done, total)
    end })
  if not list and message == "seconds" then
    return nil, ("its time was up when %d of %d schemes were known to be supported by %s or not; the same command goes on from there")
      :format(at, #plain, predictor.name), 1
  end
  if not list then return nil, message end
  local good = lists.set(list)
  return lists.where(names, function(name) return good[universe.plain(name)] end), message
end

--- Chooses the schemes.
-- @param names all schemes of the domain
-- @param predictors list
-- @tparam[opt] table options
-- @tparam[opt] string options.schemes filter that they must match
-- @tparam[opt] string options.exclude filter that they must not match
-- @tparam[opt] func options.supported function(predictor, names) -> those that it supports; by default portolan.predictor.machinery.supported
-- @tparam[opt] func look function(what, done, total) -> reason to end early ("seconds"), or nil
-- @return names; list of `{ reason =, count = }` for those that are left out; or nil, a message, an exit status (nil: the input is wrong)
function sampled_schemes.choose(names, predictors, options, look)
  options = options or {}
  local excluded = json.array {}
  local function left_out(reason, before, after)
    if after and before > #after then excluded[#excluded + 1] = { reason = reason, count = before - #after } end
    return after
  end
  for _, filter in ipairs { { "schemes", true, "not among the chosen schemes" }, { "exclude", false, "excluded" } } do
    local name, keep, reason = table.unpack(filter)
    if options[name] then
      local kept, message = split(names, options[name], keep)
      if not kept then return nil, ("option %s: %s"):format(name, message) end
      names = left_out(reason, #names, kept)
    end
  end
  for _, predictor in ipairs(predictors) do
    local kept, message, status = supported(names, predictor, options, look)
    if not kept then return nil, message, status end
    if #kept == 0 and #names > 0 then
      local why = type(message) == "table" and message[universe.plain(names[1])]
      return nil, ("%s predicts nothing%s"):format(predictor.name, why and (", such as '%s': %s"):format(universe.plain(names[1]), why) or "")
    end
    names = left_out("not supported by " .. predictor.name, #names, kept)
  end
  if #names == 0 then return nil, "no scheme is left that both predictors support and the filters let through" end
  return names, excluded
end

return sampled_schemes
