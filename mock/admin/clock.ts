import { Duration } from 'luxon';
import { MockError } from '../mock-error.ts';
import { parseInstant } from '../session/clock.ts';
import type { Session } from '../session/session.ts';
import { json, member, object, routesOf, type AdminAnswer } from './admin-route.ts';

const instant = { type: 'string', description: 'RFC 3339, such as 2026-05-20T15:30:00Z.' };

const shown = ({ clock }: Session): AdminAnswer =>
  json({ now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen });

/** The session's clock, which decides every timestamp and time window. */
export const clockRoutes = routesOf('Clock', {
  getClock: {
    on: 'GET /clock',
    summary: 'Show the time of the session',
    run: ({ session }) => shown(session),
  },
  freezeClock: {
    on: 'POST /clock/freeze',
    summary: 'Stop the clock, now or at an instant',
    body: object({ at: instant }),
    run: ({ session, body }) => {
      const at = member<string | undefined>(body, 'at');
      session.clock.freeze(at === undefined ? undefined : readInstant(at));
      return shown(session);
    },
  },
  setClock: {
    on: 'POST /clock/set',
    summary: 'Move the clock to an instant; it keeps running, or stays stopped',
    body: object({ at: instant }, ['at']),
    run: ({ session, body }) => {
      session.clock.set(readInstant(member<string>(body, 'at')));
      return shown(session);
    },
  },
  advanceClock: {
    on: 'POST /clock/advance',
    summary: 'Move the clock by a duration',
    body: object(
      {
        by: { type: ['number', 'string'], description: 'Milliseconds, or an ISO 8601 duration such as P1D or -PT2H.' },
      },
      ['by'],
    ),
    run: ({ session, body }) => {
      session.clock.advance(readSpan(member<string | number>(body, 'by')));
      return shown(session);
    },
  },
  resumeClock: {
    on: 'POST /clock/resume',
    summary: 'Start a stopped clock from where it is',
    run: ({ session }) => {
      session.clock.resume();
      return shown(session);
    },
  },
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
