-- Commands given damaged documents of every kind: they do their work or refuse it in one line. There is no internal error, and JSON is JSON.
--
-- PORTOLAN_MUTANTS=N tries N damaged documents of each kind, PORTOLAN_SEED=N others. Of 25 or more of a kind some must get an answer: where all are
-- refused, only the reader was tried.
local command_line = require "support.command_line"
local core = require "portolan.core"
local damage = require "support.damage"
local documents = require "support.documents"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local process = require "process"

local per_kind = tonumber(os.getenv "PORTOLAN_MUTANTS") or 8
local seed = tonumber(os.getenv "PORTOLAN_SEED") or 1
local source = os.getenv "PORTOLAN_SOURCE"

local function of_source(path) return assert(file.read(source .. path)) end

-- A mapping of schemes by name: ports of their uops, as "015", or "1 1" for two uops.
local function mapping_of(schemes)
  local all, ports = json.object {}, {}
  for name, uops in pairs(schemes) do
    all[name] = { uops = lists.map(lists.found(uops, "%d+"), function(set) return { lists.found(set, "%d"), 1 } end) }
    for port in uops:gmatch "%d" do ports[port] = true end
  end
  return assert(json.encode { format = "portolan-mapping", version = 1, ports = lists.keys(ports), rmax = 4, schemes = all })
end

local partner = { ["add r64, r64"] = "0156", ["imul r64, r64"] = "1", ["shl r64, imm8"] = "06", ["vpaddd ymm, ymm, ymm"] = "015" }
local other = { ["add r64, r64"] = "01", ["imul r64, r64"] = "1", ["shl r64, imm8"] = "0", ["vpaddd ymm, ymm, ymm"] = "015" }

local function record(e, cycles, uops)
  return ('{"e":{%s},"cycles":%g,"n":31,"spread":0.004,"status":"ok","others":{"tool":1.5},"uops":%d,"slots":1}\n'):format(e, cycles, uops)
end
local records = record('"add r64, r64":1', 0.25, 1) .. record('"imul r64, r64":1', 1, 1) .. record('"shl r64, imm8":1', 0.5, 1)
  .. record('"add r64, r64":3,"imul r64, r64":1', 1, 4) .. record('"add r64, r64":2,"shl r64, imm8":2', 1, 4)

local function named(text) return (text:gsub('"a"', '"add r64, r64"'):gsub('"b"', '"imul r64, r64"'):gsub('"(%d)%*a"', '"%1*add r64, r64"')) end

-- Commands, one a line; FILE is the damaged document, DIR its folder, NEW a file that is not there yet; PARTNER and OTHER are mappings, RECORDS and
-- CODE as named. A command stands behind a kind of documents only if it does not refuse the undamaged one.
local of_mappings = [[
predict --mapping FILE --json|2*add r64, r64 + imul r64, r64
predict --mapping FILE|3*add r64, r64
predict --mapping FILE --method lp-exact --json|2*add r64, r64
predict --mapping FILE --method binder --json|2*add r64, r64
predict --mapping FILE --method facile --json|2*add r64, r64
predict --mapping FILE --method conjunctive --json|2*add r64, r64
predict --mapping FILE --schedule 3 --json|2*add r64, r64
predict --mapping FILE --code CODE --json
predict --mapping FILE --code CODE --report NEW
predict --mapping FILE --file RECORDS --json
predict --predictor mapping:FILE --json|add rax, rbx; imul rax, rbx
predict --predictor chart:FILE,by=simulation --json|add rax, rbx; imul rax, rbx
predict --predictor assume:FILE,latencies=mapping --json|add rax, rbx; imul rax, rbx
explain --mapping FILE --json --full /./
explain --mapping FILE --full /./
patterns FILE --json --full
patterns FILE --full
eval RECORDS --mapping FILE --json --worst 3 --by-length
eval RECORDS --mapping FILE --heatmap --report NEW
eval RECORDS --mapping FILE --method binder --unit ipc --json
compare FILE PARTNER --json
compare PARTNER FILE
merge FILE PARTNER --out NEW
disagree FILE --reference PARTNER --oracle sim:OTHER --json
disagree OTHER --reference FILE --oracle sim:PARTNER
verify FILE --json --time 2s
verify FILE --time 2s
export FILE --to csv --out NEW
export FILE --to json --out NEW
export FILE --to osaca --out NEW
export FILE --to uops-info --out NEW
export FILE --to pmevo --out NEW
export FILE --to llvm --out NEW
recheck --mapping FILE --all --oracle sim:PARTNER --json
infer cegis --oracle sim:FILE --json --time 1s --out NEW
infer cegis --oracle sim:FILE --time 1s
infer cegis --oracle sim:PARTNER --fixed FILE --time 1s --json
infer grow --oracle sim:FILE --time 1s --json
infer uops-info --oracle sim:FILE,counters=uops+ports --json
infer uops-info --oracle sim:FILE,counters=uops+ports
infer palmed --oracle sim:FILE --time 1s --evaluate 20 --json
infer pmevo --oracle sim:FILE --time 1s --generations 2 --out NEW --json
infer chart --oracle sim:FILE --evaluate 20 --out NEW
measure RECORDS --oracle sim:FILE --out NEW]]

