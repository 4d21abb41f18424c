import { randomBytes } from 'node:crypto';
import { optional } from '../show.ts';
import type { Secret } from '../../text/curl.ts';
import type { Transport } from '../../http/exchange.ts';

/** A header without meaning that carries the run's canary in every request. */
export const CANARY_HEADER = 'x-agent-contract-canary';

/** A worthless secret in every request of a run: where an output shows it, our redaction has a hole. */
export function createCanary(): Required<Secret> {
  // Each of these signs is escaped by some notation.
  return { value: `canary1+/${randomBytes(18).toString('base64')}`, placeholder: '$CANARY' };
}

/** Refused requests that are tried without the canary, before any is accepted with it. */
const MAX_TRIES = 3;

/** Sends the canary with every request, unless the target refuses requests for it. Recorded requests do not show it. */
export function withCanary(transport: Transport, { value }: Secret): Transport {
  let [isKept, isDropped, tries] = [false, false, 0];
  let deciding: Promise<unknown> | undefined;
  return async (request, signal) => {
    if (isDropped) return transport(request, signal);
    const answer = await transport({ ...request, headers: { ...request.headers, [CANARY_HEADER]: value } }, signal);
    isKept ||= answer.status < 300;
    const { status } = answer;
    if (isKept || status < 400 || status >= 500 || status === 401 || status === 429) return answer;
    if (tries >= MAX_TRIES) {
      // Others that are in flight decide for this one.
      await deciding?.catch(() => undefined);
      return isDropped ? transport(request, signal) : answer;
    }
    tries++;
    const plain = transport(request, signal);
    deciding = plain;
    const without = await plain;
    if (without.status === status) return answer;
    isDropped = true;
    return without;
  };
}

const ROUNDS = 6;

/** Searches an output for secrets independently of redaction: undoes every escape, then looks for the plain secret. */
export function findSecrets(text: string, secrets: readonly Secret[]): readonly Secret[] {
  // Shorter secrets, and those of letters only, may be ordinary words in an output.
  const wanted = secrets
    .filter(({ value }) => value.length >= 16 && /\d/.test(value))
    .map((secret) => ({ secret, forms: formsOf(secret) }));
  if (wanted.length === 0) return [];
  const isQuoted = wanted.some(({ forms }) => forms.some((form) => form.includes('"')));
  const readings = new Set([bare(text, isQuoted)]);
  let reading = text;
  for (let round = 0; round < ROUNDS; round++) {
    const next = withoutEscapes(reading);
    if (next === reading) break;
    reading = next;
    readings.add(bare(reading, isQuoted));
  }
  const all = [...readings];
  return wanted
    .filter(({ forms }) => forms.some((form) => all.some((one) => one.includes(form))))
    .map(({ secret }) => secret);
}

/** Lower case without backslashes, of which there may be any number; quotation marks only if a secret holds one. */
const bare = (text: string, isQuoted = true): string =>
  text.replaceAll(isQuoted ? /\\+/g : /(?<!\\)\\+(?=[^"\\])/g, '').toLowerCase();

function formsOf({ value }: Secret): readonly string[] {
  const bytes = Buffer.from(value);
  // The base64 of any text with the secret contains one of these, depending on its offset.
  const inBase64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return encoded.slice(shift === 0 ? 0 : shift + 1, -2);
  });
  const forUrls = inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([value, bytes.toString('hex'), ...inBase64, ...forUrls].map((form) => bare(form)))];
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ESCAPE =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);/gi;

function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (written: string, ...found: (string | undefined)[]) => {
    const [percent, unicode, byte, hexadecimal, decimal, name = ''] = found;
    const code = Number(optional`0x${percent ?? unicode ?? byte ?? hexadecimal}` || decimal);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    return NAMED[name.toLowerCase()] ?? written;
  });
}
