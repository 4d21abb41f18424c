import { randomBytes } from 'node:crypto';
import type { Secret } from '../report/redact.ts';
import type { Transport } from './transport.ts';

/** A header of no meaning, in which every request of a run carries the canary of that run. */
export const CANARY_HEADER = 'x-agent-contract-canary';

/**
 * A secret that is worth nothing, made for one run. It is sent with every request and kept out of every output like a
 * token; should it be found in one, so might a token, and our way of keeping them out has a hole.
 */
export function createCanary(): Required<Secret> {
  // These signs are escaped by one notation or another.
  return { value: `canary1+/${randomBytes(18).toString('base64')}`, placeholder: '$CANARY' };
}

/** Sends the canary along; what is recorded of the requests does not show it. */
export const withCanary =
  (transport: Transport, { value }: Secret): Transport =>
  (request, signal) =>
    transport({ ...request, headers: { ...request.headers, [CANARY_HEADER]: value } }, signal);

/** Shorter secrets, and those of letters alone, may well be words that an output says on its own account. */
const isUnmistakable = ({ value }: Secret): boolean => value.length >= 16 && /\d/.test(value);

const ROUNDS = 4;

/**
 * Looks for secrets in what is about to be written, by another way than that in which they were taken out: it undoes
 * every escape and then looks for the plain secret. Returns those that are there.
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

/** In small letters and without backslashes, of which there may be any number, in the secret as well as in the text. */
const bare = (text: string): string => text.replaceAll('\\', '').toLowerCase();

/** How a secret may be written in what has no escapes any more. */
function formsOf({ value }: Secret): readonly string[] {
  const bytes = Buffer.from(value);
  // Base64 of a text that holds the secret holds these, wherever in it the secret begins.
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
