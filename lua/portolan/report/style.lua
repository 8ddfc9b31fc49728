--- Style of all reports: system fonts, light and dark by the reader's preference, print, 400 px to wide screens.
-- Colours are named once per theme; everything else refers to the names.
local style = {}

local fonts = [[
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, P052, "Book Antiqua", Georgia, serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
]]

local light = [[
  --paper: #fcfbf7; --panel: #ffffff; --ink: #1c2730; --soft: #56646f; --line: #d9dcd8; --hair: #eceee9;
  --sea: #1b5c80; --rust: #a3491d; --moss: #2f6b3f; --wash: #f1f4f2; --partial: #fdf1dc;
  --s1: #dbe8ee; --s2: #c2d9e4; --s3: #9bc1d4; --s4: #6ba4c1; --s5: #2a6c92; --s6: #113e59;
  --on-light: #14242f; --on-dark: #ffffff; --on4: #0b202c; --on3: #0f2733;
  --h1: #bdd7e3; --h2: #8fbbd1; --h3: #5f9cbd; --h4: #35789e; --h5: #19557a; --h6: #0a2f47;
  --diagonal: #cf6a1e; --none: #f3f4f0; --hatch: #86a9c2;
  --wind: #31434f; --half-wind: #3c7a5a; --quarter-wind: #b4583a; --rhumb: .17; --star: .55;
]]

local dark = [[
  --paper: #10171d; --panel: #151e25; --ink: #dde4e8; --soft: #97a6b0; --line: #2c3943; --hair: #202b33;
  --sea: #86bfdf; --rust: #e59a6b; --moss: #8cc79b; --wash: #18222a; --partial: #33291a;
  --s1: #1d3645; --s2: #24485d; --s3: #2d627f; --s4: #4490b7; --s5: #7cbbdb; --s6: #c9e6f4;
  --on-light: #d8e6ee; --on-dark: #04121b; --on4: #04121b; --on3: #f0f7fb;
  --h1: #2a566f; --h2: #346f8f; --h3: #3d84a9; --h4: #65a9cb; --h5: #9acde6; --h6: #dcf0f9;
  --diagonal: #e8954a; --none: #192229; --hatch: #7fa9c0;
  --wind: #b9c7d0; --half-wind: #7fb899; --quarter-wind: #d98f6c; --rhumb: .16; --star: .5;
]]

