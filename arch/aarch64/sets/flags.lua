-- This set holds what reads and writes the flags, beside the starter set, which has the comparison that stands ahead of each instance
-- (engine/isa/companions.h).
return {
  { name = "Updates of flags", apart = "flags", filter = "updates_fixed and not branch" },
  "starter",
}
