local json = require "portolan.support.json"

describe("json", function()
  it("sorts keys and writes the same bytes for the same value", function()
    assert.equal('{"a":[1,2.5,true],"b":{"":"x"},"c":null}', json.encode { c = json.null, b = { [""] = "x" }, a = { 1, 2.5, true } })
  end)

  it("keeps what fits on one line on one line", function()
    local text = json.encode({ name = ("x"):rep(90), uops = { { { "0", "1" }, 2 } } }, { pretty = true })
    assert.equal('{\n  "name": "' .. ("x"):rep(90) .. '",\n  "uops": [[["0", "1"], 2]]\n}\n', text)
  end)

  it("reads numbers back as they were, shortest", function()
    assert.equal("[0.1,100,-0.3,1e+300,9007199254740993,-0.0]", json.encode { 0.1, 100.0, -0.3, 1e300, 9007199254740993, -0.0 })
    math.randomseed(7)
    for _ = 1, 20000 do
      local x = string.unpack("d", string.pack("i8", math.random(0)))
      if x - x == 0 then assert.equal(x, json.decode(json.encode(x))) end
    end
    assert.equal("integer", math.type(json.decode "12"))
  end)

  it("remembers which empty table is which, and null", function()
    local text = '{"a":[],"b":{},"c":[null,{"d":null}]}'
    assert.equal(text, json.encode(json.decode(text)))
    assert.equal("[]", json.encode {})
    assert.equal("{}", json.encode(json.object {}))
  end)

  it("shows other programs what is no number as null, and never writes it into files", function()
    local value = { 1, 0 / 0, 1 / 0, -1 / 0, { x = 0 / 0 } }
    assert.equal('[1, null, null, null, {"x": null}]\n', json.shown(value))
    local text, message = json.encode { 1, 0 / 0 }
    assert.is_nil(text)
    assert.matches("^%[2%]: %-?nan is no number that JSON has$", message) -- C libraries differ
  end)

  it("round-trips random values", function()
    math.randomseed(11)
    local function random(depth)
      local kind = math.random(depth > 4 and 4 or 6)
      if kind == 1 then return math.random(-1000, 1000) end
      if kind == 2 then return math.random() * 10 ^ math.random(-20, 20) end
      if kind == 3 then return math.random(2) == 1 end
      if kind == 4 then
        local chars = {}
        for i = 1, math.random(0, 8) do chars[i] = utf8.char(math.random(0, 0xD7FF)) end
        return table.concat(chars)
      end
      local t = kind == 5 and json.array {} or json.object {}
      for i = 1, math.random(0, 5) do
        if kind == 5 then t[i] = random(depth + 1) else t["k" .. math.random(99) .. "\0\""] = random(depth + 1) end
      end
      return t
    end
    for _ = 1, 300 do
      local value = random(0)
      local text = assert(json.encode(value, { pretty = math.random(2) == 1 }))
      local again = json.decode(text)
      assert.same(value, again)
      assert.equal(json.encode(value), json.encode(again))
    end
  end)

  it("says where an error is", function()
    local cases = {
      [""] = "f:1:1: expected a value, found the end of the text",
      ["[1,\n 2"] = "f:2:3: expected , or ], found the end of the text",
      ['{"a": 1,\n\n "b" 2}'] = "f:3:6: expected :, found a number",
      ["[1] x"] = "f:1:5: expected the end of the text, found something that is not JSON",
      ["[01]"] = "f:1:2: invalid number",
      ["[nan]"] = "f:1:2: expected a value, found something that is not JSON",
      ["// c\n1"] = "f:1:1: expected a value, found something that is not JSON",
      ['"a\\q"'] = "f:1:3: invalid escape code",
      ['{"a":[1,1e999]}'] = "f: a[2]: the number is too large",
      ['["\n\xff"]'] = "f:2:1: this is not UTF-8 text",
      [("["):rep(100000)] = "f:1:101: nested more than 100 deep",
    }
    for text, message in pairs(cases) do
      local value, found = json.decode(text, "f")
      assert.is_nil(value)
      assert.equal(message, found)
    end
  end)

  it("refuses what JSON has no way to write, with the path to it", function()
    local loop = {}
    loop.again = loop
    local cases = {
      { { schemes = { ["add r64, r64"] = { tp = 0 / 0 } } }, '^schemes%."add r64, r64"%.tp: %-?nan is no number' },
      { { { 1, math.huge } }, "^%[1%]%[2%]: inf is no number" },
      { { a = { 1, b = 2 } }, "^a: has both list items and named fields %(b%)" },
      { { a = { [1] = 1, [3] = 3 } }, "^a: key 3 is neither" },
      { { a = print }, "^a: a function cannot" },
      { { a = "\xff" }, "^a: is not UTF%-8" },
      { loop, "again: nested more than 100 deep" },
    }
    for _, case in ipairs(cases) do
      local text, message = json.encode(case[1])
      assert.is_nil(text)
      assert.matches(case[2], message)
    end
  end)
end)
