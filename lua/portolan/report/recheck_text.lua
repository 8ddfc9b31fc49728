--- What `portolan recheck` prints.
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"
local witness = require "portolan.witness"
local wrap = require "portolan.support.wrap"

local recheck_text = {}

local width = 80
local colours = { confirmed = "green", ["not confirmed"] = "red", ["could not be measured"] = "yellow" }
local verdicts = { "confirmed", "not confirmed", "could not be measured" }
local most_in_full = 20 -- schemes; of more, only those that are not confirmed are shown

--- How many schemes have each verdict.
-- @return table verdict -> number
function recheck_text.counts(result)
  local counts = { confirmed = 0, ["not confirmed"] = 0, ["could not be measured"] = 0 }
  for _, scheme in ipairs(result.schemes) do counts[scheme.verdict] = counts[scheme.verdict] + 1 end
  return counts
end

local function show_claim(context, name, r)
  local what = r.alone and (r.instances == 1 and "alone" or r.about) or (r.role and r.role .. ": " or "") .. witness.about(r.experiment, name)
  local text = ("%s%s"):format(what, r.why and (": %s"):format(r.why) or "")
  local cells = ("%9s %9s %9s  "):format(r.cycles and witness.cycles(r.cycles) or "-", r.expected and witness.cycles(r.expected) or "-",
    r.now and witness.cycles(r.now) or "-")
  local mark = r.verdict == "confirmed" and "yes " or r.verdict == "not confirmed" and "NO  " or "?   "
  local lines = wrap(printable(text), width, cells .. mark)
  local at = #cells
  context.out("%s%s%s\n", lines:sub(1, at), context.style(lines:sub(at + 1, at + 4), colours[r.verdict]), lines:sub(at + 5))
end

-- Why none of a scheme's claims could be measured, if it is the same for all.
local function common_trouble(claims)
  for _, r in ipairs(claims) do
    if r.verdict ~= "could not be measured" or r.why ~= claims[1].why then return nil end
  end
  return #claims > 1 and claims[1].why
end

local function show_chain(context, r)
  local cells = ("%9s %9s %9s  "):format(witness.cycles(r.recorded), "-", r.now and witness.cycles(r.now) or "-")
  local mark = r.verdict == "confirmed" and "yes " or r.verdict == "not confirmed" and "NO  " or "?   "
  local lines = wrap(printable("chain: " .. r.chain .. (r.why and ": " .. r.why or "")), width, cells .. mark)
  context.out("%s%s%s\n", lines:sub(1, #cells), context.style(lines:sub(#cells + 1, #cells + 4), colours[r.verdict]), lines:sub(#cells + 5))
end

local function show_scheme(context, scheme)
  context.out("%s  %s\n", context.style(printable(scheme.scheme), "bold"), context.style(scheme.verdict, colours[scheme.verdict]))
  local chains = scheme.chains or {}
  if #scheme.claims + #chains == 0 then
    context.out("  the mapping records no measurement of it (%s)\n", printable(scheme.status or "no status"))
    return
  end
  local trouble = common_trouble(scheme.claims)
  if trouble then context.out("%s\n", wrap(printable(("%s: %s"):format(plural(#scheme.claims, "experiment"), trouble)), width, "  ")) end
  if trouble and #chains == 0 then return end
  context.out("%s\n", context.style(" recorded  expected       now", "dim"))
  for _, r in ipairs(trouble and {} or scheme.claims) do show_claim(context, scheme.scheme, r) end
  for _, r in ipairs(chains) do show_chain(context, r) end
end

local function summary(result)
  local counts, parts = recheck_text.counts(result), {}
  for _, verdict in ipairs(verdicts) do
    if counts[verdict] > 0 then parts[#parts + 1] = ("%d %s"):format(counts[verdict], verdict) end
  end
  local chains = (result.chains or 0) > 0 and "; " .. plural(result.chains, "chain") or ""
  return ("%s: %s; %s measured, %d of them anew%s"):format(plural(#result.schemes, "scheme"), table.concat(parts, ", "),
    plural(result.experiments, "experiment"), result.repeated, chains)
end

--- Shows the result.
-- @param result of `portolan.infer.recheck`
-- @param context of the command line
function recheck_text.show(result, context)
  local all = #result.schemes <= most_in_full
  for _, scheme in ipairs(result.schemes) do
    if all or scheme.verdict ~= "confirmed" then
      show_scheme(context, scheme)
      context.out("\n")
    end
  end
  context.out("%s\n", wrap(summary(result), width))
  context.out("%s\n", context.style(wrap("Cycles per experiment. " .. witness.tolerance_text(), width), "dim"))
end

return recheck_text
