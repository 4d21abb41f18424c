import type { Caller } from '../http/exchange.ts';
import type { Secret } from '../report/redact.ts';

/** Identifies the caller of a request by placeholders for its credentials. */
export interface IdentifiedCaller {
  readonly caller: Caller;
  /** Headers with a placeholder in place of each credential; every credential has its own. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `undefined` if there are more callers than can be told apart. */
type Identify = (headers: Readonly<Record<string, string>>, hasAllHeaders: boolean) => IdentifiedCaller | undefined;

const MAX_CREDENTIALS = 200;
const MAX_LENGTH = 16_000;
/** What clients send without a token, placeholders of recorders, and values that our own runs invent. */
const NO_SECRET = /^(?:null|undefined|none|true|false|nan|\[object \w+\]|\$\w+|agent-contract-unknown-.*)$/i;
const OTHER_SCHEMES = /^(?:basic|digest|negotiate|token|apikey|hmac|hoba|mutual)$/i;

/**
 * Tells callers apart. Its results hold placeholders, and never a credential.
 * @param secrets receives every credential, so that no output shows it.
 */
export function createCallers(secrets: Secret[]): Identify {
  const names = new Map<string, string>();

  /** The placeholder for a credential. */
  const nameOf = (value: string, kind: 'TOKEN' | 'COOKIE'): string | undefined => {
    if (value === '') return '';
    const key = `${kind} ${value}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    if (names.size >= MAX_CREDENTIALS || value.length > MAX_LENGTH) return undefined;
    const count = [...names.keys()].filter((one) => one.startsWith(kind)).length + 1;
    const name = `$${kind}${count === 1 ? '' : `_${count}`}`;
    names.set(key, name);
    if (!NO_SECRET.test(value)) secrets.push({ value, placeholder: name });
    return name;
  };

  return ({ authorization, cookie = '' }, hasAllHeaders) => {
    const headers: Record<string, string> = {};
    if (cookie !== '') {
      const name = nameOf(cookie, 'COOKIE');
      if (name === undefined) return undefined;
      headers['cookie'] = name;
    }
    if (authorization === undefined) return { caller: hasAllHeaders ? 'none' : 'unknown', headers };
    const [, scheme = '', credential = ''] = /^(\S*)\s*(.*)$/s.exec(authorization.trim()) ?? [];
    const isBearer = /^bearer$/i.test(scheme);
    const name = nameOf(credential === '' && !isBearer ? scheme : credential, 'TOKEN');
    if (name === undefined) return undefined;
    // A recorder may have replaced the value.
    const isSaid = hasAllHeaders || (credential !== '' && (isBearer || OTHER_SCHEMES.test(scheme)));
    if (!isSaid) return { caller: 'unknown', headers };
    if (credential === '')
      return { caller: 'wrong', headers: { ...headers, authorization: isBearer ? 'Bearer' : name } };
    headers['authorization'] = `${scheme} ${name}`;
    return { caller: isBearer ? 'unknown' : 'wrong', headers };
  };
}
