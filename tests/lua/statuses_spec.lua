-- The classes that schemes end in, and how many there are of each.
local statuses = require "portolan.mapping.statuses"

describe("statuses", function()
  local list = { "unstable", "explained", "by hand", "unstable", "slower than ports", "unstable", "a guess" }

  it("are counted in the order of reports, others behind by name", function()
    assert.equal("1 explained, 1 slower than ports, 3 unstable, 1 a guess, 1 by hand", statuses.tally(list))
    assert.equal("", statuses.tally {})
  end)

  it("are counted by how many there are", function()
    assert.equal("3 unstable, 1 a guess, 1 by hand, 1 explained, 1 slower than ports", statuses.tally(list, true))
  end)

  it("that an inference may end with are those of the list", function()
    assert.is_true(statuses.is_class "not reached")
    assert.is_false(statuses.is_class "by elimination") -- older charts say it
    assert.is_false(statuses.is_class(nil))
  end)
end)
