// One request beside its answer: everything known about them, and ways to send it again.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { path } from '../api.js';
import { Badge, CopyButton, Field, html, Select, StatusBadge, submit, useApp, useRead } from '../elements.js';
import { bytes, dayAndTime, durationText, timeOf, jsonText } from '../format.js';
import { endpoints } from '../generated/endpoints.js';
import { JsonView } from '../json.js';
import { meaningfulHeaders } from './entries.js';

export function RequestDetail({ id }) {
  const { api, fail, go } = useApp();
  const heading = useRef();
  const isFirst = useRef(document.activeElement === document.body);
  const read = async () => {
    const entry = await api.get(path`/requests/${id}`);
    const { nearMisses } = entry.wasMatched ? { nearMisses: [] } : await api.get('/requests/unmatched/near-misses');
    return { entry, misses: nearMisses.find(({ request }) => request.id === id)?.endpoints ?? [] };
  };
  const { value: shown, error } = useRead(read, [id]) ?? {};
  useEffect(() => {
    if (!error) return;
    fail(error);
    go('journal');
  }, [error]);
  // In the same step in which it is shown: a focus that moved later would take what is typed meanwhile to another field.
  useLayoutEffect(() => {
    if (shown && !isFirst.current) heading.current.focus();
    if (shown) isFirst.current = false;
  }, [shown?.entry.id]);
  return html`<section class="detail" aria-label="Request">
    ${shown && html`<${Detail} key=${shown.entry.id} ...${shown} heading=${heading} />`}
  </section>`;
}

