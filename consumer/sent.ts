import { endpoints, gaps, isCreating, typedLocations, type EndpointId, type Profile } from '../spec/index.ts';
import { grouping } from '../conformance/collections.ts';
import { escapeToken, templateOf } from '../spec/json-pointer.ts';
import type { MetExchange, Warning } from '../mock/index.ts';
import { placeholder } from '../mock/wording/slips.ts';
import { shellWord, toCurl } from '../text/curl.ts';
import { isObject, parseJson, textOf, type Json } from '../text/json.ts';
import { percentDecoded } from '../text/parse-url.ts';
import { agentIdIn, type FirstRun } from './first-run.ts';
import { HINT, type ClientFinding } from './report.ts';
import { again, lenient, strict } from './sent-profiles.json';
import type { TwinAnswer } from './twins.ts';

interface Slip {
  readonly code: string;
  /** `query/limit`, `body/agent/name` */
  readonly place: string;
  readonly message: string;
  readonly section: string;
  readonly isNote?: boolean;
  /** In place of a mistake in a place. */
  readonly says?: string;
}

/**
 * What the tests sent that the contract does not allow, or that surely means something else. One twin refuses, and explains,
 * whatever some server may refuse; another accepts what some server may accept, and warns of slips.
 * @param onPurpose parts of the names of tests that send wrong requests on purpose, or of what these ask for
 * @param slowly what they send while each answer takes `SLOW` milliseconds, if that was recorded
 */
export function judgeSent(first: FirstRun, onPurpose: readonly string[], slowly: readonly MetExchange[] = []) {
  const { sessions, answers, testsOf, testOf } = first;
  const found = sessions.flatMap((session) => {
    const free = { ...session, began: { ...session.began, held: [] } };
    const [told, warned] = [strict, lenient].map((choices) => answers(free, { choices: choices as Partial<Profile> }));
    return session.exchanges.flatMap((shown, index) =>
      slipsIn(shown, told?.[index], warned?.[index]).flatMap((slip) => {
        // A header that is sent besides is sent everywhere.
        const at = slip.code === 'stray-token' ? 'every-endpoint' : (shown.endpoint ?? 'no-endpoint');
        const id = `sent:${slip.code}:${at}:${slip.place}`;
        return session.alike.map((copy) => ({ id, slip, exchange: copy[index] ?? shown }));
      }),
    );
  });
  return Array.from(
    grouping([...found, ...creationsAgain(slowly, testOf), ...askedAgain(first)], ({ id }) => id),
    ([id, all]): ClientFinding => {
      const [{ slip, exchange }] = all as [(typeof found)[number]];
      const { endpoint, request } = exchange;
      const asked = endpoint ? endpoints[endpoint].title : request.target.split('?')[0];
      const sent = all.map((one) => one.exchange);
      return {
        id,
        aspect: 'sent',
        says: `"${asked}" is ${slip.says ?? `asked with a mistake in ${slip.place.replace(/^request$/, 'the request itself')}`}.`,
        why: [...new Set(all.map((one) => one.slip.message))].slice(0, 3).join(' '),
        section: slip.section,
        remedy: 'Change what the client sends.',
        tests: testsOf(sent),
        again: curlOf(exchange),
        count: all.length,
        accepted: purposeOf(sent, first, onPurpose) ?? ((slip.isNote && HINT) || undefined),
      };
    },
  );
}

/** Words in the name of a test that is about a refusal. "Shows 400 results" is about none. */
const PURPOSE = new RegExp(
  [
    String.raw`\b(?:refus|reject|invalid|error|unauth|forb[ai]d|den[iy]|not found\b|too (?:large|many|long)\b)`,
    String.raw`\b(?:without|missing|wrong|bad|no) (?:an? |the )?(?:token|authorization|name|id|limit|filter|cursor|body)\b`,
    String.raw`\b4(?:0[0-9]|1[35]|2[29])\b(?! \w+s\b)`,
  ].join('|'),
  'i',
);

