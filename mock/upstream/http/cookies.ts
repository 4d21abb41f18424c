import type { RawHeaders } from '../../../http/headers.ts';

/**
 * The values of an upstream's `Set-Cookie`, rewritten for the mock's host, paths and plain HTTP. `prefix` is the path at
 * which the upstream's URL begins.
 */
export function cookiesOf(raw: RawHeaders, prefix: string): readonly string[] {
  return raw.flatMap((name, i) =>
    i % 2 === 0 && name.toLowerCase() === 'set-cookie' ? [ownCookie(raw[i + 1] ?? '', prefix)] : [],
  );
}

function ownCookie(cookie: string, prefix: string): string {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  // Clients accept these names only with `Secure`.
  const dropped = /^__(?:Secure|Host)-/i.test(pair) ? ABOUT_THE_NAME : ABOUT_THE_NAME_OR_TLS;
  return [pair, ...attributes.filter((one) => !dropped.test(one)).map((one) => ownPath(one, prefix))].join('; ');
}

const ABOUT_THE_NAME = /^domain\s*(?:=|$)/i;
/** Clients reject SameSite=None and Partitioned without Secure. */
const ABOUT_THE_NAME_OR_TLS = /^(?:domain\s*(?:=|$)|(?:secure|partitioned)\s*(?:=|$)|samesite\s*=\s*none\s*$)/i;

function ownPath(attribute: string, prefix: string): string {
  const [, path] = /^path\s*=\s*(.*)$/i.exec(attribute) ?? [];
  if (path === undefined || prefix === '' || !(path === prefix || path.startsWith(`${prefix}/`))) return attribute;
  return `Path=${path.slice(prefix.length) || '/'}`;
}
