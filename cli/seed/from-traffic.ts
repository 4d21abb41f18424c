import { isSecretName } from '../../text/secret-names.ts';
import { createLeftOut, type Reason } from '../../conformance/foreign/foreign-exchange.ts';
import { createRecogniser } from '../../conformance/foreign/recognise.ts';
import { createHarScanner, jsonOf, type HarPart } from '../../conformance/recording/har-scanner.ts';
import { readEntry, type HarEntry } from '../../conformance/recording/har-entry.ts';
import { createOrdering, type Ordering } from '../../conformance/recording/in-order.ts';
import { type Json, type JsonObject, isObject } from '../../text/json.ts';
import { excessOf } from '../../text/json-limits.ts';
import { wholeSeed, type Collected } from './whole-seed.ts';

/** The content of recordings, as seed data. */
export type FromTraffic = ReturnType<ReturnType<typeof gatherTraffic>['end']>;

/** Most bytes of answers that are kept. */
const MOST_KEPT = 200_000_000;
const MOST_TOKENS = 1000;

/**
 * Collects data from HAR files, each in the order of its answers: later data replaces earlier data. Beyond `most` bytes of
 * answers nothing is kept.
 */
export function gatherTraffic(baseUrl: string | undefined, most = MOST_KEPT) {
  const collected: Collected = {
    workspaces: new Map(),
    agents: new Map(),
    published: new Map(),
    results: new Map(),
    nameless: 0,
  };
  const leftOut = createLeftOut();
  const recogniser = createRecogniser(baseUrl);
  const tokens = new Set<string>();
  let [size, lastAt] = [0, -Infinity];

  function take({ exchange }: HarEntry): void {
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
    add: async (chunks: AsyncIterable<Buffer>): Promise<boolean> => {
      let isWhole = true;
      for await (const read of entriesInOrder(chunks, () => (isWhole = false)))
        if (typeof read === 'string') leftOut.note(read, '');
        else take(read);
      return isWhole;
    },
    end: () => ({
      ...wholeSeed(collected),
      /** Every credential in a request. */
      tokens,
      /** Unused exchanges, and why. */
      leftOut: leftOut.all(),
      /** Epoch milliseconds of the last used answer; `undefined` if there was none. */
      lastAt: Number.isFinite(lastAt) ? Math.ceil(lastAt) : undefined,
    }),
  };
}

type Timed = HarEntry & { readonly sentAt: number; readonly answeredAt: number; readonly size: number };

/** The entries of one file in the order of their answers, and a reason for each that cannot be used. */
async function* entriesInOrder(chunks: AsyncIterable<Buffer>, onCut: () => void): AsyncGenerator<HarEntry | Reason> {
  const scanner = createHarScanner();
  const ordering = createOrdering<Timed>();
  const read = function* (parts: readonly HarPart[]): Generator<HarEntry | Reason> {
    for (const part of parts)
      if (part.kind === 'entry') yield* placed(part.bytes, ordering);
      else if (part.kind !== 'member') yield part.kind;
  };
  for await (const chunk of chunks) yield* read(scanner.push(chunk));
  const { isWhole, parts } = scanner.end();
  yield* read(parts);
  if (!isWhole) onCut();
  for (const { item } of ordering.end()) yield item;
}

function* placed(bytes: Uint8Array, ordering: Ordering<Timed>): Generator<HarEntry | Reason> {
  const entry = readEntry(jsonOf(bytes));
  if (typeof entry === 'string') return yield entry;
  const { sentAt, answeredAt } = entry.exchange;
  for (const next of ordering.add({ ...entry, sentAt, answeredAt, size: bytes.length }))
    yield next?.item ?? 'out-of-order';
}

function objectIn(bytes: Uint8Array): JsonObject | undefined {
  const text = new TextDecoder().decode(bytes);
  if (excessOf(text) !== undefined) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    if (isObject(value)) return value;
    return undefined;
  } catch {
    return undefined;
  }
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
