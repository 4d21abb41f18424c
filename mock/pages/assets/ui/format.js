// Formats values of the admin API for people. No DOM: this is tested in Node.js.

/** `14:05:09.120` from an RFC 3339 timestamp in UTC; any other text stays as it is. */
export const timeOf = (at) => /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(String(at))?.[1] ?? String(at ?? '');

/** `2026-05-20 14:05` */
export function dayAndTime(at) {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(at)) ?? [];
  if (day === undefined) return String(at ?? '–');
  return `${day} ${time}`;
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first characters of a text, with an ellipsis if there are more. Never cuts an emoji in two. */
export function short(text, most) {
  const whole = String(text);
  const start = whole.slice(0, most * 8);
  const segments = Array.from(characters.segment(start), ({ segment }) => segment);
  if (segments.length <= most && start.length === whole.length) return whole;
  return `${segments.slice(0, most - 1).join('')}…`;
}

export function counted(n, noun, nouns = `${noun}s`) {
  const figure = Math.abs(n) < 1e15 ? n.toLocaleString('en') : n;
  return `${figure} ${n === 1 ? noun : nouns}`;
}

/** The name shown for something without one. */
export const nameOr = (name) => short((typeof name === 'string' && name.trim() && name) || 'Without a name', 200);

/** JSON on one line, for a value of any size. */
export const inline = (value, most = 80) =>
  short(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), most);

export const jsonText = (value) => (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));

export function durationText(milliseconds) {
  if (milliseconds >= 1000) return `${Number((milliseconds / 1000).toFixed(1))} s`;
  return `${Number(milliseconds.toFixed(milliseconds < 10 ? 1 : 0))} ms`;
}

export function bytes(size) {
  if (size >= 1_000_000) return `${Number((size / 1_000_000).toFixed(1))} MB`;
  if (size >= 1000) return `${Number((size / 1000).toFixed(1))} kB`;
  return `${size} B`;
}

/** A text without percent signs, or as it is if these encode no UTF-8. */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
