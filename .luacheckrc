std = "lua54"
max_line_length = 150
cache = false
exclude_files = { "build", "install", "charts" }
files["tests/lua"] = { std = "lua54+busted" }
