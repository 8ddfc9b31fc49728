-- This universe holds what throughput predictors are asked about where nothing runs: barriers, exclusives and ordered accesses belong to it.
-- Schemes that a predictor does not support are left out later, by asking it.
--
-- `leaves_out` is a list of rules as in arch/aarch64/exclusions.lua; the first that applies gives the reason.
return {
  leaves_out = {
    { reason = "control flow",
      when = { 'branch or category == "BRANCH" or category == "EXCEPTION"' } },
    { reason = "privileged, or of the system",
      when = { 'among(mnemonic, "mrs", "msr", "sys", "sysl", "drps", "eret")' } },
    { reason = "an operand that is never drawn: addresses by distance",
      when = { 'absolute or relative or name:find("[pc", 1, true) ~= nil' } },
  },
}
