import { valueFor } from '../collections.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HttpRequest } from '../../http/exchange.ts';
import type { Secret } from '../report/redact.ts';

/** The caller of a request, and its headers with a placeholder in place of each credential; every credential has its own. */
export type IdentifiedCaller = Pick<Exchange, 'caller'> & Pick<HttpRequest, 'headers'>;

/** What clients send without a token, placeholders of recorders, and values that our own runs invent. */
const NO_SECRET = /^(?:null|undefined|none|true|false|nan|\[object \w+\]|\$\w+|agent-contract-unknown-.*)$/i;
const OTHER_SCHEMES = /^(?:basic|digest|negotiate|token|apikey|hmac|hoba|mutual)$/i;

/** Tells callers apart by placeholders. `secrets` receives every credential, so that no output shows it. */
export function createCallers(secrets: Secret[]) {
  const names = new Map<string, string>();
  const counts = { TOKEN: 0, COOKIE: 0 };

  const nameOf = (value: string, kind: 'TOKEN' | 'COOKIE'): string => {
    if (value === '') return '';
    return valueFor(names, `${kind} ${value}`, () => {
      const count = ++counts[kind];
      const placeholder = `$${kind}${count === 1 ? '' : `_${count}`}`;
      if (!NO_SECRET.test(value)) secrets.push({ value, placeholder });
      return placeholder;
    });
  };

  const of = (
    { authorization, cookie = '' }: Readonly<Record<string, string>>,
    hasAllHeaders: boolean,
  ): IdentifiedCaller => {
    const headers: Record<string, string> = {};
    if (cookie !== '') headers['cookie'] = nameOf(cookie, 'COOKIE');
    if (authorization === undefined) return { caller: hasAllHeaders ? 'none' : 'unknown', headers };
    const [, scheme = '', credential = ''] = /^(\S*)\s*(.*)$/s.exec(authorization.trim()) ?? [];
    const isBearer = /^bearer$/i.test(scheme);
    const name = nameOf(credential === '' && !isBearer ? scheme : credential, 'TOKEN');
    // A recorder may have replaced the value.
    const isSaid = hasAllHeaders || (credential !== '' && (isBearer || OTHER_SCHEMES.test(scheme)));
    if (!isSaid) return { caller: 'unknown', headers };
    if (credential === '')
      return { caller: 'wrong', headers: { ...headers, authorization: isBearer ? 'Bearer' : name } };
    headers['authorization'] = `${scheme} ${name}`;
    return { caller: isBearer ? 'unknown' : 'wrong', headers };
  };

  return {
    of,
    get count() {
      return names.size;
    },
    /** Forgets them, and that they are secret, when nothing holds them any more. Later ones get other placeholders. */
    forget(): void {
      names.clear();
      const others = secrets.filter(({ placeholder = '' }) => !/^\$(?:TOKEN|COOKIE)(?:_\d+)?$/.test(placeholder));
      secrets.splice(0, Infinity, ...others);
    },
  };
}