local rules = [[
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 var(--sans); }
header, main, footer, nav { padding: 0 max(28px, calc((100% - 1184px) / 2)); }
h1, h2, .verdict, .wordmark { font-family: var(--serif); }
h1 { font-size: 34px; line-height: 1.15; font-weight: 600; margin: 2px 0 4px; max-width: 22em; letter-spacing: -.005em;
  overflow-wrap: anywhere; }
h2 { font-size: 23px; line-height: 1.25; font-weight: 600; margin: 0 0 8px; }
h3 { font-size: 15px; line-height: 1.35; font-weight: 650; margin: 22px 0 8px; }
p { margin: 0 0 10px; }
code, pre { font: 12.5px/1.45 var(--mono); }
a { color: var(--sea); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible
  { outline: 2px solid var(--sea); outline-offset: 2px; border-radius: 2px; }

header { position: relative; overflow: hidden; padding-top: 34px; padding-bottom: 26px; }
header > *:not(.rose) { position: relative; }
.wordmark { font-size: 15px; letter-spacing: .3em; text-transform: uppercase; color: var(--sea); margin: 0 0 26px; }
.kicker { margin: 0; color: var(--soft); }
.byline { color: var(--soft); margin: 0 0 18px; }
.verdict { font-size: 20px; line-height: 1.4; max-width: 33em; margin: 0 0 22px; }
.partial { background: var(--partial); border-left: 3px solid var(--rust); padding: 9px 14px; max-width: 46em; margin: 0 0 18px; }
.partial p { margin: 0; } .partial p + p { margin-top: 8px; } .partial ul { margin: 4px 0 0; padding-left: 20px; }
.figures { display: grid; grid-template-columns: repeat(6, 1fr); margin: 0; border-top: 1px solid var(--line);
  border-bottom: 1px solid var(--line); background: var(--paper); }
.figure { padding: 12px 12px 12px 16px; border-left: 1px solid var(--line); }
.figure:first-child { border-left: 0; padding-left: 0; }
.figure dt { font-size: 12.5px; color: var(--soft); }
.figure dd { margin: 2px 0 0; font-variant-numeric: tabular-nums; }
.figure b { font-size: 25px; line-height: 1.2; font-weight: 500; display: block; letter-spacing: -.01em; }
.figure span { font-size: 12.5px; color: var(--soft); }

.rose { position: absolute; top: -160px; right: max(-80px, calc((100% - 1300px) / 2)); pointer-events: none;
  -webkit-mask-image: radial-gradient(closest-side, #000 45%, transparent);
  mask-image: radial-gradient(closest-side, #000 45%, transparent); }
.rose .rhumbs { opacity: var(--rhumb); }
.rose line { stroke-width: .8; }
.rose .wind { stroke: var(--wind); }
.rose .half-wind { stroke: var(--half-wind); }
.rose .quarter-wind { stroke: var(--quarter-wind); }
.rose .star, .rose .ring { opacity: var(--star); }
.rose .tick { stroke: var(--wind); }
.rose .ring-line { stroke: var(--wind); stroke-width: .8; fill: none; }
.rose path { stroke: var(--wind); stroke-width: .7; stroke-linejoin: round; }
.rose .open { fill: var(--paper); }
.rose .filled { fill: var(--wind); }

nav { position: sticky; top: 0; z-index: 2; background: var(--paper); border-bottom: 1px solid var(--line);
  display: flex; gap: 4px 22px; overflow-x: auto; padding-top: 9px; padding-bottom: 9px; font-size: 14px; }
nav a { text-decoration: none; white-space: nowrap; }
nav a:hover { text-decoration: underline; text-underline-offset: 4px; }
section { padding: 36px 0 8px; scroll-margin-top: 30px; }
section + section { border-top: 1px solid var(--hair); margin-top: 24px; }
.note { max-width: 52em; color: var(--soft); }
.missing { color: var(--soft); font-style: italic; }
.scroll { overflow-x: auto; }
footer { color: var(--soft); border-top: 1px solid var(--line); margin-top: 40px; padding-top: 14px; padding-bottom: 30px;
  font-size: 13px; }

svg { display: block; max-width: 100%; height: auto; }
svg text { font-family: var(--sans);
  fill: var(--ink); }
.panels { column-gap: 26px; margin-top: 16px; }
.panels svg { break-inside: avoid; margin: 0 0 18px; }
.matrix .scheme, .matrix .blank-note { font: 9.8px var(--mono); }
.matrix .group { font-size: 12px; font-weight: 650; }
.matrix .port { font-size: 11px; font-weight: 600; fill: var(--soft); }
.matrix .share, .matrix .faint { font-size: 8.6px; font-variant-numeric: tabular-nums; }
.matrix.strip .share, .matrix.strip .faint { font-size: 10px; font-weight: 600; }
.matrix .faint { fill: var(--soft); font-weight: 400; opacity: .75; }
.matrix .none, .matrix .blank { fill: var(--none); }
.matrix .blank-note { fill: var(--soft); font-style: italic; }
.matrix a text { fill: var(--ink); }
.matrix .row:hover .scheme, .matrix a:focus .scheme { fill: var(--sea); text-decoration: underline; }
.matrix .row:hover .none { fill: var(--hair); }
.matrix .hatch { stroke: var(--hatch); stroke-width: 1.1; fill: none; }
.matrix .hatch.s4, .matrix .hatch.s5, .matrix .hatch.s6 { stroke: var(--paper); stroke-opacity: .75; }
.use.s1 { fill: var(--s1); } .use.s2 { fill: var(--s2); } .use.s3 { fill: var(--s3); }
.use.s4 { fill: var(--s4); } .use.s5 { fill: var(--s5); } .use.s6 { fill: var(--s6); }
svg .share.s1, svg .share.s2 { fill: var(--on-light); } svg .share.s3 { fill: var(--on3); }
svg .share.s4 { fill: var(--on4); } svg .share.s5, svg .share.s6 { fill: var(--on-dark); }
.keys { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 14px 0 0; color: var(--soft); font-size: 13px; }
.swatch { display: inline-flex; align-items: center; gap: 6px; }

.heatmap .plot { fill: var(--panel); stroke: var(--line); }
.heatmap .grid { stroke: var(--hair); }
.heatmap .axis, .timeline .axis { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.heatmap .axis-title { font-size: 12.5px; }
.heatmap .upright { transform: rotate(-90deg); }
.heatmap .diagonal { stroke: var(--diagonal); stroke-width: 1.4; }
.heatmap .band { stroke: var(--diagonal); stroke-width: .8; stroke-dasharray: 3 4; opacity: .75; }
.heatmap .box { fill: var(--panel); stroke: var(--line); fill-opacity: .93; }
.heatmap .metric-name { font-size: 12px; fill: var(--soft); }
.heatmap .metric { font-size: 12px; font-variant-numeric: tabular-nums; font-weight: 600; }
.bin.h1 { fill: var(--h1); } .bin.h2 { fill: var(--h2); } .bin.h3 { fill: var(--h3); }
.bin.h4 { fill: var(--h4); } .bin.h5 { fill: var(--h5); } .bin.h6 { fill: var(--h6); }
.bin:hover { stroke: var(--diagonal); stroke-width: 1.5; }
.timeline .area { fill: var(--s2); fill-opacity: .6; }
.timeline .line { fill: none; stroke: var(--s5); stroke-width: 1.3; }
.timeline .grid { stroke: var(--line); stroke-width: .8; }
figure { margin: 0; }
figcaption { font-size: 13px; color: var(--soft); max-width: 440px; margin-top: 6px; }
figure .timeline { margin-top: 12px; }
.accuracy { display: flex; flex-wrap: wrap; gap: 26px 36px; margin-top: 16px; align-items: flex-start; }
.accuracy figure { flex: 0 1 370px; min-width: 0; }
.beside { flex: 1 1 480px; min-width: 0; }
.spread { list-style: none; display: flex; flex-wrap: wrap; gap: 6px 26px; padding: 0; margin: 0 0 8px; color: var(--soft); }
.spread b { color: var(--ink); font-size: 19px; font-weight: 500; font-variant-numeric: tabular-nums; }

table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; font-size: 12.5px; color: var(--soft); border-bottom: 1px solid var(--line);
  padding: 4px 10px 4px 0; vertical-align: bottom; }
td { border-bottom: 1px solid var(--hair); padding: 5px 10px 5px 0; vertical-align: top; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.number { font-size: 14px; }
.witnesses td { padding-top: 3px; padding-bottom: 3px; font-size: 13.5px; }
.witnesses td.number { font-size: 13.5px; padding-left: 6px; }
.witnesses .off { color: var(--rust); font-weight: 600; }
.witnesses .says { padding-left: 12px; }
.witnesses td.says { color: var(--soft); }
.experiment { min-width: 13em; }
.experiment code { overflow-wrap: anywhere; }
details { font-size: 13.5px; }
summary { cursor: pointer; color: var(--sea); width: fit-content; font-size: 13px; }
details[open] > summary { margin-bottom: 4px; }
.schemes td.scheme { width: 50%; }
.schemes summary { color: inherit; width: auto; }
.schemes summary:hover code { color: var(--sea); }
.schemes .plain, .schemes .remark { padding-left: 1.15em; font-size: 13px; }
.schemes details .scroll { padding: 2px 0 10px 1.15em; }
.schemes .uops { min-width: 16em; }
.schemes > tbody > tr > td.number, .schemes > tbody > tr > td:last-child { width: 1%; }
.schemes tbody tr { scroll-margin-top: 48px; }
.schemes tr:target > td { background: var(--wash); }
.schemes > tbody > tr:hover > td { background: var(--wash); }
.schemes .status { white-space: nowrap; }
.schemes > * > tr > :last-child { padding-left: 14px; }
.about { color: var(--soft); font-size: 12.5px; margin-left: 10px; }
.uops .about { display: block; margin-left: 0; }
.remark { margin: 2px 0; font-size: 13.5px; color: var(--soft); max-width: 48em; }
.misfits .remark { color: var(--ink); }
.misfits .scheme { width: 34%; }
.misfits .scheme code { white-space: normal; }
.count { color: var(--soft); font-weight: 400; margin-left: 4px; }
.status::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 7px; border-radius: 50%;
  border: 1.6px solid var(--moss); }
.status.good::before { background: var(--moss); }
.status.settled::before { border-color: var(--soft); }
.status.bad::before { border-color: var(--rust); background: var(--rust); border-radius: 0; transform: rotate(45deg); }
.controls { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; margin: 14px 0 12px; color: var(--soft);
  font-size: 13.5px; }
.controls[hidden] { display: none; }
.controls input, .controls select { font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--line);
  border-radius: 4px; padding: 4px 8px; }
.controls input { width: 15em; }
th button { all: unset; cursor: pointer; }
th button:hover { color: var(--sea); }
th button::after { content: " ↕"; opacity: .45; }
th[aria-sort="ascending"] button::after { content: " ↑"; opacity: 1; }
th[aria-sort="descending"] button::after { content: " ↓"; opacity: 1; }
.port-set { display: grid; grid-template-columns: minmax(230px, 27%) 1fr; gap: 6px 34px; padding: 16px 0;
  border-top: 1px solid var(--hair); break-inside: avoid; }
.port-set h3 { margin: 0 0 7px;
  font: 600 16px var(--mono); }
.set-head p { margin: 8px 0 2px; color: var(--soft); font-size: 13.5px; }
.set-head p code { color: var(--ink); }
.set-evidence { min-width: 0; }
.members { margin: 4px 0 0; padding-left: 16px; columns: 15em; column-gap: 24px; }
.set-evidence details { margin-top: 6px; }
.facts { margin: 6px 0 12px; display: grid; grid-template-columns: 1fr; max-width: 640px; }
.facts > div { display: grid; grid-template-columns: 12em 1fr; gap: 12px; padding: 4px 0; border-bottom: 1px solid var(--hair); }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 0 48px; }
.columns h3 { margin-top: 10px; }
pre { background: var(--wash); padding: 12px 14px; border-radius: 4px; overflow-x: auto; }
ul { padding-left: 20px; margin: 0 0 14px; } li { margin: 2px 0; }
]]

local narrow = [[
@media (max-width: 900px) {
  .figures { grid-template-columns: repeat(3, 1fr); }
  .figure:nth-child(3n+1) { border-left: 0; padding-left: 0; }
  .figure:nth-child(n+4) { border-top: 1px solid var(--hair); }
  .port-set, .columns { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 560px) {
  header, main, footer, nav { padding-left: 14px; padding-right: 14px; }
  h1 { font-size: 26px; }
  .verdict { font-size: 18px; }
  .rose { top: -215px; right: -250px; }
  .figures { grid-template-columns: repeat(2, 1fr); }
  .figure:nth-child(n) { border-left: 1px solid var(--line); padding-left: 14px; border-top: 1px solid var(--hair); }
  .figure:nth-child(odd) { border-left: 0; padding-left: 0; }
  .figure:nth-child(-n+2) { border-top: 0; }
  .schemes .slots, .schemes .about { display: none; }
  .schemes td.scheme { width: auto; }
  .schemes .uops { min-width: 0; }
  .schemes .plain, .schemes .remark { padding-left: 0; }
  .schemes td { padding-right: 6px; font-size: 13px; }
  .schemes code { font-size: 11px; overflow-wrap: anywhere; }
  .schemes .status { white-space: normal; }
  .facts > div { grid-template-columns: 9.5em 1fr; }
  .experiment { min-width: 10em; }
  .accuracy figure { flex-basis: 100%; }
}
@media print {
  :root { --paper: #ffffff; --none: #f5f5f3; }
  .port-set { break-inside: auto; padding: 8px 0; }
  .rose { display: none; }
  body { font-size: 10.5pt; }
  nav, .controls { display: none; }
  header, main, footer { padding-left: 0; padding-right: 0; }
  section { padding-top: 18px; }
  section + section { margin-top: 10px; }
  h2, h3 { break-after: avoid; }
  tr, figure { break-inside: avoid; }
  .scroll { overflow: visible; }
  details::details-content { content-visibility: visible; height: auto; }
  summary { list-style: none; color: var(--soft); }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
]]

-- Drawings that stand alone need these: the names of fonts, and of colours by theme.
style.fonts, style.light, style.dark = fonts, light, dark

--- The whole style sheet.
style.text = ":root { color-scheme: light dark;\n" .. fonts .. light .. "}\n@media screen and (prefers-color-scheme: dark) { :root {\n"
  .. dark .. "} }\n" .. rules .. narrow

return style
