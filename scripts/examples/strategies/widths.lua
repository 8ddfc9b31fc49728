-- As many ports as a scheme keeps busy alone: how many, not which.
return { summary = "how many ports, not which", infer = function(processor, schemes)
  local m = { ports = { "0", "1", "2", "3", "4", "5", "6", "7" }, schemes = {} }
  for _, name in ipairs(schemes) do
    local result = processor:measure({ { [name] = 1 } })[1]
    local n = result.status == "ok" and math.max(1, math.floor(1 / result.cycles + 0.5)) or 1
    m.schemes[name] = { uops = { { table.move(m.ports, 1, n, 1, {}), 1 } }, status = "explained" }
  end
  return m
end }
