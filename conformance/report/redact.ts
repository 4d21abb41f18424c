import { timeFilters } from '../../spec/ledger.ts';
import type { Secret } from '../../text/curl.ts';
import { parseJson } from '../../text/json.ts';

export type { Secret } from '../../text/curl.ts';
export { UNSEEN, visible } from '../../text/visible.ts';

export type Redactor = ReturnType<typeof createRedactor>;

/** A shorter secret is too common a string to be replaced everywhere. */
const SHORT = 4;

/** Base64 inside other base64 is recognised from this length on. */
const MIN_BASE64_CORE = 6;

/** Whether a secret may be a word or a number that our own texts use. */
function mayBeOurs({ value }: Secret): boolean {
  return (value.length < 16 || !/\d/.test(value)) && !/^\d{9,}$/.test(value);
}

const QUOTED = /"(?:[^"\\]|\\.)*(?:"|$)/gs;

/** Values that the contract names. Quoting one gives nothing away about a secret that is the same word. */
const DOCUMENTED: ReadonlySet<string> = new Set(['5', '6', 'guest', 'read', 'write', ...timeFilters]);

/**
 * Finds secrets by value: in any case, with each character plain or escaped for URLs, JSON or HTML, even several times;
 * in base64, alone or inside other base64; and in hexadecimal. A secret of fewer than four characters is replaced only
 * where it is a whole value: a whole string, or a text between quotes, after "Bearer" or after "=".
 */
export function createRedactor(secrets: readonly (string | Secret)[]) {
  const all = secrets
    .map((secret) => (typeof secret === 'string' ? { value: secret } : secret))
    .filter(({ value }) => value !== '')
    .toSorted((one, other) => other.value.length - one.value.length);
  const matchers = matchersOf(all);
  const text = replacerOf(matchers);
  const ours = replacerOf(matchers.filter(({ secret }) => !mayBeOurs(secret)));
  return {
    /** The text without secrets. A secret whose second half was cut off with the text goes too. */
    text,
    /** A text from which nothing was cut: what begins like a secret is another text. */
    whole: replacerOf(matchers, { findsCut: false }),
    /** Our own words: only secrets that cannot be ordinary words are replaced. */
    ours,
    /** One of our sentences, in which everything from outside is quoted as JSON. */
    sentence: (input: string) =>
      ours(input.replace(QUOTED, (quoted) => (DOCUMENTED.has(quoted.slice(1, -1)) ? quoted : text(quoted)))),
  };
}

/** JSON without secrets. One may be a number or a word: what is left is JSON all the same. */
export function cleanJson(text: string, clean: (text: string) => string): string {
  const cleaned = clean(text);
  if (cleaned === text || parseJson(cleaned) !== undefined || parseJson(text) === undefined) return cleaned;
  return JSON.stringify(cleanTexts(JSON.parse(text), clean));
}

/** A copy of a value that JSON can hold, with every text in it cleaned; the names stay. */
export function cleanTexts<T>(value: T, clean: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'string' ? clean(one) : one)) as T;
}

function replacerOf(matchers: readonly Matcher[], { findsCut = true } = {}): (input: string) => string {
  const placeholders = matchers.map(({ secret }) => secret.placeholder ?? '$TOKEN');
  // Tokens of one service often begin alike. A pattern takes milliseconds for each of its alternatives, once.
  const beginnings = new Set(matchers.flatMap((matcher) => matcher.beginnings));
  const candidates = new RegExp([...beginnings].join('|') || '(?!)', 'gi');
  return (input) => {
    let output = '';
    let done = 0;
    candidates.lastIndex = 0;
    for (let candidate = candidates.exec(input); candidate; candidate = candidates.exec(input)) {
      const { index } = candidate;
      const endsOf = (isCut: boolean): number[] => matchers.map(({ endOf }) => endOf(input, index, isCut));
      let ends = endsOf(false);
      if (findsCut && Math.max(...ends) <= index) ends = endsOf(true);
      const end = Math.max(...ends);
      candidates.lastIndex = Math.max(end, index + 1);
      if (end <= index) continue;
      if (input[index - 1] === '$' && placeholders.includes(input.slice(index - 1, end))) continue;
      output += input.slice(done, index) + (placeholders[ends.indexOf(end)] ?? '$TOKEN');
      done = end;
    }
    return output + input.slice(done);
  };
}

