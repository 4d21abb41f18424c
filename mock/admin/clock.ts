import { Duration } from 'luxon';
import type { Json } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import { parseInstant, type Clock } from '../session/clock.ts';
import type { Session } from '../session/session.ts';
import { json, member, object, routesOf, type AdminAnswer, type RouteRow } from './admin-route.ts';
import type { Schema } from './validators.ts';

const instant = { type: 'string', format: 'date-time', description: 'RFC 3339, such as 2026-05-20T15:30:00Z.' };

const shown = ({ clock }: Session): AdminAnswer =>
  json({ now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen });

/** A route that changes the clock, and then shows it. */
const change = (verb: string, summary: string, set: (clock: Clock, body: Json) => void, body?: Schema): RouteRow => ({
  on: `POST /clock/${verb}`,
  summary,
  body,
  run({ session, body: sent }) {
    set(session.clock, sent);
    return shown(session);
  },
});

const duration = {
  type: ['number', 'string'],
  description: 'Milliseconds, or an ISO 8601 duration such as P1D or -PT2H.',
};

/** The session's clock, which decides every timestamp and time window. */
export const clockRoutes = routesOf('Clock', {
  getClock: { on: 'GET /clock', summary: 'Show the time of the session', run: ({ session }) => shown(session) },
  freezeClock: change(
    'freeze',
    'Stop the clock, now or at an instant',
    (clock, body) => {
      const at = member<string | undefined>(body, 'at');
      clock.freeze(at === undefined ? undefined : readInstant(at));
    },
    object({ at: instant }),
  ),
  setClock: change(
    'set',
    'Move the clock to an instant; it keeps running, or stays stopped',
    (clock, body) => clock.set(readInstant(member<string>(body, 'at'))),
    object({ at: instant }, ['at']),
  ),
  advanceClock: change(
    'advance',
    'Move the clock by a duration',
    (clock, body) => clock.advance(readSpan(member<string | number>(body, 'by'))),
    object({ by: duration }, ['by']),
  ),
  resumeClock: change('resume', 'Start a stopped clock from where it is', (clock) => clock.resume()),
});

/** @throws MockError */
function readInstant(text: string): number {
  const at = parseInstant(text);
  if (Number.isNaN(at))
    throw new MockError(
      `at is ${JSON.stringify(text.slice(0, 60))}; it must be an instant such as 2026-05-20T15:30:00Z.`,
    );
  return at;
}

/** @throws MockError */
function readSpan(by: string | number): number {
  const span = typeof by === 'number' ? by : Duration.fromISO(by).toMillis();
  if (!Number.isFinite(span))
    throw new MockError(`by is ${JSON.stringify(by)}; it must be milliseconds or an ISO 8601 duration such as P1D.`);
  return span;
}
