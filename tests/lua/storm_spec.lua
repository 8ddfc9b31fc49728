describe("a storm", function() end)
