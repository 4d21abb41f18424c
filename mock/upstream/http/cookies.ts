import type { RawHeaders } from './headers.ts';

/**
 * The cookies of an upstream as those of the mock: values of `Set-Cookie` for its name, its paths and a connection that may
 * be a plain one. `prefix` is the path that the upstream's own paths begin with.
 */
export function cookiesOf(raw: RawHeaders, prefix: string): readonly string[] {
  return raw.flatMap((name, i) =>
    i % 2 === 0 && name.toLowerCase() === 'set-cookie' ? [ownCookie(raw[i + 1] ?? '', prefix)] : [],
  );
}

function ownCookie(cookie: string, prefix: string): string {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  // Clients take such names with `Secure` alone.
  const dropped = /^__(?:Secure|Host)-/i.test(pair) ? ABOUT_THE_NAME : ABOUT_THE_NAME_OR_TLS;
  return [pair, ...attributes.filter((one) => !dropped.test(one)).map((one) => ownPath(one, prefix))].join('; ');
}

const ABOUT_THE_NAME = /^domain\s*(?:=|$)/i;
/** SameSite=None and Partitioned are nothing without Secure. */
const ABOUT_THE_NAME_OR_TLS = /^(?:domain\s*(?:=|$)|(?:secure|partitioned)\s*(?:=|$)|samesite\s*=\s*none\s*$)/i;

function ownPath(attribute: string, prefix: string): string {
  const [, path] = /^path\s*=\s*(.*)$/i.exec(attribute) ?? [];
  if (path === undefined || prefix === '' || !(path === prefix || path.startsWith(`${prefix}/`))) return attribute;
  return `Path=${path.slice(prefix.length) || '/'}`;
}