function purposeOf(sent: readonly MetExchange[], { testOf, testsOf }: FirstRun, onPurpose: readonly string[]) {
  const unmarked = sent.filter((one) => {
    const about = [testOf(one) ?? '', one.request.target];
    return !onPurpose.some((part) => about.some((text) => text.includes(part)));
  });
  if (unmarked.length === 0) return 'marked as sent on purpose';
  const tests = testsOf(unmarked);
  const isPlain = tests.some((name) => {
    const title = name.split(' › ').slice(1).join() || name;
    return !PURPOSE.test(title.replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ').replaceAll(/[_-]/g, ' '));
  });
  return isPlain || tests.length === 0 ? undefined : 'seems to be sent on purpose, by the name of the test';
}

function slipsIn(exchange: MetExchange, told: TwinAnswer | undefined, warned: TwinAnswer | undefined): readonly Slip[] {
  const { endpoint, request } = exchange;
  const section = endpoint ? endpoints[endpoint].section : '4';
  const id = agentIdIn(exchange);
  const body = parseJson(request.body);
  const texts = {
    path: (percentDecoded(id) ?? id) || undefined,
    'header/authorization': /^bearer (.*)$/i.exec(request.headers['authorization'] ?? '')?.[1],
    'body/workspaceId': isObject(body) ? body['workspaceId'] : undefined,
  };
  const slips = Object.entries(texts).flatMap(([place, text]): readonly Slip[] => {
    const message = text === '' ? 'It is empty: a variable had no value.' : placeholder(textOf(text));
    return message === undefined ? [] : [{ code: 'placeholder', place, message, section }];
  });
  slips.push(...strayTokens(exchange, texts['header/authorization']));
  if (!told) return slips;
  slips.push(...refusedFor(told, section));
  if (warned) slips.push(...warnedOf(warned, section));
  if (endpoint && told.status < 400) slips.push(...undocumentedIn(endpoint, body));
  const places = new Set<string>();
  return slips.filter(({ place }) => !places.has(place) && places.add(place));
}

/** A token in other places than its own; a short one may be part of anything. */
function strayTokens({ request: { target, headers } }: MetExchange, token = ''): readonly Slip[] {
  const message =
    'The token belongs in the Authorization header alone: logs keep URLs, and cookies go to other paths too.';
  const [, named] = /[?&](access_?token|token|api_?key|authorization)=/i.exec(target) ?? [];
  const names = Object.keys(headers).filter((name) => name !== 'authorization' && headers[name]?.includes(token));
  const places = token.length < 8 ? [] : names.map((name) => ({ place: `header/${name}`, isNote: true }));
  if (named !== undefined) places.push({ place: `query/${named}`, isNote: false });
  return places.map((one) => ({ ...one, code: 'stray-token', message, section: '5' }));
}

/** What the strict twin says of a refusal. */
interface Problem {
  readonly type?: string;
  readonly detail: string;
  readonly section?: string;
  readonly errors: readonly { readonly location: string; readonly message: string }[];
}

/** Refusals that are the fault of the request itself, and not of data that is not there. */
const faulty = ['invalid', 'content-type', 'unknown-route', 'wrong-method', 'too-large'];

function refusedFor({ status, body }: TwinAnswer, section: string): readonly Slip[] {
  if (status < 400) return [];
  const { type = '', detail, section: stated, errors } = (parseJson(body) ?? {}) as unknown as Problem;
  const kind = type.split(':').at(-1) ?? '';
  // A token that is unknown may be a test of that; one that is not sent as one is a slip.
  if (kind === 'unauthorized' && !/unknown/.test(detail))
    return [{ code: 'authorization', place: 'header/authorization', message: detail, section: '5' }];
  if (!faulty.includes(kind)) return [];
  const places = errors.length > 0 ? errors : [{ location: 'request', message: detail }];
  return places.map(({ location, message }) => {
    const place = kind === 'wrong-method' ? 'method' : templateOf(location);
    return { code: kind, place, message, section: stated ?? section };
  });
}

function warnedOf({ warnings }: TwinAnswer, section: string): readonly Slip[] {
  const list = parseJson(warnings || '[]') as unknown as readonly Warning[];
  return list.flatMap(({ location: [side, ...place], code, message }) => {
    if (side !== 'request' || /^(?:prefer|x-mock)/.test(code)) return [];
    return [{ code, place: place.join('/'), message, section }];
  });
}

/** Fields that the specification does not show in the request. Servers may keep, drop or refuse them. */
function undocumentedIn(endpoint: EndpointId, body: Json | undefined): readonly Slip[] {
  const { request, response, section } = endpoints[endpoint];
  if (request === null || body === undefined) return [];
  // The form of version 5 is not shown.
  const { agent } = isObject(body) ? body : {};
  if (endpoints[endpoint].does === 'imports' && isObject(agent) && agent['version'] !== '6') return [];
  const documented = placesIn(request);
  const ofServer = placesIn(response);
  const slipAt = (place: string): Slip => {
    const slip = { place: `body${place}`, section, isNote: true };
    if (ofServer.has(place)) return { ...slip, ...ownFields.ofServer };
    return { ...slip, ...ownFields.undocumented };
  };
  const slips: Slip[] = [];
  const look = (value: Json, at: string): void => {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) look(item, `${at}/*`);
    if (!isObject(value) || ![...documented].some((one) => one.startsWith(`${at}/`))) return;
    for (const [name, inner] of Object.entries(value)) {
      const place = `${at}/${escapeToken(name)}`;
      if (documented.has(place) || FREE.test(place)) look(inner, place);
      else slips.push(slipAt(place));
    }
  };
  look(body, '');
  return slips.slice(0, 20);
}

