--- The front end's part in an experiment (section 5.1.3, R_max): how many instructions a cycle, how many issue slots each takes.
-- @module portolan.infer.pmevo.front_end
local front_end = {}

--- Asks the processor, where it can tell and nobody else did.
-- @param processor any
-- @param names schemes
-- @param alone name -> cycles
-- @tparam table options
-- @tparam[opt] number|boolean options.rmax instructions a cycle; false: no limit
-- @tparam[opt=false] boolean options.plain every instruction takes a slot, as published
-- @return R_max or nil, name -> slots or nil
function front_end.limits(processor, names, alone, options)
  local rmax = options.rmax
  if rmax == nil and processor.issue_width then rmax = processor:issue_width() end
  if not rmax then return nil end
  if options.plain or not processor.issue_slots then return rmax end
  local list, slots = {}, {}
  for i, name in ipairs(names) do list[i] = { name = name, cycles = alone[name] } end
  for i, n in ipairs(processor:issue_slots(list, rmax) or {}) do
    slots[names[i]] = n and math.max(1, math.floor(n + 0.5)) or nil
  end
  return rmax, slots
end

return front_end
