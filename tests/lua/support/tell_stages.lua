-- For tests: runs Portolan's command line as its arguments say, with a line on standard error at the end of every stage of a chart, which
-- the usual progress has no need of. usage: portolan repl tell_stages.lua -- COMMAND [ARGUMENT ...]
local ticker = {}
ticker.__index = ticker
ticker.__close = function(self) self:finish() end

function ticker.new() return setmetatable({ stage = nil }, ticker) end

function ticker:finish()
  if self.stage then io.stderr:write(self.stage, ": over\n") end
  self.stage = nil
end

function ticker:update(stage)
  if stage == self.stage then return end
  self:finish()
  self.stage = stage
end

function ticker.weather() end

function ticker.say() end

package.loaded["portolan.progress.ticker"] = ticker
os.exit(require("portolan.cli").main(arg), true)
