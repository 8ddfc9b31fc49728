-- Three ports: additions run on any of them, multiplications on the second.
return { schemes = { "add r64, r64", "imul r64, r64" }, rmax = 4, cycles = function(e)
  local add, imul = e["add r64, r64"] or 0, e["imul r64, r64"] or 0
  return math.max(imul, (add + imul) / 3, (add + imul) / 4)
end }
