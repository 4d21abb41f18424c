import type { Secret } from './curl.ts';
import { UNSEEN } from './visible.ts';

/**
 * A JSON value as a JavaScript expression, for a file, a console or an inline script. If a string contains a secret,
 * the expression uses the name of a variable.
 */
export function toSource(value: unknown, secret?: NamedSecret, indent = ''): string {
  const deeper = `${indent}  `;
  const list = (items: readonly string[]): string => {
    if (items.length === 0) return '';
    return `\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}`;
  };
  if (typeof value === 'string') return stringSource(value, secret);
  if (Array.isArray(value)) return `[${list(value.map((item: unknown) => toSource(item, secret, deeper)))}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    return `{${list(members.map(([key, item]) => `${keySource(key, secret)}: ${toSource(item, secret, deeper)}`))}}`;
  }
  if (Object.is(value, -0)) return '-0';
  return String(value);
}

/** A secret, and the variable that holds it. */
type NamedSecret = Secret & { readonly variable: string };

/** As a plain name, `__proto__` would set the prototype. */
function keySource(key: string, secret: NamedSecret | undefined): string {
  const source = stringSource(key, secret);
  if (source.startsWith('"') && !source.includes('" + ') && key !== '__proto__') return source;
  return `[${source}]`;
}

function stringSource(text: string, secret: NamedSecret | undefined): string {
  if (!secret?.value || !text.includes(secret.value)) return sourceOf(text);
  const parts: string[] = [];
  for (const piece of text.split(secret.value)) {
    parts.push(secret.variable);
    if (piece !== '') parts.push(sourceOf(piece));
  }
  // Before the first piece there is no secret.
  return parts.slice(1).join(' + ');
}

/** Cannot end an inline script, and contains nothing invisible. */
function sourceOf(text: string): string {
  return JSON.stringify(text)
    .replaceAll('<', String.raw`\u003c`)
    .replace(UNSEEN, (character) =>
      character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    );
}
