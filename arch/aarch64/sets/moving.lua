-- Loads and stores whose bases move (pre- and post-index), beside the starter set, whose ports they share (engine/isa/moving.h).
local vector = 'uses("b", "h", "s", "d", "q", "v") and '
local moves = 'name:find("%[x[^%]]*%][!,]") and '
return {
  { name = "Loads that move their base", apart = "moving bases", filter = moves .. 'not (' .. vector .. 'true) and category == "LOAD"' },
  { name = "Stores that move their base", apart = "moving bases", filter = moves .. 'not (' .. vector .. 'true) and category == "STORE"' },
  { name = "Loads of vectors that move their base", apart = "moving bases", filter = moves .. vector .. 'category == "LOAD"' },
  { name = "Stores of vectors that move their base", apart = "moving bases", filter = moves .. vector .. 'category == "STORE"' },
  "starter",
}