local of_records = [[
eval FILE --mapping PARTNER --json --worst 3 --by-length --orders
eval FILE --heatmap --report NEW --unit ipc
infer cegis --oracle replay:FILE --json --time 1s --out NEW
infer cegis --oracle replay:FILE --time 1s --rmax 4 --uops record
infer cegis --oracle replay:FILE --time 1s --reading asymmetric
infer cegis --oracle replay:FILE --time 1s --encoding lira
infer palmed --oracle replay:FILE --time 1s --evaluate 20 --json
infer pmevo --oracle replay:FILE --rmax 4 --time 1s --generations 2 --out NEW --json
infer chart --oracle replay:FILE --rmax 4 --evaluate 20 --out NEW
measure FILE --oracle sim:PARTNER --out NEW
measure FILE --predictor mapping:PARTNER --out NEW --others mapping:OTHER
predict --mapping PARTNER --file FILE --json
disagree OTHER --reference PARTNER --oracle replay:FILE --json]]

local of_resources = [[
predict --mapping FILE --json|2*add r64, r64 + imul r64, r64
predict --mapping FILE|add r64, r64
predict --mapping FILE --code CODE
predict --predictor mapping:FILE --json|add rax, rbx
eval RECORDS --mapping FILE --json
compare FILE PARTNER --json
compare PARTNER FILE]]

local of_blocks = [[
predict --mapping PARTNER --file FILE --json
predict --predictor mapping:PARTNER --file FILE --json
eval FILE --bhive --mapping PARTNER --json
eval --blocks FILE --oracle blocks:FILE --predictor mapping:PARTNER --json
eval --blocks FILE --oracle blocks:FILE --predictor mapping:PARTNER --heatmap --report NEW]]

local of_code = [[
predict --mapping PARTNER --code FILE --json
predict --mapping PARTNER --code FILE --report NEW
predict --predictor mapping:PARTNER --code FILE --json]]

local of_counts = [[
infer cegis --oracle sim:PARTNER --uops FILE --json --time 1s
infer cegis --oracle sim:PARTNER --port-counts FILE --json --time 1s
predict --predictor assume:PARTNER,latencies=FILE --json|add rax, rbx; imul rax, rbx]]

local of_names = [[
infer cegis --oracle sim:PARTNER --schemes FILE --json --time 1s
infer grow --oracle sim:PARTNER --core FILE --time 1s
infer chart --oracle sim:PARTNER --blocking FILE --evaluate 20]]

-- The mapping that an inference writes.
local function inferred(directory, ...)
  local words = lists.joined({ "infer", ... }, { "--out", directory .. "/inferred.json" })
  words = lists.map(words, function(word) return (word:gsub("UOPS", directory .. "/uops.json"):gsub("PARTNER", directory .. "/partner.json")) end)
  local r = command_line.run(words)
  assert(r.status == 0, r.err)
  return assert(file.read(directory .. "/inferred.json"))
end

local code, names = "l: add rax, rbx; imul rcx, rdx; shl rcx, 3; jnz l; jmp l", "add r64, r64\nimul r64, r64\n"

