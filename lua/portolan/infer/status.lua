--- The class of a scheme that cannot be measured; every scheme ends in exactly one of the classes of portolan.statuses (dissertation
-- sections 6.3.1 to 6.3.5 met all of them).
-- @module portolan.infer.status
local status = {}

-- What a measurement that failed means.
local of_result = { unstable = "unstable", timeout = "unstable", derailed = "contradicting", interrupted = "not reached",
  ["not recorded"] = "not recorded" }

--- The class of a scheme that cannot be measured.
-- @param result with a status that is not "ok"
-- @return class, note
function status.of_result(result)
  local class = of_result[result.status] or "unsupported here"
  return class, result.message or ("measuring it ended with: %s"):format(result.status)
end

return status
