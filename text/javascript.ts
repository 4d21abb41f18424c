import type { Secret } from './curl.ts';
import { UNSEEN } from './visible.ts';

/**
 * A JSON value as a JavaScript expression, for a file, a console or an inline script. If a string contains a secret,
 * the expression uses the name of a variable.
 */
export function toSource(value: unknown, secret?: Secret & { readonly variable: string }, indent = ''): string {
  const deeper = `${indent}  `;
  const list = (open: string, items: readonly string[], close: string): string =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${close}`;
  if (typeof value === 'string') return stringSource(value, secret);
  if (Array.isArray(value))
    return list(
      '[',
      value.map((item: unknown) => toSource(item, secret, deeper)),
      ']',
    );
  if (typeof value === 'object' && value !== null)
    return list(
      '{',
      Object.entries(value).map(([key, item]) => `${keySource(key, secret)}: ${toSource(item, secret, deeper)}`),
      '}',
    );
  return Object.is(value, -0) ? '-0' : String(value);
}

/** As a plain name, `__proto__` would set the prototype. */
function keySource(key: string, secret: Parameters<typeof toSource>[1]): string {
  const source = stringSource(key, secret);
  return key === '__proto__' || !source.startsWith('"') || source.includes('" + ') ? `[${source}]` : source;
}

function stringSource(text: string, secret: Parameters<typeof toSource>[1]): string {
  const pieces = secret === undefined || secret.value === '' ? [text] : text.split(secret.value);
  const parts = pieces.flatMap((piece, i) =>
    [...(i > 0 ? [secret?.variable ?? ''] : []), piece === '' ? [] : quoted(piece)].flat(),
  );
  return parts.length === 0 ? '""' : parts.join(' + ');
}

/** Cannot end an inline script, and contains nothing invisible. */
const quoted = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('<', String.raw`\u003c`)
    .replace(UNSEEN, (character) =>
      character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    );
