-- Runs busted on the given spec files in this very interpreter (the `busted` program may start another Lua).
require "busted.runner" { standalone = false, batch = true }
