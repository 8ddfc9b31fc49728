-- Any other oracle, asked three times: the median counts. `--oracle median:hw`, `median:sim:MAPPING,noise=0.02`.
local oracle = portolan.processor.oracle
return { usage = "median:ORACLE", open = function(text, _, about)
  local spec, message = oracle.parse(text)
  if not spec then return nil, message end
  local inner, names, status = oracle.open(spec, about)
  if not inner then return nil, names, status end
  local function measure(_, list, options)
    local runs = {}
    for k = 1, 3 do runs[k] = inner:measure(list, options) end
    local results = {}
    for i = 1, #list do
      local three = { runs[1][i], runs[2][i], runs[3][i] }
      table.sort(three, function(a, b) return (a.cycles or math.huge) < (b.cycles or math.huge) end)
      results[i] = three[2]
    end
    return results
  end
  return setmetatable({ name = "median of " .. text, measure = measure }, { __index = inner }), names
end }
