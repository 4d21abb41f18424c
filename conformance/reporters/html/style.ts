/** The style of the HTML report. Plain CSS that refers to nothing outside the file. */
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f6f3, #14171a);
  --sheet: light-dark(#ffffff, #1b1f23);
  --sunk: light-dark(#f3f4f2, #15181c);
  --ink: light-dark(#1f2428, #e4e7ea);
  --quiet: light-dark(#586069, #9ba6b1);
  --line: light-dark(#dfe1de, #2f353b);
  --link: light-dark(#2257a8, #8db8ff);
  --pass: light-dark(#1c7048, #74cf9d);
  --pass-soft: light-dark(#e3f1e9, #1c3328);
  --fail: light-dark(#b3261e, #ff938a);
  --fail-soft: light-dark(#fbe9e7, #3b211f);
  --idle: light-dark(#7a5200, #eec15f);
  --idle-soft: light-dark(#faf0d9, #352b17);
  --error: light-dark(#66399c, #c9a9f5);
  --error-soft: light-dark(#efe7f8, #2e2540);
  --place: light-dark(#ffe9a8, #4b3b0f);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font: 100%/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif; background: var(--page); color: var(--ink); text-size-adjust: 100%; }
body { overflow-wrap: anywhere; }
ul, ol { list-style: none; }
h2 { font-size: 1.125rem; line-height: 1.4; }
a { color: var(--link); text-underline-offset: 0.15em; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; }
bdi, code, pre, dd { unicode-bidi: isolate; }
pre { padding: 0.625rem 0.75rem; border-radius: 6px; background: var(--sunk); white-space: pre-wrap; line-height: 1.45; }
summary { cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
section { scroll-margin-top: 3.5rem; }
.details { scroll-margin-top: 8rem; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--sheet); }
.skip:focus { top: 0; }
.number, .tally, .hint, .quiet, .id, .brand, .label, .brief, .remark { color: var(--quiet); }
.number { font-variant-numeric: tabular-nums; font-weight: 500; }
.tally { font-size: 0.8125rem; font-weight: 400; white-space: nowrap; }
.hint, .label, .brief, .remark { font-size: 0.875rem; }
.label { font-weight: 600; }
.unseen { color: var(--error); background: var(--error-soft); border-radius: 3px; padding: 0 0.15em; font-family: var(--mono); font-size: 0.85em; }
.badge { padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 999px; font-size: 0.75rem; color: var(--quiet); }
.empty { padding: 2rem; text-align: center; color: var(--quiet); }

.mark { display: inline-block; flex: none; width: 1.25em; border-radius: 50%; text-align: center; font-weight: 700; font-size: 0.8125rem; line-height: 1.25em; }
.mark[data-status='pass'] { color: var(--pass); background: var(--pass-soft); }
.mark[data-status='fail'] { color: var(--fail); background: var(--fail-soft); }
.mark[data-status='not-judged'] { color: var(--idle); background: var(--idle-soft); }
.mark[data-status='error'] { color: var(--error); background: var(--error-soft); }

.verdict, .layout, footer { padding: 1.5rem max(1.25rem, 50% - 41rem); }
.verdict { background: var(--sheet); border-bottom: 1px solid var(--line); border-top: 5px solid var(--tone); }
[data-look='pass'] { --tone: var(--pass); }
[data-look='not-judged'] { --tone: var(--idle); }
[data-look='fail'] { --tone: var(--fail); }
[data-look='error'] { --tone: var(--error); }
h1 { margin-top: 0.5rem; font-size: clamp(2rem, 1.4rem + 2.6vw, 3rem); line-height: 1.15; letter-spacing: -0.025em; color: var(--tone); }
h1 .mark { font-size: 0.8em; }
.target { margin-top: 0.5rem; font-family: var(--mono); font-size: 0.9375rem; }
.summary { margin-top: 0.5rem; max-width: 52rem; }
.counts, .facts { display: flex; flex-wrap: wrap; gap: 0.375rem 2rem; margin-top: 1rem; }
.facts dt { color: var(--quiet); font-size: 0.8125rem; }
.facts dd { font-variant-numeric: tabular-nums; }
.digest, .verdict .more { margin-top: 1rem; padding-left: 0.875rem; border-left: 3px solid var(--tone); max-width: 60rem; font-size: 0.9375rem; }
.digest span { color: var(--quiet); }
.digest li, .brief { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }

.overview { margin-bottom: 2rem; font-size: 0.9375rem; }
.overview ol { display: grid; gap: 0.75rem 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); }
.overview li > a { color: inherit; text-decoration: none; }
.overview a:hover { text-decoration: underline; }
.cells { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 0.125rem; }
.cells a { text-decoration: none; line-height: 1; }
.cells .mark { border-radius: 5px; }
.cells [data-status='fail'] { color: var(--sheet); background: var(--fail); }
.cells [data-status='error'] { color: var(--sheet); background: var(--error); }

.toolbar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0.625rem 0; border: 0; border-bottom: 1px solid var(--line); background: var(--page); font-size: 0.9375rem; }
.toolbar legend { float: left; margin-right: 1.25rem; color: var(--quiet); }
.toolbar label { cursor: pointer; white-space: nowrap; }
#open-all { margin-left: auto; }
.group h2 { margin: 1.75rem 0 0.5rem; }
.check { background: var(--sheet); border: 1px solid var(--line); margin-top: -1px; }
.check > summary { display: flex; gap: 0.75rem; padding: 0.5rem 0.875rem; list-style: none; }
.check > summary::-webkit-details-marker { display: none; }
.check > summary:hover, .check[open] > summary { background: var(--sunk); }
.check > summary .mark { margin-top: 0.25rem; align-self: flex-start; }
.check[data-status='fail'] { box-shadow: inset 3px 0 var(--fail); }
.check[data-status='error'] { box-shadow: inset 3px 0 var(--error); }
.check[data-status='fail'] .title { font-weight: 600; }
.check[open] .brief { display: none; }
.what { flex: 1; min-width: 0; }
.id { font-size: 0.75rem; }
.details { display: grid; gap: 1rem; padding: 0.875rem; }
.details details > summary, .more details > summary { color: var(--link); font-size: 0.875rem; width: fit-content; }
.facts-of div { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: 0 0.75rem; padding: 0.125rem 0.5rem; }
.facts-of dt { color: var(--quiet); font-size: 0.875rem; }
.facts-of code { white-space: pre-wrap; }
.facts-of .expected { background: var(--pass-soft); }
.facts-of .actual { background: var(--fail-soft); }
.sides { display: grid; gap: 1px; margin: 0.25rem 0 0.75rem; border: 1px solid var(--line); background: var(--line); }
.side { display: grid; gap: 0.375rem; align-content: start; padding: 0.75rem 0.875rem; min-width: 0; background: var(--sheet); }
.side details > :not(summary) { margin-top: 0.375rem; }
.first, .headers { font-family: var(--mono); font-size: 0.8125rem; }
.curl { margin-top: 0.25rem; max-height: 14rem; overflow: auto; user-select: all; }
mark { background: var(--place); color: inherit; border-radius: 3px; box-shadow: 0 0 0 2px var(--place); }

.layout .more { margin-top: 2.5rem; }
.more > ul { margin: 0.5rem 0; }
.layout .more > ul { padding: 0.25rem 0; background: var(--sheet); border: 1px solid var(--line); }
.layout .more > ul > li { padding: 0.375rem 0.875rem; }
.more ul ul, .details ul ul { padding-left: 1.25rem; }
.more ul ul li { padding: 0.125rem 0; }
.literals { line-height: 1.2; }
footer { border-top: 1px solid var(--line); font-size: 0.875rem; color: var(--quiet); }
footer h2, footer dt { color: var(--ink); }
.legend { display: grid; gap: 0.375rem 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); margin: 0.5rem 0 0.75rem; }
.legend div { display: flex; gap: 0.75rem; }
.legend dt { flex: none; width: 8rem; }

@media (min-width: 48rem) {
  .sides { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .details { padding: 1rem 1rem 1.5rem 2.75rem; }
}
@media (min-width: 68rem) {
  .layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
  .overview { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 0.75rem 0; }
}
@media (max-width: 48rem) {
  .toolbar { position: static; }
  .check > summary .tally { display: none; }
  .id { display: block; }
  .facts-of div { grid-template-columns: minmax(0, 1fr); }
}

body:has(#status-fail:checked) .check:not([data-status='fail'], :has(:target)),
body:has(#status-error:checked) .check:not([data-status='error'], :has(:target)),
body:has(#status-not-judged:checked) .check:not([data-status='not-judged'], :has(:target)),
body:has(#status-pass:checked) .check:not([data-status='pass'], :has(:target)) { display: none; }
body:has(#open-all:checked) .check::details-content { content-visibility: visible; display: block; block-size: auto; }
@media print {
  :root { color-scheme: light; }
  .skip, .toolbar, .curl, .cells { display: none; }
  .check:is([data-status='fail'], [data-status='error'])::details-content { content-visibility: visible; display: block; block-size: auto; }
  .check, .more li { break-inside: avoid-page; }
  .mark, .facts-of div { print-color-adjust: exact; }
}
`;
