// Formats values of the admin API for people. No DOM: this is tested in Node.js.

/** `14:05:09.120` from an RFC 3339 timestamp in UTC; any other text stays as it is. */
export const timeOf = (at) => /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(String(at))?.[1] ?? String(at ?? '');

/** `2026-05-20 14:05` */
export const dayAndTime = (at) => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(at)) ?? [];
  return day === undefined ? String(at ?? '–') : `${day} ${time}`;
};

/** The colour of a status. */
export const statusKind = (status) =>
  status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'plain' : 'good';

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first characters of a text, with an ellipsis if there are more. Never cuts an emoji in two. */
export function short(text, most) {
  const whole = String(text);
  const start = whole.slice(0, most * 8);
  const kept = [];
  for (const { segment } of characters.segment(start)) kept.push(segment);
  return kept.length > most || start.length < whole.length ? `${kept.slice(0, most - 1).join('')}…` : whole;
}

export const count = (n, one, many = `${one}s`) =>
  `${Math.abs(n) < 1e15 ? n.toLocaleString('en') : n} ${n === 1 ? one : many}`;

/** The name shown for something without one. */
export const nameOr = (name) => short(typeof name === 'string' && name.trim() !== '' ? name : 'Without a name', 200);

/** JSON on one line, for a value of any size. */
export const inline = (value, most = 80) =>
  short(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), most);

/** A duration, in a suitable unit. */
export const span = (milliseconds) =>
  milliseconds < 10
    ? `${Number(milliseconds.toFixed(1))} ms`
    : milliseconds < 1000
      ? `${Math.round(milliseconds)} ms`
      : `${Number((milliseconds / 1000).toFixed(1))} s`;

/** A size, in a suitable unit. */
export const bytes = (size) =>
  size < 1000
    ? `${size} B`
    : size < 1_000_000
      ? `${Number((size / 1000).toFixed(1))} kB`
      : `${Number((size / 1_000_000).toFixed(1))} MB`;
