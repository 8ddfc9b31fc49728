-- How much of what a chart says of a simulated core is true.
local algebra = require "portolan.mapping.algebra"
local lists = require "portolan.support.lists"
local mapping_diff = require "portolan.mapping.diff"

local claims = { explained = true, ["eliminated at rename"] = true }

local function key_of(ports)
  local sorted = table.move(ports, 1, #ports, 1, {})
  table.sort(sorted)
  return table.concat(sorted, ",")
end

-- The uops in words; `same`: key -> key of ports that no experiment tells from these.
local function canonical(scheme, same)
  local list, counts = {}, {}
  for _, uop in ipairs(scheme.status ~= "eliminated at rename" and scheme.uops or {}) do
    local key = key_of(uop[1])
    key = same[key] or key
    counts[key] = (counts[key] or 0) + uop[2]
  end
  for key, n in pairs(counts) do list[#list + 1] = n .. "*" .. key end
  table.sort(list)
  return table.concat(list, " + ")
end

-- Is that what the scheme is? What decoders hold up need not be explained; of what ports do not explain the status says what it is.
local function is_right(found, truth, same)
  if not claims[truth.status] then return found.status == truth.status end
  local unsteady = truth.misfit and truth.misfit.stall and found.status == "unstable"
  return unsteady or found.status == truth.status and canonical(found, same) == canonical(truth, same)
end

-- Does it claim uops that the scheme does not have? One that is held up besides, or is eliminated now and then, has its uops nevertheless.
local function is_wrong(found, truth, same)
  if not claims[found.status] then return false end
  local whole = { status = "explained", uops = truth.uops }
  return canonical(found, same) ~= canonical(whole, same)
end

-- Sets of ports of a mapping, and the unions of the truth's: key -> true. (Bits: 32 ports at most.)
local function true_sets(m)
  local bit, masks, all = {}, {}, {}
  for i, port in ipairs(m.ports) do bit[port] = 1 << i - 1 end
  local function mask_of(ports)
    local mask = 0
    for _, port in ipairs(ports) do mask = mask | (bit[port] or 0) end
    return mask
  end
  for _, scheme in pairs(m.schemes) do
    for _, uop in ipairs(scheme.uops or {}) do
      local mask = mask_of(uop[1])
      if not all[mask] then all[mask], masks[#masks + 1] = true, mask end
    end
  end
  -- A union of some of the sets is that of all sets inside it.
  return function(ports)
    local mask, union = mask_of(ports), 0
    for _, part in ipairs(masks) do
      if part & ~mask == 0 then union = union | part end
    end
    for _, port in ipairs(ports) do
      if not bit[port] then return false end
    end
    return union == mask
  end
end

-- Sets of ports of claims that are none of the truth's, and no union of these: list of keys; those of them that some claim has without saying that it
-- assumes any of these ports; key -> names of the schemes that have it.
local function invented(mapping, truth)
  local is_true, known, is_sure, users = true_sets(truth), {}, {}, {}
  for _, key in pairs(truth.same or {}) do known[key] = true end
  for name, scheme in pairs(mapping.schemes) do
    local assumed = lists.set(scheme.assumed or {})
    for _, uop in ipairs(scheme.status ~= "eliminated at rename" and scheme.uops or {}) do
      local key = key_of(uop[1])
      if not known[key] and not is_true(uop[1]) then
        is_sure[key] = is_sure[key] or not lists.any(uop[1], function(port) return assumed[port] end)
        lists.into(users, key, name)
      end
    end
  end
  local all = lists.keys(is_sure)
  return all, lists.where(all, function(key) return is_sure[key] end), users
end

local function sentence(name, found, truth, same)
  return ("%s: %s (%s), truth %s (%s)%s"):format(name, canonical(found, same), found.status, canonical(truth, same), truth.status,
    found.note and "; " .. found.note or "")
end

local weight = 4 -- of a claim that assumes nothing

-- Pairs of uops of a scheme that may be the same one: what is found, and not assumed, and the truth's on as many ports.
local function counterparts(found, truth)
  local assumed, pairs_of = lists.set(found.assumed or {}), {}
  for _, uop in ipairs(found.uops or {}) do
    for _, other in ipairs(truth.uops or {}) do
      local sure = not lists.any(uop[1], function(port) return assumed[port] end)
      if sure and #uop[1] == #other[1] then pairs_of[#pairs_of + 1] = { uop, other } end
    end
  end
  return pairs_of
end

-- The mapping with the truth's names of ports: those under which most claims are right, of which one that assumes nothing counts several times,
-- and among these names those under which most of what is not assumed of the others is right.
local function renamed_as(truth, found)
  local a, b = { ports = found.ports, schemes = {} }, { ports = truth.ports, schemes = {} }
  local function add(label, mine, true_one) a.schemes[label], b.schemes[label] = mine, true_one end
  for name, scheme in pairs(found.schemes) do
    local true_one = truth.schemes[name]
    for k = 1, true_one and not scheme.assumed and weight or 1 do add(("%s, %d"):format(name, k), scheme, true_one) end
    for k, pair in ipairs(true_one and scheme.assumed and counterparts(scheme, true_one) or {}) do
      add(("%s, uop %d"):format(name, k), { status = "explained", uops = { pair[1] } }, { status = "explained", uops = { pair[2] } })
    end
  end
  return assert(algebra.match(found, truth, assert(mapping_diff.relate(a, b))))
end

--- Judges a mapping against the truth.
-- @param found mapping that was inferred
-- @param truth mapping that was simulated; `same`: key of ports (names, joined by commas) -> that of ports that no experiment tells from them
-- @param names schemes
-- @return `{ right =, wrong =, unclaimed =, bare = (claims without a witness), invented = (sets of ports that nothing true has), sure_sets = (those
-- of them that some claim has without saying that it assumes ports of them), users = (such a set -> schemes that have it), texts = (on all that is
-- not right), of = (name -> "right", "wrong" or "unclaimed") }`
return function(found, truth, names)
  local renamed, same = found.ports[1] and renamed_as(truth, found) or found, truth.same or {} -- a chart may find no ports at all
  local j = { right = 0, wrong = 0, unclaimed = 0, bare = 0, texts = {}, of = {} }
  j.invented, j.sure_sets, j.users = invented(renamed, truth)
  for _, name in ipairs(names) do
    local scheme = renamed.schemes[name]
    local right, claim = is_right(scheme, truth.schemes[name], same), claims[scheme.status] or false
    local verdict = right and "right" or is_wrong(scheme, truth.schemes[name], same) and "wrong" or "unclaimed"
    j[verdict], j.of[name] = j[verdict] + 1, verdict
    if claim and #found.schemes[name].witnesses == 0 then j.bare = j.bare + 1 end
    if not right then j.texts[#j.texts + 1] = sentence(name, scheme, truth.schemes[name], same) end
  end
  for _, key in ipairs(j.invented) do j.texts[#j.texts + 1] = "invented: " .. key end
  return j
end
