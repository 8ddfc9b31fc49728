std = "lua54"
max_line_length = 150
cache = false
exclude_files = { "build", "install", "charts" }
files["tests/lua"] = { std = "lua54+busted" }
local domain_file = { read_globals = { "mapping", "universe", "bytes", "top" } }
files["arch/*/domains"] = domain_file
files["scripts/examples/features"] = domain_file
files["scripts/examples"] = { read_globals = { "portolan" } }
files["scripts/campaigns"] = { read_globals = { "portolan" } }
