--- Style of pictures of blocks, on pages and in files of their own.
-- @module portolan.report.prediction.style
local base = require "portolan.report.style"

local style = {}

-- Of all pictures.
local shapes = [[
.block text { dominant-baseline: central; font: 12px var(--sans); fill: var(--ink); }
.block .code { font: 12px var(--mono); white-space: pre; }
.block .number, .block .head, .block .label, .block .same, .block .instead, .block .load { fill: var(--soft); font-size: 11px; }
.block .same { opacity: .75; }
.block .instead { font-style: italic; }
.block .port { font-size: 11px; font-weight: 600; fill: var(--soft); }
.block .port.full, .block .label.limits, .block .value.limits { fill: var(--rust); font-weight: 650; }
.block .time, .block .value, .block .load, .block .share, .block .gain, .block .loss, .block .number, .block .head
  { font-variant-numeric: tabular-nums; }
.block .gain { fill: var(--moss); font-weight: 600; } .block .loss { fill: var(--rust); }
.block .none { fill: var(--none); }
.block .band { fill: var(--rust); fill-opacity: .13; }
.block .limits .number { fill: var(--rust); font-weight: 700; }
.block .gap { stroke: var(--paper); }
.block .share { font-size: 10px; }
.block .use.s1 { fill: var(--s1); } .block .use.s2 { fill: var(--s2); } .block .use.s3 { fill: var(--s3); }
.block .use.s4 { fill: var(--s4); } .block .use.s5 { fill: var(--s5); } .block .use.s6 { fill: var(--s6); }
.block .share.s1, .block .share.s2 { fill: var(--on-light); } .block .share.s3 { fill: var(--on3); }
.block .share.s4 { fill: var(--on4); } .block .share.s5, .block .share.s6 { fill: var(--on-dark); }
.block .bar { fill: var(--s3); } .block .bar.full { fill: var(--rust); }
.block .bar.simulated { fill: var(--s1); stroke: var(--sea); stroke-width: 1.4; }
.block .wait { fill: none; stroke: var(--rust); stroke-width: 1.7; } .block .wait.around { stroke-dasharray: 4 2.5; }
.block .nib { fill: var(--rust); stroke: none; }
.block .through { font-size: 11px; font-weight: 650; fill: var(--rust); }
.block .slack .wait { stroke: var(--soft); } .block .slack .nib, .block .slack .through { fill: var(--soft); }
]]

local instances = [[
.times .code, .times .number { font-size: 10px; }
.times .grid { stroke: var(--hair); } .times .next { stroke: var(--line); stroke-dasharray: 2 3; }
.times .waiting { stroke: var(--soft); stroke-width: .9; stroke-dasharray: 1 2.5; }
.times .issued { stroke: var(--soft); stroke-width: 1.4; }
.times .running { fill: var(--s2); } .times .begins { fill: var(--s5); } .times .on { font-size: 9px; fill: var(--on-dark); }
.times .limits .begins { fill: var(--rust); } .times .limits .running { fill: var(--rust); fill-opacity: .3; }
.times .limits .code { fill: var(--rust); }
.times .hit { fill: none; pointer-events: all; } .times .hit:hover { fill: var(--soft); fill-opacity: .1; }
]]

local page = [[
.piece .verdict { margin-bottom: 10px; font-family: var(--serif); font-size: 18px; max-width: 44em; }
.piece .beside { display: flex; flex-wrap: wrap; gap: 8px 56px; align-items: flex-start; margin: 14px 0 4px; }
.piece .beside > figure { min-width: 0; flex: 0 1 auto; }
.piece figure { margin: 14px 0 4px; }
.piece figure > figcaption { max-width: 52em; margin: 0 0 8px; }
.piece figcaption b { color: var(--ink); }
.gains { width: auto; min-width: 300px; }
.gains td { font-size: 14px; }
.gains .less { color: var(--moss); font-weight: 600; }
.piece .wide { overflow-x: auto; }
.piece .wide svg { max-width: max(100%, 640px); }
]]

--- Holds what a page adds to the style of all reports.
style.page = shapes .. instances .. page

--- The style of a picture in a file of its own.
style.file = "svg { " .. base.fonts .. base.light .. "}\n@media (prefers-color-scheme: dark) { svg {\n" .. base.dark
  .. "} }\n.sheet { fill: var(--paper); }\n.block .title { font-size: 16px; font-weight: 650; }\n.block .line { font-size: 13px; }\n" .. shapes

return style
