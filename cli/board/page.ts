import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gaps, levelIds, levels, requirements } from '../../spec/index.ts';
import { html, type Markup } from '../../conformance/reporters/html/markup.ts';
import { htmlPage } from '../../conformance/reporters/html/page.ts';
import { choiceRows, levelCells, signs, rows, type Board, type Column, type TrendPoint } from './board.ts';

const css = readFileSync(path.join(__dirname, 'board.css'), 'utf8');

/** The board as one page. It loads nothing, and needs its script only for filters. */
export function boardPage(board: Board): string {
  const { columns, regressions, leftOut } = board;
  const body = html`<header class="board-head">
      <h1>Conformance to the Agent Builder Service</h1>
      <p class="quiet">
        ${columns.length} columns, one for each version of a product, as its newest run shows it.
        ${leftOut > 0 && `${leftOut} older versions are in the JSON file of each run.`} A name leads to its report.
      </p>
    </header>
    ${regressions.length > 0 && alarm(board)} ${filters(columns)}
    <main id="board" tabindex="-1">
      ${table(['What is claimed and held', 'Level'], 'levels', columns, levelRows(columns))}
      ${table(['Requirements by section', 'Requirement'], 'requirements', columns, requirementRows(columns))}
      ${table(['Observed choices: the specification leaves them open', 'Question'], 'choices', columns, choicesOf(columns))}
      <h2>Trends</h2>
      ${Object.entries(board.trends).map(([product, points]) => points.length > 1 && trend(product, points))}
    </main>`;
  const title = `Conformance of ${columns.length} servers`;
  return htmlPage({ title, skip: ['board', 'Skip to the table'], body, css, script });
}

function alarm({ regressions }: Board): Markup {
  return html`<section class="alarm" aria-label="Regressions">
    <h2>Regressions</h2>
    <ul>
      ${regressions.map(
        ({ product, requirement, since }) =>
          html`<li>
            <bdi>${product}</bdi> breaks <a href="#row-${requirement}">${requirement}</a>, since ${since.slice(0, 10)}
          </li>`,
      )}
    </ul>
  </section>`;
}

function filters(columns: readonly Column[]): Markup {
  const products = [...new Set(columns.map(({ product }) => product))];
  const options = columns.map(
    ({ product, version }, index) => html`<option value="${index}">${`${product} ${version}`.trim()}</option>`,
  );
  const choice = (label: string, name: string, first: string, rest: Markup | readonly Markup[]): Markup =>
    html`<label>
      ${label}
      <select name="${name}">
        <option value="">${first}</option>
        ${rest}
      </select>
    </label>`;
  const rowsOption = html`<option value="broken">broken somewhere</option>
    <option value="differs">that differ</option>`;
  return html`<form class="filters" aria-label="Filters">
    ${choice(
      'Product',
      'product',
      'all',
      products.map((name) => html`<option>${name}</option>`),
    )}
    ${choice('Rows', 'rows', 'all', rowsOption)} ${choice('Compare', 'one', 'none', options)}
    ${choice('with', 'other', 'none', options)}
  </form>`;
}

interface Row {
  readonly id: string;
  readonly section?: string;
  readonly title: string;
  readonly cells: readonly { readonly status: string; readonly text: string; readonly hint: string }[];
}

