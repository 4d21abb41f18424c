import type { Report } from './report.ts';
import { reportProperties } from './report-properties.ts';

/** Something that no output may show, and what is shown in its place. */
export interface Secret {
  readonly value: string;
  /** Default: `$TOKEN`. */
  readonly placeholder?: string;
}

export interface Redactor {
  /**
   * The text with every secret, in whatever way it is written there, replaced by its placeholder; also one whose second
   * half is missing because the text was cut there.
   */
  readonly text: (text: string) => string;
  /** A copy in which every string is redacted, and every name of a property that no report has. */
  readonly deep: <T>(value: T) => T;
  /** As `deep`, but what a report says in our own words stays as it is, even if a secret is one of these words. */
  readonly report: (report: Report) => Report;
}

/** Below this length a secret is too common a string to be replaced wherever it occurs. */
const SHORT = 4;

/** How much of a secret is looked for at the end of a text. */
const LONGEST_START = 4096;

/** Base64 in the midst of other base64 is recognised from this length on. */
const MIN_BASE64_CORE = 6;

/** Where a report speaks in our own words; `*` stands for any index. Everything else may come from the target. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'tool.name',
  'tool.version',
  'startedAt',
  'outcome',
  'checks.*.id',
  'checks.*.title',
  'checks.*.endpoint',
  'checks.*.status',
  'checks.*.requirements.*.id',
  'checks.*.requirements.*.section',
  'checks.*.requirements.*.lane',
  'checks.*.requirements.*.statement',
  'checks.*.failure.exchanges.*.method',
  'observations.*.gap',
  'observations.*.section',
  'observations.*.question',
  'observations.*.choice',
  'evidence.*.schema',
  'evidence.*.neverSeen.*',
  'created.*.kind',
]);

const OWN_PROPERTIES: ReadonlySet<string> = new Set(reportProperties);

/**
 * Finds secrets by value, in any case of letters, each character as it is or escaped in the way of URLs, JSON or HTML,
 * several times over if need be; and in base64, alone or within other base64. A secret shorter than four characters is
 * replaced only where it is a whole value: all of a string, between quotes, after "Bearer" or "=".
 */
export function createRedactor(secrets: readonly (string | Secret)[]): Redactor {
  const known = secrets
    .map((secret): Required<Secret> => ({
      placeholder: '$TOKEN',
      ...(typeof secret === 'string' ? { value: secret } : secret),
    }))
    .filter(({ value }) => value !== '')
    .toSorted((one, other) => other.value.length - one.value.length);
  const placeholders = known.map(({ placeholder }) => placeholder);
  const pattern = new RegExp(known.map(({ value }) => `(${patternOf(value)})`).join('|') || '(?!)', 'gi');
  const starts = known
    .filter(({ value }) => value.length >= SHORT)
    .flatMap(({ value, placeholder }) => startsOf(value).map((start) => ({ start, placeholder })));

  const withoutCutSecret = (input: string): string => {
    if (placeholders.some((placeholder) => input.endsWith(placeholder))) return input;
    const end = input.slice(-LONGEST_START).toLowerCase();
    for (const { start, placeholder } of starts) {
      const shortest = Math.max(SHORT, Math.min(8, Math.ceil(start.length / 2)));
      for (let length = start.length - 1; length >= shortest; length--) {
        if (end.endsWith(start.slice(0, length))) return input.slice(0, -length) + placeholder;
      }
    }
    return input;
  };
  const text = (input: string): string =>
    withoutCutSecret(
      input.replace(pattern, (found: string, ...rest: unknown[]) => {
        const groups = rest.slice(0, known.length);
        const [offset] = rest.slice(known.length);
        const isPlaceholder = input[Number(offset) - 1] === '$' && placeholders.includes(`$${found}`);
        return isPlaceholder ? found : (placeholders[groups.findIndex((group) => group !== undefined)] ?? '$TOKEN');
      }),
    );
  const walk = (value: unknown, path: string, keep: ReadonlySet<string>): unknown => {
    if (typeof value === 'string') return keep.has(path) ? value : text(value);
    const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
    if (Array.isArray(value)) return value.map((item: unknown) => walk(item, below('*'), keep));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]: [string, unknown]) => [
        OWN_PROPERTIES.has(name) ? name : text(name),
        walk(item, below(name), keep),
      ]),
    );
  };
  return {
    text,
    deep: <T>(value: T): T => walk(value, '', new Set()) as T,
    report: (report) => walk(report, '', OWN_WORDS) as Report,
  };
}

function patternOf(value: string): string {
  const written = Array.from(value, characterPattern).join('');
  const base64 = base64Of(value)
    .toSorted((one, other) => other.length - one.length)
    .map(escapePattern);
  if (value.length >= SHORT) return [...base64, written].join('|');
  return `(?<=^|["'\`=]|bearer(?:\\s|\\+|%20)+)(?:${[...base64, written].join('|')})(?=$|["'\`&;,\\s\\\\])`;
}

/** Matches one character in every way it may be written. The counts are bounded, so that no text makes this slow. */
function characterPattern(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const bytes = Array.from(Buffer.from(character), (byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, '0')}`);
  const units = character.split('').map((unit) => `\\\\{1,7}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const name = ENTITIES[character];
  return `(?:${[
    `\\\\{0,7}${escapePattern(character)}`,
    bytes.join(''),
    units.join(''),
    `&(?:amp;){0,3}(?:#0{0,5}${code}|#x0{0,5}${code.toString(16)}${name === undefined ? '' : `|${name}`});`,
    ...(character === ' ' ? ['\\+'] : []),
  ].join('|')})`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** What a text ends with, in small letters, that was cut within a secret. */
function startsOf(value: string): string[] {
  const forms = [value, encodeURIComponent(wellFormed(value)), JSON.stringify(value).slice(1, -1), ...base64Of(value)];
  return Array.from(new Set(forms), (form) => form.slice(0, LONGEST_START).toLowerCase());
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function base64Of(value: string): string[] {
  const complete = [value, `Bearer ${value}`, `bearer ${value}`].map((text) => Buffer.from(text).toString('base64'));
  // What a secret becomes in the middle of other base64 depends on where in a group of three bytes it begins; the
  // characters that it shares with its neighbours are left out.
  const cores = [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    const start = [0, 2, 3][shift] ?? 0;
    return bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6));
  });
  const forms = [...complete, ...cores.filter((core) => core.length >= MIN_BASE64_CORE && value.length >= SHORT)];
  return forms.flatMap((form) => [
    form,
    form.replaceAll('=', ''),
    form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    encodeURIComponent(form),
  ]);
}

/**
 * Everything that a terminal, an editor or a browser would obey in place of showing it: control characters (the line
 * feed among them), marks that change the direction of text, invisible characters, halves of surrogate pairs.
 */
export const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** The text with everything unseen in it written as an escape, so that it stays on its line and in its colour. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === '\n') return String.raw`\n`;
    if (character === '\t') return String.raw`\t`;
    if (character === '\r') return String.raw`\r`;
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
