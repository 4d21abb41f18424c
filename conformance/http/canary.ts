import { randomBytes } from 'node:crypto';
import type { Secret } from '../../text/curl.ts';
import type { Transport } from '../../http/exchange.ts';

/** A header without meaning that carries the run's canary in every request. */
export const CANARY_HEADER = 'x-agent-contract-canary';

/**
 * A worthless secret, made for one run. Every request carries it, and every output leaves it out like a token. If it
 * turns up in an output, a token might too, and our redaction has a hole.
 */
export function createCanary(): Required<Secret> {
  // Each of these signs is escaped by some notation.
  return { value: `canary1+/${randomBytes(18).toString('base64')}`, placeholder: '$CANARY' };
}

/** Sends the canary with every request. Recorded requests do not show it. */
export const withCanary =
  (transport: Transport, { value }: Secret): Transport =>
  (request, signal) =>
    transport({ ...request, headers: { ...request.headers, [CANARY_HEADER]: value } }, signal);

/** Shorter secrets, and those of letters only, may be ordinary words in an output. */
const isUnmistakable = ({ value }: Secret): boolean => value.length >= 16 && /\d/.test(value);

const ROUNDS = 4;

/**
 * Searches an output for secrets, independently of redaction: it undoes every escape, and then looks for the plain
 * secret. Returns the secrets that it finds.
 */
export function findSecrets(text: string, secrets: readonly Secret[]): readonly Secret[] {
  const wanted = secrets.filter(isUnmistakable);
  if (wanted.length === 0) return [];
  const readings = new Set([bare(text)]);
  let reading = text;
  for (let round = 0; round < ROUNDS; round++) {
    const next = withoutEscapes(reading);
    if (next === reading) break;
    reading = next;
    readings.add(bare(reading));
  }
  return wanted.filter((secret) => formsOf(secret).some((form) => [...readings].some((one) => one.includes(form))));
}

/** Lower case and without backslashes, in secret and text alike, since any number of backslashes may be there. */
const bare = (text: string): string => text.replaceAll('\\', '').toLowerCase();

/** The forms of a secret in a text without escapes. */
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
  return [...new Set([value, bytes.toString('hex'), ...inBase64, ...forUrls].map(bare))];
}

function withoutEscapes(text: string): string {
  const ofCode = (code: number, written: string): string => (code <= 0x10ffff ? String.fromCodePoint(code) : written);
  return text
    .replace(/%([0-9a-f]{2})/gi, (written, hex: string) => ofCode(Number.parseInt(hex, 16), written))
    .replace(/\\u([0-9a-f]{4})/gi, (written, hex: string) => ofCode(Number.parseInt(hex, 16), written))
    .replace(/\\x([0-9a-f]{2})/gi, (written, hex: string) => ofCode(Number.parseInt(hex, 16), written))
    .replace(/&#(\d{1,7});/g, (written, decimal: string) => ofCode(Number(decimal), written))
    .replace(/&#x([0-9a-f]{1,6});/gi, (written, hex: string) => ofCode(Number.parseInt(hex, 16), written))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'");
}
