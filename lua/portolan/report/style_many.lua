--- Style of what charts of many schemes add to a report: pages of the table, classes, disagreements, other models.
local style = {}

style.text = [[
@media (scripting: enabled) { .schemes > tbody:not(.paged) { display: none; } }
.matrix .count-of { font-size: 9.6px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.usage-map { margin-top: 4px; }
.controls label { display: inline-flex; align-items: center; gap: 6px; }
.controls select { max-width: 15em; }
.controls button, .pager button { font: inherit; color: var(--sea); background: var(--panel); border: 1px solid var(--line);
  border-radius: 4px; padding: 3px 10px; cursor: pointer; }
.controls button:hover, .pager button:hover:not(:disabled) { background: var(--wash); }
.pager { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 12px 0; color: var(--soft); font-size: 13.5px;
  font-variant-numeric: tabular-nums; }
.pager[hidden] { display: none; }
.pager button { min-width: 2.4em; }
.pager button:disabled { opacity: .4; cursor: default; }
.pager button[aria-current] { background: var(--s5); border-color: var(--s5); color: var(--on-dark); }
.pager span { margin-left: 8px; }
.schemes tr.target > td { background: var(--wash); }
.schemes > tbody > tr.evidence > td { padding: 0 0 12px 1.15em; background: none; }
.evidence .witnesses { max-width: 900px; }
.role { font-weight: 600; color: var(--moss); }
.role.bounds { color: var(--sea); }
.role.contradicts { color: var(--rust); }
.classes { max-width: 900px; }
.classes a { text-decoration: none; color: inherit; }
.classes a:hover .status, .to-scheme:hover code { color: var(--sea); text-decoration: underline; }
.classes td:first-child { white-space: nowrap; }
.classes .says { padding-left: 18px; color: var(--soft); font-size: 13.5px; }
.class, .pair { scroll-margin-top: 48px; }
.class .members { columns: 17em; margin-top: 8px; }
.to-scheme { color: inherit; text-decoration: none; }
.pair { border-top: 1px solid var(--hair); padding: 8px 0 6px; }
.pair > summary { width: auto; color: var(--ink); font-size: 14px; }
.pair > summary .count { margin-left: 12px; }
.pair > summary code { font-size: 13.5px; }
.pair pre { margin: 8px 0; padding: 7px 12px; }
.disagreements td.scheme { width: 26%; }
.disagreements .judged { padding-left: 12px; white-space: nowrap; font-size: 13.5px; }
span.judged.ours { color: var(--moss); }
span.judged.theirs, span.judged.neither { color: var(--rust); }
span.judged.undecided { color: var(--soft); }
.disagreements span.judged { padding-left: 0; }
.patterns { max-width: 980px; }
.patterns td { padding-top: 9px; padding-bottom: 9px; }
.patterns td:first-child { min-width: 15em; }
.about-kind { color: var(--soft); font-size: 13px; }
.share-bar { display: inline-block; width: 110px; height: 9px; margin-top: 7px; background: var(--s1); border-radius: 5px; overflow: hidden; }
.share-filled { display: block; height: 100%; background: var(--s5); }
.pattern-rules { list-style: none; margin: 0; padding: 0 0 0 14px; font-size: 13.5px; }
.pattern-rules .count { display: inline-block; min-width: 3.4em; text-align: right; padding-right: .4em; color: var(--soft);
  font-variant-numeric: tabular-nums; }
.odd-kind { border-top: 1px solid var(--hair); padding: 8px 0 6px; }
.odd-kind > summary { color: var(--ink); font-size: 14px; }
.odd-forms { max-width: 980px; }
.odd-forms td { width: 34%; }
.odd-words { color: var(--rust); font-size: 13.5px; }
.rivals { max-width: 640px; }
.rivals tbody th { color: var(--ink); font-size: 14px; font-weight: 400; border-bottom: 1px solid var(--hair); }
.rivals .best { font-weight: 650; }
.rival-maps { display: flex; flex-wrap: wrap; gap: 12px 22px; margin-top: 10px; }
.rival-maps figure { flex: 0 1 238px; min-width: 0; }
@media (max-width: 560px) {
  .controls label { width: 100%; justify-content: space-between; }
  .controls input, .controls select { width: 68%; max-width: none; }
  .disagreements td.scheme { width: auto; min-width: 9em; }
  .classes .says { display: none; }
  .share-bar { width: 60px; }
}
@media print { .pager { display: none; } }
]]

return style
