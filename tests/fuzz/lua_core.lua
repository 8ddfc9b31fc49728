-- portolan.core as a whole under hostile calls: returns a function(text) that runs the bytes of the text as a program.
-- Functions and methods are found at run time, so new ones are called, too; `natural` has arguments that lead deep into the
-- known ones.
local starve, busy = starve, busy -- luacheck: ignore (of lua_core.c)
local core = require "portolan.core"
core.base.catch_interrupts()

-- What is not called, and why.
local excluded = {
  ["base.catch_interrupts"] = "is called above",
  ["base.set_interrupted"] = "the watch (lua_core.c) needs the flag; it is called between programs",
  ["base.terminal_waits"] = "changes the terminal of whoever runs the fuzzer",
  ["evo.mpi.open"] = "starts MPI", ["evo.mpi.gather"] = "waits for other processes", ["evo.mpi.close"] = "ends MPI",
  ["isa.schemes"] = "makes half a second's worth of tables",
}

-- Numbers that only make work: how many of them are tried at most.
local bounded = { size = 6, count = 3, threads = 2, steps = 4, columns = 20, rows = 20, ["population.size"] = 6 }

local functions, names = {}, {}
local function enumerate(path, value)
  if type(value) == "table" then
    for key, inner in pairs(value) do enumerate(path == "" and key or path .. "." .. key, inner) end
  elseif type(value) == "function" and not excluded[path] then
    functions[path] = value
    names[#names + 1] = path
  end
end
enumerate("", core)
table.sort(names)

local policy = dofile(os.getenv "PORTOLAN_ARCH" .. "/x86_64/policy.lua")
local mapping = { ports = { "0", "1", "2" }, rmax = 2, schemes = {
  a = { uops = { { { "0" }, 1 } } }, b = { uops = { { { "0", "1" }, 2 }, { { "2" } } }, slots = 2 }, c = { slots = 1, breakers = 1 },
  d = { uops = {} } } }
local feature = { kind = "singleton", values = { "x", "y", false } }
local features = {
  feature, { kind = "edit", bound = 2, values = { "add", "sub", "imul" } }, { kind = "log", bound = 5, values = { 1, 2, 8 } },
  { kind = "subset", values = { { "p" }, { "p", "q" }, {} }, atoms = { "p", "q" } },
  { kind = "graph", labels = { "l", "m" }, successors = { { 2 }, { 0 } }, members = { { 1 }, { 1, 2 } }, representations = { 1, 2, 0 } },
}
local universe = { "add r64, r64", "sub r64, r64", "imul r64, r64" }
local bounds = { upper = 2, { bound = 1, weight = 0 } }

-- Objects by name, made when a program first asks for one.
local made
local make = {}
local function get(name)
  if made[name] == nil then
    local ok, object = pcall(make[name])
    made[name] = ok and object or false
  end
  return made[name]
end
local function on(name) return function() return get(name) end end

function make.rng() return core.base.rng(7) end
function make.mapping() return core.model.mapping(mapping) end
function make.batch() return core.model.batch(get "mapping", { { a = 1 }, { a = 2, b = 3 } }) end
function make.conjunctive() return get("mapping"):conjunctive() end
function make.search() return core.smt.search { schemes = 3, ports = 3, rmax = 4, counts = { 1, 0, 0 }, uops = { 1, 1, 1 } } end
function make.search3() return core.smt.search { schemes = 2, ports = 3, uops = { 1, 2 }, slots = { 1, 2 } } end
function make.lira() return core.smt.lira { schemes = 2, ports = 2 } end
function make.alone()
  local p = core.smt.alone { ports = 4, rmax = 4, threads = 1 }
  p:know(1) p:know(3) p:know(12) p:refine() p:scheme() p:scheme(6)
  return p
end
function make.policy() return core.isa.policy(policy) end
function make.domain() return core.anica.domain(universe, features, policy) end
function make.block() return get("domain"):represent "\x48\x01\xd8\x48\x29\xd8" end
function make.top() return get("domain"):top(2) end
function make.problem()
  return core.evo.problem(3, { 1, 0.5, 1 }, { { schemes = { 1, 2 }, counts = { 1, 1 }, cycles = 1.5 }, { schemes = { 2, 3 }, counts = { 2,
    1 }, cycles = 1 } })
end
function make.population() return get("problem"):population { size = 4, threads = 1 } end
function make.islands() return get("problem"):islands { size = 3, threads = 1, count = 2 } end
function make.text() return (get("islands"):run(1) or true) and get("islands"):best(1) end
function make.expansions() return get("block"):expansions() end

-- A mapping of real schemes with latencies, units, fused jumps: what blocks of code are predicted with.
local code_mapping = { ports = { "0", "1", "2" }, rmax = 2, schemes = { ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } } },
  ["imul r64, r64"] = { uops = { { { "1" }, 1 } } }, ["mov r64, m64"] = { uops = { { { "2" }, 1 } } }, ["cmp r64, r64"] = { uops = {} },
  ["jnz rel8"] = { uops = { { { "0" }, 1 } } } } }
