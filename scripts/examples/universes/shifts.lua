-- Shifts and what reads flags, with each kind of immediate: whether a processor minds shifts by 0 (dissertation Table 8.5, F).
--
--    portolan campaign --a llvm-mca:native --b hw --universe scripts/examples/universes/shifts.lua --absolute 2 --out campaigns/shifts
return {
  immediates = true,
  leaves_out = {
    { reason = "neither a shift nor a reader of flags", when = { 'category ~= "SHIFT" and category ~= "SETCC" and category ~= "CMOV"' } },
    { reason = "memory", when = { 'memory' } },
  },
}
