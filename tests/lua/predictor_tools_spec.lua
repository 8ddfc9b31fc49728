-- Adapters of tools that are not at hand, against transcripts written after the tools' documented output. Stand-ins check what they are given
-- before they answer.
local elf = require "portolan.predictor.machinery.elf"
local core = require "portolan.core"
local gnu_text = require "portolan.predictor.machinery.gnu_text"
local lists = require "portolan.support.lists"
local named = require "portolan.predictor.named"
local process = require "process"
local temporary = require "portolan.support.temporary"
local tools = require "portolan.predictor.tools"
local uv = require "luv"

local iaca, osaca = tools.rows.iaca, tools.rows.osaca
local nop, add, ud2 = "\x90", "\x48\x01\xd8", "\x0f\x0b"

-- Calls f with the path of a stand-in made of a shell script, and its directory.
local function with_stand_in(script, f)
  process.in_directory(function(directory)
    local path = directory .. "/tool"
    temporary.write(path, "#!/bin/sh\n" .. script .. "\n")
    os.execute("chmod +x " .. path)
    f(path, directory)
  end)
end

local function output(text) return { out = text, err = "", status = 0, signal = 0 } end

local osaca_report = [[
Open Source Architecture Code Analyzer (OSACA) - 0.5.0
Analyzed file:      block.s
Architecture:       SKX

 P - Throughput of LOAD operation can be hidden behind a past or future STORE instruction
 * - Instruction micro-ops not bound to a port
 X - No throughput/latency information for this instruction in data file


Combined Analysis Report
------------------------
                                     Port pressure in cycles
     |  0   - 0DV  |  1   |  2   -  2D  |  3   -  3D  |  4   |  5   |  6   |  7   ||  CP  | LCD  |
-------------------------------------------------------------------------------------------------
   1 | 0.25        | 0.25 |             |             |      | 0.25 | 0.25 |      ||      |  1.0 |   add %rbx, %rax
   2 |             |      | 0.50   0.50 | 0.50   0.50 |      |      |      |      ||  4.0 |      |   mov (%rsi), %rcx

       0.25          0.25   PORT   0.50   0.50   0.50          0.25   0.25           4.00   LAST


Loop-Carried Dependencies Analysis Report
-----------------------------------------
   1 |  1.0 | add %rbx, %rax                       | [1]

]]

describe("OSACA", function()
  local function report(port, last) return output((osaca_report:gsub("PORT", port):gsub("LAST", last))) end

  it("bounds a loop by ports and by loop-carried dependencies, not by the critical path", function()
    assert.same({ cycles = 1 }, osaca.parse(report("0.50", "1.00")))
    assert.same({ cycles = 2.5 }, osaca.parse(report("2.50", "1.00")))
    assert.same({ cycles = 0.5 }, osaca.parse(report("0.50", "0.0")))
    assert.same({ error = "OSACA wrote no row of totals" }, osaca.parse(report("|", "1.0")))
    assert.same({ error = "OSACA wrote no row of totals" }, osaca.parse(output ""))
    local unknown = osaca.parse(output(osaca_report .. "WARNING: The performance data for 1 instructions is missing.\n"))
    assert.is_true(unknown.unsupported)
  end)

  it("is given AT&T text", function()
    with_stand_in([[
      [ "$1" = --version ] && { echo osaca 0.5.0; exit; }
      [ "$1 $2" = "--arch SKX" ] || exit 3
      case "$(cat "$3")" in
        *ud2*) echo Traceback "(most recent call last):" >&2; echo "KeyError: ud2" >&2; exit 1 ;;
        *"add %rbx, %rax"*"nop"*) cat "$0.report" ;;
      esac]], function(path, directory)
      temporary.write(path .. ".report", report("0.50", "1.00").out)
      local p = assert(named.open("osaca:SKX,program=" .. path))
      assert.same({ "osaca:SKX", "osaca 0.5.0" }, { p.name, p.version })
      assert.matches("OSACA 0.7.1", p:describe().tested)
      local answers = p:predict { add .. nop, ud2, nop, "\x06", { text = "foo" } }
      assert.same({ cycles = 1 }, answers[1])
      assert.same({ error = "osaca failed (exit status 1): KeyError: ud2", crash = true }, answers[2])
      assert.is_nil(answers[3].crash)
      assert.is_true(answers[4].unsupported and answers[5].unsupported)
      assert.is_nil(named.open("osaca:program=" .. path))
      assert.same({ nil, "osaca: there is no program /none; give the path of osaca" }, { named.open("osaca:SKX,program=/none") })
      local _, message = named.open("osaca:SKX,color=red,program=" .. directory)
      assert.matches("there is no setting 'color'; there are program, seconds", message)
    end)
  end)
