/** The hanging indent of a wrapped line. */
const indents = Array.from(
  { length: 27 },
  (_, indent) => `.in-${indent} { padding-left: ${2 * indent + 4}ch; text-indent: -${2 * indent + 4}ch; }`,
).join('\n');

/** The style of the HTML report. Plain CSS that refers to nothing outside the file. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f6f6f3;
  --sheet: #ffffff;
  --sunk: #f3f4f2;
  --ink: #1f2428;
  --quiet: #586069;
  --line: #dfe1de;
  --link: #2257a8;
  --focus: #2f6fde;
  --pass: #1c7048;
  --pass-soft: #e3f1e9;
  --fail: #b3261e;
  --fail-soft: #fbe9e7;
  --idle: #7a5200;
  --idle-soft: #faf0d9;
  --error: #66399c;
  --error-soft: #efe7f8;
  --mark: #ffe9a8;
  --key: #1f2428;
  --type: #2257a8;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14171a;
    --sheet: #1b1f23;
    --sunk: #15181c;
    --ink: #e4e7ea;
    --quiet: #9ba6b1;
    --line: #2f353b;
    --link: #8db8ff;
    --focus: #8db8ff;
    --pass: #74cf9d;
    --pass-soft: #1c3328;
    --fail: #ff938a;
    --fail-soft: #3b211f;
    --idle: #eec15f;
    --idle-soft: #352b17;
    --error: #c9a9f5;
    --error-soft: #2e2540;
    --mark: #4b3b0f;
    --key: #e4e7ea;
    --type: #8db8ff;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { font: 100%/1.5 var(--sans); background: var(--page); color: var(--ink); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 5rem; }
body { margin: 0; overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, dl, dd, pre, fieldset { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h2 { font-size: 1.375rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; }
h3 { font-size: 1rem; line-height: 1.4; font-weight: 650; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: from-font; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; }
bdi, code, pre, dd, .title, .brief { unicode-bidi: isolate; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.wrap { max-width: 82rem; margin: 0 auto; padding: 0 1.25rem; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 9; padding: 0.5rem 1rem; background: var(--sheet); border-radius: 0 0 8px 8px; }
.skip:focus { top: 0; }
.symbols { display: none; }
.number { color: var(--quiet); font-variant-numeric: tabular-nums; font-weight: 500; }
.tally, .took { color: var(--quiet); font-size: 0.8125rem; font-weight: 400; font-variant-numeric: tabular-nums; white-space: nowrap; }
.hint { color: var(--quiet); font-size: 0.875rem; max-width: 42rem; }
.unseen { color: var(--error); background: var(--error-soft); border-radius: 3px; padding: 0 0.15em; font-family: var(--mono); font-size: 0.85em; }

.icon { flex: none; width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 2.25; stroke-linecap: round; stroke-linejoin: round; border-radius: 50%; vertical-align: -0.2em; }
[data-status='pass'].icon { color: var(--pass); background: var(--pass-soft); }
[data-status='fail'].icon { color: var(--fail); background: var(--fail-soft); }
[data-status='not-judged'].icon { color: var(--idle); background: var(--idle-soft); }
[data-status='error'].icon { color: var(--error); background: var(--error-soft); }

.verdict { background: var(--sheet); border-bottom: 1px solid var(--line); border-top: 5px solid var(--tone); padding: 2rem 0 1.75rem; }
[data-outcome='conformant'] { --tone: var(--pass); }
[data-outcome='partial'] { --tone: var(--idle); }
[data-outcome='nonconformant'] { --tone: var(--fail); }
[data-outcome='unreachable'] { --tone: var(--error); }
.brand { color: var(--quiet); font-size: 0.875rem; }
.brand b { color: var(--ink); font-weight: 650; }
h1 { display: flex; align-items: center; gap: 0.75rem; margin-top: 0.75rem; font-size: clamp(2rem, 1.4rem + 2.6vw, 3rem); line-height: 1.15; font-weight: 700; letter-spacing: -0.025em; color: var(--tone); }
h1 .icon { width: 1em; height: 1em; }
.target { margin-top: 0.5rem; font-family: var(--mono); font-size: 0.9375rem; }
.summary { margin-top: 0.5rem; max-width: 52rem; font-size: 1.0625rem; }
.bar { display: block; width: 100%; height: 0.5rem; border-radius: 4px; background: var(--line); overflow: hidden; }
.verdict .bar { margin-top: 1.25rem; height: 0.75rem; border-radius: 6px; background: none; }
.bar .pass, .bar .valid { fill: var(--pass); }
.bar .fail { fill: var(--fail); }
.bar .not-judged, .bar .null { fill: var(--idle); }
.bar .error { fill: var(--error); }
.counts { display: flex; flex-wrap: wrap; gap: 0.375rem 1.5rem; margin-top: 0.75rem; }
.counts li { display: flex; align-items: center; gap: 0.4rem; }
.counts b { font-variant-numeric: tabular-nums; }
.digest { display: grid; gap: 0.25rem; margin-top: 1rem; padding-left: 0.875rem; border-left: 3px solid var(--fail); max-width: 60rem; font-size: 0.9375rem; }
.digest span { color: var(--quiet); }
.baseline { margin-top: 1rem; padding-left: 0.875rem; border-left: 3px solid var(--pass); max-width: 60rem; font-size: 0.9375rem; }
.baseline[data-verdict='news'] { border-color: var(--idle); }
.baseline a { text-decoration: none; }
.baseline a:hover { text-decoration: underline; }
.facts { display: flex; flex-wrap: wrap; gap: 0.75rem 2.25rem; margin-top: 1.5rem; }
.facts dt { color: var(--quiet); font-size: 0.8125rem; }
.facts dd { font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
.facts code { font-size: 0.875rem; }

.layout { max-width: 82rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
.overview { margin-bottom: 2rem; font-size: 0.9375rem; }
.overview ol { display: grid; gap: 1rem 2rem; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); }
.overview li > a { display: flex; gap: 0.5rem; align-items: baseline; color: inherit; text-decoration: none; padding: 0.125rem 0; }
.overview li > a:hover { text-decoration: underline; }
.overview .tally { margin-left: auto; }
.overview ul { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); margin-top: 1rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
.cells { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 0.25rem; }
.cell { display: block; width: 20px; height: 20px; line-height: 0; }
.cell .icon { width: 20px; height: 20px; border-radius: 5px; padding: 3px; }
.cell:hover .icon { outline: 2px solid currentColor; }
.cell[data-status='fail'] .icon { color: var(--sheet); background: var(--fail); }
.cell[data-status='error'] .icon { color: var(--sheet); background: var(--error); }

.toolbar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; margin: 0 -0.5rem 1rem; padding: 0.625rem 0.5rem; background: var(--page); border-bottom: 1px solid var(--line); }
.chips { display: flex; flex-wrap: wrap; gap: 0.375rem; border: 0; min-width: 0; }
.chips legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.chips label { position: relative; cursor: pointer; }
.chips input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.chips span { display: flex; align-items: center; gap: 0.375rem; padding: 0.25rem 0.75rem; min-height: 2.125rem; border: 1px solid var(--line); border-radius: 999px; background: var(--sheet); font-size: 0.875rem; white-space: nowrap; }
.chips b { font-variant-numeric: tabular-nums; font-weight: 500; color: var(--quiet); }
.chips input:checked + span { background: var(--ink); border-color: var(--ink); color: var(--sheet); }
.chips input:checked + span b { color: inherit; }
.chips input:focus-visible + span { outline: 2px solid var(--focus); outline-offset: 2px; }
.tools { display: flex; flex-wrap: wrap; gap: 0.375rem; align-items: center; flex: 1 1 24rem; }
.search { flex: 1 1 9rem; max-width: 18rem; }
input[type='search'] { width: 100%; min-height: 2.125rem; padding: 0.25rem 0.875rem; border: 1px solid var(--line); border-radius: 999px; background: var(--sheet); color: inherit; font: inherit; font-size: 0.9375rem; }
::placeholder { color: var(--quiet); opacity: 1; }
button { min-height: 2.125rem; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 999px; background: var(--sheet); color: inherit; font: inherit; font-size: 0.875rem; cursor: pointer; white-space: nowrap; }
button:hover, .chips label:hover span { border-color: var(--quiet); }
#shown { color: var(--quiet); font-size: 0.875rem; white-space: nowrap; }
@media (max-width: 40rem) {
  .toolbar { position: static; }
  html { scroll-padding-top: 1rem; }
  .search { max-width: none; }
}

.checks:focus { outline: none; }
main > section { margin-bottom: 3rem; }
main > section > .hint { margin-top: 0.25rem; }
.checks > h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.group { margin-top: 1.75rem; }
.group > h3, .card > h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.5rem; }
.group > h3 { margin-bottom: 0.625rem; font-size: 1.125rem; }
.group > h3 .tally, .card > h3 .tally { margin-left: auto; }
.empty { padding: 2rem; text-align: center; color: var(--quiet); }

.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; overflow: clip; }
.check { background: var(--sheet); }
.check > summary { display: flex; gap: 0.75rem; align-items: flex-start; padding: 0.625rem 0.875rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
.check > summary:hover { background: var(--sunk); }
.check > summary:focus-visible { outline-offset: -3px; border-radius: 10px; }
.check > summary .icon { margin-top: 0.1875rem; }
.check > summary .took { margin-top: 0.125rem; }
.check > summary::after { content: ''; flex: none; width: 0.4375rem; height: 0.4375rem; margin: 0.4375rem 0.25rem 0; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.check[open] > summary::after { transform: rotate(-135deg); margin-top: 0.6875rem; }
.check[open] > summary { background: var(--sunk); border-bottom: 1px solid var(--line); }
.check[data-status='fail'] { box-shadow: inset 3px 0 var(--fail); }
.check[data-status='error'] { box-shadow: inset 3px 0 var(--error); }
.what { flex: 1; min-width: 0; }
.title { margin-right: 0.375rem; }
.check[data-status='fail'] .title { font-weight: 600; }
.id { display: inline-block; color: var(--quiet); font-size: 0.75rem; }
.brief { display: block; margin-top: 0.125rem; color: var(--quiet); font-size: 0.875rem; }
.brief span { display: inline-block; margin-right: 0.75rem; }
.brief span, .brief > bdi, .digest li { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; width: fit-content; }
.brief b { font-weight: 500; color: var(--ink); }
.check[open] .brief { display: none; }
.details { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); padding: 1rem 0.875rem 1.25rem; }
.label { color: var(--quiet); font-size: 0.8125rem; font-weight: 600; margin-bottom: 0.25rem; }
.label code { font-size: 0.75rem; }
.versus { display: grid; grid-template-columns: minmax(0, 1fr); border-radius: 8px; overflow: hidden; }
.versus div { padding: 0.625rem 0.875rem; }
.versus dt { font-size: 0.8125rem; font-weight: 600; }
.versus .expected { background: var(--pass-soft); }
.versus .expected dt { color: var(--pass); }
.versus .actual { background: var(--fail-soft); }
.versus .actual dt { color: var(--fail); }
.at { margin-top: -0.75rem; font-size: 0.875rem; color: var(--quiet); }
.at code { color: var(--ink); }
details details > summary { cursor: pointer; color: var(--link); font-size: 0.875rem; width: fit-content; list-style: none; }
.card summary { cursor: pointer; color: var(--link); font-size: 0.875rem; width: fit-content; list-style: none; }
details details > summary::before, .card summary::before { content: ''; display: inline-block; width: 0.35rem; height: 0.35rem; margin: 0 0.5rem 0.125rem 0.125rem; border: solid currentColor; border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
details details[open] > summary::before, .card [open] > summary::before { transform: rotate(45deg); }
.more ul { margin-top: 0.5rem; display: grid; gap: 0.625rem; font-size: 0.875rem; }
.more li { padding-left: 0.75rem; border-left: 2px solid var(--line); }
.reason .wrapped { margin-bottom: 0.75rem; }
.reason .wrapped:last-child { margin-bottom: 0; }

.sides { display: grid; grid-template-columns: minmax(0, 1fr); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.side { padding: 0.75rem 0.875rem; min-width: 0; }
.side + .side { border-top: 1px solid var(--line); }
.side .label .took { margin-left: 0.25rem; font-size: 0.75rem; }
.first { font-family: var(--mono); font-size: 0.8125rem; }
.first b { font-weight: 650; }
.none b { color: var(--fail); }
.side details { margin-top: 0.25rem; }
.side summary { font-size: 0.8125rem; }
.headers { margin-top: 0.25rem; font-family: var(--mono); font-size: 0.75rem; }
.headers div { padding: 0.0625rem 0; }
.headers dt { display: inline; color: var(--quiet); unicode-bidi: isolate; }
.headers dt::after { content: ': '; }
.headers dd { display: inline; }
pre { position: relative; overflow: auto; max-height: 26rem; padding: 0.625rem 0.75rem; border-radius: 6px; background: var(--sunk); line-height: 1.45; tab-size: 2; }
.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }
.body { margin-top: 0.5rem; }
.side .hint { margin-top: 0.5rem; }
.line { display: block; }
${indents}
.body .type { color: var(--type); }
.body .note { color: var(--quiet); font-style: italic; }
.body mark { background: var(--mark); color: inherit; border-radius: 3px; box-shadow: 0 0 0 2px var(--mark); }
.body mark .note { color: inherit; }
.curl { margin-top: 0.625rem; }
.curl .label { display: flex; align-items: center; gap: 0.35rem; }
.curl button { margin-left: auto; min-height: 1.75rem; padding: 0.125rem 0.75rem; font-size: 0.8125rem; font-weight: 400; color: var(--ink); }
.curl pre { white-space: pre-wrap; max-height: 12rem; }

.requirements ul, .proven ul { display: grid; gap: 0.5rem; font-size: 0.9375rem; }
.proven ul { gap: 0.25rem; margin-top: 0.375rem; }
.proven li, .requirements li { padding-left: 0.875rem; position: relative; }
.proven li::before, .requirements li::before { content: ''; position: absolute; left: 0.0625rem; top: 0.6em; width: 0.3125rem; height: 0.3125rem; border-radius: 50%; background: var(--quiet); }
.proven li code { display: inline-block; color: var(--quiet); font-size: 0.75rem; }
.source { display: inline-block; color: var(--quiet); font-size: 0.8125rem; }
.source code { font-size: 0.75rem; }
.lane { display: inline-block; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 999px; font-size: 0.75rem; line-height: 1.5; color: var(--quiet); background: var(--page); }
.derivation { color: var(--quiet); font-size: 0.875rem; max-width: 46rem; }

.cards { display: grid; gap: 0.75rem; margin-top: 1rem; }
.card { min-width: 0; padding: 0.875rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.card > h3 { font-size: 0.9375rem; }
.supply { font-family: var(--mono); font-weight: 400; font-size: 0.875rem; padding: 0.0625rem 0.375rem; border-radius: 4px; color: var(--idle); background: var(--idle-soft); }
.plain { margin-top: 0.25rem; columns: 22rem; column-gap: 2rem; font-size: 0.9375rem; }
.plain li { break-inside: avoid; padding: 0.125rem 0; }
.plain a, .digest a { text-decoration: none; }
.plain a:hover, .digest a:hover { text-decoration: underline; }
.why { margin-top: 0.625rem; color: var(--quiet); font-size: 0.875rem; }
#evidence .cards { grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.evidence .bar { margin: 0.625rem 0; }
.evidence details { margin-top: 0.25rem; }
.pointers { display: grid; gap: 0.0625rem; margin-top: 0.375rem; max-height: 20rem; overflow: auto; }
.pointers code { font-size: 0.75rem; }
.choices { margin-top: 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.choices li { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.125rem 1.5rem; padding: 0.625rem 1rem; }
.choices li + li { border-top: 1px solid var(--line); }
.question { display: flex; gap: 0.75rem; }
.question .number { flex: none; min-width: 2.25rem; font-size: 0.875rem; line-height: 1.7; }
.choice { font-weight: 600; }
.choice .unknown { color: var(--idle); }
.seen { color: var(--quiet); font-size: 0.875rem; }
.created { margin-top: 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.created li { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; padding: 0.5rem 1rem; }
.created li + li { border-top: 1px solid var(--line); }
.kind { color: var(--quiet); font-size: 0.875rem; min-width: 5.5rem; }

footer { border-top: 1px solid var(--line); padding: 2rem 0 3rem; font-size: 0.875rem; color: var(--quiet); }
footer h2 { font-size: 1rem; color: var(--ink); }
footer p { margin-top: 0.75rem; }
.legend { display: grid; gap: 0.5rem 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); margin-top: 0.75rem; }
.legend div { display: flex; gap: 0.75rem; }
.legend dt { flex: none; width: 8rem; color: var(--ink); }

@media (min-width: 48rem) {
  .versus, .sides { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .side + .side { border-top: 0; border-left: 1px solid var(--line); }
  .check > summary { padding: 0.625rem 1.125rem; }
  .details { padding: 1.125rem 1.125rem 1.5rem 3rem; }
  .choices li { grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr); }
  .question { grid-row: 1 / span 2; }
  .wrap, .layout { padding-left: 2rem; padding-right: 2rem; }
}
@media (min-width: 68rem) {
  .layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
  .overview { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1rem 0.5rem 1rem 0; margin: 0; }
  .overview ol, .overview ul { grid-template-columns: minmax(0, 1fr); }
  .overview ol { gap: 0.875rem; }
}
@media (max-width: 48rem) {
  .check > summary .took { display: none; }
  .id { display: block; }
  .cells[data-whole] { display: none; }
  .overview ol { gap: 0.5rem 2rem; }
  pre { max-height: 18rem; }
}

body:has(#status-fail:checked) .check:not([data-status='fail']),
body:has(#status-error:checked) .check:not([data-status='error']),
body:has(#status-not-judged:checked) .check:not([data-status='not-judged']),
body:has(#status-pass:checked) .check:not([data-status='pass']),
body:has(#status-fail:checked) .group:not(:has([data-status='fail'].check)),
body:has(#status-error:checked) .group:not(:has([data-status='error'].check)),
body:has(#status-not-judged:checked) .group:not(:has([data-status='not-judged'].check)),
body:has(#status-pass:checked) .group:not(:has([data-status='pass'].check)) { display: none; }

@media (forced-colors: active) {
  .stack, .card, .chips span { border: 1px solid; }
  .chips input:checked + span { outline: 2px solid; }
  .bar rect { forced-color-adjust: none; }
}
@media print {
  :root { --page: #ffffff; --sunk: #ffffff; }
  html { font-size: 10pt; }
  .skip, .toolbar, .curl, .cells { display: none; }
  .layout { display: block; }
  .overview { position: static; max-height: none; overflow: visible; }
  .check[data-status='fail']::details-content, .check[data-status='error']::details-content { content-visibility: visible; display: block; height: auto; }
  .verdict { padding-top: 1rem; }
  pre, .pointers { max-height: none; overflow: visible; border: 1px solid var(--line); }
  .check > summary::after, details details > summary::before { display: none; }
  .versus, .card, .choices li { break-inside: avoid; }
  .body:has(mark) .line:not(.near), .body:not(:has(mark)) .line:nth-child(n + 25) { display: none; }
  .stack { overflow: visible; }
  h2, h3, summary, .label { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
  .icon, .versus div, .bar rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