const ownFields = {
  undocumented: {
    code: 'undocumented-field',
    message: `Is not a documented field. ${gaps['undocumented-fields-sent'].question} Some servers drop them.`,
  },
  ofServer: {
    code: 'server-field',
    message: `Is documented in the answer, and not in the request. ${gaps['import-server-fields'].question} Some servers refuse them.`,
  },
};

const placesIn = (schema: string): ReadonlySet<string> =>
  new Set(typedLocations[schema as keyof typeof typedLocations].map(({ pointer }) => pointer));

/** Whatever is below these is of no documented shape. */
const FREE = /\/(?:blocks|columnsVisibility|columnsWidth)(?:\/|$)/;

/** What one test sends in the same way, if it does so more than once. */
function repeated(exchanges: readonly MetExchange[], testOf: FirstRun['testOf']) {
  const groups = grouping(exchanges, (one) => {
    const { method, target, body, headers } = one.request;
    const said = [method, target, body, headers['authorization'], headers['content-type']];
    return JSON.stringify([one.mock, one.session, testOf(one), ...said]);
  });
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** How many times within a second a refused request is sent before that counts as a loop. */
const LOOP = 5;
/** How many times a question is asked, once in a second or faster, before that counts as polling. */
const POLL = 20;

const isLoop = (row: readonly MetExchange[]): boolean =>
  row.length === LOOP && lasts(row) <= 1000 && row.every(({ status }) => (status ?? 500) >= 400);

const lasts = (row: readonly MetExchange[]): number => (row.at(-1)?.came ?? 0) - (row[0]?.came ?? 0);

/** What a test sends again and again, whatever the answer. */
function askedAgain({ exchanges, testOf }: FirstRun) {
  return repeated(exchanges, testOf).flatMap((all) => {
    const looping = new Set(all.flatMap((_, at) => [all.slice(at, at + LOOP)].filter(isLoop).flat()));
    const each = Math.round(lasts(all) / (all.length - 1));
    const isPoll = looping.size === 0 && all.length >= POLL && each <= 1000;
    const polls = all.filter((one) => isPoll && one.request.method === 'GET' && testOf(one));
    const loop = `So it was ${LOOP} times within a second, though each was refused.`;
    const poll = `${all.length} times, one about every ${each} ms. Wait longer each time, and give up some time: a server may count requests.`;
    const about = (code: string, says: string, message: string, isNote: boolean) => (exchange: MetExchange) => ({
      id: `sent:${code}:${exchange.endpoint ?? 'no-endpoint'}:request`,
      slip: { code, says, message, place: 'request', section: '7', isNote },
      exchange,
    });
    return [
      ...Array.from(looping, about('endless-retry', 'sent again at once', loop, false)),
      ...polls.map(about('fast-polling', 'asked over and over', poll, true)),
    ];
  });
}

/** Milliseconds that each answer takes in the run that shows what is sent before there is one. */
export const SLOW = 150;

/** Creations that a test sends again after a failure, or `within` milliseconds: two of them may well be meant. */
export function creationsAgain(exchanges: readonly MetExchange[], testOf: FirstRun['testOf'], within = SLOW) {
  const creations = exchanges.filter(({ endpoint }) => endpoint && isCreating(endpoint));
  return repeated(creations, testOf).flatMap((all) =>
    all.slice(1).flatMap((exchange, index) => {
      const { status, came } = all[index] ?? exchange;
      const isFailed = status === null || status >= 500;
      if (!isFailed && (status > 299 || exchange.came - came >= within)) return [];
      const slip = { ...(isFailed ? again.afterFailure : again.atOnce), place: 'request', section: '7', isNote: true };
      return [{ id: `sent:${slip.code}:${exchange.endpoint}`, slip, exchange }];
    }),
  );
}

/** Longer bodies are no commands that a reader copies. */
const LONGEST = 2000;

function curlOf({ request: { method, target, headers, body } }: MetExchange): string | undefined {
  if (body !== undefined && body.length > LONGEST) return undefined;
  const token = /\S+$/.exec(headers['authorization'] ?? '')?.[0] ?? '';
  const sent = Object.entries(headers).filter(([name]) => /^(?:authorization|content-type)$/.test(name));
  const bytes = body === undefined ? undefined : Buffer.from(body, 'latin1');
  const request = { method, url: target, headers: Object.fromEntries(sent) as Record<string, string>, body: bytes };
  const secrets = [{ value: token, placeholder: '$AGENT_CONTRACT_TOKEN' }];
  const curl = toCurl(request, { secrets, base: { variable: '$AGENT_CONTRACT_BASE_URL' } });
  return `-- sh -c ${shellWord(curl)}`;
}