end)

describe("text for other tools", function()
  it("has addresses that count from the instruction pointer as such", function()
    local bytes = assert(core.isa.assemble "lea rdi, [rip+0x10]; mov rax, qword ptr [rip-0x20]").bytes
    assert.same({ "lea 0x10(%rip), %rdi", "mov -0x20(%rip), %rax" }, lists.map(assert(gnu_text.lines(bytes)), string.lower))
  end)
end)

describe("OSACA since 0.7", function()
  it("is told the syntax, for which it looks otherwise", function()
    with_stand_in([[
      [ "$1" = --version ] && { echo osaca 0.7.1; exit; }
      [ "$1 $2 $3 $4" = "--arch SKX --syntax ATT" ] && grep -q "add %rbx, %rax" "$5" && cat "$0.report"]], function(path)
      temporary.write(path .. ".report", (osaca_report:gsub("PORT", "2.50"):gsub("LAST", "1.00")))
      assert.same({ { cycles = 2.5 } }, assert(named.open("osaca:SKX,program=" .. path)):predict { add })
    end)
  end)
end)

describe("OSACA of AArch64", function()
  local function code_of(text) return assert(core.isa.assemble(text, "aarch64")).bytes end

  it("is given text as compilers write it, with a label for branches", function()
    with_stand_in([[
      [ "$1" = --version ] && { echo osaca 0.7.1; exit; }
      [ "$1 $2" = "--arch n1" ] || exit 3
      case "$(cat "$3")" in
        *"mov x1, x2"*"cmp x1, #3"*"b.ne .Lportolan"*"cbz w3, .Lportolan"*"ldr x0, .Lportolan"*) cat "$0.report" ;;
      esac]], function(path)
      temporary.write(path .. ".report", (osaca_report:gsub("PORT", "2.50"):gsub("LAST", "1.00")))
      local p = assert(named.open("osaca:n1,program=" .. path))
      assert.equal("aarch64", p.architecture)
      local text = "l: mov x1, x2; cmp x1, #3; b.ne l; cbz w3, l; ldr x0, 8"
      local answers = p:predict { code_of(text), { text = text }, "\1\2\3", "\0\0\0\0" }
      assert.same({ { cycles = 2.5 }, { cycles = 2.5 } }, { answers[1], answers[2] })
      assert.is_true(answers[3].unsupported and answers[4].unsupported)
      assert.equal("x86_64", assert(named.open("osaca:SKX,program=" .. path)).architecture)
    end)
  end)
end)

describe("uiCA", function()
  it("is given raw machine code", function()
    with_stand_in([[
      [ "$1 $3 $4 $5" = "-raw -arch HSW " ] || exit 3
      case "$(od -An -tx1 "$2" | tr -d ' \n')" in
        4801d8) printf 'Throughput (in cycles per iteration): 1.25\nBottleneck: Dependencies\n' ;;
        90) printf 'Throughput (in cycles per iteration): 0.25\nBottlenecks: Issue\n\nX - Instruction not supported\n' ;;
        *) echo "no such instruction" ;;
      esac]], function(path)
      local p = assert(named.open("uica:HSW,program=" .. path .. ",seconds=5"))
      assert.same({ { cycles = 1.25 }, { error = "uiCA has no data for an instruction", unsupported = true },
        { error = "uiCA wrote no number of cycles: no such instruction" } },
        p:predict { add, nop, ud2 })
    end)
  end)
end)

local iaca_report = [[
Intel(R) Architecture Code Analyzer Version -  v3.0-28-g1ba2cbb build date: 2017-10-23;17:30:24
Analyzed File -  block.o
Binary Format - 64Bit
Architecture  -  SKL
Analysis Type - Throughput

Throughput Analysis Report
--------------------------
Block Throughput: 1.50 Cycles       Throughput Bottleneck: FrontEnd
Loop Count:  22
Port Binding In Cycles Per Iteration:
--------------------------------------------------------------------------------------------------
|  Port  |   0   -  DV   |   1   |   2   -  D    |   3   -  D    |   4   |   5   |   6   |   7   |
--------------------------------------------------------------------------------------------------
| Cycles |  0.3     0.0  |  0.3  |  0.0     0.0  |  0.0     0.0  |  0.0  |  0.3  |  0.3  |  0.0  |
--------------------------------------------------------------------------------------------------

X - instruction not supported, was not accounted in Analysis

| Num Of   |                    Ports pressure in cycles                         |      |
|  Uops    |  0  - DV    |  1   |  2  -  D    |  3  -  D    |  4   |  5   |  6   |  7   |
-----------------------------------------------------------------------------------------
|   1      | 0.3         | 0.3  |             |             |      | 0.3  | 0.3  |      | add rax, rbx
]]