local facts = { units = { "multiplier" }, taken_branch = 1, blocked = 13, bank_loads = 2, stored_lines = 1, load_ports = { "2" },
  stored_at_once = 4, stored_bytes = 32, held_up = 9, held_up_from_start = 8, narrow_stall = 3, narrow_lines = 4, narrow_bytes = 2,
  handed_alone = true, chained = 0.1,
  stand_ins = { ["jnz rel32"] = "jnz rel8" }, schemes = {
    ["add r64, r64"] = { latencies = { { from = "1", to = "1", cycles = 1 }, { from = "2", to = "1", cycles = 1, same = 0 } }, idiom = true },
    ["imul r64, r64"] = { other_value = 3, unit = 1, unit_cycles = 2 }, ["cmp r64, r64"] = { fuses = { "jnz" }, other_form = "add r64, r64" },
    ["mov r64, m64"] = { latencies = { { from = "2.base", to = "1", cycles = 5, independent = true } }, other_address = 5, indexed_slots = 2 } } }
local looped = "\x48\x01\xd8\x48\x0f\xaf\xc8\x48\x8b\x06\x48\x39\xc8\x75\xf1"
function make.code_mapping() return core.model.mapping(code_mapping) end
function make.blocks() return core.predict.model(get "code_mapping", facts) end

function make.session() return core.bench.open { uncalibrated = true, patience = 0 } end

function make.meddler() return function() return get("mapping"):throughput { a = 1 } end end

-- What a method's object may be, by the name of its class; the first is taken if a program names none.
local kinds = { "rng", "mapping", "batch", "conjunctive", "search", "search3", "lira", "alone", "policy", "domain", "block", "top",
  "problem", "population", "islands", "session", "blocks" }

