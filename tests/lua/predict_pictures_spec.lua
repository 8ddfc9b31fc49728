-- Predictions as pictures: portolan predict --report and --pictures, and the pictures of docs/predicting.md, which the mapping in the tree makes.
local arrows = require "portolan.report.prediction.arrows"
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lxp = require "lxp"
local mapping = require "portolan.mapping"
local process = require "process"
local shares = require "portolan.report.prediction.shares"
local small_core = require "small_core"

local root = os.getenv "PORTOLAN_SOURCE"
local loops = root .. "/scripts/examples/code"
local raptor_cove = loops .. "/raptor-cove.json"
local largest = 25000 -- bytes of a picture for a text

local function predict(...)
  return process.run { args = { process.portolan, "predict", ... }, env = { LANG = "C.UTF-8", LC_ALL = false, NO_COLOR = "1" } }
end

local function refused(message, ...)
  local r = predict(...)
  assert.same({ 2, "" }, { r.status, r.out })
  assert.matches("^portolan predict: [^\n]*" .. message .. "[^\n]*\n$", r.err)
end

-- Parses a page or a picture: how many elements of each class it has, and its text.
local function parsed(text)
  local seen, words = {}, {}
  local parser = lxp.new {
    StartElement = function(_, name, attributes)
      seen[name] = (seen[name] or 0) + 1
      for class in (attributes.class or ""):gmatch "%S+" do seen["." .. class] = (seen["." .. class] or 0) + 1 end
      assert.is_nil(attributes.src)
      assert.is_true(attributes.href == nil or attributes.href:sub(1, 1) == "#")
    end,
    CharacterData = function(_, data) words[#words + 1] = data end,
  }
  assert(parser:parse(text))
  assert(parser:parse())
  parser:close()
  seen.text = table.concat(words)
  assert.is_nil(text:find("<script", 1, true) or text:find("url(", 1, true) or text:find("@import", 1, true))
  return seen
end

local function read(path) return assert(file.read(path)) end

describe("pictures of predictions", function()
  local folder, small
  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(file.make_directory(folder))
    small = folder .. "/small.json"
    assert(mapping.save(small_core(), small))
  end)
  teardown(function() assert(os.execute("rm -r " .. folder)) end)

  it("are those of the docs, byte for byte", function()
    local made = {}
    for _, name in ipairs(process.names(loops)) do
      if name:find "%.s$" then
        local r = predict("--mapping", raptor_cove, "--code", loops .. "/" .. name, "--pictures", folder .. "/docs")
        assert.equal(0, r.status, r.err)
        for path in r.out:gmatch "\npicture: ([^\n]+)" do made[#made + 1] = path:match "[^/]+$" end
      end
    end
    table.sort(made)
    local kept = process.names(root .. "/docs/pictures/predicting")
    table.sort(kept)
    assert.same(kept, made)
    assert.equal(23, #made)
    for _, name in ipairs(made) do
      local picture = read(folder .. "/docs/" .. name)
      assert.is_true(picture == read(root .. "/docs/pictures/predicting/" .. name), name .. ": make the pictures anew, as docs/predicting.md says")
      assert.is_true(#picture < largest, name)
      parsed(picture)
    end
  end)

  it("of the docs stand beside what the command prints", function()
    local page, r = read(root .. "/docs/predicting.md"), predict("--mapping", raptor_cove, "--code", loops .. "/crc.s", "--function", "crc_table")
    for line in r.out:match("\n  critical cycle.-\n\n.-\n\n"):gmatch "[^\n]+" do assert.truthy(page:find("\n    " .. line .. "\n", 1, true), line) end
    for name in page:gmatch "%(pictures/(predicting/[%w_]+%.svg)%)" do assert.is_truthy(file.kind(root .. "/docs/pictures/" .. name), name) end
  end)

  it("show instructions, uops by port, the cycle with its cycles, and what is gained", function()
    local code = "imul rax, rbx; imul rax, rbx; add rcx, rdx"
    local r = predict("--mapping", small, code, "--report", folder .. "/page.html", "--pictures", folder)
    assert.equal(0, r.status, r.err)
    assert.matches("\npicture: [^\n]+/imul%-rax%-rbx%-imul%-rax%-rbx%-add%-rcx%-rdx%.svg\nreport: [^\n]+/page%.html\n$", r.out)
    local page = parsed(read(folder .. "/page.html"))
    assert.matches("6%.000 cycles per run, 0%.50 IPC, 2%.000 CPI: limited by dependencies%.", page.text)
    assert.equal(2, page[".through"]) -- two waits, each with its register and cycles
    assert.equal(1, page[".around"])
    assert.matches("rax %+3", page.text)
    assert.matches("As text.*critical cycle: 6 cycles in 1 iteration", page.text)
    assert.is_true(page[".begins"] >= 18) -- three uops an iteration, six iterations
    assert.same({ page[".through"], page[".around"] }, { parsed(read(folder .. "/imul-rax-rbx-imul-rax-rbx-add-rcx-rdx.svg"))[".through"], 1 })
  end)

  it("say what the mapping does not know", function()
    assert.equal(0, predict("--mapping", small, "imul rax, rbx; bsf rcx, rcx", "--report", folder .. "/page.html").status)
    local page = parsed(read(folder .. "/page.html"))
    assert.matches("At least 3%.000 cycles per run, without 1 unknown scheme", page.text)
    assert.matches("unknown to the mapping: bsf r64, r64", page.text)
    assert.matches("latency not known, taken for 0: bsf r64, r64", page.text)
    assert.equal(1, select(2, page.text:gsub("unknown to the mapping[^:]", "")))
  end)

  it("say that dependencies are ignored where the mapping has no latencies", function()
    local m = small_core()
    for _, scheme in pairs(m.schemes) do scheme.latencies = nil end
    assert(mapping.save(m, folder .. "/ports.json"))
    assert.equal(0, predict("--mapping", folder .. "/ports.json", "imul rax, rbx; imul rax, rbx", "--report", folder .. "/page.html").status)
    local page = parsed(read(folder .. "/page.html"))
    assert.matches("At least 2%.000 cycles per run, without dependencies: limited by port 1%.", page.text)
    assert.is_nil(page[".through"] or page[".begins"])
    assert.is_nil(page.text:find("dependencies0", 1, true))
  end)

  it("are not misled by names", function()
    local source = folder .. "/odd.s"
    assert(file.write(source, ".intel_syntax noprefix\n\"../<b>&\":\n.L:\n add rax, rbx\n cmp rax, rcx\n jnz .L\n ret\n"))
    local r = predict("--mapping", small, "--code", source, "--report", folder .. "/page.html", "--pictures", folder .. "/odd")
    if r.status == 0 then
      parsed(read(folder .. "/page.html"))
      for _, name in ipairs(process.names(folder .. "/odd")) do assert.matches("^[%w_-][%w_.-]*%.svg$", name) end
    else
      assert.equal(2, r.status)
    end
  end)

  it("have links that tell the loops of a function apart", function()
    local source = folder .. "/two.s"
    local text, k = { ".intel_syntax noprefix" }, 0
    for _, name in ipairs { "saxpy:", "", "dot:" } do
      k = k + 1
      text[k + 1] = ("%s\n.L%d:\n add rax, rbx\n cmp rax, rcx\n jnz .L%d"):format(name, k, k)
    end
    assert(file.write(source, table.concat(text, "\n") .. "\n ret\n"))
    assert.equal(0, predict("--mapping", small, "--code", source, "--report", folder .. "/page.html").status)
    local links = {}
    for link in read(folder .. "/page.html"):match("<nav.-</nav>"):gmatch "<a [^>]*>([^<]*)</a>" do links[#links + 1] = link end
    assert.same({ "saxpy: loop at 0x0", "saxpy: loop at 0x8", "dot" }, links)
  end)

  it("are not misled by names of ports", function()
    local m, name = assert(mapping.parse(assert(mapping.encode(small_core())))), '<script>"&\27[31m' -- a copy: its cores share their sets of ports
    m.ports[2] = name
    for _, scheme in pairs(m.schemes) do
      for _, uop in ipairs(scheme.uops) do
        for i, port in ipairs(uop[1]) do uop[1][i] = port == "1" and name or port end
      end
    end
    assert(mapping.save(m, folder .. "/hostile.json"))
    local r = predict("--mapping", folder .. "/hostile.json", "imul rax, rbx", "--report", folder .. "/page.html", "--pictures", folder .. "/hostile")
    assert.equal(0, r.status, r.err)
    assert.truthy(parsed(read(folder .. "/page.html")).text:find('<script>"&\u{FFFD}[31m', 1, true))
    assert.truthy(parsed(read(folder .. "/hostile/imul-rax-rbx.svg")).text:find('<script>"&\u{FFFD}[31m', 1, true))
  end)

  it("are of code, by a mapping, and overwrite nothing that they are about", function()
    refused("is an experiment: %-%-report and %-%-pictures are of code", "--mapping", small, "2*add r64, r64", "--report", folder .. "/x.html")
    refused("leave out %-%-schedule", "--mapping", small, "add rax, rbx", "--report", folder .. "/x.html", "--schedule", "2")
    refused("leave out %-%-method", "--mapping", small, "add rax, rbx", "--pictures", folder, "--method", "binder")
    refused("give %-%-mapping FILE in place of %-%-predictor", "--predictor", "mapping:" .. small, "add rax, rbx", "--report", folder .. "/x.html")
    refused("would overwrite what it is about", "--mapping", small, "add rax, rbx", "--report", small)
    refused("there is no folder", "--mapping", small, "add rax, rbx", "--report", folder .. "/nowhere/x.html")
  end)

  it("leave JSON alone, where what lacks latencies is a bound", function()
    local m = small_core()
    m.schemes["imul r64, r64"].latencies = nil
    assert(mapping.save(m, folder .. "/gap.json"))
    local r = predict("--mapping", folder .. "/gap.json", "imul rax, rbx", "--json", "--report", folder .. "/page.html")
    local p = assert(json.decode(r.out))[1]
    assert.is_nil(p.cycles or p.cpi or p.ipc)
    assert.same({ 1, "imul r64, r64" }, { p.least_cycles, p.lacking_latency[1] })
  end)
end)

describe("shares of uops", function()
  local all = { "0", "1", "2" }

  it("add up to the loads of the ports, and to the uops of the instructions", function()
    local p = { load = { ["0"] = 1.5, ["1"] = 1.5, ["2"] = 1 },
      instructions = { { uops = { { { "0", "1" }, 2 } } }, { uops = { { { "0", "1", "2" }, 2 } } } } }
    local list, by_port = shares.of(p, all), {}
    for i, of_ports in ipairs(list) do
      local sum = 0
      for port, share in pairs(of_ports) do
        sum = sum + share
        by_port[port] = (by_port[port] or 0) + share
      end
      assert.near(2, sum, 1e-5)
      assert.is_nil(i == 1 and of_ports["2"] or nil)
    end
    for _, port in ipairs(all) do assert.near(p.load[port], by_port[port], 1e-5) end
    assert.near(1, list[2]["2"], 1e-5)
  end)

  it("of two instructions that are one uop are those of the first", function()
    local p = { load = { ["0"] = 0.5, ["1"] = 0.5, ["2"] = 1 },
      instructions = { { uops = { { { "2" }, 1 } } }, { fused = true, uops = { { { "0", "1" }, 1 } } } } }
    local list = shares.of(p, all)
    assert.near(0.5, list[1]["1"], 1e-5)
    assert.near(1, list[1]["2"], 1e-5)
    assert.same({}, list[2])
  end)
end)

describe("lanes of arrows", function()
  it("keep apart what covers the same rows, the shortest nearest to the text", function()
    local list = { { from = 9, to = 1 }, { from = 1, to = 4 }, { from = 4, to = 9 }, { from = 3, to = 5 }, { from = 6, to = 6 } }
    assert.equal(3, arrows.give_lanes(list))
    for i, a in ipairs(list) do
      for j, b in ipairs(list) do
        assert.is_true(i == j or a.lane ~= b.lane or a.high <= b.low or b.high <= a.low)
      end
    end
    assert.same({ 3, 1 }, { list[1].lane, list[5].lane })
    local pair = { { from = 3, to = 2 }, { from = 2, to = 3 } }
    assert.equal(2, arrows.give_lanes(pair))
    assert.same({ 2, 1 }, { pair[1].lane, pair[2].lane })
  end)
end)

describe("the timeline of a model", function()
  it("has a row for each instance, in the order of issue", function()
    local model = assert(block_model.of(small_core()))
    local rows = assert(model:timeline(assert(core.isa.assemble "imul rax, rbx; add rcx, rdx").bytes, { iterations = 3 }))
    assert.equal(6, #rows)
    for i, row in ipairs(rows) do assert.same({ (i + 1) // 2, (i + 1) % 2 + 1 }, { row.iteration, row.item }) end
    assert.same({ 0, 3, 6 }, { rows[1].uops[1].cycle, rows[3].uops[1].cycle, rows[5].uops[1].cycle })
    assert.same({ 3, 6, 9 }, { rows[1].done, rows[3].done, rows[5].done })
    assert.equal("1", rows[1].uops[1].port)
    assert.has_error(function() model:timeline("\x90", { iterations = 65 }) end)
    assert.is_nil((model:timeline "\x06"))
  end)
end)
