import type { HttpRequest } from '../../conformance/index.ts';
import { proofNow } from '../target.ts';
import type { Permitted, PermittedServers, Wrap } from './server.ts';
import { accepting, adding, jsonOf, isList, makesWorkspace, mapStrings, withBody, withText } from './server.ts';

const writing = (change: (text: string) => string): Wrap =>
  accepting((answer) => withText(answer, change(new TextDecoder().decode(answer.body))));

const writingTimes = (
  write: (ms: number) => string | bigint | number,
  isWritten: (request: HttpRequest) => boolean = () => true,
): Wrap =>
  accepting((answer, request) => {
    if (!isWritten(request)) return answer;
    return withBody(
      answer,
      mapStrings(jsonOf(answer), (text) => (Date.parse(text) ? String(write(Date.parse(text))) : text), /^createdAt$/),
    );
  });

/** As a server writes them whose times are those of a zone that it does not name. */
function localTimes(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (ms) => format.format(ms);
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Writes times that cannot be read or trusted, so that order and windows cannot be judged. */
const unreadable = (write: (ms: number) => string | bigint): Permitted => ({
  wrap: writingTimes(write),
  notJudged: /newest-first|time-filter|cursor-keeps-filter|windows/,
});

/** How far a clock may differ from ours, in either direction, if no `Date` shows it. */
const spans = { 'six hours': 0.25, 'forty days': 40, 'three years': 1096 };

/** How a server may write its answers, and the times in them, and which clock it may use. */
export const times: PermittedServers = {
  'replaces public ids and slugs with its own': writing((text) =>
    text.replace(/"(publicId|slug)":"([^"]*)"/g, '"$1":"own-$2"'),
  ),
  'writes every character beyond ASCII as an escape': writing((text) =>
    // oxlint-disable-next-line no-control-regex
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ),
  'writes spaces and line feeds around its JSON': writing((text) => `\r\n  ${text}\n\n`),
  'repeats a name within an object': writing((text) => text.replace(/^\{/, '{"_v":1,"_v":2,')),
  'declares its answers as plain text': adding({ 'content-type': 'text/plain' }),
  'writes times as ticks of a hundred nanoseconds': unreadable((ms) => BigInt(ms) * 10_000n + 621_355_968_000_000_000n),
  'writes times as snowflakes': unreadable((ms) => BigInt(ms) << 22n),
  'writes times in another calendar': unreadable((ms) =>
    new Date(ms).toISOString().replace(/^\d+/, (year) => String(Number(year) + 543)),
  ),
  'writes local times without a zone': unreadable(localTimes('America/New_York')),
  'writes local times of Lord Howe, where clocks change by half an hour, without a zone': unreadable(
    localTimes('Australia/Lord_Howe'),
  ),
  'writes local times of the zone that is asked for, without naming it': {
    wrap: accepting((answer, { url }) => {
      const zone = new URL(url).searchParams.get('timeZone');
      if (zone === null) return answer;
      return withBody(
        answer,
        mapStrings(jsonOf(answer), (text) => localTimes(zone)(Date.parse(text)), /^createdAt$/),
      );
    }),
  },
  'writes times with the day first': writingTimes((ms) =>
    new Date(ms).toISOString().replace(/^(\d+)-(\d+)-(\d+)T([\d:]+).*$/, '$3.$2.$1 $4'),
  ),
  'writes times as microseconds since 1970': writingTimes((ms) => ms * 1000),
  'dates workspaces by the day': writingTimes((ms) => new Date(ms - (ms % DAY)).toISOString(), makesWorkspace),
  'dates results by a machine that is ten minutes fast': writingTimes(
    (ms) => new Date(ms + 10 * MINUTE).toISOString(),
    isList,
  ),
  'writes times in seconds': writingTimes((ms) => new Date(ms).toISOString().replace(/\.\d+/, '')),
  'has a clock that is three minutes fast': { options: { now: proofNow + 3 * MINUTE } },
  'has a clock that is fifty minutes slow': { options: { now: proofNow - 50 * MINUTE } },
  ...Object.fromEntries(
    Object.entries(spans).flatMap(([span, days]) =>
      [1, -1].map((sign) => [
        `has a clock that is ${span} ${sign > 0 ? 'fast' : 'slow'}, and sends no Date that shows it`,
        { options: { now: Date.now() + sign * days * DAY }, run: { now: undefined } },
      ]),
    ),
  ),
  'sends the Date of its own clock, which differs from ours': {
    wrap: adding({ date: new Date(proofNow).toUTCString() }),
    run: { now: undefined },
  },
  'sends the Date of another clock than the one for creation times': {
    wrap: adding({ date: new Date(proofNow - 400 * DAY).toUTCString() }),
    run: { now: undefined },
  },
};
