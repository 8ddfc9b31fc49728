--- `portolan generalize -i`: the user picks the expansions.
-- @module portolan.cli.generalize_steps
local Evidence = require "portolan.anica.evidence"
local core = require "portolan.core"
local discoveries_text = require "portolan.report.discoveries_text"
local generalize = require "portolan.anica.generalize"
local paths = require "portolan.support.paths"
local prompt = require "portolan.support.prompt"
local discovery_record = require "portolan.anica.discovery_record"

local steps = {}

local help = "numbers: try these expansions together; a: try all that are left, one by one; u: take the last accepted step back; "
  .. "w: witnesses; Enter: show again; q: end"

local Session = {}
Session.__index = Session

local function out(self, ...) self.context.out(...) end

local function show(self)
  out(self, "\n")
  for _, line in ipairs(self.block:text()) do out(self, "%s\n", line) end
  self.list = self.block:expansions()
  for i, e in ipairs(self.list) do
    out(self, "%4d  %s%s\n", i, e.text, self.rejected[e.key] and "   (rejected: " .. self.rejected[e.key] .. ")" or "")
  end
  if #self.list == 0 then out(self, "Nothing is left to expand.\n") end
end

-- Says why samples reject a block.
local function why(self, findings)
  local sample = findings.counter[1]
  if not sample then return findings.failure or "no sample" end
  return ("%s: %s, %s"):format(self.domain.text(sample.block), discoveries_text.answer(sample.verdict.a), discoveries_text.answer(sample.verdict.b))
end

-- Tries some expansions together.
local function try(self, group)
  local before, A = self.block, self.block:expand(group)
  local function corners(rng) return generalize.opposites(self.domain, before, A, rng) end
  local accepted, findings = self.check:check(A, self.samples, nil, corners)
  local names = {}
  for i, e in ipairs(group) do names[i] = e.text end
  local text = table.concat(names, "; ")
  if accepted then
    table.insert(self.past, { block = self.block, findings = self.findings, rejected = self.rejected })
    self.block, self.findings, self.rejected = A, findings, setmetatable({}, { __index = self.rejected })
    out(self, "yes  %s: all %d samples are interesting, %s on the average\n", text, findings.samples,
      findings.infinite > 0 and "with crashes" or ("%.2f"):format(Evidence.interestingness(findings)))
  else
    if #group == 1 then self.rejected[group[1].key] = why(self, findings) end
    out(self, " no  %s: after %d samples, %s\n", text, findings.samples, why(self, findings))
  end
end

-- The rest, one by one.
local function all(self)
  local progressed = true
  while progressed do
    progressed = false
    for _, e in ipairs(self.block:expansions()) do
      if not self.rejected[e.key] then
        progressed = true
        try(self, { e })
        break
      end
    end
  end
end

local function undo(self)
  local last = table.remove(self.past)
  if not last then return out(self, "This is where it began.\n") end
  self.block, self.findings, self.rejected = last.block, last.findings, last.rejected
end

local function witnesses(self)
  for _, sample in ipairs(self.findings.witnesses) do
    local block = discovery_record.block(sample.block, sample.verdict, self.domain.text)
    out(self, "  %s\n", discoveries_text.block(block, self.pair.a.name, self.pair.b.name))
  end
end

-- The expansions that a line of numbers names; or nil and a message.
local function chosen(self, line)
  local group = {}
  for word in line:gmatch "[^%s,]+" do
    local e = self.list[math.tointeger(tonumber(word)) or 0]
    if not e then return nil, ("'%s' is none of the numbers from 1 to %d; %s"):format(word, #self.list, help) end
    group[#group + 1] = e
  end
  return group
end

-- Does what a line says. Returns whether to go on.
local function obey(self, line)
  if line == "q" then return false end
  if line == "a" then
    all(self)
  elseif line == "u" then
    undo(self)
  elseif line == "w" then
    witnesses(self)
    return true
  elseif line == "?" or line == "h" then
    out(self, "%s\n", help)
    return true
  elseif line ~= "" then
    local group, message = chosen(self, line)
    if not group then
      out(self, "%s\n", message)
      return true
    end
    try(self, group)
  end
  show(self)
  return true
end

--- Runs.
-- @param args of the command line
-- @param context of the command line
-- @param pair predictors
-- @param domain abstract domain
-- @param bytes the block
-- @param ask function(blocks) -> verdicts
-- @return exit status; or nil and a message
function steps.run(args, context, pair, domain, bytes, ask)
  local A, message = domain:represent(bytes)
  if not A then return nil, message end
  local check = Evidence.new(ask, core.base.rng(args.seed):split(1), { samples = args.samples, provisional = args.samples })
  local fine, findings = check:check(A)
  local self = setmetatable({ context = context, pair = pair, block = A, findings = findings, rejected = {}, past = {}, check = check,
    samples = args.samples, domain = domain }, Session)
  if not fine then out(self, "Not all blocks like it are interesting: %s\n", why(self, findings)) end
  out(self, "%s\n", help)
  show(self)
  local lines = prompt.new(paths.state "generalize_history")
  while true do
    local line, state = lines:read "> "
    if not line then
      out(self, "\n")
      if state ~= "end" then return 130 end
      break
    end
    lines:remember(line)
    if not obey(self, line:match "^%s*(.-)%s*$") then break end
  end
  for _, text in ipairs(self.block:text()) do out(self, "%s\n", text) end
  return 0
end

return steps
