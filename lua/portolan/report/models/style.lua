--- This module holds what accuracy reports add to the style of all reports.
local style = {}

style.text = [[
.models th[scope="row"] { min-width: 5.5em; color: var(--ink); font-size: 14px; border-bottom-color: var(--hair); }
.models .model { font-weight: 600; overflow-wrap: break-word; }
.models .about-model { display: block; font-weight: 400; font-size: 12.5px; color: var(--soft); }
.models .about-model code { font-size: 11.5px; overflow-wrap: anywhere; }
.models td { padding-left: 8px; }
.models th.number { padding-left: 8px; }
.models th.wide { width: 40%; padding-left: 14px; }
.models td.experiment { padding-left: 14px; }
.models .best { font-weight: 700; color: var(--sea); }
.by-length, .orders { width: auto; }
.number-tables { display: flex; flex-wrap: wrap; gap: 0 56px; }
.number-tables > div { min-width: 0; max-width: 100%; }
.left-out { margin-top: 4px; }
.maps { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); gap: 22px 26px; margin-top: 14px; }
.maps figcaption { margin: 0 0 6px; max-width: none; }
.maps figcaption b { display: block; font-size: 15px; color: var(--ink); font-weight: 650; overflow-wrap: anywhere; }
.maps .numbers { font-variant-numeric: tabular-nums; }
.maps .beyond { display: block; }
.small-maps { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(200px, 44%), 1fr)); gap: 14px 18px; }
.small-maps figcaption { margin-top: 2px; font-variant-numeric: tabular-nums; }
.small-maps b { color: var(--ink); font-weight: 600; }
.strips td { vertical-align: middle; }
.strips th[scope="row"] { vertical-align: middle; }
.strips .strip { width: 346px; min-width: 260px; padding-bottom: 2px; }
.errors .bar.hit { fill: var(--moss); } .errors .bar.under { fill: var(--h4); } .errors .bar.over { fill: var(--diagonal); }
.errors .base { stroke: var(--line); }
.errors .axis { font-size: 10.5px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.worst td.says { white-space: nowrap; }
@media (max-width: 560px) {
  .models td.number, .models th.number { padding-left: 4px; padding-right: 6px; font-size: 13px; }
  .models .about-model { display: none; }
  .worst td.says { white-space: normal; }
}
@media print { .maps { grid-template-columns: repeat(3, 1fr); } .small-maps { grid-template-columns: repeat(5, 1fr); } }
]]

return style
