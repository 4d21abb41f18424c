/**
 * Headers and parameters with such a word in their name hold credentials, or tell who somebody is: those of services, and of the
 * gateways before them.
 */
const SECRET =
  /auth|cookie|key|secret|token|passw|passphrase|session|credential|assertion|signature|jwt|saml|hmac|oidc|[cx]srf|client-?cert|client-principal|user-?info|^code$|(?<![a-z])(?:sig|pwd|pass|otp|pin|sid)(?![a-z])/i;

/** Names with such a word that hold none. */
const PLAIN: ReadonlySet<string> = new Set([
  'x-mock-session',
  'idempotency-key',
  'www-authenticate',
  'sec-websocket-key',
  'access-control-allow-credentials',
]);

/** Whether a header, or a parameter of a query, holds a secret whatever its value is. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !PLAIN.has(name.toLowerCase());
}

/** `x-api-key` as `$X_API_KEY`. */
export function placeholderFor(name: string): string {
  return `$${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/** A URL without the values of parameters that hold secrets. */
export function withoutSecretParameters(url: string): string {
  const [before = '', ...query] = url.split('?');
  if (query.length === 0) return url;
  const [shown = '', ...fragment] = query.join('?').split('#');
  const pairs = shown.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    if (value.length === 0 || value.join('=').startsWith('$') || !isSecretName(name)) return pair;
    return `${name}=${placeholderFor(name)}`;
  });
  return [`${before}?${pairs.join('&')}`, ...fragment].join('#');
}

/** The name of the password field of the contract (sections 2.7 and 2.8), in any way that JSON can write it. */
const NAME = Array.from('password', (letter) => {
  const hex = letter.charCodeAt(0).toString(16);
  return String.raw`(?:${letter}|\\u00${hex.replace('f', '[fF]')})`;
}).join('');

/** Such a field in JSON, which may be cut off. An empty one is none. */
const PASSWORD = new RegExp(String.raw`("${NAME}"\s*:\s*)(?:("(?:[^"\\]|\\.)+)("|\\?$)|-?\d[\d.eE+-]*)`, 'gs');

/** JSON without the values of passwords, whose types stay. The judge compares none, so that nothing else changes. */
export const withoutPasswords = (json: string): string =>
  json.replace(PASSWORD, (_, name: string, text: string | undefined, end: string) =>
    text === undefined ? `${name}0` : `${name}"$PASSWORD${end}`,
  );
