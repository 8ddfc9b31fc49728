--- This module finds which schemes a predictor supports: those for which it predicts more than zero cycles for a block of one instance (dissertation,
-- footnote 20). What it says is kept in the user's cache, by its name, its version and the list of schemes.
-- @module portolan.predictor.machinery.supported
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local instance = require "portolan.scheme.instance"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local paths = require "portolan.support.paths"
local pieces = require "portolan.predictor.machinery.pieces"

local supported = {}

local rounds_again = 2
local method = "2" -- of choosing instances: what another one found is found anew

-- Returns what a predictor answers. What was too noisy is asked again; what stays so is not supported.
local function answers_of(predictor, blocks)
  local answers = predictor:predict(blocks)
  for _ = 1, rounds_again do
    local again, places = {}, {}
    for k, answer in ipairs(answers) do
      if answer.transient then again[#again + 1], places[#places + 1] = blocks[k], k end
    end
    if #again == 0 then break end
    for j, answer in ipairs(predictor:predict(again)) do answers[places[j]] = answer end
  end
  return answers
end

-- Notes what the answers say of the schemes. False if there was an interruption.
local function note(known, asked, answers, crashes)
  for k, name in ipairs(asked) do
    local answer = answers[k]
    if answer.interrupted then return false, "interrupted" end
    local fine = answer.cycles and answer.cycles > 0 or crashes and answer.crash
    if fine then known.good[name] = true else known.reasons[name] = answer.error or "predicts 0 cycles" end
  end
end

-- Returns what the cache has; two empty tables if that is not whole.
local function kept(path, key)
  local text = file.kind(path) and file.read(path)
  local t = text and json.decode_plain(text, path)
  local whole = t and t.key == key and type(t.schemes) == "table" and type(t.reasons) == "table"
  return { good = lists.set(whole and t.schemes or {}), reasons = whole and t.reasons or {} }
end

-- Keeps what is known; a cache that cannot be written is ignored.
local function keep(path, key, list, reasons)
  local text = json.encode { key = key, schemes = json.array(list), reasons = json.object(reasons) }
  if text and file.make_directory(path:match "^(.*)/") then file.write(path, text) end
end

-- The instances of those that nothing is known of, and their names.
local function open_ones(names, known)
  local blocks, asked = {}, {}
  for _, name in ipairs(names) do
    if not known.good[name] and not known.reasons[name] then
      local one, message = instance.of(name)
      if one then blocks[#blocks + 1], asked[#asked + 1] = one.bytes, name else known.reasons[name] = message end
    end
  end
  return blocks, asked
end

--- Asks a predictor which schemes it supports. One that was asked about some before is asked about the others.
-- @param predictor of `portolan.predictor.machinery.protocol`
-- @param names list of schemes
-- @tparam[opt] table options
-- @tparam[opt] string options.directory of the cache; by default the user's
-- @tparam[opt] boolean options.again do not look into the cache
-- @tparam[opt] boolean options.crashes a scheme that crashes the predictor is supported, too: crashes are what is looked for
-- @tparam[opt] func options.stop function(done, total) -> reason to end early, or nil, looked at every second or so
-- @return list of the supported ones, in the order of `names`; scheme -> why not, for the others; or nil and a message, or the reason
function supported.of(predictor, names, options)
  options = options or {}
  local asking = method .. (options.crashes and "+crashes" or "")
  local key = fingerprint.of(asking .. (predictor.method or ""), predictor.name, predictor.version, table.concat(names, "\n"))
  local directory = options.directory or paths.cache "supported"
  local path = ("%s/%s-%s.json"):format(directory, predictor.name:gsub("[^%w.-]", "-"):sub(1, 80), key)
  local known = options.again and { good = {}, reasons = {} } or kept(path, key)
  local blocks, asked = open_ones(names, known)
  local done, why = pieces.new():each(#blocks, function(first, last)
    local some = table.move(blocks, first, last, 1, {})
    return note(known, table.move(asked, first, last, 1, {}), answers_of(predictor, some), options.crashes)
  end, options.stop and function(done) return options.stop(#names - #blocks + done, #names) end)
  local list = lists.where(names, function(name) return known.good[name] end)
  if #list > 0 and #blocks > 0 then keep(path, key, list, known.reasons) end -- what answers nothing at all is broken, and may be mended
  if done < #blocks then return nil, why end
  return list, known.reasons
end

return supported
