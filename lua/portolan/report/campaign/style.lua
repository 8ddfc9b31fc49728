--- This module holds what campaign reports add to the style of all reports.
local style = {}

style.text = [[
.versus { line-height: 1.3; }
.chip { display: inline-block; min-width: 1.5em; padding: 0 .35em; border-radius: 3px; font: 650 11.5px/1.5 var(--sans); text-align: center;
  color: var(--paper); background: var(--sea); vertical-align: .12em; }
.chip.b { background: var(--rust); }
h1 .chip { font-size: 17px; vertical-align: .3em; }
.facts .about { display: block; margin-left: 0; }
.excluded { margin: 0; }
.crash { color: var(--rust); font-weight: 650; }

.discoveries { margin-top: 6px; }
.discoveries > tbody > tr > td { padding-top: 10px; padding-bottom: 10px; }
.discoveries > tbody > tr:not(.detail) { scroll-margin-top: 44px; }
@media (scripting: enabled) { .discoveries > tbody > tr:not(.detail) { cursor: pointer; } }
.discoveries > tbody > tr:not(.detail):hover > td, .discoveries > tbody > tr.open > td { background: var(--wash); }
.discoveries > * > tr > :first-child { padding-left: 6px; }
.discoveries .which { width: 5.6em; }
.discoveries .which .crash { display: block; font-size: 12.5px; }
.discoveries .which .about { display: block; margin: 0; }
.discoveries .id { font-weight: 650; font-variant-numeric: tabular-nums; }
.opener { all: unset; cursor: pointer; color: var(--sea); white-space: nowrap; }
.opener:focus-visible { outline: 2px solid var(--sea); outline-offset: 2px; border-radius: 2px; }
.opener::before { content: "▸"; display: inline-block; width: 1.1em; color: var(--soft); }
.opener[aria-expanded="true"]::before { content: "▾"; }
.discoveries .example { width: 290px; }
.discoveries td.number { white-space: normal; }
.discoveries th.number, .discoveries td.number { width: 5.6em; }
.controls input[type="checkbox"] { width: auto; } .controls #discovery-search { width: 17em; }

.abstract { font-size: 14px; line-height: 1.5; }
.parts { margin: 0; padding-left: 1.5em; }
.parts li::marker { color: var(--soft); font-size: 12.5px; }
.feature { display: inline-block; margin-right: .55em; }
.feature i, .anything { font-style: normal; color: var(--soft); }
.anything { font-style: italic; }
.aliases { list-style: none; margin: 3px 0 0; padding-left: 1.5em; font-size: 13px; color: var(--soft); }
.aliases li { text-indent: -1.1em; padding-left: 1.1em; }
.aliases li::before { content: "="; display: inline-block; width: 1.1em; text-indent: 0; color: var(--sea); font-family: var(--mono); }
.aliases li.apart::before { content: "≠"; }
.abstract details { padding-left: 1.5em; font-size: 13px; }
.abstract details .aliases { padding-left: 0; }
.abstract .new { background: var(--partial); border-radius: 3px; box-shadow: 0 0 0 2px var(--partial); }
.abstract .gone { color: var(--soft); text-decoration: line-through; opacity: .8; }
.abstract .gone i { color: inherit; }

.asm .line { display: block; overflow-wrap: anywhere; padding-left: 1.4em; text-indent: -1.4em; }
.predictions { margin-top: 6px; max-width: 290px; }
.prediction { display: grid; grid-template-columns: 1.9em 1fr auto; gap: 6px; align-items: center; font-size: 13px; line-height: 1.5; }
.prediction .chip { font-size: 10.5px; min-width: 0; }
.gauge { display: block; height: 7px; background: var(--none); border-radius: 2px; }
.bar { display: block; height: 7px; border-radius: 2px; background: var(--s4); min-width: 1px; }
.bar.b { background: var(--rust); opacity: .75; }
.cycles { font-variant-numeric: tabular-nums; }
.prediction > .cycles, .prediction > .crash { min-width: 3.4em; text-align: right; }
.predictions .error { margin: 0 0 2px; font: 12px/1.4 var(--mono); color: var(--rust); overflow-wrap: anywhere; }

.detail > td { padding-left: 6px; background: var(--panel); border-bottom: 2px solid var(--line); cursor: auto; }
.behind { padding: 4px 10px 14px; }
.behind h3 { margin-top: 16px; }
.blocks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr)); gap: 0 40px; }
.one-block { min-width: 0; }
.commands { margin-top: 10px; }
.command { display: flex; gap: 8px; align-items: start; margin: 3px 0; }
.command code { flex: 1 1 auto; min-width: 0; background: var(--wash); padding: 3px 8px; border-radius: 3px; overflow-wrap: anywhere;
  font-size: 12px; }
.copy, .more, .walk, .refutes { font: 12px/1.4 var(--sans); color: var(--sea); background: none; border: 1px solid var(--line);
  border-radius: 3px; padding: 1px 7px; cursor: pointer; white-space: nowrap; }
.copy:hover, .more:hover, .walk:hover:not(:disabled) { background: var(--wash); }
.copy.done { color: var(--moss); border-color: var(--moss); }
.copy.done::after { content: " ✓"; }
.refutes { border: 0; padding: 0; }
.refutes:hover { text-decoration: underline; }
.more { margin-top: 6px; }
.sample-tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); gap: 0 40px; }
.sample-tables > div { min-width: 0; }
.samples td { font-size: 13.5px; padding-top: 4px; padding-bottom: 4px; }
.samples td.number, .samples th.number { width: 3.7em; padding-left: 4px; padding-right: 8px; }
.samples td.number { font-size: 13.5px; }
.samples .copies { width: 9.6em; white-space: nowrap; padding-right: 0; } .samples .asm { font-size: 12px; }
.samples .copies button { font-size: 11px; padding: 1px 5px; } .samples .copies button + button { margin-left: 3px; }

