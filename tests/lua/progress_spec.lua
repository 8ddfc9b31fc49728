local duration = require "portolan.support.duration"
local progress = require "portolan.progress.line"

-- A stream and a clock that tests can look at and set.
local function rig(options)
  local written, time = {}, 0
  options.stream = {
    write = function(_, ...) for _, s in ipairs { ... } do written[#written + 1] = s end end,
    flush = function() end,
  }
  options.clock = function() return time end
  return progress.new(options), function(t) time = t end, function()
    local text = table.concat(written)
    written = {}
    return text
  end
end

describe("progress", function()
  it("writes plain lines now and then where there is no terminal", function()
    local p, at, read = rig { title = "measuring", total = 100, live = false }
    at(4) p:update(4)
    assert.equal("", read())
    at(10) p:update(10, "2 unstable")
    assert.equal("measuring, 10 of 100 (10%), 1 min 30 s left, 2 unstable\n", read())
    at(12) p:update(12)
    assert.equal("", read())
    at(125) p:finish("partial")
    assert.equal("measuring: 12 in 2 min 05 s, partial\n", read())
  end)

  it("keeps one live line on a terminal, within its width", function()
    local p, at, read = rig { title = "measuring", total = 4, live = true }
    at(1) p:update(1, ("é"):rep(200))
    local line = read()
    assert.matches("^\r\27%[Kmeasuring, 1 of 4 %(25%%%), 3%.0 s left, é", line)
    assert.is_nil(line:find("\n", 1, true))
    assert.is_true(utf8.len(line) <= 4 + 80)
    at(1.05) p:update(2)
    assert.equal("", read())
    p:finish(false)
    assert.equal("\r\27[K", read())
  end)

  it("follows a change of pace", function()
    local p, at = rig { total = 1000 }
    for i = 1, 100 do at(i) p:left(i) end -- 1 a second
    for i = 101, 500 do at(100 + (i - 100) * 0.1) p:left(i) end -- 10 a second
    local left = p:left(500)
    assert.is_true(left > 45 and left < 90, tostring(left))
  end)

  it("says durations for people", function()
    assert.equal("0.4 s", duration.text(0.42))
    assert.equal("42 s", duration.text(42.3))
    assert.equal("3 min 05 s", duration.text(184.6))
    assert.equal("2 h 07 min", duration.text(7623))
  end)
end)