local natural = {
  ["base.rng"] = { 3 }, ["base.interruptible"] = { on "meddler" }, ["base.terminal_columns"] = { 1 },
  ["model.mapping"] = { mapping }, ["model.batch"] = { on "mapping", { { a = 1 }, { b = 2 } } },
  ["model.population"] = { { on "mapping", on "mapping" }, on "batch", { threads = 1 } },
  ["model.compare"] = { on "mapping", on "mapping", { epsilon = 0.1, seed = 2 } }, ["model.relate"] = { on "mapping", on "mapping" },
  ["model.metrics"] = { { 1, 2, 3 }, { 1, 2, 4 } },
  ["model.deviation"] = { { 1, 2, 3 }, { 1, 2, 4 }, { tolerance = 0.1, quantiles = { 0.5 } } },
  ["model.heatmap"] = { { 1, 2, 3 }, { 1, 2, 4 }, { max = 5, columns = 4, rows = 4 } },
  ["model.cover"] = { 3, { { 1, 2 }, { 3 }, {} }, 2, { seconds = 0.1 } },
  ["model.solve"] = { { columns = { { cost = 1 }, { upper = 3, cost = 2, whole = true } }, rows = { { columns = { 1, 2 }, values = { 1, 1 },
    lower = 1, upper = 5 } }, maximise = true, seconds = 0.1, nodes = 5 } },
  ["model.conjunctive"] = { { resources = { "r", "s" }, schemes = { a = { r = 1 }, b = { r = 0.5, s = 2 } } } },
  ["isa.scheme"] = { "add r64, r64" }, ["isa.listing"] = { "\x48\x01\xd8\x90", "att" }, ["isa.sample"] = { "add r64, r64", 3 },
  ["isa.check"] = { { "add r64, r64" }, 2 }, ["isa.assemble"] = { "add rax, rbx; nop" }, ["isa.decode"] = { "\x48\x01\xd8\x90" },
  ["isa.accesses"] = { "\x48\x01\xd8\x90" }, ["isa.rename"] = { "\x48\x01\xd8\x90", 1 },
  ["model.cycle_ratio"] = { 2, { { 1, 2, 3, 0 }, { 2, 1, 1.5, 1 } } },
  ["isa.policy"] = { policy }, ["isa.instantiate"] = { universe, on "policy", "line" },
  ["isa.places"] = { "mul r64" }, ["isa.chain"] = { { { scheme = "add r64, m64", from = "2.base", to = "1" },
    { scheme = "and r64, r64", from = "1", to = "1", same = false } }, on "policy", 20 },
  ["isa.kernel"] = { { ["add r64, r64"] = 2, ["imul r64, r64"] = 1 }, on "policy", 20, "line" },
  ["predict.model"] = { on "code_mapping", facts },
  ["blocks.bounds"] = { { looped, "\x90" }, { aliasing = "all", start = "alike", threads = 2 } },
  ["blocks.simulate"] = { { looped, "\x90" }, { binder = { kind = "recent" }, threads = 1 } },
  ["blocks.explain"] = { looped, { aliasing = "no", loop = true, simulate = true } },
  ["blocks.what_if"] = { looped, { aliasing = "same", loop = true } },
  ["blocks.timeline"] = { looped, { aliasing = "same", loop = true, iterations = 3 } },
  ["bench.open"] = { { cpu = 0, cpus = { 0 }, seed = 1, adders = 4, patience = 0, pointers = true, uncalibrated = true } },
  ["bench.counter"] = { "cycles" }, ["bench.event"] = { "cycles" },
  ["smt.search"] = { { schemes = 3, ports = 3, epsilon = 0.02, rmax = 4, counts = { 1, 0, 0 }, uops = { 1, 1, 1 }, slots = { 1, 1, 1 },
    slack = 0, seed = 1 } },
  ["smt.lira"] = { { schemes = 2, ports = 2, epsilon = 0.02, rmax = 4, counts = { 1, 0 }, uops = { 1, 1 }, slots = { 1, 1 }, free = false,
    seed = 1 } },
  ["smt.alone"] = { { ports = 4, epsilon = 0.02, rmax = 4, flood = true, slack = 1, threads = 1 } },
  ["smt.cycles"] = { { 1, 3, 2 }, { 1, 2, 1 } }, ["smt.union"] = { { 1, 3, 2 }, 3 },
  ["smt.subsumes"] = { { instructions = 2, aliasing = { { 1, 1, 2, 1, 1 } } }, { instructions = 2, aliasing = { { 1, 1, 2, 1, 1 } } },
    { { true, true }, { true, true } } },
  ["anica.domain"] = { universe, features, policy },
  ["anica.variants"] = { "shl r64, imm8", on "policy" }, ["anica.variant"] = { "shl r64, imm8 = 0" },
  ["anica.elements"] = { "\x48\x01\xd8\x90" },
  ["evo.problem"] = { 3, { 1, 0.5, 1 }, { { schemes = { 1, 2 }, counts = { 1, 1 }, cycles = 1.5, least = 1 } } },
  split = { 3 }, below = { 5 }, shuffle = { { 1, 2, 3 } },
  throughput = { { a = 1, b = 2 } }, predict = { { a = 1, b = 2 } }, throughputs = { on "batch", { kernel = "scalar" } },
  bind = { { a = 1, b = 2 }, { kind = "recent", scheduler = 4, memory = 2, stale = 1, random = true, alternate = true } },
  bound = { { a = 1 }, { kind = "late" } }, lp = { { a = 1, b = 2 }, true }, facile = { { a = 1, b = 2 } }, schedule = { { a = 1, b = 2 }, 2 },
  deadline = { 0.2 }, observe = { { 1, 1 }, bounds }, other = { { 1, 2, 3 }, 0, 3 }, tell = { { 1, 2, 4 } }, same = { 1, 2 },
  possible = { 1, 1, 2 }, fix = { { 1, 0, 0 } }, suppose = { 1, 1, 2 }, forget = { 0 }, text = { { 1, 2, 3 }, 2 },
  ["search3.other"] = { { 1, 2, 3 }, 2 }, ["search3.observe"] = { { 1, 1 }, bounds },
  ["lira.other"] = { { 1, 2 }, 3 }, ["lira.fix"] = { { 1, 0 } }, ["lira.text"] = { { 1, 2 }, 2 }, ["lira.observe"] = { { 1, 1 }, bounds },
  know = { 5, 1 }, has = { 3 }, splits = { 5 }, scheme = { 6, 1 }, next = { { 1, 2 } }, remaining = { 1, 8 },
  ["alone.observe"] = { 1, { 1, 2 }, 1, bounds }, ["alone.conflict"] = { 1 },
  index = { "add r64, r64" }, represent = { "\x48\x01\xd8\x48\x29\xd8" }, ["domain.top"] = { 2 },
  decode = { { { "x", { base = "add", edits = 1 }, { below = 4 }, { "p" }, "l" }, { false, false, false, "none", false } },
    { { a = { 1, 1 }, b = { 2, 1 }, kind = "must" } } },
  subsumers = { { on "block", on "top" }, { on "block" } }, node = { 1, 1 }, node_leq = { 1, 1, 0 }, node_successors = { 2, 1 },
  node_has = { 3, 1, 1 }, node_value = { 4, 1 },
  ["block.schemes"] = { 1 }, ["top.schemes"] = { 1 }, value = { 1, 2 }, contains = { "\x48\x01\xd8" }, leq = { on "block" }, equal = { on "block" },
  expand = { on "expansions" }, sample = { on "rng", 2 }, subsumes = { on "block" },
  evaluate = { on "text", "scalar" }, population = { { size = 4, seed = 1, threads = 1 } },
  islands = { { count = 2, first = 0, size = 3, crossing = 0.2, beam = 1, uops = 4, price = 0.1, seed = 1, threads = 1, given = on "text",
    hint = on "text", totals = { 1, 1, 1 } } },
  at = { 1 }, ["population.restore"] = { { on "text", on "text", on "text", on "text" }, 1, { 1, 1, 0, 0 } }, run = { 2 }, best = { 1 },
    admit = { 1, on "text" },
  ["session.run"] = { { { { bytes = "\x48\x01\xd8", copies = 1, vector_bits = 0, keeps_stack = true, generated = true } },
    { { bytes = "\x90", copies = 2 } } }, on "meddler" },
  count = { { "instructions" } }, operands = { true },
  save = { 1 }, restore = { 1, { on "text" }, 1 },
}

