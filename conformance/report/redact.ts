import { timeFilters } from '../../spec/ledger.ts';
import type { Secret } from '../../text/curl.ts';
import { parseJson, QUOTED } from '../../text/json.ts';
import { literal } from '../../text/literal.ts';
import { bisect } from '../collections.ts';
import { optional } from '../show.ts';

export type { Secret } from '../../text/curl.ts';
export { UNSEEN, visible } from '../../text/visible.ts';

/** A shorter secret is too common a string to be replaced everywhere. */
const SHORT = 4;

/** Base64 inside other base64 is recognised from this length on. */
const MIN_BASE64_CORE = 6;

/** Values that the contract names. Quoting one gives nothing away about a secret that is the same word. */
const DOCUMENTED: ReadonlySet<string> = new Set(['5', '6', 'guest', 'read', 'write', ...timeFilters]);

/**
 * Finds secrets by value: in any case, with each character plain or escaped for URLs, JSON or HTML, even several times;
 * in base64, alone or inside other base64; and in hexadecimal. A secret of fewer than four characters is replaced only
 * where it is a whole value: a whole string, or a text between quotes, after "Bearer" or after "=".
 */
export function createRedactor(secrets: readonly Secret[]) {
  const given = secrets.filter(({ value }) => value !== '');
  const matchers = given.toSorted((one, other) => other.value.length - one.value.length).map(matcherOf);
  const text = replacerOf(matchers);
  // Shorter secrets, and those of letters only, may be words of our own texts, and short ones of digits numbers.
  const ours = replacerOf(matchers.filter(({ secret }) => /^(?=.*\d).{16}|^\d{9,}$/s.test(secret.value)));
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

function replacerOf(
  matchers: readonly ReturnType<typeof matcherOf>[],
  { findsCut = true } = {},
): (input: string) => string {
  const placeholders = matchers.map(({ secret }) => secret.placeholder ?? '$TOKEN');
  // Tokens of one service often begin alike. A pattern takes milliseconds for each of its alternatives, once.
  const beginnings = new Set(matchers.flatMap((matcher) => matcher.beginnings));
  const candidates = new RegExp([...beginnings].join('|') || '(?!)', 'gi');

  function* foundIn({ text, at }: Reading) {
    candidates.lastIndex = 0;
    for (let candidate = candidates.exec(text); candidate; candidate = candidates.exec(text)) {
      const { index } = candidate;
      const endsOf = (isCut: boolean): number[] => matchers.map(({ endOf }) => endOf(text, index, isCut));
      let ends = endsOf(false);
      if (findsCut && Math.max(...ends) <= index) ends = endsOf(true);
      const end = Math.max(...ends);
      candidates.lastIndex = Math.max(end, index + 1);
      if (end <= index || (text[index - 1] === '$' && placeholders.includes(text.slice(index - 1, end)))) continue;
      yield { from: at(index), to: at(end), placeholder: placeholders[ends.indexOf(end)] ?? '$TOKEN' };
    }
  }

  return (input) => {
    const found = readingsOf(input).flatMap((reading) => [...foundIn(reading)]);
    let [output, done] = ['', 0];
    for (const { from, to, placeholder } of found.toSorted(
      (one, other) => one.from - other.from || other.to - one.to,
    )) {
      if (from >= done) output += input.slice(done, from) + placeholder;
      done = Math.max(done, to);
    }
    return output + input.slice(done);
  };
}

/** A text without some escapes, and where an index of it was in the text with them. */
interface Reading {
  readonly text: string;
  readonly at: (index: number) => number;
}

/** Escapes of URLs, JSON, scripts and HTML, and a quotation mark as in a quoted word of the shell. */
const ESCAPE = new RegExp(
  [
    '%(?:[0-7].|[cd].%[89ab].|e.(?:%[89ab].){2}|f[0-7](?:%[89ab].){3})'.replaceAll('.', '[0-9a-f]'),
    String.raw`\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x0*([0-9a-f]{1,6});|&#0*(\d{1,7});`,
    String.raw`&(amp|lt|gt|quot|apos);|(')\\''|\\([^\w\s])`,
  ].join('|'),
  'gi',
);
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Escapes of escapes are undone so many times. */
const ROUNDS = 6;

function readingsOf(input: string): readonly Reading[] {
  const readings: Reading[] = [];
  let next: Reading | undefined = { text: input, at: (index) => index };
  for (let round = 0; next && round <= ROUNDS; round++) {
    readings.push(next);
    next = withoutEscapes(next);
  }
  return readings;
}

function withoutEscapes({ text, at }: Reading): Reading | undefined {
  let [plain, done, gone] = ['', 0, 0];
  const [ends, lost]: [number[], number[]] = [[], []];
  for (const match of text.matchAll(ESCAPE)) {
    plain += text.slice(done, match.index) + meaningOf(match);
    done = match.index + match[0].length;
    gone = done - plain.length;
    ends.push(plain.length);
    lost.push(gone);
  }
  if (done === 0) return undefined;
  const before = (index: number): number => lost[bisect(ends.length, (n) => (ends[n] ?? 0) > index) - 1] ?? 0;
  return { text: plain + text.slice(done), at: (index) => at(index + before(index)) };
}

function meaningOf([written, unicode, byte, hexadecimal, decimal, name, quote, sign]: RegExpExecArray): string {
  if (written.startsWith('%')) return Buffer.from(written.replaceAll('%', ''), 'hex').toString();
  const code = Number(optional`0x${unicode ?? byte ?? hexadecimal}` || decimal);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  return NAMED[name?.toLowerCase() ?? ''] ?? quote ?? sign ?? written;
}

function matcherOf(secret: Secret) {
  const forms = formsOf(secret.value);
  if (secret.value.length < SHORT) {
    const written = forms.map(literal).join('|').replaceAll(' ', '[ +]');
    const pattern = `(?<=^|["'\`=]|bearer(?:\\s|\\+)+)(?:${written})(?=$|["'\`&;,\\s\\\\])`;
    const expression = new RegExp(pattern, 'iy');
    const endOf = (text: string, index: number, isCut: boolean): number => {
      expression.lastIndex = index;
      return !isCut && expression.test(text) ? expression.lastIndex : -1;
    };
    return { secret, beginnings: [pattern], endOf };
  }
  return {
    secret,
    /** Patterns: how each form of the secret begins. Other texts may begin so too. */
    beginnings: [...new Set(forms.map((form) => literal(form.slice(0, shortest(form))).replaceAll(' ', '[ +]')))],
    /** Where the secret that begins at an index ends, or -1. A cut secret ends at the end of the text, or before "…". */
    endOf: (text: string, index: number, isCut: boolean): number =>
      Math.max(...forms.map((form) => endOfForm(text, index, isCut, form))),
  };
}

/** How much of a cut secret must be left to distinguish it from other text. */
function shortest({ length }: string): number {
  return Math.max(SHORT, Math.min(8, Math.ceil(length / 2)));
}

function endOfForm(text: string, index: number, isCut: boolean, form: string): number {
  let end = index;
  while (end - index < form.length && isWritten(text[end], form[end - index])) end++;
  if (!isCut) return end - index === form.length ? end : -1;
  const cut = cutAfter(text, index, form.length + LONGEST_ESCAPE);
  end = Math.min(end, cut);
  const isPart = end - index >= shortest(form) && PART_OF_ESCAPE.test(text.slice(end, Math.max(end, cut)));
  return isPart ? cut : -1;
}

/** Whether a character of a text stands for one of a form: in a query, a plus is a space. */
const isWritten = (written: string | undefined, meant: string | undefined): boolean =>
  written?.toLowerCase() === meant || (written === '+' && meant === ' ');

/** Where a text was cut, at its end or before an ellipsis, if that is at most `most` away; or -1. */
function cutAfter(text: string, index: number, most: number): number {
  const near = text.slice(index, index + most + 1);
  const ellipsis = near.indexOf('…');
  if (ellipsis >= 0) return index + ellipsis;
  if (near.length <= most) return text.length;
  return -1;
}

const LONGEST_ESCAPE = 20;
/** What is left of the escape of one character after a cut. */
const PART_OF_ESCAPE = /^(?:(?:(?:%|%2|%25)+[0-9a-f]?)?|\\*(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&[#\w;]{0,15}|'\\?'?)$/i;

/** How a secret may be written, apart from escapes, in lower case. One with apparent escapes may have lost them. */
function formsOf(value: string): readonly string[] {
  const plain = readingsOf(value).map(({ text }) => text);
  const complete = [value, `Bearer ${value}`, `bearer ${value}`].map((text) => Buffer.from(text).toString('base64'));
  // Inside other base64, the form of a secret depends on its offset in a group of three bytes. Characters that it
  // shares with its neighbours are left out.
  const cores = [0, 2, 3].map((start, shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    return bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6));
  });
  const encoded = [...complete, ...cores.filter((core) => core.length >= MIN_BASE64_CORE && value.length >= SHORT)];
  if (value.length >= SHORT) encoded.push(Buffer.from(value).toString('hex'));
  const all = encoded.flatMap((form) => [
    form,
    form.replaceAll('=', ''),
    form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  ]);
  return [...new Set([...plain, ...all].map((form) => form.toLowerCase()))].filter((form) => form !== '');
}