.walkthrough { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 0 28px; }
.step-frame { max-height: 560px; overflow: auto; border: 1px solid var(--line); border-radius: 4px; position: relative; align-self: start; }
.step-list { position: relative; }
.branches { position: absolute; left: 0; top: 0; max-width: none; pointer-events: none; z-index: 1; }
.step { display: flex; gap: 8px; width: 100%; height: 26px; align-items: center; border: 0; background: none; text-align: left; color: var(--ink);
  font: 13px/26px var(--sans); padding: 0 8px 0 0; }
button.step { cursor: pointer; }
.step:hover { background: var(--wash); }
.step.chosen { background: var(--s1); }
.step:focus-visible { outline: 2px solid var(--sea); outline-offset: -2px; }
.step-label { flex: 1 1 auto; min-width: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.step.spine .step-label { font-weight: 600; }
.step.rejected .step-label, .step.given-up .step-label { color: var(--soft); }
.step-samples { font-size: 11.5px; color: var(--soft); font-variant-numeric: tabular-nums; }
.branches .edge { fill: none; stroke: var(--line); stroke-width: 1.4; }
.branches .edge.spine { stroke: var(--moss); stroke-width: 2; }
.branches .outer { fill: var(--panel); stroke: var(--moss); stroke-width: 1.4; }
.branches .mark { fill: var(--moss); }
.branches .outer.given-up { stroke: var(--soft); stroke-dasharray: 2.5 2; }
.branches .mark.given-up { fill: var(--soft); }
.branches .mark.rejected { fill: var(--panel); stroke: var(--rust); stroke-width: 1.6; }
.step-panel { min-width: 0; }
.step-head { display: flex; flex-wrap: wrap; gap: 6px; align-items: baseline; margin-bottom: 4px; }
.step-head .verdict-mark { flex: 1 1 auto; font-weight: 600; color: var(--moss); }
.step-head .verdict-mark.rejected { color: var(--rust); }
.step-head .verdict-mark.given-up { color: var(--soft); }
.walk:disabled { opacity: .4; cursor: default; }
.about-step { margin: 8px 0 4px; color: var(--soft); font-size: 13.5px; }
.tried { margin: 0 0 8px; font-size: 13.5px; max-height: 9em; overflow: auto; }
.step-panel .abstract { background: var(--wash); border-radius: 4px; padding: 8px 10px; }

.heat text { font-size: 12.5px; }
.heat .self, .heat .none { fill: var(--none); }
.heat .absent { fill: var(--soft); }
.heat .value { font-size: 13px; font-weight: 600; font-variant-numeric: tabular-nums; pointer-events: none; }
.heat .value.h1, .heat .value.h2 { fill: var(--on-light); } .heat .value.h3 { fill: var(--on3); }
.heat .value.h4, .heat .value.h5, .heat .value.h6 { fill: var(--on-dark); }
.curve .grid { stroke: var(--hair); } .curve .axis { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.curve .area { fill: var(--s2); fill-opacity: .6; } .curve .line { fill: none; stroke: var(--s5); stroke-width: 1.8; }
.curve .point { fill: var(--s5); } .curve .level { stroke: var(--diagonal); stroke-dasharray: 4 4; }
.covering { width: auto; }
.covering tbody th { vertical-align: top; padding: 5px 10px 5px 0; color: var(--ink); font-size: 14px; font-weight: 400;
  border-bottom: 1px solid var(--hair); }
.covering .number { padding-left: 14px; }
.covering .choice { padding-left: 16px; font-size: 13.5px; max-width: 30em; }
.accuracy .curve { max-width: 100%; }
@media (max-width: 900px) { .walkthrough { grid-template-columns: minmax(0, 1fr); gap: 16px; } .step-frame { max-height: 320px; } }
@media (max-width: 760px) {
  .discoveries > thead { display: none; }
  .discoveries, .discoveries > tbody { display: block; }
  .discoveries > tbody > tr { display: grid; grid-template-columns: repeat(3, 1fr); gap: 2px 10px; padding: 10px 8px;
    border-bottom: 1px solid var(--line); }
  .discoveries > tbody > tr:hover, .discoveries > tbody > tr.open { background: var(--wash); }
  .discoveries > tbody > tr > td { border: 0; padding: 2px 0; width: auto; }
  .discoveries > tbody > tr > td:not(.number) { grid-column: 1 / -1; }
  .discoveries > tbody > tr > td.number { text-align: left; font-size: 13.5px; width: auto; }
  .discoveries > tbody > tr > td.number::before { display: block; font-size: 11.5px; color: var(--soft); }
  .discoveries td.interestingness::before { content: "mean difference"; } .discoveries td.generality::before { content: "generality"; }
  .discoveries td.covers::before { content: "covers"; }
  .discoveries > tbody > tr.detail { display: block; padding: 0; }
  .discoveries > tbody > tr.detail > td { display: block; }
  .behind { padding: 4px 0 14px; }
  .controls label { width: 100%; justify-content: space-between; }
  .samples .copies { width: 1%; }
  .samples .copies button { display: block; margin: 0 0 3px; } .samples .copies button + button { margin-left: 0; }
}
@media print { .discoveries > tbody > tr { break-inside: avoid; } }
]]

return style
