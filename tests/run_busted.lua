-- Runs busted on the given spec files in this very interpreter (the `busted` program may start another Lua).
require "portolan" -- other tools' formats are read from here on
require "busted.runner" { standalone = false, batch = true }
