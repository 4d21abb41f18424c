import { parseTimestamp } from '../results/timestamps.ts';
import { parseUrl } from '../../text/parse-url.ts';

/** Where a value stands: the names on the way to it below the agent, indexes as numbers. */
export type Place = readonly (string | number)[];

/** Whether a value that was sent and one that is shown are the same, as far as any server may write it otherwise. */
export function isSameValue(place: Place, sent: unknown, shown: unknown, name: unknown): boolean {
  if (Object.is(sent, shown) || sent === shown) return true;
  if (typeof sent === 'number' && typeof shown === 'number') return isSameNumber(sent, shown);
  if (typeof sent !== 'string' || typeof shown !== 'string') return false;
  const last = lastName(place);
  const sameAsSuch = sameTexts[kindOf(place, last)];
  if (sameAsSuch) return sameAsSuch(sent, shown);
  // A page may be called what its agent is called.
  return last === 'title' && place[0] === 'settings' && shown === name;
}

/** A number may go through a float of 32 bits. */
function isSameNumber(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(Math.abs(one), Math.abs(other)) * 2 ** -22;
}

type Kind = 'colour' | 'address' | 'picture' | 'instant' | 'known-value' | 'style' | 'other';

const KNOWN_VALUES: ReadonlySet<string> = new Set([
  'type',
  'placement',
  'position',
  'roundness',
  'roundeness',
  'layout',
  'storage',
  'shadow',
  'logicalOperator',
  'comparisonOperator',
]);

function kindOf(place: Place, last: string): Kind {
  if (place[0] === 'icon' || last === 'imageUrl' || last === 'favIconUrl' || String(place.at(-2)).endsWith('Avatar'))
    return 'picture';
  if (place[0] === 'theme' && (/color$/i.test(last) || (place.includes('background') && last === 'content')))
    return 'colour';
  if (last === 'brandingUrl' || last === 'expiredUrl') return 'address';
  if (last === 'expiresAt') return 'instant';
  if (last === 'customCss') return 'style';
  return KNOWN_VALUES.has(last) && (place[0] === 'theme' || place[0] === 'settings' || place[0] === 'events')
    ? 'known-value'
    : 'other';
}

const sameTexts: Readonly<Record<Kind, ((sent: string, shown: string) => boolean) | undefined>> = {
  colour: (sent, shown) => {
    const [one, other] = [colourOf(sent), colourOf(shown)];
    // A form that we do not read (a name, another space) may be the same colour.
    if (one === undefined || other === undefined) return /^[a-z]+(?:\(.*\))?$/i.test(shown);
    return one.every((part, i) => Math.abs(part - (other[i] ?? 0)) <= 1);
  },
  address: (sent, shown) => addressOf(sent) === addressOf(shown),
  // Pictures are copied to places of the server's own.
  picture: (sent, shown) => /^(?:[a-z][a-z0-9+.-]*:|\/)\S*$/i.test(shown) || addressOf(sent) === addressOf(shown),
  instant: (sent, shown) => {
    const [one, other] = [parseTimestamp(sent), parseTimestamp(shown)];
    return one === undefined || other === undefined || Math.abs(one.ms - other.ms) <= 1000 || !other.zoneKnown;
  },
  'known-value': (sent, shown) => sent.toLowerCase() === shown.toLowerCase(),
  style: (sent, shown) => sent.replaceAll(/[\s;]+/g, '') === shown.replaceAll(/[\s;]+/g, ''),
  other: undefined,
};

/** Red, green, blue, opacity, each from 0 to 255. */
function colourOf(text: string): readonly number[] | undefined {
  const hex = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text)?.[1];
  if (hex !== undefined) {
    const long = hex.length < 6 ? hex.replaceAll(/./g, '$&$&') : hex;
    return [0, 2, 4, 6].map((at) => Number.parseInt(long.slice(at, at + 2) || 'ff', 16));
  }
  const parts = /^rgba?\(([^)]*)\)$/i.exec(text)?.[1]?.match(/[\d.]+%?/g);
  if (!parts || parts.length < 3) return undefined;
  return parts
    .map((part, i) => (part.endsWith('%') ? 2.55 : i === 3 ? 255 : 1) * Number.parseFloat(part))
    .concat(255)
    .slice(0, 4);
}

export const addressOf = (text: string): string => parseUrl(text)?.href.replace(/\/$/, '') ?? text;

/** A tag as it may be written otherwise. */
export const tagOf = (text: string): string =>
  text
    .normalize('NFKC')
    .trim()
    .replace(/^#/, '')
    .replaceAll(/[\s_-]+/g, '-')

    // Both ways, so that ß and SS are the same.
    .toUpperCase()
    .toLowerCase();

const lastName = (place: Place): string => place.findLast((part) => typeof part === 'string') ?? '';
