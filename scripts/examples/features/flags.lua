-- This feature says what an instruction does with flags, on top of the usual features: who reads them waits for who wrote them.
local function flags(scheme)
  local reads, writes = #scheme.flags_read > 0, #scheme.flags_written > 0
  return reads and writes and "both" or reads and "reads" or writes and "writes" or "none"
end
return { "default", { name = "flags", lattice = "singleton", value = flags } }
