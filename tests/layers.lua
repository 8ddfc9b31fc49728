-- Fails when an #include of the engine or a require of the Lua library points up the layers, when files of one folder of the engine call each
-- other in a circle, when two files of different folders share a name, or when what is of one architecture is used where it should not be known.
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
local lua_order = {
  "core", "support", "scheme machine", "experiment", "mapping", "block", "prediction", "format progress measuring", "argument", "processor",
  "predictor.machinery", "code predictor.llvm_mca", "predictor.assumed", "predictor.adapters", "predictor", "processor.oracle",
  "infer", "infer.cegis", "infer.grow", "infer.pmevo infer.uops_info infer.chart", "infer.palmed infer.evidence infer.chart.blocking infer.latency",
  "infer.chart.stages",
  "anica loop", "report", "report.sections", "report.campaign report.models report.prediction", "cli", "cli.infer",
}
local lua_rank = {}
for rank, folders in ipairs(lua_order) do
  for folder in folders:gmatch "%S+" do lua_rank[folder] = rank end
end

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

-- Folders within a folder. What is of an architecture (engine/LAYER/NAME) is used by its own alone, in lower layers, too; the rest of the engine
-- asks the list of architectures. A file that makes such a list names all that the layer has. Nothing but the folder itself uses other ones.
local architectures = { x86_64 = true, aarch64 = true }