local numbers = { 0, -1, 1, 2, 3, 5, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 1e6, 2^31, 2^32, 2^53, 1 << 62, math.mininteger, math.maxinteger,
  0.5, -0.5, 1.5, 1e300, -1e300, 0 / 0, 1 / 0, -1 / 0 }
local strings = { "", "a", "b", "add r64, r64", "imul r64, r64", "vaddpd zmm{k}{z}, zmm, zmm", "junk\0junk", ("x"):rep(5000), "%s%n",
    "1:0*2;1", "must",
  "\x0f", "\x48\x01\xd8", "cycles", "auto", "avx2", "3", "0x10", "none" }

-- A reader of the program's bytes: numbers in 0 ... n - 1; zeros at its end.
local function reader(text)
  local at = 0
  return function(n)
    at = at + 1
    return (text:byte(at) or 0) % n
  end, function() return at >= #text end
end

local function close_all()
  for _, object in pairs(made) do
    if type(object) == "userdata" and object.close then pcall(object.close, object) end
  end
end

-- Calls something of an object in use: whatever comes of it.
local function reenter()
  for name, object in pairs(made) do
    if type(object) == "userdata" then
      for _, method in ipairs { "observe", "throughput", "predict", "size", "schemes", "mapping", "refine", "step", "run" } do
        local f = object[method]
        if f then pcall(f, object, natural[name .. "." .. method] and table.unpack(natural[name .. "." .. method]) or { a = 1 }) end
      end
    end
  end