local kinds = {
  { "a mapping", named(documents.mapping), of_mappings },
  { "a mapping with a certificate", function(d) return inferred(d, "cegis", "--oracle", "sim:PARTNER") end, of_mappings },
  { "a mapping of several uops with a certificate", function(d)
    return inferred(d, "cegis", "--oracle", "sim:UOPS", "--uops", "imul r64, r64=2")
  end, of_mappings },
  { "a mapping with witnesses", function(d) return inferred(d, "grow", "--oracle", "sim:PARTNER", "--core", "3") end, of_mappings },
  { "a table", 'scheme,usage,uops,slots,tp,status\n"add r64, r64",1*p01{10}+2*p{DV},3,2,0.25,explained\n'
    .. '"imul r64, r64",1*p1,1,1,1,explained\n', of_mappings },
  { "a mapping of PMEvo's", named '{"kind":"Mapping3","arch":{"kind":"Architecture","insns":["a","b"],"ports":[0,1]},"assignment":'
    .. '{"add r64, r64":[[0,1],[0]],"imul r64, r64":[[1]]}}', of_mappings },
  { "a mapping of uops.info's", of_source "/tests/data/uops_info_own.xml", of_mappings },
  { "a model of OSACA's", of_source "/tests/data/osaca_model.yml", of_mappings },
  { "a certificate", documents.certified, "verify FILE --json --time 2s\nverify FILE --time 2s" },
  { "a record of experiments", records, of_records },
  { "an ExperimentList", named '{"kind":"ExperimentList","exps":[{"iseq":["a","b"],"result":{"cycles":1},"other_results":[{"id":"x","cycles":2}]},'
    .. '{"iseq":["a"],"result":{"cycles":0.5}},{"iseq":["b"],"result":{"cycles":1}}]}', of_records },
  { "resources", named '{"format":"portolan-conjunctive","version":1,"resources":["R1","R12"],"processor":{"name":"p"},"schemes":{"a":{"R12":0.5},'
    .. '"b":{"R1":1,"R12":1}},"provenance":{}}', of_resources },
  { "Palmed's resources", named '{"instr_to_class":{"a":"A","b":"M"},"class_to_resources":{"A":{"name":"A","resource_use":[[0.25,"R10"]]},'
    .. '"M":{"name":"M","resource_use":[]}}}', of_resources },
  { "a table of blocks", of_source "/tests/data/bhive.csv", of_blocks },
  { "assembler text", code, of_code },
  { "counts of uops", '{"imul r64, r64":1,"add r64, r64":1}', of_counts },
  { "names of schemes", names, of_names },
  { "a chart", documents.chart, "report DIR", "chart.json" },
  { "discoveries", documents.discoveries, "report DIR", "discoveries.json" },
}

