import { proofNow } from '../target.ts';
import { textOf, withBody, type Permitted, type Wrap } from './server.ts';

/** Writes every creation time in another format. */
const writing =
  (write: (ms: number) => string | number): Wrap =>
  (transport) =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    if (answer.status >= 300) return answer;
    const text = textOf(answer);
    return withBody(
      answer,
      JSON.parse(text, (name, value: unknown) =>
        name === 'createdAt' && typeof value === 'string' ? String(write(Date.parse(value))) : value,
      ),
    );
  };

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
const dated =
  (now: () => number): Wrap =>
  (transport) =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    return { ...answer, headers: { ...answer.headers, date: new Date(now()).toUTCString() } };
  };

/** How a server may write times, and which clock it may use. */
export const times: readonly Permitted[] = [
  {
    does: 'writes times as ticks of a hundred nanoseconds',
    wrap: writing((ms) => String(BigInt(ms) * 10_000n + 621_355_968_000_000_000n)),
    notJudged: isAboutTime,
  },
  { does: 'writes times as snowflakes', wrap: writing((ms) => String(BigInt(ms) << 22n)), notJudged: isAboutTime },
  {
    does: 'writes times in another calendar',
    wrap: writing((ms) => new Date(ms).toISOString().replace(/^\d+/, (year) => String(Number(year) + 543))),
    notJudged: isAboutTime,
  },
  {
    does: 'writes local times without a zone',
    wrap: localTimes('America/New_York'),
    notJudged: isAboutTime,
  },

  { does: 'writes times as microseconds since 1970', wrap: writing((ms) => String(ms * 1000)) },
  {
    does: 'writes local times of Lord Howe, where clocks change by half an hour, without a zone',
    wrap: localTimes('Australia/Lord_Howe'),
    notJudged: isAboutTime,
  },
  { does: 'writes times in seconds', wrap: writing((ms) => new Date(ms).toISOString().replace(/\.\d+/, '')) },
  { does: 'has a clock that is three minutes fast', wrap: asItIs, options: { now: proofNow + 3 * MINUTE } },
  { does: 'has a clock that is fifty minutes slow', wrap: asItIs, options: { now: proofNow - 50 * MINUTE } },
  ...[
    ['six hours', 0.25],
    ['forty days', 40],
    ['three years', 1096],
  ].flatMap(([span, days]) =>
    [1, -1].map((sign): Permitted => ({
      does: `has a clock that is ${span} ${sign > 0 ? 'fast' : 'slow'}, and sends no Date that shows it`,
      wrap: asItIs,
      options: { now: Date.now() + sign * Number(days) * DAY },
      run: { now: undefined },
    })),
  ),
  {
    does: 'sends the Date of its own clock, which differs from ours',
    wrap: dated(() => proofNow),
    run: { now: undefined },
  },
  {
    does: 'sends the Date of another clock than the one for creation times',
    wrap: dated(() => proofNow - 400 * DAY),
    run: { now: undefined },
  },
];