end

local function meddle(t)
  for key in pairs(t) do t[key] = nil end
  for i = 1, 40 do t[i] = i end
end

-- A table whose metamethods do harm; they see what `base` has.
local function hostile(base, how)
  local n = 0
  local harm = ({
    function() error "raised" end, function() error {} end, close_all, function() meddle(base) end, reenter,
    function() collectgarbage() end, function() n = n + 1000 end, function() return setmetatable({}, { __gc = close_all }) end,
  })[how % 8 + 1]
  local meta = {
    __index = function(_, key) harm() return base[key] end, __len = function() harm() return #base + n end,
    __newindex = function() harm() end, __tostring = function() harm() return 5 end, __name = how % 3 == 0 and 5 or "portolan.search",
    __pairs = function() harm() return next, base end, __close = function() harm() end, __call = function() harm() end,
    __gc = function() harm() reenter() end, __lt = function() harm() end, __eq = function() harm() return true end, __mode = "kv",
  }
  if how % 16 < 8 then return setmetatable({}, meta) end
  meta.__index, meta.__len = nil, nil
  local copy = {}
  for key, value in pairs(base) do copy[key] = value end
  return setmetatable(copy, meta)
end

local cyclic = { 1, 2 }
cyclic[3], cyclic.a = cyclic, cyclic
local deep = {}
for _ = 1, 300 do deep = { deep } end
local sparse = {}
for i = 0, 30 do sparse[1 << i] = i end

local function copy_of(value, depth)
  if type(value) == "function" then return value() end
  if type(value) ~= "table" or depth > 6 then return value end
  local copy = {}
  for key, inner in pairs(value) do copy[key] = copy_of(inner, depth + 1) end
  return copy
end

local results -- of earlier calls