-- The words of a command line, with the paths of a folder.
local function words_of(line, directory, name)
  local paths = { FILE = directory .. "/in/" .. name, DIR = directory .. "/in", NEW = directory .. "/in/new", PARTNER = directory .. "/partner.json",
    OTHER = directory .. "/other.json", RECORDS = directory .. "/records.jsonl", CODE = directory .. "/code.s" }
  local words = {}
  for word in line:match("^[^|]*"):gmatch "%S+" do words[#words + 1] = word:gsub("%u%u%u+", paths) end
  words[#words + 1] = line:match "|(.*)"
  return words
end

-- What is wrong with an answer; nil if nothing is.
local function fault(r, words)
  if r.err:find("internal error", 1, true) then return r.err end
  if r.status ~= 0 and r.status ~= 1 and r.status ~= 2 then return "exit status " .. tostring(r.status) end
  if r.status == 2 and not r.err:find "^portolan[^\n]+\n$" and not r.err:find "\nportolan[^\n]+\n$" then return "no line says why: " .. r.err end
  if lists.index(words, function(word) return word == "--json" end) and r.out ~= "" then
    local _, message = json.decode(r.out, "output")
    return message
  end
end

-- Runs a command on a document in a folder of its own.
local function try(directory, line, text, name)
  local inside = directory .. "/in"
  assert(file.make_directory(inside))
  assert(file.write(inside .. "/" .. name, text))
  local words = words_of(line, directory, name)
  local r = command_line.run(words)
  os.execute("rm -rf " .. inside)
  return r, fault(r, words)
end

local function in_folder(f)
  process.in_directory(function(d)
    assert(file.write(d .. "/partner.json", mapping_of(partner)))
    assert(file.write(d .. "/other.json", mapping_of(other)))
    assert(file.write(d .. "/uops.json", mapping_of { ["add r64, r64"] = "01", ["imul r64, r64"] = "1 1" }))
    assert(file.write(d .. "/records.jsonl", records))
    assert(file.write(d .. "/code.s", "l: add rax, rbx; imul rcx, rdx; jnz l"))
    f(d)
  end)
end

-- The commands that do not refuse the document as it is.
local function fitting(directory, lines, text, name)
  return lists.where(lists.found(lines, "[^\n]+"), function(line)
    local r, wrong = try(directory, line, text, name)
    assert(not wrong, ("%s: %s"):format(line, wrong))
    return r.status ~= 2
  end)
end

-- What random damage found: documents, and the exit status of a command.
local found = {
  { "a certificate about uops of a scheme that has none", (documents.certified:gsub('"a":{"uops":%[%[%["0"%],1%]%]}', '"a":{"uops":[]}', 1)),
    "verify FILE --json --time 2s", 1 },
  { "a certificate whose rival has no ports", (documents.certified:gsub('"a":%[%[%["0"%],1%]%],"b":%["1"%]', '"a":[],"b":["1"]')),
    "verify FILE --json --time 2s", 2 },
  { "a record of a scheme whose name has a zero byte", '{"e":{"a\\u0000b":1},"cycles":1}\n', "infer cegis --oracle replay:FILE --time 1s", 0 },
  { "a record of more cycles than a solver takes", '{"e":{"a":1},"cycles":1e30}\n', "infer cegis --oracle replay:FILE --time 1s --json", 2 },
  { "a record of more instances than a solver takes", '{"e":{"a":1000000000},"cycles":1}\n', "infer cegis --oracle replay:FILE --time 1s", 2 },
  { "a record of fewer uops than none", (record('"a":1', 1, 1):gsub('"uops":1', '"uops":-1e308')), "infer chart --oracle replay:FILE --rmax 4", 2 },
  { "a record of more uops than any whole number", record('"a":1', 1, 1):gsub('"uops":1', '"uops":1e30') .. record('"a":2', 1, 1),
    "infer chart --oracle replay:FILE --rmax 4", 2 },
  { "a record that leaves the reference encoding undecided",
    '{"e":{"a":1,"b":1},"cycles":1}\n{"e":{"a":1},"cycles":0.5}\n{"e":{"b":1},"cycles":1}\n',
    "infer cegis --oracle replay:FILE --time 1s --encoding lira", 0 },
  { "a scheme's note that is a number", named(documents.mapping:gsub('"note":"n"', '"note":5')), "explain --mapping FILE --full /./", 2 },
  { "a witness of another scheme", (named(documents.mapping):gsub('"2%*add', '"2*or')), "explain --mapping FILE --json --full /./", 0 },
  { "a witness of more cycles than any number of uops takes", named(documents.mapping:gsub('"cycles":1,"expected"', '"cycles":1e30,"expected"')),
    "explain --mapping FILE --json --full /./", 0 },
  { "a witness of cycles whose sums are infinite", named(documents.mapping:gsub('"cycles":1,"expected"', '"cycles":1e308,"expected"')),
    "explain --mapping FILE --json --full /./", 2 },
  { "a scheme that nothing slows",
    named '{"format":"portolan-mapping","version":1,"ports":["0"],"schemes":{"a":{"uops":[]},"b":{"uops":[[["0"],1]]}}}',
    "infer pmevo --oracle sim:FILE --time 1s --generations 2 --out NEW --json", 0 },
}

describe("random damage", function()
  local function share(text, reads)
    local random, count = damage.generator(seed), 0
    for _ = 1, 300 do count = count + (reads(damage.random(text, random)) and 1 or 0) end
    return count / 300
  end
  it("leaves a good part of assembler text and of lists of names readable, and not all", function()
    local of_code_read = share(code, function(text) return core.isa.assemble(text) ~= nil end)
    local of_names_read = share(names, function(text)
      return lists.all(lists.found(text, "[^\n]+"), function(line) return core.isa.scheme(line) ~= nil end)
    end)
    assert.is_true(of_code_read > 0.15 and of_code_read < 0.8, of_code_read)
    assert.is_true(of_names_read > 0.15 and of_names_read < 0.8, of_names_read)
  end)
end)

describe("commands given", function()
  for _, case in ipairs(found) do
    local title, text, line, status = table.unpack(case)
    it(title, function()
      in_folder(function(d)
        local r, wrong = try(d, line, text, "file.json")
        assert.is_nil(wrong)
        assert.equal(status, r.status, r.out .. r.err)
      end)
    end)
  end
  for number, kind in ipairs(kinds) do
    local title, text, lines, name = table.unpack(kind)
    name = name or "file.json"
    it(title .. " that is damaged do their work or refuse it in one line", function()
      in_folder(function(d)
        text = type(text) == "function" and text(d) or text
        local random, commands, statuses, faults = damage.generator(seed * 100 + number), fitting(d, lines, text, name), {}, {}
        assert.is_true(#commands > 0)
        for _ = 1, per_kind do
          local line, damaged = commands[random(#commands)], damage.random(text, random)
          local r, wrong = try(d, line, damaged, name)
          faults[#faults + 1] = wrong and ("%s: %s\n%s"):format(line, wrong, damaged)
          statuses[r.status] = (statuses[r.status] or 0) + 1
        end
        if os.getenv "PORTOLAN_MUTANTS" then print(title, json.encode { done = statuses[0], failed = statuses[1], refused = statuses[2] }) end
        assert.same({}, faults)
        assert.is_true(per_kind < 25 or (statuses[2] or 0) < per_kind, "all were refused")
      end)
    end)
  end
end)
