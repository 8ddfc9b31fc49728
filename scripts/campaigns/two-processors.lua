-- Two processors compared: where one predictor's models of them are far apart, generalized, and ranked by how many random blocks it concerns.
-- usage: portolan run scripts/campaigns/two-processors.lua DIRECTORY [A B [DISCOVERIES [SECONDS]]]
-- By default llvm-mca-16:haswell and llvm-mca-16:znver3. DIRECTORY keeps the campaign: what was cut short goes on.
local campaign = require "portolan.anica.campaign"
local discoveries_text = require "portolan.report.discoveries_text"

local directory = arg[1]
local discoveries, seconds = tonumber(arg[4] or 150), tonumber(arg[5])
if not directory or not discoveries then
  io.stderr:write("usage: portolan run two-processors.lua DIRECTORY [A B [DISCOVERIES [SECONDS]]]\n")
  os.exit(2)
end
local c = assert(campaign.new { a = arg[2] or "llvm-mca-16:haswell", b = arg[3] or "llvm-mca-16:znver3", out = directory,
  limits = { discoveries = discoveries, dry = 10, seconds = seconds } })
discoveries_text.write(assert(c:run()), { most = 10 }, print)
