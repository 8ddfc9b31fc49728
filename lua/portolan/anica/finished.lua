--- Campaigns that have ended: what is in their folder, with the domain and the predictors opened again.
-- @module portolan.anica.finished
local check = require "portolan.anica.discoveries_file"
local domains = require "portolan.anica.domain"
local file = require "portolan.support.file"
local interest = require "portolan.anica.interest"
local json = require "portolan.support.json"
local named = require "portolan.predictor.named"
local own_file = require "portolan.support.own_file"
local own_interest = require "portolan.anica.own_interest"
local pair = require "portolan.anica.pair"

local finished = {}

-- Reads what discoveries.json holds, checked, with the abstract blocks.
local function result_of(directory)
  local path = directory .. "/discoveries.json"
  local text, message = file.read(path)
  if not text then return nil, message .. "; run portolan campaign --out " .. directory end
  local result, trouble = json.decode(text, path)
  if not result then return nil, trouble end
  local whole, wrong = check.result(result)
  if not whole then return nil, ("%s: %s"):format(path, wrong) end
  local c = whole.campaign
  if not (c.domain and c.a and c.a.name and c.b and c.b.name and c.interest and c.interest.kind and c.interest.threshold) then
    return nil, path .. ": campaign.domain, .a, .b and .interest must be there"
  end
  for i, d in ipairs(whole.discoveries) do
    d.abstract = result.discoveries[i].abstract -- which reports do not need
    if not (d.text and d.generality) then return nil, ("%s: discoveries[%d]: 'text' and 'generality' must be there"):format(path, i) end
  end
  return whole
end

-- Discoveries that stand, with their abstract blocks.
local function decoded(result, domain)
  local list = {}
  for _, d in ipairs(result.discoveries) do
    if not d.subsumed_by then
      local A, message = domain:decode(d.abstract)
      if not A then return nil, ("discovery %s: %s"):format(d.id, message) end
      list[#list + 1] = { id = d.id, abstract = A, text = d.text, generality = d.generality, infinite = d.infinite,
        interestingness = d.interestingness }
    end
  end
  return list
end

-- The campaign's universe: where it names none, it is of the time when there was but one.
local function universe_of(c) return c.universe and c.universe.name or "measurable" end

--- Loads a campaign that has ended.
-- @param directory of the campaign
-- @param[opt] mapping port mapping, for features of the campaign's domain; by default the campaign's
-- @return `{ campaign = what campaign.json says, domain =, discoveries = list of { id =, abstract =, text =, generality =, ... } }`; or nil and a
-- message
function finished.load(directory, mapping)
  local result, message = result_of(directory)
  if not result then return nil, message end
  local given = result.campaign.domain
  local domain
  domain, message = domains.load(given.file, { mapping = mapping or given.mapping, universe = universe_of(result.campaign),
    architecture = given.architecture })
  if not domain then return nil, message end
  local list
  list, message = decoded(result, domain)
  if not list then return nil, message end
  return { campaign = result.campaign, domain = domain, discoveries = list }
end

-- Returns what the campaign looked for; or nil and a message. A program of its own is not run: the directory may come from anywhere.
local function criterion_of(i)
  if i.kind ~= "own" then return interest.new(i) end
  local name = tostring(i.name)
  if own_file.is_path(name) then return nil, "it looked for what a Lua file says, which is not run; leave out --interesting" end
  return own_interest.new(name, i.threshold)
end

--- Opens the predictors of a campaign again, and what it took for interesting.
-- @param campaign what campaign.json says
-- @return pair (portolan.anica.pair); or nil and a message
function finished.pair(campaign)
  local a, message = named.open(campaign.a.spec or campaign.a.name)
  if not a then return nil, message end
  local b
  if not campaign.alone then
    b, message = named.open(campaign.b.spec or campaign.b.name)
    if not b then return nil, message end
  end
  local criterion
  criterion, message = criterion_of(campaign.interest)
  if not criterion then return nil, "campaign.interest: " .. message end
  return pair.new(a, b, criterion, { architecture = a.architecture })
end

return finished