local function folders_in(layer)
  local found = {}
  for name in lfs.dir(root .. "/engine/" .. layer) do
    if architectures[name] then found[#found + 1] = name end
  end
  return found
end

-- Libraries that know one architecture only -> the folder that may use them.
local machine_headers = { Zydis = "isa/x86_64" }

-- The folder within its layer of a file's path from engine/ on; nil: it is in none.
local function part_of(path) return path:match "^[^/]+/(.+)/[^/]+$" end

local function check_parts(path, layer, includes)
  local own = part_of(path)
  local own_top, named = own and own:match "^[^/]+", {}
  for _, one in ipairs(includes) do
    local part = part_of(one.file)
    local top = part and part:match "^[^/]+"
    if top and one.file:match "^[^/]+" == layer and not own then named[top] = one end
    if top and top ~= own_top and not (one.file:match "^[^/]+" == layer and not own) then
      fault('%s:%d: include "%s": what is in engine/%s/%s is known there alone', path, one.line, one.file, one.file:match "^[^/]+", part)
    end
  end
  local top, one = next(named)
  if not top then return end
  for _, name in ipairs(folders_in(layer)) do
    if not named[name] then
      fault('%s:%d: include "%s": a list of architectures names all; engine/%s/%s lacks', path, one.line, one.file, layer, name)
    end
  end
end

each_file(root .. "/engine", "%.[ch]$", function(path)
  local layer = path:match("/engine/([^/]+)/")
  local includes, inside = {}, path:match "/engine/(.+)$"
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
      includes[#includes + 1] = { file = included, line = line_number }
    end
    local library = line:match "^%s*#%s*include%s*<([^/>]+)/"
    local home = machine_headers[library]
    if home and inside:sub(1, #home + 1) ~= home .. "/" then
      fault("%s:%d: only engine/%s includes %s", path, line_number, home, library)
    end
    if layer ~= "lua" and line:match("^%s*#%s*include%s*<l[ua][^>]*>") and line:match("<lua[^>]*>") or
       (layer ~= "lua" and line:match("<lauxlib")) then
      fault("%s:%d: only engine/lua knows that Lua exists", path, line_number)
    end
  end
  check_parts(inside, layer, includes)
end)

-- Circles. A unit is what has one name in a folder: x.h, x.c. It uses another one whose functions or objects it mentions: those that begin with
-- ptl_ wherever they are defined, others in headers that it includes. A prototype is no use, and what implements a part of another's header is a
-- unit of its own: so lattice.c must not call what lattice_graph.c defines if that calls lattice.c.
local function without_comments(code)
  return "\n" .. code:gsub("/%*.-%*/", " "):gsub("//[^\n]*", ""):gsub('"[^"\n]*"', function(quoted)
    return quoted:find "%.h\"$" and quoted or '""'
  end)
end

-- Names that code defines -> true, and the bodies of its functions, one after the other.
local function definitions(code, is_header)
  local names, bodies = {}, {}
  for head, name, body in code:gmatch "\n([%a_][^;{}=#]-)%f[%w_]([%w_]+)%b()%s*(%b{})" do
    if is_header or not (head:find "^static" or head:find "^typedef") then names[name] = true end
    bodies[#bodies + 1] = body
  end
  for head, name in code:gmatch "\n([%a_][^;{}=#()]-)%f[%w_](ptl_[%w_]+)[%[%]%w_]*%s*=" do
    if not (head:find "^static" or head:find "^typedef") then names[name] = true end
  end
  return names, table.concat(bodies, " ")
end

local folders, homes = {}, {} -- folder -> path -> what is in the file; base name -> folder, from engine/ on
each_file(root .. "/engine", "%.[ch]$", function(path)
  local folder, name, ending = path:match "/engine/([^/]+)/.-([^/]+)%.([ch])$"
  local home = path:match "/engine/(.+)/[^/]+$"
  local code = without_comments(assert(io.open(path)):read "a")
  local names, bodies = definitions(code, ending == "h")
  local file = { unit = name, architecture = architectures[home:match "/([^/]+)"] and home, header = ending == "h" and path:match "/engine/(.+)$",
    defines = names, code = ending == "h" and bodies or code, includes = {} }
  for included in code:gmatch '#%s*include%s*"([^"]+)"' do file.includes[included] = true end
  folders[folder] = folders[folder] or {}
  table.insert(folders[folder], file)
  if homes[name] and homes[name] ~= home then fault("engine/%s/%s.%s: engine/%s has a file of this name", home, name, ending, homes[name]) end
  homes[name] = home
end)

-- What defines the same for another architecture is not used: the machine's own is linked (engine/worker/machine.h).
local function are_alternatives(a, b) return a.architecture and b.architecture and a.architecture ~= b.architecture end

-- unit -> unit that it uses -> a name by which
local function graph_of(files)
  local owners, graph = {}, {}
  for _, file in ipairs(files) do
    for name in pairs(file.defines) do
      owners[name] = owners[name] or {}
      table.insert(owners[name], file)
    end
  end
  for _, file in ipairs(files) do
    local own = graph[file.unit] or {}
    graph[file.unit] = own
    for name in file.code:gmatch "[%a_][%w_]*" do
      for _, owner in ipairs(owners[name] or {}) do
        local known = name:find "^ptl_" or file.includes[owner.header]
        if owner.unit ~= file.unit and known and not are_alternatives(owner, file) then own[owner.unit] = name end
      end
    end
  end
  return graph
end

-- A way from unit to goal over units not seen yet, as text; nil if there is none.
local function way(graph, unit, goal, seen)
  seen[unit] = true
  for other, name in pairs(graph[unit]) do
    local rest = other == goal and goal or not seen[other] and way(graph, other, goal, seen)
    if rest then return ("%s -(%s)-> %s"):format(unit, name, rest) end
  end
end

local units = 0
for folder, files in pairs(folders) do
  local graph = graph_of(files)
  for unit in pairs(graph) do
    units = units + 1
    local circle = way(graph, unit, unit, {})
    if circle then fault("engine/%s: a circle of files: %s", folder, circle) end
  end
end

-- The folder of a module, and its rank; nil if there is no such folder. A name that ends with a dot is the beginning
-- of modules in a folder.
local function place_of(module)
  local folder = module:match "^(.+)%.[^.]*$" or ""
  local begins = module:sub(-1) == "."
  if not begins and lfs.attributes(("%s/lua/portolan/%s/init.lua"):format(root, (module:gsub("%.", "/")))) then folder = module end
  if module == "core" then folder = "core" end
  return folder, lua_rank[folder]
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
      elseif target ~= folder and target_rank >= rank and not inside then
        fault("%s:%d: %s must not require portolan.%s", path, line_number, folder, name)
      end
    end
  end
end)

for _, f in ipairs(faults) do print(f) end
print(("layers: %d includes and requires, %d units checked, %d faults"):format(checked, units, #faults))
os.exit(#faults == 0 and checked > 0 and units > 100)
