import { html, trusted } from '../../conformance/reporters/html/markup.ts';
import { allowScript, contentPolicy } from '../../conformance/reporters/html/policy.ts';
import { style as reportStyle } from '../../conformance/reporters/html/style.ts';
import { script } from './page-script.ts';

/** The report's style, and what only this page needs. */
const style = `${reportStyle}
.live { display: grid; gap: 2.5rem; grid-template-columns: minmax(0, 1fr); max-width: 82rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
.live h2 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; margin-bottom: 0.5rem; }
.live h2 .tally { margin-left: auto; }
.links { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 1rem; }
.findings, .needs { display: grid; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.findings li, .needs li { display: flex; gap: 1rem; padding: 0.625rem 0.875rem; background: var(--sheet); }
.findings li { box-shadow: inset 3px 0 var(--fail); }
.findings .tally, .needs .tally { margin-left: auto; }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--sheet); max-height: 32rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
th { position: sticky; top: 0; background: var(--sunk); text-align: left; font-size: 0.8125rem; color: var(--quiet); }
th, td { padding: 0.4375rem 0.875rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th, td:nth-child(-n + 2) { white-space: nowrap; }
td.path { font-family: var(--mono); font-size: 0.8125rem; min-width: 12rem; }
td.number, th.number { text-align: right; white-space: nowrap; }
tr[data-status='fail'] { box-shadow: inset 3px 0 var(--fail); }
tr[data-status='fail'] .says { color: var(--fail); }
.says { color: var(--quiet); min-width: 12rem; }
.live-tools { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; margin-bottom: 0.75rem; font-size: 0.875rem; }
.live-tools label { display: flex; gap: 0.375rem; align-items: center; min-height: 2.125rem; }
#connection[data-status='fail'] { color: var(--fail); }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: 0.5rem 0.875rem; border-bottom: 1px solid var(--line); }
  td, td.number { display: inline; padding: 0 0.5rem 0 0; border: 0; text-align: left; }
  td.path, td.says { display: block; min-width: 0; }
}
`;

/** The live page: the verdict, the findings and the traffic. Its script fills it. */
export const page = `${
  html`<!doctype html>
    <html lang="en" data-outcome="partial">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Proxy · agent-contract</title>
        <link rel="icon" href="data:," />
        ${trusted(`<style>${style}</style>`)}
      </head>
      <body>
        <a class="skip" href="#traffic">Skip to the traffic</a>
        <header class="verdict">
          <div class="wrap">
            <p class="brand"><b>agent-contract</b> proxy <span id="connection" role="status">connecting</span></p>
            <h1 id="outcome">Waiting</h1>
            <p class="target"><bdi id="upstream"></bdi></p>
            <p class="summary"><bdi id="summary">Nothing is judged yet.</bdi></p>
            <ul class="counts" id="counts"></ul>
            <p class="links">
              <a href="report.html">The report so far</a> <a href="report">as JSON</a>
              <a href="verdict">verdict as JSON</a>
            </p>
          </div>
        </header>
        <main class="live">
          <section aria-labelledby="wrong-title">
            <h2 id="wrong-title">Findings <span class="tally" id="wrong-count"></span></h2>
            <ol class="findings" id="findings" hidden=""></ol>
            <p class="hint" id="no-findings">No finding so far.</p>
          </section>
          <section aria-labelledby="traffic-title">
            <h2 id="traffic-title">Traffic <span class="tally" id="traffic-count"></span></h2>
            <p class="live-tools">
              <label><input type="checkbox" id="only-wrong" /> Only findings</label>
              <button type="button" id="hold" aria-pressed="false">Hold</button>
            </p>
            <div class="table" id="traffic" tabindex="0" role="region" aria-labelledby="traffic-title">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Time</th>
                    <th scope="col">Method</th>
                    <th scope="col">Path</th>
                    <th scope="col" class="number">Status</th>
                    <th scope="col" class="number">ms</th>
                    <th scope="col">Judged</th>
                  </tr>
                </thead>
                <tbody id="rows"></tbody>
              </table>
              <p class="empty" id="no-rows">No traffic yet. Point a client at this address.</p>
            </div>
          </section>
          <section aria-labelledby="rest-title">
            <h2 id="rest-title">Not judged yet <span class="tally" id="rest-count"></span></h2>
            <p class="hint">What a client has to send, and how many checks that makes possible.</p>
            <ul class="needs" id="needs"></ul>
          </section>
        </main>
        <noscript><p class="empty">This page needs JavaScript. The report so far does not: report.html.</p></noscript>
        ${trusted(`<script>${script}</script>`)}
      </body>
    </html>`.markup
}\n`;

/** The page may only run its own script and style, and send requests to the proxy. */
export const policy = contentPolicy(style, allowScript(script), "connect-src 'self'", "frame-ancestors 'none'");
