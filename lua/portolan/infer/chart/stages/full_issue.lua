--- Stage: how far may floods of a class be filled?
--
-- In the model a class keeps its ports busy whatever stands between its instances. Cores that bind uops to ports by where they stand in a group do
-- not: on Zen 5 five compares, on six ports, and three NOPs, in eight slots, take 1.34 cycles, and other mixes of compares take 1.0 to 1.3. NOPs run
-- on no port, so that what they and a class take shows it. Floods of such a class are filled as far as it loses nothing.
-- @module portolan.infer.chart.stages.full_issue
local constants = require "portolan.infer.chart.constants"

local rounds = 3 -- groups of instructions need not begin where an experiment does

-- Mixes of a class and NOPs, { e =, class =, slots =, needs = (cycles of a round) }: all numbers of slots above half of them, and as many instances
-- as the class has ports, and one less.
local function mixes_of(survey, class, width, list)
  local single = (survey.facts[class.representative].issued or 1) == 1
  for slots = width // 2 + 1, single and class.count < width and width or 0 do
    for instances = math.max(1, class.count - 1), math.min(class.count, slots - 1) do
      local fillers = survey:fillers_of(rounds * (slots - instances))
      list[#list + 1] = { e = { [class.representative] = rounds * instances, [survey.filler] = fillers }, class = class, slots = slots,
        needs = math.max(instances / class.count, slots / survey.rmax) }
    end
  end
end

-- Notes what such a mix shows of its class: how much of the front end its floods may fill.
local function note(survey, mix, cycles)
  if cycles <= (1 + constants.times_differ) * mix.needs then return end
  mix.class.issue_filled = math.min(mix.class.issue_filled or 1, (mix.slots - 1) / survey.rmax)
end

return function(survey)
  survey:stage("full issue")
  local list, experiments = {}, {}
  for _, class in ipairs(survey.filler and survey.classes or {}) do mixes_of(survey, class, math.floor(survey.rmax), list) end
  for i, mix in ipairs(list) do experiments[i] = mix.e end
  for i, result in ipairs(survey:measure(experiments)) do
    if result.status == "ok" then note(survey, list[i], result.cycles / rounds) end
  end
end
