-- This universe holds what can be measured: the usable schemes of the set `all`. What arch/x86_64/exclusions.lua leaves out, and AVX-512, is missing.
-- The universe of campaigns in which a predictor runs code.
return { set = "all" }