describe("IACA", function()
  it("reads block throughput; blocks that it does not account for whole are unsupported", function()
    assert.same({ cycles = 1.5 }, iaca.parse(output(iaca_report)))
    local row = "|   X      |             |      |             |             |      |      |      |      | foo rax\n"
    local answer = iaca.parse(output(iaca_report .. row))
    assert.same({ error = "IACA does not support foo rax", unsupported = true }, answer)
    assert.matches("no block throughput: COULD NOT FIND START_MARKER", iaca.parse(output "COULD NOT FIND START_MARKER\n").error)
  end)

  it("is given an object file that binutils read alike", function()
    process.in_directory(function(directory)
      temporary.write(directory .. "/a.o", elf.object(iaca.start .. add .. iaca.finish, "some_name"))
      local listing = process.run { args = { "/usr/bin/env", "objdump", "-d", "-t", "-M", "intel", directory .. "/a.o" } }
      if listing.status == 127 then return pending "objdump is not installed" end
      assert.equal(0, listing.status, listing.err)
      assert.matches("file format elf64%-x86%-64", listing.out)
      assert.matches("g     F %.text\t0*17 some_name", listing.out)
      assert.matches("ud2.*mov +ebx,0x6f.*add +rax,rbx.*mov +ebx,0xde.*ud2", listing.out)
    end)
    with_stand_in('[ "$1 $2" = "-arch SKL" ] && [ "$(head -c 4 "$3" | tail -c 3)" = ELF ] && cat "$0.report"', function(path)
      temporary.write(path .. ".report", iaca_report)
      assert.same({ { cycles = 1.5 } }, assert(named.open("iaca:SKL,program=" .. path)):predict { add })
    end)
  end)
end)

describe("CQA", function()
  it("is given a loop in a shared library", function()
    if core.isa.host ~= "x86_64" then return pending "the library is made by a compiler for x86-64, which is not this machine's" end
    with_stand_in([[
      [ "$1 $3 $4 $5" = "cqa fct-loops=portolan_block conf=all uarch=SKYLAKE" ] || exit 3
      objdump -d "$2" | grep -A4 '<portolan_block>:' >"$0.code" || exit 4
      printf 'Cycles summary\n--------------\nFront-end : 1.25\nDispatch  : 1.00\nData deps.: 1.00\nOverall L1: 1.25-2.00\n']], function(path)
      local p, message = named.open("cqa:SKYLAKE,program=" .. path)
      if not p then return pending(message) end
      local answers = p:predict { add }
      assert.same({ { cycles = 1.25 } }, answers)
      local code = io.open(path .. ".code"):read "a"
      assert.matches("add .*dec .*jne ", code)
    end)
  end)
end)

describe("Ithemal", function()
  local script = [[
    [ "$1 $2 $3 $4 $5" = "--model m --model-data d --files" ] || exit 3
    shift 5
    echo run >>"$0.log"
    echo "loading the model"
    for f in "$@"; do
      case "$(od -An -tx1 "$f" | tr -d ' \n')" in
        bb6f000000646790*0f0b*) kill -ABRT $$ ;;
        bb6f000000646790*bbde000000646790) wc -c <"$f" ;;
      esac
    done]]

  it("predicts many blocks in one process; numbers are of 100 iterations", function()
    with_stand_in(script, function(path)
      local p = assert(named.open("ithemal:model=m,data=d,option=--files,program=" .. path))
      local blocks = {}
      for i = 1, 30 do blocks[i] = nop:rep(i) end
      for i, answer in ipairs(p:predict(blocks)) do assert.equal((16 + i) / 100, answer.cycles) end
      local log = io.open(path .. ".log")
      assert.equal("run\n", log:read "a")
      log:close()
      blocks[11] = ud2
      local answers = p:predict(blocks)
      assert.is_true(answers[11].crash)
      assert.same({ 0.26, 0.28, 0.46 }, { answers[10].cycles, answers[12].cycles, answers[30].cycles })
      assert.is_nil(named.open("ithemal:model=m,program=" .. path))
    end)
  end)
