--- Section "Reproduce": the command line, and what was evaluated with what.
local html = require "portolan.report.html"
local section = require "portolan.report.section"
local h = html.tag
local reproduce = {}

--- The section.
function reproduce.render(page)
  local facts = {}
  for i, model in ipairs(page.result.models) do
    local p = model.predictor
    local rmax = p.model and p.model.mapping and p.model.mapping.rmax
    facts[i] = { model.name, p.recorded and "the predictions that the experiments file carries"
      or ("%s, method %s%s"):format(tostring(p.file), tostring(p.method), rmax and (", R_max %.6g"):format(rmax) or "") }
  end
  return section.new("reproduce", "How to reproduce", {
    page.command and h.pre(h.code(page.command)),
    section.facts(facts),
    section.note("The same files give the same bytes of this page. --json prints all of its numbers."),
  })
end

return reproduce