type Matcher = ReturnType<typeof matcherOf>;

const BEGINNING = 4;

function matchersOf(secrets: readonly Secret[]): readonly Matcher[] {
  // Secrets have the same few characters.
  const made = new Map<string, Unit>();
  const unitOf = (literal: string): Unit => {
    const unit = made.get(literal) ?? makeUnit(literal);
    made.set(literal, unit);
    return unit;
  };
  return secrets.map((secret) => matcherOf(secret, (secret.value.match(/\\+|./gsu) ?? []).map(unitOf)));
}

function matcherOf(secret: Secret, units: readonly Unit[]) {
  const { value } = secret;
  const forms = [...new Set([...encodedForms(value), ...ambiguousForms(value)].map((form) => form.toLowerCase()))];
  const patterns = units.map(({ escaped, plain }) => `(?:${escaped.source}|${plain.source})`);
  if (value.length < SHORT) {
    const written = [...forms.map(escapePattern), patterns.join('')].join('|');
    const pattern = `(?<=^|["'\`=]|bearer(?:\\s|\\+|%20)+)(?:${written})(?=$|["'\`&;,\\s\\\\])`;
    const expression = new RegExp(pattern, 'iy');
    const endOf = (text: string, index: number, isCut: boolean): number =>
      isCut ? -1 : endOfMatch(expression, text, index);
    return { secret, beginnings: [pattern], endOf };
  }
  const isAmbiguous = units.some(({ isSign }) => isSign);
  const beginnings = new Set(forms.map((form) => escapePattern(form.slice(0, 2 * BEGINNING))));
  beginnings.add(patterns.slice(0, BEGINNING).join(''));
  return {
    secret,
    /** Patterns: how each form of the secret begins. Other texts may begin so too. */
    beginnings: [...beginnings],
    /** Where the secret that begins at an index ends, or -1. A cut secret ends at the end of the text, or before "…". */
    endOf(text: string, index: number, isCut: boolean): number {
      let end = endOfUnits(text, index, isCut, units, ['plain', 'escaped']);
      if (end === -1 && isAmbiguous) end = endOfUnits(text, index, isCut, units, ['escaped', 'plain']);
      return Math.max(end, ...forms.map((form) => endOfForm(text, index, isCut, form)));
    },
  };
}

/** How much of a cut secret must be left to distinguish it from other text. */
function shortest({ length }: { readonly length: number }): number {
  return Math.max(SHORT, Math.min(8, Math.ceil(length / 2)));
}

/** Where a text was cut, at its end or before an ellipsis, if that is at most `most` away; or -1. */
function cutAfter(text: string, index: number, most: number): number {
  const near = text.slice(index, index + most + 1);
  const ellipsis = near.indexOf('…');
  if (ellipsis >= 0) return index + ellipsis;
  if (near.length <= most) return text.length;
  return -1;
}

function endOfForm(text: string, index: number, isCut: boolean, form: string): number {
  if (text[index]?.toLowerCase() !== form[0]) return -1;
  const end = isCut ? cutAfter(text, index, form.length) : index + form.length;
  if (end > text.length || end - index < (isCut ? shortest(form) : 1)) return -1;
  if (form.startsWith(text.slice(index, end).toLowerCase())) return end;
  return -1;
}

type Unit = ReturnType<typeof makeUnit>;

