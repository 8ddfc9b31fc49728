-- This universe holds what can be measured: the usable schemes of the set `all`. What arch/aarch64/exclusions.lua leaves out is missing.
-- The universe of campaigns in which a predictor runs code.
return { set = "all" }
