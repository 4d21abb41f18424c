import { useState } from 'preact/hooks';
import { agentPath, Badge, Command, html, useApp } from '../elements.js';
import { OperationButton, OperationForm } from '../form.js';
import { counted, dayAndTime } from '../format.js';

export const sessionsPanel = { id: 'sessions', title: 'Sessions', View: Sessions };

const SHARED = 'Shared session';

function Sessions() {
  const { sessions: all, session, feed, target } = useApp();
  const [from, setFrom] = useState();
  const options = { from: all.map(({ id }) => [id, `A copy of: ${id || SHARED}`]) };
  const creating = { id: 'createSession', verb: 'Create', done: 'The session is there.', value: { from }, options };
  return html`<div class="head"><h1>Sessions</h1></div>
    <p class="hint">
      Separate worlds, each with its own data, clock, faults and journal. This page shows one at a time.
    </p>
    <ul class="tiles">
      ${all.map((one) => html`<${Tile} key=${one.id} shown=${one} fork=${() => setFrom(one.id)} />`)}
    </ul>
    <${OperationForm} ...${creating} key=${from} after=${({ id }) => id === session && feed.start()} />
    <p class="hint">
      A request names its session by a header or by a prefix of its path; a new name creates a new session.
    </p>
    <${Command} baseUrl=${location.origin} path=${agentPath(target)} headers=${{ 'X-Mock-Session': 'my-test' }} />
    <${Command} baseUrl=${`${location.origin}/_s/my-test`} path=${agentPath(target)} />`;
}

function Tile({ shown: { id, now, frozen, faults, requests, created }, fork }) {
  const { session, show } = useApp();
  const isShown = id === session;
  const end = { id: 'endSession', params: { sessionId: id }, verb: 'End', done: 'The session has ended.' };
  const question = `End the session ${id}? Everything in it is forgotten.`;
  return html`<li class="card" aria-current=${isShown}>
    <h2>${id || SHARED}</h2>
    <p class="remarks">
      ${isShown && html`<${Badge} kind="accent">shown<//>`} ${frozen && html`<${Badge}>clock stands still<//>`}
      ${faults.length > 0 && html`<${Badge} kind="bad">${counted(faults.length, 'fault')}<//>`}
    </p>
    <p class="quiet">${dayAndTime(now)} · ${counted(requests, 'request')} · ${created} created</p>
    <div class="actions">
      ${!isShown && html`<button type="button" onClick=${() => show(id)}>Look at it</button>`}
      <button type="button" onClick=${fork}>Fork</button>
      ${id !== '' && html`<${OperationButton} ...${end} kind="danger" question=${question} after=${() => isShown && show('')} />`}
    </div>
  </li>`;
}
