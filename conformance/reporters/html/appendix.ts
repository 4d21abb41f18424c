import type { CreatedOnTarget, ObservedProfile, Report } from '../../report/report.ts';
import type { Evidence } from '../../shape/evidence.ts';
import { bar } from './bar.ts';
import type { Anchors } from './check.ts';
import { html, multiline, type Markup } from './markup.ts';
import { compareSections } from '../wording/sections.ts';
import { choiceWords, counted, depthOf, grouped, unjudgedBySupply } from '../wording/wording.ts';

/** The unjudged checks, grouped by what to supply and by reason. */
export function notJudged({ checks }: Report, anchors: Anchors): Markup | false {
  const groups = unjudgedBySupply(checks);
  return (
    groups.length > 0 &&
    html`<section id="not-judged" aria-labelledby="not-judged-title">
      <h2 id="not-judged-title">Not judged</h2>
      <p class="hint">Something was missing that the run needs. This says nothing about the target, good or bad.</p>
      <ul class="cards">
        ${groups.map(
          ({ supply, checks: members, reasons }) =>
            html`<li class="card">
              <h3>
                ${supply === undefined ? 'Nothing that you could supply' : html`Supply <bdi class="supply">${supply}</bdi>`}
                <span class="tally">${counted(members.length, 'check')}</span>
              </h3>
              ${reasons.map(
                (reason) =>
                  html`<p class="why"><bdi>${reason.says}</bdi></p>
                    <ul class="plain">
                      ${reason.checks.map(
                        (check) =>
                          html`<li>
                            <a href="#${anchors(check)}"><bdi>${check.title}</bdi></a>
                          </li>`,
                      )}
                    </ul>`,
              )}
            </li>`,
        )}
      </ul>
    </section>`
  );
}

/** How much of the documented shape was seen. */
export function evidence(report: Report): Markup | false {
  if (report.evidence.length === 0) return false;
  const { typed, seen, nulls } = depthOf(report);
  const allNulls = nulls > 0 ? `, ${counted(nulls, 'place')} seen as null` : '';
  return html`<section id="evidence" aria-labelledby="evidence-title">
    <h2 id="evidence-title">Depth of evidence</h2>
    <p class="hint">
      Judged ${grouped(seen)} of ${grouped(typed)} typed locations${allNulls}. The run cannot judge what it never saw: a
      field that is in no answer cannot break the contract.
    </p>
    <ul class="cards">
      ${report.evidence.map(evidenceOf)}
    </ul>
  </section>`;
}

function evidenceOf({ schema, typed, seenValid, seenNull, neverSeen }: Evidence): Markup {
  const nulls = Math.max(0, Math.min(seenNull, typed - seenValid - neverSeen.length));
  const words = `${seenValid} of ${typed} seen valid, ${seenNull} seen as null, ${neverSeen.length} never seen`;
  return html`<li class="card evidence">
    <h3>
      <code>${schema}</code>
      <span class="tally"
        >${grouped(seenValid)} of ${grouped(typed)}${seenNull > 0 && `, ${grouped(seenNull)} as null`}</span
      >
    </h3>
    ${bar(
      [
        { name: 'valid', size: seenValid },
        { name: 'null', size: nulls },
      ],
      typed,
      words,
    )}
    ${
      neverSeen.length > 0 &&
      html`<details>
        <summary>${counted(neverSeen.length, 'place')} never seen</summary>
        <ul class="pointers">
          ${neverSeen.map((pointer) => html`<li><code>${pointer === '' ? 'the whole body' : pointer}</code></li>`)}
        </ul>
      </details>`
    }
  </li>`;
}

/** What the target does where the specification leaves the choice open. */
export function observations({ observations: all, observedProfile }: Report): Markup | false {
  if (all.length === 0) return false;
  const ordered = all.toSorted((one, other) => compareSections(one.section, other.section));
  return html`<section id="observations" aria-labelledby="observations-title">
    <h2 id="observations-title">Observed choices</h2>
    <p class="hint">The specification leaves these open. Whatever the target does here, it is never a failure.</p>
    <ul class="choices">
      ${ordered.map(
        ({ gap, section, question, choice, seen }) =>
          html`<li>
            <p class="question"><span class="number">${section}</span> <bdi>${question}</bdi></p>
            <p class="choice">
              ${choice === undefined ? html`<span class="unknown">None of the known choices</span>` : html`<bdi>${choiceWords(gap, choice)}</bdi>`}
            </p>
            <p class="seen">Seen: <bdi>${seen}</bdi></p>
          </li>`,
      )}
    </ul>
    ${asProfile(observedProfile)}
  </section>`;
}

function asProfile(profile: ObservedProfile): Markup | false {
  const known = Object.keys(profile).length;
  return (
    known > 0 &&
    html`<div class="curl">
      <p class="label">As a profile of the mock: ${counted(known, 'choice')}</p>
      <p class="hint">
        Save it as <code>profile.json</code>, and <code>agent-contract mock --profile profile.json</code> answers like
        this target.
      </p>
      <pre
        tabindex="0"
        aria-label="The observed profile"
      ><code>${multiline(JSON.stringify(profile, null, 2))}</code></pre>
    </div>`
  );
}

/** What the run created on the target. */
export function created(all: readonly CreatedOnTarget[]): Markup | false {
  return (
    all.length > 0 &&
    html`<section id="created" aria-labelledby="created-title">
      <h2 id="created-title">Created on the target</h2>
      <p class="hint">These stay until somebody removes them, since the service has no operation that deletes.</p>
      <ul class="created">
        ${all.map(
          ({ kind, id, name }) =>
            html`<li><span class="kind">${kind}</span> <code>${id}</code> <bdi>${name}</bdi></li>`,
        )}
      </ul>
    </section>`
  );
}