/** A character of a secret, plain or escaped, or several backslashes; counts are bounded, so that no text is slow. */
function makeUnit(literal: string) {
  if (literal.startsWith('\\')) {
    const { length } = literal;
    const each = String.raw`(?:%(?:25){0,3}5c|\\{1,7}(?:u00|x)5c|&(?:amp;){0,3}#(?:0{0,5}92|x0{0,5}5c);)`;
    return {
      literal,
      isSign: true,
      escaped: new RegExp(`${each}{${length}}`, 'iy'),
      plain: new RegExp(String.raw`\\{${length},${8 * length}}`, 'iy'),
    };
  }
  // A server may have changed the case of a letter before it escaped it.
  const cases = new Set([literal, literal.toLowerCase(), literal.toUpperCase()]);
  const escaped = [...cases].flatMap(escapesOf);
  if (Object.hasOwn(ENTITIES, literal)) escaped.push(`&(?:amp;){0,3}${ENTITIES[literal]};`);
  if (literal === ' ') escaped.push(String.raw`\+`);
  // As in a quoted word of the shell.
  if (literal === "'") escaped.push(String.raw`'\\''`);
  const plain = /^[A-Za-z0-9]$/.test(literal) ? literal : String.raw`\\{0,7}${escapePattern(literal)}`;
  return {
    literal,
    isSign: /[%&']/.test(literal),
    escaped: new RegExp(escaped.join('|'), 'iy'),
    plain: new RegExp(plain, 'iy'),
  };
}

/** Signs of other escapes, plain or as URLs escape them. */
const [BACKSLASH, AMPERSAND, HASH, SEMICOLON] = ['5c', '26', '23', '3b'].map(
  (hex) => `(?:\\x${hex}|%(?:25){0,3}${hex})`,
) as [string, string, string, string];

function escapesOf(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const bytes = Array.from(Buffer.from(character), (byte) => byte.toString(16).padStart(2, '0'));
  const halves = character.split('').map((half) => half.charCodeAt(0).toString(16).padStart(4, '0'));
  const escapes = [
    bytes.map((byte) => `%(?:25){0,3}${byte}`).join(''),
    halves.map((half) => `${BACKSLASH}{1,7}u${half}`).join(''),
    `${AMPERSAND}(?:amp;){0,3}${HASH}(?:0{0,5}${code}|x0{0,5}${hex})${SEMICOLON}`,
  ];
  if (code < 0x100) escapes.push(`${BACKSLASH}{1,7}x${hex.padStart(2, '0')}`);
  return escapes;
}

function endOfUnits(
  text: string,
  index: number,
  isCut: boolean,
  units: readonly Unit[],
  ways: readonly ['plain' | 'escaped', 'plain' | 'escaped'],
): number {
  let end = index;
  for (const [done, unit] of units.entries()) {
    const isItself = text[end] === unit.literal && !unit.isSign;
    let next = isItself ? end + 1 : endOfMatch(unit[ways[0]], text, end);
    if (next === -1) next = endOfMatch(unit[ways[1]], text, end);
    if (next === -1) {
      if (!isCut) return -1;
      const cut = cutAfter(text, end, LONGEST_ESCAPE);
      if (done >= shortest(units) && cut >= 0 && PART_OF_ESCAPE.test(text.slice(end, cut))) return cut;
      return -1;
    }
    end = next;
  }
  return end;
}

const LONGEST_ESCAPE = 20;
/** What is left of the escape of one character after a cut. */
const PART_OF_ESCAPE = /^(?:(?:(?:%|%2|%25)+[0-9a-f]?)?|\\*(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&[#\w;]{0,15}|'\\?'?)$/i;

function endOfMatch(expression: RegExp, text: string, index: number): number {
  expression.lastIndex = index;
  if (expression.test(text)) return expression.lastIndex;
  return -1;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** A secret that contains an apparent escape can be read in several ways, so its usual forms are also known as a whole. */
function ambiguousForms(value: string): string[] {
  if (!/[%&\\]/.test(value)) return [];
  const inUrl = encodeURIComponent(Buffer.from(value).toString());
  const inJson = JSON.stringify(value).slice(1, -1);
  const inHtml = [/[&<>]/g, /[&<>"]/g, /[&<>"']/g].map((signs) =>
    value.replace(signs, (sign) => `&${ENTITIES[sign] ?? ''};`),
  );
  return [value, inUrl, encodeURIComponent(inUrl), inJson, JSON.stringify(inJson).slice(1, -1), ...inHtml];
}

function encodedForms(value: string): string[] {
  const complete = [value, `Bearer ${value}`, `bearer ${value}`].map((text) => Buffer.from(text).toString('base64'));
  // Inside other base64, the form of a secret depends on its offset in a group of three bytes. Characters that it
  // shares with its neighbours are left out.
  const cores = [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    const start = [0, 2, 3][shift] ?? 0;
    return bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6));
  });
  const forms = [...complete, ...cores.filter((core) => core.length >= MIN_BASE64_CORE && value.length >= SHORT)];
  if (value.length >= SHORT) forms.push(Buffer.from(value).toString('hex'));
  return forms.flatMap((form) => [
    form,
    form.replaceAll('=', ''),
    form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    encodeURIComponent(form),
  ]);
}
