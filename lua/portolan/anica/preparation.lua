--- Prepares what a campaign needs before it begins: its predictors, its domain, the schemes that all of them support;
-- and what its directory says of it.
-- @module portolan.anica.preparation
local cached = require "portolan.predictor.machinery.cached"
local domains = require "portolan.anica.domain"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local named = require "portolan.predictor.named"
local protocol = require "portolan.predictor.machinery.protocol"
local sampled_schemes = require "portolan.anica.sampled_schemes"
local universe = require "portolan.anica.universe"

local preparation = {}

local function open_predictor(p, cache)
  if type(p) == "table" then return p end
  local opened, message = named.open(p)
  if not opened then return nil, message end
  if cache then return cached.wrap(opened, cache) end
  return opened
end

-- Those under test, one or two, and the further ones.
local function open_predictors(s)
  local tested, others = {}, {}
  for i, name in ipairs { s.a, s.b } do
    local message
    tested[i], message = open_predictor(name, s.cache)
    if not tested[i] then return nil, message end
  end
  for i, name in ipairs(s.heat or {}) do
    local message
    others[i], message = open_predictor(name, s.cache)
    if not others[i] then return nil, message end
  end
  return tested, others
end

local function open_domain(s, predictors)
  if type(s.domain) ~= "table" then
    local architecture, message = protocol.architecture(predictors)
    if not architecture then return nil, message end
    return domains.load(s.domain, { mapping = s.mapping, universe = s.universe or universe.usual(predictors), architecture = architecture })
  end
  if s.universe then return nil, "option universe: the domain is an object, which has its schemes already; leave one of them out" end
  return s.domain
end

-- `spec`: the name that opens it again, where that is another one.
local function identity_of(p)
  return { name = p.name, version = tostring(p.version or ""), spec = p.spec ~= p.name and p.spec or nil }
end

-- Predictors whose answers a criterion of one's own gets, too.
local function identities(list)
  return json.array(lists.map(list, identity_of))
end

local function feature_names(domain)
  return json.array(lists.map(domain.features or {}, function(feature) return type(feature) == "table" and feature.name or feature end))
end

-- Returns the name and the content of the universe, or nil. Campaigns of the time when there was but one, "measurable", do not say so, and may go on.
local function universe_of(domain)
  local u = domain.universe
  if not u or not u.name or u.name == "measurable" then return nil end
  return { name = u.name, content = u.content }
end

-- Returns what tells a domain from an edited one: a fingerprint of the texts of its file and its mapping.
local function content_of(...)
  local texts = {}
  for i = 1, select("#", ...) do
    local path = select(i, ...)
    texts[i] = type(path) == "string" and file.kind(path) == "file" and file.read(path) or ""
  end
  return fingerprint.of(table.unpack(texts))
end

-- Campaigns of the time when there was but one architecture, "x86_64", do not say so, and may go on.
local function told_architecture(domain) return domain.architecture ~= "x86_64" and domain.architecture or nil end

--- Returns what campaign.json says: everything that its results depend on.
-- @param self the campaign
-- @return table for JSON
function preparation.header(self)
  local s = self.settings
  return { format = "portolan-campaign", version = 1, seed = s.seed, a = identity_of(self.a), b = identity_of(self.b), alone = self.pair.alone or nil,
    domain = { file = type(s.domain) == "string" and s.domain or json.null, architecture = told_architecture(self.domain),
      features = feature_names(self.domain),
      mapping = type(s.mapping) == "string" and s.mapping or nil, content = content_of(s.domain, s.mapping) },
    universe = universe_of(self.domain),
    interest = { kind = s.kind, threshold = s.threshold, name = s.criterion.name, content = s.criterion.content,
      further = s.interesting and identities(self.others) or nil },
    samples = s.samples, first = s.first, provisional = s.provisional, length = s.length,
    orders = s.orders, strategy = s.strategy, batch = s.batch, concurrent = s.concurrent, schemes = self.scheme_count, excluded = self.excluded,
    filters = json.object { schemes = s.schemes, exclude = s.exclude }, limits = json.object(s.limits) }
end

--- Opens predictors and domain, and finds out which schemes they support.
-- @param s settings of the campaign, checked (portolan.anica.settings)
-- @tparam[opt] func look as of `portolan.anica.sampled_schemes`
-- @return `{ a =, b = predictor or nil, others = list, domain =, scheme_count =, excluded = }`; or nil, a message, an exit status (nil: wrong input)
function preparation.of(s, look)
  local tested, others = open_predictors(s)
  if not tested then return nil, others end
  local domain, message
  domain, message = open_domain(s, { tested[1], tested[2] or tested[1], table.unpack(others) })
  if not domain then return nil, message end
  local names, excluded = domain:schemes(), json.array {}
  if s.schemes or s.exclude or not s.predict or s.supported then
    local status
    names, excluded, status = sampled_schemes.choose(names, tested, s, look)
    if not names then return nil, excluded, status end
    domain, message = domain:restrict(names)
    if not domain then return nil, message end
  end
  return { a = tested[1], b = tested[2], others = others, domain = domain, scheme_count = #names, excluded = excluded }
end

return preparation
