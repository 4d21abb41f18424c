import { endpoints, type EndpointId } from '../../spec/index.ts';
import { createRecogniser } from '../foreign/recognise.ts';
import type { Answered } from '../http/exchange.ts';
import { FORM_FIELDS, formOf } from '../../http/form.ts';
import { field, parseJson, stringAt } from '../json.ts';
import type { RecordedExchange, Report } from '../report/report.ts';
import type { Secret } from '../report/redact.ts';
import { CannotProbe } from './cannot-probe.ts';
import type { Probe, Run } from './probe.ts';
import { messageOf } from '../../text/errors.ts';

/** What a recorded request needs in order to be sent again. */
export interface RepeatOptions {
  readonly recorded: Pick<Report, 'target' | 'created'>;
  /** Identifiers that the user names now, by those that the recorded run had. */
  readonly ids: ReadonlyMap<string, string>;
  readonly secrets: readonly Secret[];
}

/** A read may be repeated more often than a creation, which leaves something behind. */
const READS = 3;

/** Sends recorded exchanges again, in order, with the tokens of this run, and the identifiers and cursors it gets. */
export function repeating(exchanges: readonly RecordedExchange[], { recorded, ids, secrets }: RepeatOptions) {
  /** How many requests were answered, of how many, in the last round, and why not all were. */
  const repetition = { answered: 0, of: exchanges.length, why: undefined as string | undefined };
  const times = exchanges.every(({ method }) => method === 'GET') ? READS : 1;
  const recogniser = createRecogniser(recorded.target.baseUrl);

  async function sendAll(run: Run): Promise<void> {
    const now = new Map(ids);
    const cursors = new Map<string, string>();
    const last = new Map<EndpointId, Answered>();
    repetition.answered = 0;
    for (const exchange of exchanges) {
      const request = recogniser.of(exchange.method === 'GET' ? 'GET' : 'POST', exchange.url);
      if ('reason' in request) {
        repetition.why = `${exchange.method} ${exchange.url} is no request to a documented path`;
        return;
      }
      const { endpoint, agentId } = request;
      const agent = now.get(agentId ?? '') ?? agentId;
      const percent = /\?.*%(?:[a-f]|\d[a-f])/.test(exchange.url) ? 'lower' : 'usual';
      const cursor = cursors.get(agent ?? '');
      const twin = last.get(endpoint);
      const answered = await run.call(endpoint, {
        ...headersOf(exchange, secrets),
        agentId: agent,
        query: request.query.map(([name, value]) => [name, name === 'cursor' && cursor !== undefined ? cursor : value]),
        body: exchange.requestBody && withNew(exchange.requestBody, now, run.tag),
        method: exchange.method,
        form: { ...formOf(exchange.requestHeaders ?? {}), percent },
        twin,
        differs: twin && 'as in the report',
      });
      repetition.answered++;
      last.set(endpoint, answered);
      const { json } = answered.answer;
      const before = idIn(exchange, endpoint, recorded.created);
      const after = stringAt(json, endpoints[endpoint].holds, 'id');
      if (before !== undefined && after !== undefined) now.set(before, after);
      const next = field(json, 'nextCursor');
      if (typeof next === 'string') cursors.set(agent ?? '', next);
    }
  }

  const probe: Probe = {
    phase: 'end',
    queue: 'creations',
    async send(run) {
      try {
        for (let round = 0; round < times; round++) await sendAll(run);
      } catch (error) {
        repetition.why = messageOf(error);
        throw error;
      }
    },
  };
  return { probe, repetition };
}

const OF_SENDER = new Set(['authorization', 'content-type', 'content-length', 'host', ...FORM_FIELDS]);

/** Headers with the tokens of this run. A token that a recording only numbers is the main one. */
function headersOf({ requestHeaders = {} }: RecordedExchange, secrets: readonly Secret[]) {
  const longestFirst = secrets.toSorted(
    (one, other) => (other.placeholder ?? '').length - (one.placeholder ?? '').length,
  );
  const filled = (value: string): string => {
    const numbered = value.replace(/\$TOKEN_\d+/, '$TOKEN');
    const secret = longestFirst.find(({ placeholder = '$TOKEN' }) => numbered.includes(placeholder));
    const text = secret ? numbered.replaceAll(secret.placeholder ?? '$TOKEN', () => secret.value) : numbered;
    if (/\$[A-Z_]*TOKEN/.test(text)) throw new CannotProbe('This needs the token of the recorded run.', '--token');
    return text;
  };
  const all = Object.entries(requestHeaders).map(([name, value]) => [name.toLowerCase(), value] as const);
  const given = new Map(all);
  const authorization = given.get('authorization');
  return {
    authorization: authorization === undefined ? null : filled(authorization),
    contentType: given.get('content-type'),
    headers: Object.fromEntries(
      all.filter(([name]) => !OF_SENDER.has(name)).map(([name, value]) => [name, filled(value)]),
    ),
  };
}

/** A recorded body with new identifiers, and with the mark of this run in place of that of the recorded one. */
function withNew(body: string, ids: ReadonlyMap<string, string>, tag: string): string {
  const [, before] = /agent-contract check (\w{7,})\b/.exec(body) ?? [];
  let text = before === undefined ? body : body.replaceAll(before, tag);
  for (const [old, present] of ids) text = text.replaceAll(JSON.stringify(old), JSON.stringify(present));
  return text;
}

/** The identifier of what a recorded request created. Its answer may have been cut before it. */
function idIn(
  { method, body = '', requestBody = '' }: RecordedExchange,
  endpoint: EndpointId,
  created: Report['created'],
) {
  if (method === 'GET') return undefined;
  const { holds } = endpoints[endpoint];
  const sent = parseJson(requestBody);
  const name = stringAt(sent, holds, 'name') ?? stringAt(sent, 'name');
  const [, beginning] = new RegExp(`"${holds}"\\s*:\\s*\\{[^{}[\\]]*?"id"\\s*:\\s*"([^"]+)"`).exec(body) ?? [];
  return stringAt(parseJson(body), holds, 'id') ?? beginning ?? created.find((one) => one.name === name)?.id;
}
