import { lengthOf, startOf } from './abridge.ts';
import { isInBlock, type Path } from './places.ts';
import { OFFSETS_MS, parseTimestamp } from './timestamps.ts';
import { parseUrl } from '../../text/parse-url.ts';

/** Whether a sent and a shown value are the same, in any notation that a server may choose. */
export function isSameValue(place: Path, sent: unknown, shown: unknown, name: unknown): boolean {
  if (Object.is(sent, shown) || sent === shown) return true;
  if (typeof sent === 'number' && typeof shown === 'number') {
    // Outside of blocks, a number may have passed through a 32-bit float, and a measure may be kept within limits.
    const isSame = !isInBlock(place) && Math.abs(sent - shown) <= Math.max(Math.abs(sent), Math.abs(shown)) * 2 ** -22;
    const isMeasure = place[0] === 'theme' || place[1] === 'typingEmulation';
    return isSame || (isMeasure && sent > 1000 && shown > 0 && shown < sent);
  }
  // A server may publish later, or not at all, but no draft.
  if (place[0] === 'isPublished') return sent !== false;
  if (typeof sent !== 'string' || typeof shown !== 'string') return false;
  const last = place.findLast((part) => typeof part === 'string') ?? '';
  const kind = kindOf(place, last);
  if (kind) return sameTexts[kind](sent, shown);
  // A page may take its title from its agent.
  return last === 'title' && place[0] === 'settings' && shown === name;
}

const KNOWN_VALUES = new Set(
  'type placement position roundness roundeness layout storage shadow logicalOperator comparisonOperator'.split(' '),
);

/** The kind of a text that may be written otherwise. */
function kindOf(place: Path, last: string): keyof typeof sameTexts | undefined {
  if (place[0] === 'icon' || last === 'imageUrl' || last === 'favIconUrl' || String(place.at(-2)).endsWith('Avatar'))
    return 'picture';
  if (place[0] === 'theme' && (/color$/i.test(last) || (place.includes('background') && last === 'content')))
    return 'colour';
  if (last === 'brandingUrl' || last === 'expiredUrl') return 'address';
  if (last === 'expiresAt') return 'instant';
  if (place[0] === 'createdAt') return 'moment';
  if (last === 'name' && place.length === 1) return 'line';
  if (last === 'customCss') return 'style';
  if (last === 'customHeadCode') return 'code';
  if (KNOWN_VALUES.has(last) && (place[0] === 'theme' || place[0] === 'settings')) return 'known-value';
  return undefined;
}

const MINUTE_MS = 60_000;

const sameTexts = {
  colour: (sent, shown) => {
    const [one, other] = [colourOf(sent), colourOf(shown)];
    // A colour in a form that we do not read (a name, another colour space) may be the same.
    if (one === undefined || other === undefined) return /^[a-z]+(?:\(.*\))?$/i.test(shown);
    return one.every((part, i) => Math.abs(part - (other[i] ?? 0)) <= 1);
  },
  address: (sent, shown) => addressOf(sent) === addressOf(shown),
  // Servers copy pictures to their own storage.
  picture: (sent, shown) =>
    (/^(?:[a-z][a-z0-9+.-]*:|\/)\S*$/i.test(shown) && !isCut(sent, shown)) || addressOf(sent) === addressOf(shown),
  instant: (sent, shown) => {
    const [one, other] = [parseTimestamp(sent), parseTimestamp(shown)];
    if (one === undefined || other === undefined) return true;
    const apart = other.ms - one.ms;
    // In the zone of some place that is not said.
    const isInSomeZone = !other.zoneKnown && OFFSETS_MS.some((offset) => Math.abs(apart - offset) <= MINUTE_MS);
    return Math.abs(apart) <= 1000 || isInSomeZone;
  },
  // Of a creation, which answers may write in different forms.
  moment: (sent, shown) => {
    const [one, other] = [parseTimestamp(sent), parseTimestamp(shown)];
    if (one === undefined || other === undefined || one.zoneKnown !== other.zoneKnown) return true;
    return Math.abs(one.ms - other.ms) <= 2000;
  },
  line: (sent, shown) => sent.replaceAll(/\s+/g, ' ') === shown.replaceAll(/\s+/g, ' '),
  'known-value': (sent, shown) => sent.toLowerCase() === shown.toLowerCase(),
  style: (sent, shown) => minified(sent) === minified(shown) || (lengthOf(sent) > sent.length && !isCut(sent, shown)),
  // Of code that has markup, a server may leave out what it holds for dangerous.
  code: (sent, shown) => shown === '' || sent.includes('<') || !isCut(sent, shown),
} satisfies Record<string, (sent: string, shown: string) => boolean>;

/** A style without the space beside punctuation, and without semicolons that end nothing. Words stay apart. */
const minified = (style: string): string =>
  style
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{}():;,>]) ?/g, '$1')
    .replaceAll(/(?<=[{}]);+|;+(?=[;}]|$)/g, '')
    .trim();

/** Of a long text only the beginning is known: it may be written otherwise, but not end before its end. */
function isCut(sent: string, shown: string): boolean {
  const [one, other] = [startOf(sent), startOf(shown)];
  return lengthOf(shown) < lengthOf(sent) && (one === other || sent.startsWith(shown));
}

/** Red, green, blue and opacity, each from 0 to 255. */
function colourOf(text: string): readonly number[] | undefined {
  const hex = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text)?.[1];
  if (hex !== undefined) {
    const long = hex.length < 6 ? hex.replaceAll(/./g, '$&$&') : hex;
    return [0, 2, 4, 6].map((at) => Number.parseInt(long.slice(at, at + 2) || 'ff', 16));
  }
  const parts = /^rgba?\(([^)]*)\)$/i.exec(text)?.[1]?.match(/[\d.]+%?/g);
  if (!parts || parts.length < 3) return undefined;
  return [...parts.map((part, i) => Number.parseFloat(part) * unitOf(part, i)), 255].slice(0, 4);
}

/** What one unit of a channel is of 255: opacity, the fourth, is a fraction. */
function unitOf(part: string, index: number): number {
  if (part.endsWith('%')) return 2.55;
  if (index === 3) return 255;
  return 1;
}

export const addressOf = (text: string): string => parseUrl(text)?.href.replace(/\/$/, '') ?? text;

export const tagOf = (text: string): string =>
  text
    .normalize('NFKC')
    .trim()
    .replace(/^#/, '')
    .replaceAll(/[\s_-]+/g, '-')
    // Both ways, so that ß and SS are equal.
    .toUpperCase()
    .toLowerCase();
