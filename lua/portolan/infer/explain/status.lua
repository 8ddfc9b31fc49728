--- What becomes of a scheme: every one ends in exactly one of these classes (dissertation sections 6.3.1 to 6.3.5 met all of them).
-- @module portolan.infer.explain.status
local status = {}

--- The classes, in the order of reports: `{ name =, says = }`.
status.classes = {
  { name = "explained", says = "its port usage explains all measurements" },
  { name = "eliminated at rename", says = "no port executes it: chains of it take no time" },
  { name = "slower than ports", says = "a unit that is not pipelined, a dependency or another limit holds it up, not its ports" },
  { name = "microcoded", says = "a sequencer that holds up the front end issues its uops" },
  { name = "input-dependent", says = "its time depends on the values that it works on" },
  { name = "contradicting", says = "measurements contradict each other, or all port usages" },
  { name = "unstable", says = "no two readings agree, or the machine was never quiet enough" },
  { name = "unsupported here", says = "this processor does not have it, or no operands can be given to it" },
  { name = "not reached", says = "the run ended before" },
}

local known = {}
for _, class in ipairs(status.classes) do known[class.name] = class end

--- Is it one of them?
function status.is(name) return known[name] ~= nil end

-- What a measurement that failed means.
local of_result = { unstable = "unstable", timeout = "unstable", derailed = "contradicting", interrupted = "not reached" }

--- The class of a scheme that cannot be measured.
-- @param result with a status that is not "ok"
-- @return class, note
function status.of_result(result)
  local class = of_result[result.status] or "unsupported here"
  return class, result.message or ("measuring it ended with: %s"):format(result.status)
end

return status
