// What is on in the session besides its data, in every view, with one button that switches it off.
import { html, useApp, useNow } from './elements.js';
import { counted, dayAndTime } from './format.js';

/** What the header shows, and the ids for examples: another profile has other ids. */
export async function readSession(api) {
  const names = ['clock', 'target', 'standing', 'health', 'sessions', 'faults', 'settings', 'plans'];
  const reads = names.map((name) => api.get(`/${name}`));
  const [clock, target, { standing }, health, { sessions }, { faults }, settings, { plans }] = await Promise.all(reads);
  const upstream = health.hasUpstream && (await api.get('/upstream'));
  const at = Date.parse(clock.now);
  /** `offset` is the difference between the session's clock and the browser's, in milliseconds. */
  const time = { offset: at - Date.now(), frozen: clock.frozen, at };
  return { clock: time, target, standing, health, sessions, faults, settings, plans, upstream };
}

/** A clock that is this far from ours was moved, in milliseconds. */
const MOVED = 60_000;

/** What differs from a session in which nothing was switched on: the panel that has it, its words, and what ends it. */
function whatIsOn({ faults, settings, plans, standing, clock, health, upstream }) {
  const { fixedDelay, delayDistribution, rateLimit } = settings;
  const open = plans.filter(({ isComplete }) => !isComplete).length;
  const latency = `latency ${delayDistribution?.type ?? `${fixedDelay} ms`}`;
  const limit = rateLimit && `limit ${rateLimit.requests} in ${rateLimit.seconds} s`;
  return [
    faults.length > 0 && ['behaviour', counted(faults.length, 'fault'), 'clearFaults'],
    (fixedDelay || delayDistribution) && ['behaviour', latency, 'updateSettings', { delayDistribution: null }],
    rateLimit && ['behaviour', limit, 'updateSettings', { rateLimit: null }],
    open > 0 && ['plans', counted(open, 'plan'), 'clearPlans'],
    standing.length > 0 && ['states', counted(standing.length, 'state'), 'clearStanding'],
    clock.frozen && ['clock', 'clock stands still', 'resumeClock', {}],
    !clock.frozen && Math.abs(clock.offset) > MOVED && ['clock', 'clock moved', 'setClock'],
    health.profile !== 'default' && ['behaviour', `profile ${health.profile ?? 'of its own'}`],
    upstream && ['states', 'upstream'],
  ].filter(Boolean);
}

/** Profile and upstream belong to the beginning of a session, so "all off" leaves them. */
export function Strip() {
  const app = useApp();
  const { operations, api, act } = app;
  const on = whatIsOn(app);
  if (on.length === 0) return null;
  const off = on.filter(([, , id]) => id);
  const send = (id, body) => {
    const { method, path, schema } = operations[id];
    const now = id === 'setClock' ? { at: new Date().toISOString() } : body;
    return api.call(method, path.replace('/__admin', ''), schema && now);
  };
  const allOff = () => act(() => Promise.all(off.map(([, , id, body]) => send(id, body))), 'All of it is off.');
  return html`<div class="strip" role="group" aria-label="What is on">
    <span class="label">On:</span>
    ${on.map(([panel, words]) => html`<a key=${words} class="badge warn" href=${`#${panel}`}>${words}</a>`)}
    ${off.length > 0 && html`<button type="button" class="link" onClick=${allOff}>All off</button>`}
  </div>`;
}

export function Time() {
  const { clock } = useApp();
  const at = new Date(useNow()).toISOString();
  const title = `The clock of the session${clock.frozen ? ', standing still' : ''} (UTC)`;
  return html`<time class=${clock.frozen && 'accent'} datetime=${at} title=${title}>
    ${dayAndTime(at)}<span class="wide">:${at.slice(17, 19)}</span>
  </time>`;
}
