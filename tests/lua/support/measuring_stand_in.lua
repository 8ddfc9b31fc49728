-- A program in the place of nanoBench, BHive's harness or llvm-exegesis, for machines without performance counters. It takes their command
-- lines, decodes the code with GNU's disassembler (snippets: after LLVM's assembler), checks that the real tool could run it, and answers in the
-- tool's format what a processor of four ports takes: with dependencies, so that code that waits for itself is slow.
-- usage: lua5.4 measuring_stand_in.lua TOOL ARGUMENT...
local tool = table.remove(arg, 1)
local folder = assert(os.getenv "STAND_IN_FOLDER", "STAND_IN_FOLDER: a folder for temporary files")

local function die(...)
  io.stderr:write(("Error: " .. ...):format(select(2, ...)), "\n")
  os.exit(1)
end

local function read(path)
  local handle = io.open(path, "rb") or die("there is no %s", path)
  local text = handle:read "a"
  handle:close()
  return text
end

local function output(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text, ok = pipe:read "a", pipe:close()
  if not ok then die("%s: %s", command, text) end
  return text
end

local function write(name, text)
  local path = ("%s/%s"):format(folder, name)
  local handle = assert(io.open(path, "wb"))
  handle:write(text)
  handle:close()
  return path
end

-- Lines of objdump, without addresses and bytes.
local function disassembled(path, options)
  local list = {}
  for line in output(("objdump -d -M intel --no-show-raw-insn %s %s"):format(options, path)):gmatch "\n%s*%x+:%s+([^\n]+)" do
    if line:find "bad" then die("no code: %s", line) end
    list[#list + 1] = line:gsub("%s+", " "):gsub(" $", "")
  end
  return list
end

local function of_bytes(bytes) return disassembled(write("code.bin", bytes), "-D -b binary -m i386:x86-64") end

-- What the processor knows: how operands look, ports, latency, which of the operands are read and written.
local known = {
  { form = "^add (r%w+),(r%w+)$", ports = "012", latency = 1, updates = true },
  { form = "^imul (r%w+),(r%w+)$", ports = "1", latency = 3, updates = true },
  { form = "^shl (r%w+),0x%x+$", ports = "02", latency = 1, updates = true },
  { form = "^mov (r%w+),QWORD PTR %[(r%w+)%+?(%w*)%]$", ports = "3", latency = 5, memory = true },
  { form = "^mov (r%w+),(r%w+)$", ports = "012", latency = 1 },
  { form = "^nop ?.*$", ports = "", latency = 0, idle = true },
}
local width, memory_bytes = 4, 4096

local function parse(line, base)
  for _, kind in ipairs(known) do
    local target, source, displacement = line:match(kind.form)
    if target then
      if kind.memory and source ~= base then os.exit(139) end -- a wild access: as a shell tells of SIGSEGV
      if kind.memory and (tonumber(displacement) or 0) + 8 > memory_bytes then os.exit(139) end
      return { kind = kind, target = not kind.idle and target or nil, source = not kind.idle and source or nil }
    end
  end
  die("the processor does not know '%s'", line)
end

-- What the ports and the front end take.
local function by_ports(code)
  local most = #code / width
  for set = 1, 15 do
    local uops, size = 0, 0
    for port = 0, 3 do size = size + (set >> port & 1) end
    for _, one in ipairs(code) do
      local ports = 0
      for port in one.kind.ports:gmatch "%d" do ports = ports | 1 << tonumber(port) end
      if ports ~= 0 and ports & ~set == 0 then uops = uops + 1 end
    end
    most = math.max(most, uops / size)
  end
  return most
end

-- What the longest chain takes that goes round the loop.
local function by_dependencies(code)
  local ready, rounds = {}, 40
  local function round()
    local last = 0
    for _, one in ipairs(code) do
      local start = math.max(one.source and ready[one.source] or 0, one.kind.updates and ready[one.target] or 0)
      if one.target then ready[one.target] = start + one.kind.latency end
      last = math.max(last, start + one.kind.latency)
    end
    return last
  end
  local before
  for i = 1, 2 * rounds do
    local now = round()
    if i == rounds then before = now elseif i == 2 * rounds then return (now - before) / rounds end
  end
end

local function cycles_of(lines, base)
  local code = {}
  for i, line in ipairs(lines) do code[i] = parse(line, base) end
  if #code == 0 then die "there is no code" end
  return math.max(by_ports(code), by_dependencies(code)), code
end

local function options_of(takes)
  local found, i = {}, 1
  while i <= #arg do
    local name = arg[i]
    if takes[name] == nil then die("unknown option %s", name) end
    if takes[name] then i = i + 1 end
    found[name] = takes[name] and arg[i] or true
    i = i + 1
  end
  return found
end

local tools = {}

function tools.nanobench()
  local o = options_of { ["-code"] = true, ["-code_init"] = true, ["-fixed_counters"] = false, ["-unroll_count"] = true, ["-loop_count"] = true }
  read "utils.sh" -- the script reads it by this name
  if not o["-fixed_counters"] then die "no counters" end
  local initial, set = of_bytes(read(o["-code_init"])), {}
  for _, line in ipairs(initial) do
    if line:find "^mov r1[45]," or line:find "^%a+ rsp" then die("the beginning spoils %s", line) end
    local register = line:match "^mov (r%w+),0x"
    if register then set[register] = true end
  end
  local cycles, code = cycles_of(of_bytes(read(o["-code"])), "r14")
  for _, one in ipairs(code) do
    if one.target == "r15" or one.target == "r14" then die("%s is taken", one.target) end
    if one.source and one.source ~= "r14" and not set[one.source] then die("%s holds nothing", one.source) end
  end
  if o["-unroll_count"] ~= "1" or o["-loop_count"] ~= "1000" then die "this is no loop" end
  print(("RDTSC: %.2f\nInstructions retired: %.2f\nCore cycles: %.2f\nReference cycles: %.2f"):format(cycles, #code, cycles, cycles))
end

function tools.bhive()
  local bytes = arg[1]:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)
  local cycles = cycles_of(of_bytes(bytes), "r14")
  print "Core_cyc\tL1_read_misses\tL1_write_misses\tiCache_misses\tContext_switches"
  local total = math.floor(690 + tonumber(arg[2]) * cycles + 0.5)
  for _, row in ipairs { { total + 78, 21, 0 }, { total, 0, 0 }, { total + 3, 0, 0 }, { total - 60, 0, 1 } } do
    print(("%d\t%d\t-1\t0\t%d"):format(row[1], row[2], row[3]))
  end
end

-- LLVM's verifier refuses code that reads registers which hold nothing.
local function check_defined(code, defined)
  for _, one in ipairs(code) do
    for _, register in ipairs { one.source or "rdi", one.kind.updates and one.target or "rdi" } do
      if not defined[register] then die("Using an undefined physical register %s", register) end
    end
    if one.target == "r8" or one.target == "rdi" then die("%s is taken", one.target) end
    if one.target then defined[one.target] = true end
  end
end

function tools.exegesis()
  if arg[1] == "--version" then return print "  Debian LLVM version 19.1.7" end
  local o = {}
  for _, word in ipairs(arg) do
    local name, value = word:match "^%-%-([%w-]+)=(.*)$"
    o[name or word] = value
  end
  if o.mode ~= "inverse_throughput" or o["repetition-mode"] ~= "loop" then die "another mode" end
  local text, defined = read(o["snippets-file"]), {}
  for register in text:gmatch "# LLVM%-EXEGESIS%-DEFREG (%w+) %x+\n" do defined[register:lower()] = true end
  if not text:find("# LLVM-EXEGESIS-LIVEIN RDI\n", 1, true) or not defined.eflags then die "no memory, no flags" end
  defined.rdi = true
  local object = folder .. "/snippet.o"
  output(("%s -filetype=obj -triple=x86_64 -o %s %s"):format(os.getenv "STAND_IN_ASSEMBLER", object, write("snippet.s", text)))
  local cycles, code = cycles_of(disassembled(object, ""), "rdi")
  check_defined(code, defined)
  print(("---\nmode: inverse_throughput\nmeasurements:\n  - { key: inverse_throughput, value: %.4f, per_snippet_value: %.4f, "
    .. "validation_counters: {} }\nerror:           ''\ninfo:            ''\n..."):format(cycles / #code, cycles))
end

tools[tool]()
