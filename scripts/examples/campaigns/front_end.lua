-- How many of 1,000 random experiments does the front end limit by a mapping, and no port? usage: portolan run front_end MAPPING INSTRUCTIONS
local path, length = ...
local model = assert(portolan.model.load(path))
local names, limited, rng = portolan.mapping.schemes(model.mapping, true), 0, portolan.base.rng(1)
for _ = 1, 1000 do
  local list = {}
  for k = 1, math.tointeger(tonumber(length)) do list[k] = names[rng:below(#names) + 1] end
  if assert(model:predict(portolan.experiment.of_list(list))).limit == "rmax" then limited = limited + 1 end
end
print(("%d of 1000 experiments of %s instructions"):format(limited, length))
