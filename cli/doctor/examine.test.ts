import { tinyService, type TinyAnswer, type TinyOptions } from '../../conformance/testing/tiny-service.ts';
import { TransportError } from '../../http/explain-failure.ts';
import examined from '../testing/examined.json';
import { examine } from './examine.ts';

interface Row {
  readonly what: string;
  /** Those that differ; null for none. */
  readonly options?: Readonly<Record<string, string | null>>;
  /** Of the results: how many, and their hours. */
  readonly ages?: readonly (readonly [number, number])[];
  /** The end of the paths for which the service does not answer itself. */
  readonly at?: string;
  readonly answer?: TinyAnswer | 'none';
  readonly withoutToken?: TinyAnswer;
  /** The state, the description, and the remedy. */
  readonly says: string;
}

const now = Date.UTC(2026, 4, 20, 15, 30);

test.each(examined as unknown as readonly Row[])('$what of $options, $ages, $answer at $at: $says', async (row) => {
  const { what, options = {}, ages: counts, at = '', answer, withoutToken, says } = row;
  const before: TinyOptions['before'] = ({ path, authorization }, own) => {
    if (authorization === undefined && withoutToken) return withoutToken;
    if (!answer || !path.endsWith(at)) return { ...own(), headers: { date: new Date(now).toUTCString() } };
    if (answer === 'none') throw new TransportError('timeout', 'It took too long.');
    return answer;
  };
  const ages = counts?.flatMap(([count, hours]) => Array.from({ length: count }, () => hours));
  const { transport } = tinyService({ now, before, ...(ages && { ages }) });
  const sleep = (): Promise<void> => Promise.resolve();
  const main = { baseUrl: 'http://127.0.0.1:8080', token: 'good', agentId: 'main', transport, now, sleep };
  const given = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value ?? undefined]));
  const { findings } = await examine({ ...main, ...given });
  const found = findings.find((one) => one.what === what);
  expect([`${found?.state}: ${found?.says}`, found?.fix].filter(Boolean).join(' | ')).toBe(says);
});