local odd_value
local function odd_table(next_byte)
  local kind = next_byte(10)
  if kind == 0 then return {} end
  if kind == 1 then return cyclic end
  if kind == 2 then return deep end
  if kind == 3 then return sparse end
  local list = {}
  for i = 1, next_byte(7) do list[i] = odd_value(next_byte, 2) end
  if kind > 6 then list[strings[next_byte(#strings) + 1]] = odd_value(next_byte, 2) end
  return list
end

function odd_value(next_byte, depth)
  local kind = next_byte(12)
  if kind < 3 then return numbers[next_byte(#numbers) + 1] end
  if kind == 3 then return next_byte(256) - 8 end
  if kind == 4 then return strings[next_byte(#strings) + 1] end
  if kind == 5 then return next_byte(2) == 1 end
  if kind == 6 then return nil end
  if kind == 7 then return get(kinds[next_byte(#kinds) + 1]) end
  if kind == 8 then return results[next_byte(8) + 1] end
  if kind == 9 then return next_byte(2) == 0 and reenter or coroutine.create(reenter) end
  if depth > 1 then return next_byte(4) end
  if kind == 10 then return odd_table(next_byte) end
  return hostile(odd_table(next_byte), next_byte(16))
end

-- Changes something somewhere in a value that was copied.
local function mutated(value, next_byte, depth)
  if type(value) ~= "table" or depth > 4 or next_byte(4) == 0 then
    if type(value) == "table" and next_byte(2) == 0 then return hostile(value, next_byte(16)) end
    return odd_value(next_byte, 0)
  end
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  local key = keys[next_byte(#keys + 1) + 1]
  if key == nil then key = #value + 1 end
  value[key] = mutated(value[key], next_byte, depth + 1)
  return value
end

-- Work stays within bounds: it is the checks that are tried, not patience.
local function modest(name, arguments)
  for i = 1, arguments.n do
    local t = arguments[i]
    if type(t) == "table" then
      for key, most in pairs(bounded) do
        local value = rawget(t, key)
        if type(value) == "number" and value > most and value < 1e6 then rawset(t, key, most) end
        if key == "size" and type(value) == "number" and value >= 1e6 and value <= 1e8 then rawset(t, key, most) end
      end
      if name == "bench.open" then rawset(t, "uncalibrated", true) end
      if math.type(rawget(t, "threads")) == "integer" and t.threads == 0 then rawset(t, "threads", 1) end
    elseif type(t) == "number" and (name == "run" or name == "sample" or name == "schedule" or name == "isa.check"
      or name == "remaining") and t > 8 then
      arguments[i] = 8
    end
  end
end

local function arguments_for(name, object, next_byte)
  local known = natural[object and object .. "." .. (name or "#") or name] or natural[name or "#"]
  local how = next_byte(8)
  local arguments = { n = 0 }
  if known and how > 0 then
    arguments.n = #known
    for i = 1, #known do arguments[i] = copy_of(known[i], 0) end
    for _ = 1, how < 4 and 0 or how - 3 do
      local i = next_byte(arguments.n + 1) + 1
      arguments[i] = mutated(arguments[i], next_byte, 0)
      arguments.n = math.max(arguments.n, i)
    end
  else
    arguments.n = next_byte(6)
    for i = 1, arguments.n do arguments[i] = odd_value(next_byte, 0) end
  end
  modest(name, arguments)
  return arguments
end

local function check(ok, ...)
  if ok then
    local value, message = ...
    if value == nil and type(message) == "string" then
      assert(not message:find "\n", message)
      assert(message:find "%S", "an empty message")
    end
    for i = 1, math.min(select("#", ...), 3) do
      local result = select(i, ...)
      if result ~= nil then results[#results % 8 + 1] = result end
    end
  elseif type((...)) == "string" then
    assert(not (...):find("internal", 1, true), (...))
  end
end

local function methods_of(object)
  local index = debug.getmetatable(object).__index
  local list = {}
  for name in pairs(index or {}) do list[#list + 1] = name end
  table.sort(list)
  return list, index, debug.getmetatable(object).__len
end

local function call(next_byte)
  local f, name, object, kind
  if next_byte(3) == 0 then
    name = names[next_byte(#names) + 1]
    f = functions[name]
  else
    kind = kinds[next_byte(#kinds) + 1]
    object = get(kind)
    if not object then return end
    local list, index, length = methods_of(object)
    name = list[next_byte(#list + 1) + 1]
    f = name and index[name] or length
    if not f then return end
  end
  local ok, arguments = pcall(arguments_for, name, kind, next_byte)
  if not ok then return end -- a hostile table that was looked at here
  if object then
    if next_byte(16) == 15 then object = get(kinds[next_byte(#kinds) + 1]) end
    table.insert(arguments, 1, object or false)
    arguments.n = arguments.n + 1
  end
  local function done(...)
    starve()
    check(...)
  end
  local thread, hungry = next_byte(16) == 15 and coroutine.create(f), next_byte(8)
  if hungry > 5 then starve(next_byte(64), hungry == 6 and 1 or 100000) end
  if thread then
    done(coroutine.resume(thread, table.unpack(arguments, 1, arguments.n)))
  else
    done(pcall(f, table.unpack(arguments, 1, arguments.n)))
  end
end

return function(text)
  made, results = {}, {}
  core.base.set_interrupted(false)
  busy(true)
  local next_byte, over = reader(text)
  for _ = 1, 24 do
    if over() or core.base.interrupted() then break end
    local what = next_byte(12)
    if what == 0 then
      collectgarbage()
    elseif what == 1 then
      made[kinds[next_byte(#kinds) + 1]] = nil
    elseif what == 2 then
      close_all()
    else
      call(next_byte)
    end
  end
  starve()
  busy(false)
  core.base.set_interrupted(false)
  assert(core.base.rng(1):below(10) < 10) -- the module works on
end
