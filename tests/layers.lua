-- Fails when an #include of the engine or a require of the Lua library points up the layers.
-- usage: lua5.4 tests/layers.lua SOURCE_DIR
local lfs = require "lfs"
local root = assert(arg[1], "usage: layers.lua SOURCE_DIR")

-- What each folder of the engine may use besides itself: what CMakeLists.txt links it with, directly or not.
local engine = { lua = {} }
local text = assert(io.open(root .. "/CMakeLists.txt")):read "a"
local function uses(list)
  local all = {}
  for direct in list:gmatch "ptl_(%w+)" do
    all[direct] = true
    for other in pairs(assert(engine[direct], "CMakeLists.txt: ptl_" .. direct .. " comes later")) do all[other] = true end
  end
  return all
end
for name, list in text:gmatch "\nptl_layer%((%w+) ?([^)]*)%)" do engine[name] = uses(list) end
engine.lua = uses(assert(text:match "target_link_libraries%(portolan_core PRIVATE ([^)]*)%)"))

-- Lua: a module may require modules of a lower or the same rank. "" is lua/portolan/*.lua.
local lua_rank = { core = 0, [""] = 1, argument = 1, format = 1, progress = 1, measuring = 1, processor = 2, predictor = 2,
  infer = 3, anica = 3, report = 3, cli = 4 }

local faults, checked = {}, 0
local function fault(...) faults[#faults + 1] = string.format(...) end

local function each_file(dir, ending, visit)
  if not lfs.attributes(dir) then return end
  for name in lfs.dir(dir) do
    local path = dir .. "/" .. name
    if name:sub(1, 1) ~= "." then
      if lfs.attributes(path, "mode") == "directory" then
        each_file(path, ending, visit)
      elseif name:match(ending) then
        visit(path)
      end
    end
  end
end

each_file(root .. "/engine", "%.[ch]$", function(path)
  local layer = path:match("/engine/([^/]+)/")
  if not layer or not engine[layer] then return fault("%s: no layer of this name", path) end
  local allowed, line_number = engine[layer], 0
  for line in io.lines(path) do
    line_number = line_number + 1
    local included = line:match('^%s*#%s*include%s*"([^"]+)"')
    local target = included and included:match("^([^/]+)/")
    if included then
      checked = checked + 1
      if not target then
        fault('%s:%d: include "%s": write it with its folder', path, line_number, included)
      elseif target ~= layer and not allowed[target] then
        fault("%s:%d: engine/%s must not use engine/%s", path, line_number, layer, target)
      end
    end
    if layer ~= "lua" and line:match("^%s*#%s*include%s*<l[ua][^>]*>") and line:match("<lua[^>]*>") or
       (layer ~= "lua" and line:match("<lauxlib")) then
      fault("%s:%d: only engine/lua knows that Lua exists", path, line_number)
    end
  end
end)

each_file(root .. "/lua/portolan", "%.lua$", function(path)
  local rest = path:match("/lua/portolan/(.+)$")
  local layer = rest:match("^([^/]+)/") or ""
  local rank = lua_rank[layer]
  if not rank then return fault("%s: no rank for the folder %s", path, layer) end
  if rest == "init.lua" then return end -- the front door of the library: names everything, is required by the cli only
  local line_number = 0
  for line in io.lines(path) do
    line_number = line_number + 1
    for name in line:gmatch("require%s*%(?%s*[\"']portolan%.([%w_.]+)[\"']") do
      checked = checked + 1
      local target = name:match("^([%w_]+)%.") or (name == "core" and "core") or ""
      local target_rank = lua_rank[target]
      if not target_rank then
        fault("%s:%d: require of an unknown folder %s", path, line_number, target)
      elseif target_rank > rank then
        fault("%s:%d: %s must not require portolan.%s", path, line_number, layer == "" and "the library's top" or layer, name)
      end
    end
  end
end)

for _, f in ipairs(faults) do print(f) end
print(("layers: %d includes and requires checked, %d faults"):format(checked, #faults))
os.exit(#faults == 0 and checked > 0)
