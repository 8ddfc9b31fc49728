-- This file says which performance counters AArch64 cores have, by the names that libpfm4 gives to their events
-- (arch/x86_64/counters.lua has the fields).
--
-- None: these cores count operations by kind and speculatively, but no uops by port.
return {}
