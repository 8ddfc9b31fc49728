--- llvm-exegesis: measures with performance counters (`exegesis`, `exegesis:program=llvm-exegesis-19,mcpu=skylake`).
--
-- The block is given as a snippet, text that LLVM assembles, and looped. All registers that it may read are defined beforehand, as llvm-exegesis
-- refuses code that reads others. rdi points to a megabyte of memory; r8 counts the loop. A block that accesses memory by another register cannot be
-- measured.
-- @module portolan.predictor.adapters.exegesis
local initial_state = require "portolan.predictor.machinery.initial_state"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local name_settings = require "portolan.predictor.machinery.name_settings"
local program = require "portolan.predictor.machinery.program"
local text = require "portolan.predictor.llvm_mca.text"
local tool = require "portolan.predictor.machinery.tool"

local exegesis = {}

local taken = { rdi = true, r8 = true } -- the memory; the counter of the loop
local pattern = initial_state.pattern
local bits = { x = 128, y = 256, z = 512 }

-- The widest name of each vector register that code mentions: list of { name, bits }.
local function vectors(code)
  local widest = {}
  for letter, number in code:gmatch "%f[%w]([xyz])mm(%d+)%f[%W]" do
    if bits[letter] > (widest[number] or 0) then widest[number] = bits[letter] end
  end
  if next(widest) then widest["0"] = widest["0"] or 128 end -- blendvps and its kin read it unsaid
  local list = {}
  for number, width in pairs(widest) do
    local letter = width == 512 and "Z" or width == 256 and "Y" or "X"
    list[#list + 1] = { ("%sMM%s"):format(letter, number), width }
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  return list
end

--- The snippet of a block: what the registers hold, then its text.
-- @param code lines, as LLVM reads them
-- @return text of a snippets file
function exegesis.snippet(code)
  local lines = { "# LLVM-EXEGESIS-LIVEIN RDI" }
  local function define(register, hexadecimal)
    lines[#lines + 1] = ("# LLVM-EXEGESIS-DEFREG %s %s"):format(register, hexadecimal)
  end
  for _, register in ipairs(initial_state.general) do
    if not taken[register[1]] then define(register[1]:upper(), ("%x"):format(register[2])) end
  end
  define("R14", "45")
  define("R15", "47")
  define("EFLAGS", "0")
  for _, vector in ipairs(vectors(code)) do
    local index = vector[1]:find "MM15$" -- of gathers: zeros
    define(vector[1], index and "0" or pattern:rep(vector[2] // 64))
  end
  for i = 0, 7 do
    if code:find(("%%f[%%w]mm%d%%f[%%W]"):format(i)) then define("MM" .. i, pattern) end
    if i > 0 and code:find(("%%f[%%w]k%d%%f[%%W]"):format(i)) then define("K" .. i, ("f"):rep(16)) end
  end
  lines[#lines + 1] = ".intel_syntax noprefix"
  lines[#lines + 1] = code
  return table.concat(lines, "\n") .. "\n"
end

local signals = { ["Segmentation fault"] = 11, ["Illegal instruction"] = 4, ["Floating point exception"] = 8, ["Trace/breakpoint trap"] = 5 }

-- Returns what the field `error` says, as an answer.
local function failed(words)
  local signal
  for name, number in pairs(signals) do
    if words:find(name, 1, true) then signal = number end
  end
  return { error = "llvm-exegesis: " .. words, signal = signal }
end

--- Reads llvm-exegesis' output, YAML: the inverse throughput of the whole snippet.
-- @param result of `program.run`
-- @return answer
function exegesis.parse(result)
  if result.status ~= 0 then return { error = tool.complaint("llvm-exegesis", result).error } end
  local out = "\n" .. result.out
  local words = out:match "\nerror:%s+'?([^'\n]*)"
  if words and words ~= "" then return failed(words) end
  local cycles = tonumber(out:match "key: inverse_throughput,[^}]-per_snippet_value:%s*([%d.eE+-]+)")
  return cycles and { cycles = cycles } or { error = "llvm-exegesis measured nothing: there is no inverse throughput in its output" }
end

local function prepare(self, bytes, directory)
  local code, message = text.of_bytes(bytes)
  if not code then return nil, message end
  local arguments = { "--mode=inverse_throughput", "--repetition-mode=loop", "--snippets-file=" .. directory .. "/block.s" }
  table.move(self.flags, 1, #self.flags, #arguments + 1, arguments)
  return { arguments = arguments, files = { ["block.s"] = exegesis.snippet(code) }, cwd = directory }
end

-- The program that is named, or the newest one.
local function locate(found)
  if found.program then
    local path = program.find(found.program)
    if path then return path end
    return nil, ("there is no program %s; give the path of llvm-exegesis"):format(found.program)
  end
  local newest = llvm_program.installed("llvm-exegesis")[1]
  if newest then return newest.path end
  return nil, "llvm-exegesis is not in the search path; install the package llvm or llvm-19, or give program=PATH"
end

--- Opens llvm-exegesis.
-- @param words `[program=PATH][,mcpu=CPU][,dummy=yes][,seconds=N]`; without a program the newest one; `dummy` has it do all but read counters
-- @return predictor; or nil and a message
function exegesis.open(words)
  local found, message = name_settings.parse(words, { mcpu = true, dummy = true })
  if not found then return nil, message end
  if found[1] then return nil, ("'%s': write settings as KEY=VALUE"):format(found[1]) end
  if found.dummy and found.dummy ~= "yes" then return nil, ("dummy=%s: write dummy=yes, or leave it out"):format(found.dummy) end
  local path, version, major
  path, message = locate(found)
  if not path then return nil, message end
  version, major = llvm_program.version(path)
  if not version then return nil, major end
  local flags = { found.mcpu and "--mcpu=" .. found.mcpu or nil }
  if major < 16 then flags[#flags + 1] = "--dump-object-to-disk=false" end
  if found.dummy then flags[#flags + 1] = "--use-dummy-perf-counters" end
  version = ("%s, %s%s"):format(version, found.mcpu or "native", found.dummy and ", no counters" or "")
  return tool.new { name = "exegesis", version = version, title = "llvm-exegesis", path = path,
    flags = flags, seconds = found.seconds, deterministic = false, exclusive = true, measures = true,
    facts = { tested = tool.never_seen }, prepare = prepare, parse = exegesis.parse }
end

--- The newest version, if there is one.
-- @return list of `{ name =, path =, doubt = }`
function exegesis.installed()
  local newest = llvm_program.installed("llvm-exegesis")[1]
  return newest and { { name = "exegesis", path = newest.path, doubt = tool.never_seen } } or {}
end

return exegesis
