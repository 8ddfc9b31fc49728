--- Section "Machine and noise": where this was measured, and how calm it was there.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local timeline = require "portolan.report.timeline"
local h = html.tag
local machine = {}

local function model_numbers(m)
  local known = lists.where({ "family", "model", "stepping" }, function(name) return m[name] ~= nil end)
  return table.concat(lists.map(known, function(name) return name .. " " .. format.plain(m[name]) end), ", ")
end

local function text(value) return value ~= nil and format.plain(value) or nil end

local function facts(m)
  local guess = m.microarchitecture and tostring(m.microarchitecture)
  local hypervisor = m.hypervisor
  if hypervisor == false then hypervisor = "none" elseif hypervisor == true then hypervisor = "yes" end
  return section.facts {
    { "CPU", text(m.cpu) },
    { "Microarchitecture", guess },
    { m.family == nil and "MIDR" or "CPUID", model_numbers(m) },
    { "Cores", text(m.cores) },
    { "Hypervisor", text(hypervisor) },
    { "Performance counters", m.counters ~= nil and (m.counters and "available" or "none; cycles come from calibrated time") },
    { "Time stamp counter", format.finite(m.tsc_hz) and format.frequency(m.tsc_hz) },
    { "Core frequency met", format.finite(m.frequency_hz) and format.frequency(m.frequency_hz) },
    { "Operating system", text(m.os) },
  }
end

local function noise_facts(noise)
  return section.facts {
    { "Samples accepted", format.finite(noise.accepted) and format.count(noise.accepted) },
    { "Samples rejected", format.finite(noise.rejected) and format.count(noise.rejected) },
    { "Quiet share", format.finite(noise.quiet_share) and format.percent(noise.quiet_share) },
    { "Unstable experiments", format.finite(noise.unstable) and format.count(noise.unstable) },
    { "Sentinel", format.finite(noise.sentinel) and format.cycles(noise.sentinel) .. " cycles per instance when quiet" },
  }
end

--- The section.
function machine.render(chart)
  local noise = chart.noise
  local curve = noise and timeline.render(noise.timeline)
  return section.new("machine", "Machine and noise", {
    h.div { class = "columns",
      h.div { h.h3 "Machine", facts(chart.machine or {}) or section.missing "Nothing is recorded about the machine." },
      h.div { h.h3 "Noise",
        noise and noise_facts(noise) or section.missing "Nothing is recorded about noise.",
        noise and noise.text and section.note(noise.text) },
    },
    curve and h.figure { h.div { class = "scroll", curve },
      h.figcaption "Share of samples taken while the machine was quiet, over the measuring time in seconds." },
  })
end

return machine