function Detail({ entry, misses, heading }) {
  const { api, go, target } = useApp();
  const { id, at, method, url, endpoint, agentId, response, curl, test } = entry;
  /** With its variables, so that it runs as it is pasted. */
  const command = `BASE_URL='${api.baseUrl}'; TOKEN='${target.token}'; ${curl}`;
  return html`<article class="stack">
    <header>
      <h2 tabindex="-1" ref=${heading}><span class="method">${method}</span> <span class="url">${url}</span></h2>
      <button type="button" title="Escape closes it too" onClick=${() => go('journal')}>Close</button>
    </header>
    <p class="facts">
      <${StatusBadge} status=${response.status} />
      <span>${endpoints[endpoint] ?? 'No endpoint'}</span>
      <span>#${id}</span>
      <span title="From the request to the end of its answer">${durationText(entry.duration)}</span>
      <time datetime=${at} title="By the clock of the session (UTC)">${dayAndTime(at).slice(0, 10)} ${timeOf(at)}</time>
      ${agentId && html`<a href=${`#agents/${encodeURIComponent(agentId)}`}>Show the agent</a>`}
    </p>
    <${Resend} entry=${entry}>
      ${curl !== null && html`<${CopyButton} text=${() => command}>Copy as curl<//>`}
      ${test !== null && html`<${CopyButton} text=${() => test}>Copy as test<//>`}
    <//>
    <${Note} kind="warn" title="It belongs to no endpoint; these are the nearest" rows=${misses.map(miss)} />
    <${Note} kind="bad" title="Warnings" rows=${entry.violations.map(warning)} />
    <${Note} title="What shaped the answer" rows=${influences(entry)} />
    <div class="tiles">
      <${Side} title="Request" message=${entry} none="No body was sent." />
      <${Side} title="Answer" message=${response} none="The body is empty." />
    </div>
  </article>`;
}

/** Sends the request again with the token of the session, at once or from a form; the journal then shows it. */
function Resend({ entry: { method, url, headers, body }, children }) {
  const { api, target, go, report, fail } = useApp();
  const [isOpen, setOpen] = useState(false);
  const field = useRef();
  useLayoutEffect(() => isOpen && field.current.focus(), [isOpen]);
  const content = jsonText(body ?? '');
  const send = async (sent) => {
    try {
      const authorization = `Bearer ${target.token}`;
      const own = sent.headers ?? meaningfulHeaders(headers);
      const status = await api.send({ ...sent, headers: { authorization, ...own } });
      report(`It was answered with ${status}.`);
    } catch (error) {
      // A broken connection counts as an answer: the journal has it.
      fail(error);
    }
    const { requests } = await api.get('/requests?limit=1');
    if (requests[0]) go(`journal/${requests[0].id}`);
  };
  const sendEdited = ({ lines, ...edited }) => {
    const named = lines.split('\n').filter((line) => line.includes(':'));
    const own = Object.fromEntries(named.map((line) => line.split(/:(.*)/s, 2).map((part) => part.trim())));
    return send({ ...edited, headers: own, body: edited.body || undefined });
  };
  const lines = Object.entries(meaningfulHeaders(headers)).map((pair) => pair.join(': '));
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((one) => [one, one]);
  return html`<div class="actions">
      <button type="button" onClick=${() => send({ method, url, body: content || undefined })}>Send again</button>
      <button type="button" aria-expanded=${String(isOpen)} onClick=${() => setOpen(!isOpen)}>Edit and send</button>
      ${children}
    </div>
    <form class="stack" hidden=${!isOpen} onSubmit=${submit(sendEdited)}>
      <div class="fields">
        <${Field} label="Method"><${Select} name="method" options=${methods} value=${method} /><//>
        <${Field} label="Path">
          <input ref=${field} name="url" defaultValue=${url} required pattern="/.*" spellcheck=${false} />
        <//>
      </div>
      <${Field} label="Headers" hint="The token of the session is sent, unless you name another.">
        <textarea name="lines" rows=${lines.length + 1} spellcheck=${false} defaultValue=${lines.join('\n')} />
      <//>
      <${Field} label="Body"><textarea name="body" rows="8" spellcheck=${false} defaultValue=${content} /><//>
      <div class="actions"><button>Send</button></div>
    </form>`;
}

const Note = ({ kind, title, rows }) =>
  rows.length > 0 &&
  html`<section class=${`note ${kind}`}>
    <h3>${title}</h3>
    <ul>
      ${rows.map((row) => html`<li>${row}</li>`)}
    </ul>
  </section>`;

const miss = ({ endpoint, method, path: wanted, differences }) =>
  html`<code>${method} ${wanted}</code> ${endpoints[endpoint] ?? endpoint}
    <ul>
      ${differences.map((one) => html`<li>${one}</li>`)}
    </ul>`;

const warning = ({ location: place, severity, message }) =>
  html`<${Badge} kind=${severity === 'Error' ? 'bad' : 'warn'}>${severity}<//>
    <code>${place.join('/')}</code> ${message}`;

/** What shaped the answer besides the data. */
function influences({ plan, applied, response }) {
  const { delay, rate, connection } = response.delivery ?? {};
  return [
    plan !== null && html`Plan <a href="#plans">${plan}</a>`,
    ...applied.map((preference) => html`Preference <code>${preference}</code>`),
    delay > 0 && `Delayed by ${durationText(delay)}`,
    rate !== undefined && `Sent at ${rate} bytes a second`,
    connection !== undefined && html`Connection fault <code>${connection}</code>`,
  ].filter(Boolean);
}

function Side({ title, message: { headers, body, size }, none }) {
  const isText = typeof body === 'string';
  return html`<section class="side">
    <h3>${title}</h3>
    <details open>
      <summary>Body ${size > 0 && html`<span class="quiet">${bytes(size)}</span>`}</summary>
      ${body === null && html`<p class="hint">${none}</p>`} ${isText && html`<pre tabindex="0">${body}</pre>`}
      ${!isText && body !== null && html`<${JsonView} value=${body} />`}
      ${body !== null && html`<${CopyButton} text=${() => jsonText(body)}>Copy body<//>`}
    </details>
    <details>
      <summary>Headers (${Object.keys(headers).length})</summary>
      <dl class="headers">
        ${Object.entries(headers).map(([name, value]) => [html`<dt class="quiet">${name}</dt>`, html`<dd>${value}</dd>`])}
      </dl>
    </details>
  </section>`;
}