end)

describe("DiffTune", function()
  it("is an llvm-mca with parameters", function()
    with_stand_in([[
      case "$*" in *-mcpu=haswell*"-parameters $0.table"*) ;; *) exit 3 ;; esac
      awk '/LLVM-MCA-BEGIN/ { printf "\n[0] Code Region - %d\n\n" \
        "Iterations:        100\nInstructions:      100\nTotal Cycles:      %d\n", $3, 110 + $3 }']],
      function(path)
        temporary.write(path .. ".table", "dispatch-width 4\n")
        local p = assert(named.open("difftune:haswell,program=" .. path .. ",parameters=" .. path .. ".table"))
        assert.same({ { cycles = 1.11 }, { cycles = 1.12 } }, p:predict { add, nop })
        local version = p.version
        temporary.write(path .. ".table", "dispatch-width 5\n")
        assert.not_equal(version, assert(named.open("difftune:haswell,program=" .. path .. ",parameters=" .. path .. ".table")).version)
        assert.is_nil(named.open("difftune:haswell,program=" .. path))
      end)
  end)
end)

describe("nanoBench", function()
  it("is given machine code, in its own directory", function()
    with_stand_in([[
      [ -e ./tool ] && [ "$1 $3 $4 $5" = "-code -fixed_counters -unroll_count 50" ] || exit 3
      case "$(od -An -tx1 "$2" | tr -d ' \n')" in
        4801d8) printf 'Instructions retired: 1.00\nCore cycles: 1.01\nReference cycles: 0.90\n' ;;
        90) printf 'CORE_CYCLES: 0.25\nINST_RETIRED: 1.00\n' ;;
        *) kill -SEGV $$ ;;
      esac]], function(path)
      local p = assert(named.open("nanobench:unroll_count=50,program=" .. path))
      assert.same({ false, true }, { p.deterministic, p.exclusive })
      assert.same({ { cycles = 1.01 }, { cycles = 0.25 }, { error = "nanoBench crashed (signal 11)", signal = 11 } }, p:predict { add, nop, ud2 })
    end)
  end)
end)

describe("BHive's harness", function()
  it("is run with two numbers of copies; only clean runs count", function()
    with_stand_in([[
      [ "$1" = 0f0b ] && { echo failed to run test >&2; exit 1; }
      printf 'Core_cyc\tL1_read_misses\tL1_write_misses\tiCache_misses\tContext_switches\n'
      [ "$1" = 90 ] && { printf '100\t0\t-1\t3\t0\n'; exit; }
      case "$2" in 100) base=790 ;; 200) base=890 ;; esac
      printf '%d\t21\t-1\t0\t0\n%d\t0\t-1\t0\t0\n%d\t0\t-1\t0\t0\n%d\t0\t-1\t0\t1\n' $((base-50)) $((base+5)) $base $((base-70))]], function(path)
      local p = assert(named.open("bhive:program=" .. path))
      local answers = p:predict { add, nop, ud2 }
      assert.same({ cycles = 1 }, answers[1])
      assert.is_true(answers[2].transient)
      assert.matches("failed to run test", answers[3].error)
      assert.is_nil(answers[3].crash)
    end)
  end)
end)

describe("tools that were never run as they are", function()
  local words = "written from its documentation, never run on it"

  it("are these", function()
    for _, kind in ipairs { "cqa", "difftune", "iaca", "ithemal" } do assert.equal(words, tools.rows[kind].doubt) end
    for _, kind in ipairs { "bhive", "nanobench" } do assert.matches("its measurements were never seen", tools.rows[kind].doubt) end
    for _, kind in ipairs { "osaca", "uica" } do assert.matches("real_tools_spec", tools.rows[kind].tested) end
  end)

  it("are listed as such", function()
    with_stand_in("exit 1", function(path, directory)
      os.rename(path, directory .. "/iaca")
      assert.equal(words, assert(named.open("iaca:SKL,program=" .. directory .. "/iaca")):describe().tested)
      local usual = os.getenv "PATH"
      uv.os_setenv("PATH", directory .. ":" .. usual)
      local found = {}
      for _, one in ipairs(named.installed()) do found[one.kind] = one end
      uv.os_setenv("PATH", usual)
      assert.same({ name = "iaca:SKL", kind = "iaca", path = directory .. "/iaca", doubt = words }, found.iaca)
    end)
  end)
end)
