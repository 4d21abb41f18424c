import { proofNow } from '../target.ts';
import { accepting, answering, textOf, withBody, type Permitted, type PermittedServers, type Wrap } from './server.ts';

/** Writes every creation time in another format. */
const writing = (write: (ms: number) => string | number): Wrap =>
  accepting((answer) =>
    withBody(
      answer,
      JSON.parse(textOf(answer), (name, value: unknown) =>
        name === 'createdAt' && typeof value === 'string' ? String(write(Date.parse(value))) : value,
      ),
    ),
  );

/** As a server writes them whose times are those of a zone that it does not name. */
function localTimes(timeZone: string): Wrap {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return writing((ms) => format.format(ms));
}

/** If times cannot be read or trusted, order and windows cannot be judged. */
const isAboutTime = (id: string): boolean => /newest-first|time-filter|cursor-keeps-filter|windows/.test(id);

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const asItIs: Wrap = (transport) => transport;

/** Sends a `Date`. */
const dated = (ms: number): Wrap =>
  answering((answer) => ({ ...answer, headers: { ...answer.headers, date: new Date(ms).toUTCString() } }));

/** A clock that differs from ours in either direction, and that no `Date` shows. */
const withClock = (span: string, ms: number): PermittedServers => ({
  [`has a clock that is ${span} fast, and sends no Date that shows it`]: ahead(ms),
  [`has a clock that is ${span} slow, and sends no Date that shows it`]: ahead(-ms),
});

const ahead = (ms: number): Permitted => ({
  wrap: asItIs,
  options: { now: Date.now() + ms },
  run: { now: undefined },
});

/** How a server may write times, and which clock it may use. */
export const times: PermittedServers = {
  'writes times as ticks of a hundred nanoseconds': {
    wrap: writing((ms) => String(BigInt(ms) * 10_000n + 621_355_968_000_000_000n)),
    notJudged: isAboutTime,
  },
  'writes times as snowflakes': { wrap: writing((ms) => String(BigInt(ms) << 22n)), notJudged: isAboutTime },
  'writes times in another calendar': {
    wrap: writing((ms) => new Date(ms).toISOString().replace(/^\d+/, (year) => String(Number(year) + 543))),
    notJudged: isAboutTime,
  },
  'writes local times without a zone': { wrap: localTimes('America/New_York'), notJudged: isAboutTime },
  'writes times as microseconds since 1970': writing((ms) => String(ms * 1000)),
  'writes local times of Lord Howe, where clocks change by half an hour, without a zone': {
    wrap: localTimes('Australia/Lord_Howe'),
    notJudged: isAboutTime,
  },
  'writes times in seconds': writing((ms) => new Date(ms).toISOString().replace(/\.\d+/, '')),
  'has a clock that is three minutes fast': { wrap: asItIs, options: { now: proofNow + 3 * MINUTE } },
  'has a clock that is fifty minutes slow': { wrap: asItIs, options: { now: proofNow - 50 * MINUTE } },
  ...withClock('six hours', 0.25 * DAY),
  ...withClock('forty days', 40 * DAY),
  ...withClock('three years', 1096 * DAY),
  'sends the Date of its own clock, which differs from ours': { wrap: dated(proofNow), run: { now: undefined } },
  'sends the Date of another clock than the one for creation times': {
    wrap: dated(proofNow - 400 * DAY),
    run: { now: undefined },
  },
};
