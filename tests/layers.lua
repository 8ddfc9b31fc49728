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

-- Lua, by folder, the lowest first: a module may require those of its own folder and of folders of a lower rank. A folder's init.lua stands for
-- all of it, and so above its folders: report/init.lua may require report/campaign, nothing in report/campaign what requires report/init.lua.
local lua_rank = { core = 0, support = 1, [""] = 2, format = 3, progress = 3, measuring = 3, argument = 5, processor = 5, ["predictor.machinery"] = 6,
  ["predictor.llvm_mca"] = 7, ["predictor.adapters"] = 8, predictor = 8.5, infer = 9, ["infer.cegis"] = 10, ["infer.grow"] = 11, ["infer.pmevo"] = 12,
  ["infer.uops_info"] = 12, ["infer.chart"] = 12, ["infer.chart.blocking"] = 13, ["infer.chart.stages"] = 14, anica = 15, report = 16,
  ["report.campaign"] = 17, ["report.models"] = 17, cli = 18, ["cli.infer"] = 19 }
-- Documents: nouns that are read from files of any format, and what works on them. They stand in the library's top, above the formats.
local documents = { accuracy = true, algebra = true, experiments = true, mapping = true, mapping_diff = true, mapping_words = true, model = true,
  occurrences = true, predictors = true }
-- Writers of formats need mappings: they use no reader.
local writers = { ["format.llvm"] = true, ["format.csv"] = true }

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

-- The folder of a module ("" is lua/portolan itself), and its rank; nil if there is no such folder. A name that ends with a dot is the beginning
-- of modules in a folder.
local function place_of(module)
  local folder = module:match "^(.+)%.[^.]*$" or ""
  local begins = module:sub(-1) == "."
  if not begins and lfs.attributes(("%s/lua/portolan/%s/init.lua"):format(root, (module:gsub("%.", "/")))) then folder = module end
  if module == "core" then folder = "core" end
  local rank = lua_rank[folder]
  if rank and folder == "" and documents[module] then rank = rank + 1.5 end
  return folder, rank
end

each_file(root .. "/lua/portolan", "%.lua$", function(path)
  local module = path:match("/lua/portolan/(.+)%.lua$"):gsub("/", ".")
  if module == "init" then return end -- the front door of the library: names everything, is required by the cli only
  local facade = module:match "^(.+)%.init$"
  local folder, rank = place_of(facade or module)
  if not rank then return fault("%s: no rank for the folder %s", path, folder) end
  local line_number = 0
  for line in io.lines(path) do
    line_number = line_number + 1
    for name in line:gmatch("require%s*%(?%s*[\"']portolan%.([%w_.]+)[\"']") do
      checked = checked + 1
      local target, target_rank = place_of(name)
      local inside = facade and target:sub(1, #facade + 1) == facade .. "."
      if not target_rank then
        fault("%s:%d: require of an unknown folder %s", path, line_number, target)
      elseif target ~= folder and target_rank >= rank and not inside and not (writers[module] and documents[name]) then
        fault("%s:%d: %s must not require portolan.%s", path, line_number, folder == "" and "the library's top" or folder, name)
      elseif target == folder and target_rank > rank then
        fault("%s:%d: %s is below portolan.%s, which reads files of any format", path, line_number, module, name)
      end
    end
  end
end)

for _, f in ipairs(faults) do print(f) end
print(("layers: %d includes and requires checked, %d faults"):format(checked, #faults))
os.exit(#faults == 0 and checked > 0)
