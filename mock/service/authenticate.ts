import { type Tokens, type Mode, refuse, type Call, type Refusal } from '../call.ts';
import { endpoints } from '../../spec/index.ts';
import { chosen } from '../choices/index.ts';
import { placeholder } from '../wording/slips.ts';
import type { Store } from '../store/store.ts';

/** Section 5: identifies the caller and checks the access. Refuses, or returns the caller's mode. */
export function authenticate(call: Call, tokens: Tokens, store: Pick<Store, 'mode'>): Mode | Refusal {
  const { authorization } = call;
  if (authorization === undefined) return unauthorized(`The Authorization header is missing. ${sendBearer}`);
  const token = chosen(call.profile, 'bearer-case').exec(authorization)?.[1];
  if (token === undefined) return unauthorized(`${formSlip(authorization, tokens)} ${sendBearer}`);
  const known = tokens.get(token);
  const mode = known && (store.mode(token, call.agentId) ?? known);
  if (mode === undefined)
    return unauthorized(['The token is unknown.', placeholder(token), knownTokens(tokens)].filter(Boolean).join(' '));
  const may = (asked: Mode): boolean => {
    const permitted = chosen(call.profile, 'mode-permissions')[asked];
    return permitted === 'every' || permitted.includes(call.endpoint);
  };
  if (may(mode)) return mode;
  const { title } = endpoints[call.endpoint];
  const permitted = modes.filter(may).join(' or ');
  const detail = `A caller with ${mode} access may not use ${title}. A caller with ${permitted} access may.`;
  const message = `The token gives ${mode} access. Use one that gives ${permitted} access.`;
  return { ...refuse('forbidden', detail, { location: 'header/authorization', message }), section: '5' };
}

/** From the most access to the least. */
const modes: readonly Mode[] = ['write', 'read', 'guest'];

const form = 'Authorization: Bearer <token>';
const sendBearer = `Send ${form}`;

const unauthorized = (message: string): Refusal => ({
  ...refuse('unauthorized', message, { location: 'header/authorization', message }),
  section: '5',
  example: form,
});

/** What is wrong with the form of the header. It repeats nothing of the header, since any part may be a token. */
function formSlip(header: string, tokens: Tokens): string {
  if (/^bearer *$/i.test(header)) return 'The Authorization header holds no token.';
  if (tokens.has(header.trim())) return 'The Authorization header holds only a token. The word Bearer must come first.';
  if (/^bearer +bearer\b/i.test(header)) return 'The Authorization header holds the word Bearer twice.';
  if (/^bearer *[:=]/i.test(header)) return 'Only a space belongs between Bearer and the token.';
  if (/^bearer +\S+ +\S/i.test(header)) return 'There is a space within the token.';
  if (/^bearer +\S+ *$/i.test(header)) return 'Write the word Bearer with a capital B and small letters.';
  const scheme = /^(?:basic|digest|token|apikey|api-key|jwt|negotiate|oauth)(?= )/i.exec(header)?.[0];
  if (scheme === undefined) return 'The Authorization header does not have the form: Bearer <token>.';
  return `The scheme of the Authorization header is ${scheme}, not Bearer.`;
}

/** Names tokens by their modes, never by their values. */
function knownTokens(tokens: Tokens): string {
  const known = modes.filter((mode) => [...tokens.values()].includes(mode));
  if (known.length === 0) return 'The mock knows no tokens.';
  return `The mock knows tokens for the ${known.length === 1 ? 'mode' : 'modes'} ${known.join(', ')}, and prints them when it starts.`;
}
