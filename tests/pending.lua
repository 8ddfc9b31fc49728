-- Passes ctest's output on, and says what could not be checked, for want of data, tools or counters, before ctest's summary, which stays the last
-- thing that is printed. Fails unless all tests passed.
-- usage: ctest ... | lua5.4 tests/pending.lua LOG...      LOG: ctest's LastTest.log of this run and of others; what one of them checked is not listed

-- The text behind the place in a file that busted writes ahead of a reason.
local function reason_of(line) return line and line:gsub("^%S+:%d+: ", "") end

-- The checks that a test's output says were left out: title -> why.
local function left_out(output)
  local found, lines = {}, {}
  for line in (output .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  for i, line in ipairs(lines) do
    local skipped = line:match "^%[  SKIPPED %] ([%w_]+)$"
    if skipped then found[skipped] = "it skipped itself" end
    local reason = line:match "^Left out: (.+)$"
    if reason then found["all of it"] = reason end
    if line:find "^Pending %-> " and lines[i + 1] then
      local why = lines[i + 2] ~= "" and lines[i + 2] ~= nil and not lines[i + 2]:find "^<end of output>" and reason_of(lines[i + 2])
      found[lines[i + 1]] = why or lines[i + 1]:match ": ([^:]+)$" or "no reason given"
    end
  end
  return found
end

-- What no log has checked: list of { test =, title =, why = }. A log that is not there was no run.
local function pending_of(paths)
  local tests = {} -- name -> list of what its runs left out
  for _, path in ipairs(paths) do
    local handle = io.open(path)
    local text = handle and handle:read "a" or ""
    if handle then handle:close() end
    for name, rest in text:gmatch "\n%d+/%d+ Test: (%S+)\n(.-)<end of output>" do
      tests[name] = tests[name] or {}
      table.insert(tests[name], left_out(rest))
    end
  end
  local list = {}
  for name, runs in pairs(tests) do
    for title, why in pairs(runs[1]) do
      local everywhere = true
      for _, run in ipairs(runs) do everywhere = everywhere and run[title] ~= nil end
      if everywhere then list[#list + 1] = { test = name, title = title, why = why } end
    end
  end
  return list
end

-- The list, by reasons.
local function lines_of(list)
  local by_reason, reasons = {}, {}
  for _, one in ipairs(list) do
    if not by_reason[one.why] then
      by_reason[one.why] = {}
      reasons[#reasons + 1] = one.why
    end
    table.insert(by_reason[one.why], ("%s: %s"):format(one.test, one.title))
  end
  table.sort(reasons)
  local lines = { ("%d checks pending%s"):format(#list, #list > 0 and ":" or "") }
  for _, why in ipairs(reasons) do
    lines[#lines + 1] = ("  %d: %s"):format(#by_reason[why], why)
    table.sort(by_reason[why])
    for _, title in ipairs(by_reason[why]) do lines[#lines + 1] = "    " .. title end
  end
  return lines
end

local held
for line in io.lines() do
  if line:find "^%d+%% tests passed" then held = {} end
  if held then
    held[#held + 1] = line
  else
    print(line)
    io.stdout:flush()
  end
end
print(table.concat(lines_of(pending_of(arg)), "\n") .. "\n")
print(table.concat(held or { "pending: ctest ended without a summary" }, "\n"))
os.exit(held ~= nil and held[1]:find "^100%% tests passed" ~= nil)
