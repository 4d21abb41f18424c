import { isSecretName, withoutPasswords } from '../../text/secret-names.ts';
import { createLeftOut, type ForeignExchange } from '../../conformance/foreign/foreign-exchange.ts';
import { createRecogniser } from '../../conformance/foreign/recognise.ts';
import { type Json, type JsonObject, isObject, parseJson } from '../../text/json.ts';
import { excessOf } from '../../text/json-limits.ts';
import { nothingYet, wholeSeed, type Collected } from './whole-seed.ts';

export type FromTraffic = ReturnType<ReturnType<typeof gatherTraffic>['end']>;

/** Most bytes of answers that are kept. */
const MOST_KEPT = 200_000_000;
const MOST_TOKENS = 1000;

/** Collects data from the exchanges of recordings: later data replaces earlier. Beyond `most` bytes of answers nothing is kept. */
export function gatherTraffic(baseUrl: string | undefined, most = MOST_KEPT) {
  const collected = nothingYet();
  const leftOut = createLeftOut();
  const recogniser = createRecogniser(baseUrl);
  const tokens = new Set<string>();
  let [size, lastAt] = [0, -Infinity];

  function see(exchange: ForeignExchange): void {
    const { request, answer, answeredAt } = exchange;
    for (const token of tokensIn(request.headers)) if (tokens.size < MOST_TOKENS) tokens.add(token);
    const about = recogniser.of(request.method, request.url);
    if ('reason' in about) return leftOut.note(about.reason, about.about);
    if (exchange.leftOut) return leftOut.note(exchange.leftOut, '');
    if (!answer || answer.status < 200 || answer.status > 299) return;
    const body = answer.body && objectIn(answer.body);
    if (!body) return leftOut.note('no-body', '');
    size += answer.body?.length ?? 0;
    if (size > most) return leftOut.note('too-large', '');
    lastAt = Math.max(lastAt, answeredAt);
    collect(collected, about.agentId ?? '', body);
  }

  return {
    see,
    leftOut,
    end: () => ({
      ...wholeSeed(collected),
      tokens,
      leftOut: leftOut.all(),
      /** Epoch milliseconds of the last used answer; `undefined` if there was none. */
      lastAt: Number.isFinite(lastAt) ? Math.ceil(lastAt) : undefined,
    }),
  };
}

function objectIn(bytes: Uint8Array): JsonObject | undefined {
  const text = withoutPasswords(new TextDecoder().decode(bytes));
  return [excessOf(text) === undefined && parseJson(text)].find(isObject);
}

/** Credentials in headers, without their schemes; short texts are left out, since they occur elsewhere. */
const tokensIn = (headers: Readonly<Record<string, string>>): readonly string[] => [
  ...Object.entries(headers).flatMap(([name, value]) =>
    (isSecretName(name) && name !== 'cookie' ? value : '')
      .replace(/^[\w-]+ +/, '')
      .split(/\s+/)
      .filter((text) => text.length >= 8 && !text.startsWith('$')),
  ),
  ...(headers['cookie'] ?? '')
    .split(/;\s*/)
    .map((part) => part.replace(/^[^=]*=/, ''))
    .filter((text) => text.length >= 16),
];

function collect(collected: Collected, agentId: string, body: JsonObject): void {
  const { workspaces, agents, published, results } = collected;
  const { agent, publicAgent, workspace } = body;
  if (isNamed(agent)) agents.set(agent.id, agent);
  if (isNamed(workspace)) workspaces.set(workspace.id, workspace);
  if (agentId === '') return;
  if (isObject(publicAgent)) published.set(agentId, publicAgent);
  if (!Array.isArray(body['results'])) return;
  const list = results.get(agentId) ?? new Map<string, JsonObject>();
  for (const one of body['results'] as readonly Json[])
    if (isNamed(one)) list.set(one.id, one);
    else collected.nameless++;
  results.set(agentId, list);
}

const isNamed = (value: Json | undefined): value is JsonObject & { readonly id: string } =>
  isObject(value) && typeof value['id'] === 'string' && value['id'] !== '';
