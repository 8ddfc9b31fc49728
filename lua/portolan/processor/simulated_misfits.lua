--- Schemes of a simulated processor that ports do not account for: what real ones do, for tests of how they are recognised.
--
-- A scheme of the mapping has them in its field `misfit` (docs/formats.md): `busy` = cycles for which an instance keeps a unit of its own
-- busy that is not pipelined; `large_inputs` = the same with large numbers in the registers; `microcoded` = true: a sequencer issues it,
-- and nothing else is issued meanwhile (dissertation section 6.3.5); `excess` = cycles by which an instance delays others; `unsteady` =
-- true: no two readings agree; `status` = how measuring it ends, as "illegal instruction".
-- @module portolan.processor.simulated_misfits
local misfits = {}

local types = { busy = "number", large_inputs = "number", microcoded = "boolean", excess = "number", unsteady = "boolean", status = "string" }

--- Are the misfits of a mapping's schemes what they should be?
-- @param schemes of a mapping table
-- @return true; or nil and a message
function misfits.check(schemes)
  for name, scheme in pairs(schemes) do
    if scheme.misfit ~= nil and type(scheme.misfit) ~= "table" then
      return nil, ("'misfit' must be an object (schemes.\"%s\".misfit)"):format(name)
    end
    for _, field in ipairs { "latency", "macro_ops" } do
      local x = scheme[field]
      if x ~= nil and not (math.type(x) and x >= 0 and x < math.huge) then
        return nil, ("'%s' must be a finite number from 0 on (schemes.\"%s\".%s)"):format(field, name, field)
      end
    end
    for field, value in pairs(scheme.misfit or {}) do
      if type(value) ~= types[field] or type(value) == "number" and not (value >= 0 and value < math.huge) then
        local fields = "busy, large_inputs and excess (cycles), microcoded and unsteady (true), status (text)"
        return nil, ("no such misfit; there are %s (schemes.\"%s\".misfit.%s)"):format(fields, name, tostring(field))
      end
    end
  end
  return true
end

--- Does the time of a scheme depend on its inputs?
function misfits.input_dependent(schemes)
  for _, scheme in pairs(schemes) do
    if scheme.misfit and scheme.misfit.large_inputs then return true end
  end
  return false
end

-- The experiment without what a sequencer issues, and the issue slots of that.
local function split(schemes, e)
  local rest, slots
  for name, count in pairs(e) do
    local scheme = schemes[name]
    if scheme and scheme.misfit and scheme.misfit.microcoded then
      rest, slots = rest or {}, (slots or 0) + count * (scheme.slots or 1)
    end
  end
  for name, count in pairs(rest and e or {}) do
    if not schemes[name].misfit or not schemes[name].misfit.microcoded then rest[name] = count end
  end
  return rest, slots
end

--- The true cycles of an experiment.
-- @param schemes of the mapping table
-- @param e experiment
-- @param by_ports function(experiment) -> what ports and front end need; or nil and a message
-- @param rmax issue slots a cycle
-- @param[opt] large true: with large numbers in the registers
-- @return cycles; or nil and a message
function misfits.cycles(schemes, e, by_ports, rmax, large)
  local cycles, message = by_ports(e)
  if not cycles then return nil, message end
  local rest, slots = split(schemes, e)
  if rest and rmax then cycles = math.max(cycles, slots / rmax + (next(rest) and by_ports(rest) or 0)) end
  local busiest, several = 0, next(e, next(e)) ~= nil
  for name, count in pairs(e) do
    local misfit = schemes[name] and schemes[name].misfit
    if misfit then
      busiest = math.max(busiest, count * (large and misfit.large_inputs or misfit.busy or 0))
      if several then cycles = cycles + count * (misfit.excess or 0) end
    end
  end
  return math.max(cycles, busiest)
end

--- How measuring an experiment ends, if not well.
-- @param schemes of the mapping table
-- @param e experiment
-- @return result; nil if it can be measured
function misfits.failure(schemes, e)
  for name in pairs(e) do
    local misfit = schemes[name] and schemes[name].misfit
    if misfit and misfit.status then return { status = misfit.status, n = 0, rejected = 0 } end
    if misfit and misfit.unsteady then
      return { status = "unstable", unsteady = true, n = 0, rejected = 0, message = "its readings differ while the machine is quiet" }
    end
  end
end

return misfits