function table(
  [title, kind]: readonly [string, string],
  id: string,
  columns: readonly Column[],
  all: readonly Row[],
): Markup {
  return html`<section aria-label="${title}" id="${id}">
    <h2>${title}</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="${title}, a wide table">
      <table>
        <thead>
          <tr>
            <th scope="col">${kind}</th>
            ${columns.map(
              ({ id: report, product, version, verdict, startedAt, edition }) =>
                html`<th scope="col" data-product="${product}">
                  <a
                    href="reports/${report}.html"
                    title="${`${verdict}, ${startedAt.slice(0, 10)}, contract ${edition}`}"
                    ><bdi>${product}</bdi> <b><bdi>${version}</bdi></b></a
                  >
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${all.map((row) => rowElement(row, columns))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function rowElement({ id, section, title, cells }: Row, columns: readonly Column[]): Markup {
  return html`<tr id="row-${id}">
    <th scope="row" title="${title}">${section !== undefined && html`<span class="number">${section}</span> `}${id}</th>
    ${cells.map(
      ({ status, text, hint }, index) =>
        html`<td data-product="${columns[index]?.product ?? ''}" data-status="${status}" title="${hint}">${text}</td>`,
    )}
  </tr>`;
}

const cellWords = { pass: 'passed', fail: 'failed', 'not-judged': 'not judged', 'not-asked': 'not asked' } as const;

function requirementRows(columns: readonly Column[]): readonly Row[] {
  return rows.map((id) => ({
    id,
    section: requirements[id].section,
    title: requirements[id].statement,
    cells: columns.map(({ cells, product, version }) => {
      const status = cells[id];
      return { status, text: signs[status], hint: `${product} ${version}: ${cellWords[status]}` };
    }),
  }));
}

function levelRows(columns: readonly Column[]): readonly Row[] {
  return levelIds.map((id) => ({
    id,
    title: levels[id].title,
    cells: columns.map(({ levels: all, product, version }) => {
      const state = all[id] ?? 'not-judged';
      const status = levelCells[state];
      return { status, text: signs[status], hint: `${product} ${version}: ${state}` };
    }),
  }));
}

function choicesOf(columns: readonly Column[]): readonly Row[] {
  return choiceRows(columns).map(({ gap }) => ({
    id: gap,
    section: gaps[gap].section,
    title: gaps[gap].question,
    cells: columns.map(({ choices }) => {
      const choice = choices[gap] ?? '';
      const meaning: Readonly<Record<string, string>> = gaps[gap].choices;
      return { status: 'choice', text: choice, hint: meaning[choice] ?? '' };
    }),
  }));
}

/** The runs of a product as stacked bars: what passed, was not judged, failed. */
function trend(product: string, points: readonly TrendPoint[]): Markup {
  const width = 640;
  const step = width / Math.max(points.length, 20);
  const bars = points.map(({ counts: { pass, fail, notJudged, error }, startedAt, version, outcome }, index) => {
    const all = Math.max(1, pass + fail + notJudged + error);
    const [failed, open] = [(60 * fail) / all, (60 * (notJudged + error)) / all];
    const height = fail > 0 ? Math.max(3, failed) : 0;
    const x = (index * step).toFixed(1);
    const bar = (kind: string, y: number, tall: number): Markup =>
      html`<rect
        class="${kind}"
        x="${x}"
        y="${y.toFixed(1)}"
        width="${(step * 0.85).toFixed(1)}"
        height="${tall.toFixed(1)}"
      />`;
    return html`<g>
      <title>${`${startedAt.slice(0, 16)} ${version}: ${outcome}, ${pass} passed, ${fail} failed`}</title>
      ${bar('pass', 0, 60)}${bar('idle', 60 - height - open, open)}${bar('fail', 60 - height, height)}
    </g>`;
  });
  const last = points.at(-1);
  return html`<figure data-product="${product}">
    <figcaption><bdi>${product}</bdi>: ${points.length} runs, the last ${last?.outcome ?? ''}</figcaption>
    <svg
      viewBox="0 0 ${width} 60"
      preserveAspectRatio="none"
      role="img"
      aria-label="${`${product}: ${points.length} runs`}"
    >
      ${bars}
    </svg>
  </figure>`;
}

const script = `
const form = document.querySelector('form');
const apply = () => {
  const { product, rows, one, other } = Object.fromEntries(new FormData(form));
  const pair = one !== '' && other !== '' ? [Number(one), Number(other)] : undefined;
  for (const row of document.querySelectorAll('tr')) {
    const cells = [...row.querySelectorAll('td, thead th:not(:first-child)')];
    cells.forEach((cell, index) => {
      cell.hidden = pair ? !pair.includes(index) : product !== '' && cell.dataset.product !== product;
    });
    if (row.parentElement.tagName !== 'TBODY') continue;
    const seen = cells.filter((cell) => !cell.hidden);
    const differs = new Set(seen.map((cell) => cell.textContent)).size > 1;
    const broken = seen.some((cell) => cell.dataset.status === 'fail');
    row.hidden = (rows === 'broken' && !broken) || ((rows === 'differs' || pair !== undefined) && !differs);
  }
  for (const figure of document.querySelectorAll('figure')) figure.hidden = product !== '' && figure.dataset.product !== product;
};
form.addEventListener('change', apply);
apply();
`;
