import { findNodeAtLocation, parseTree, type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { createIdentifiers, type IdentifierFormat, type Universe } from '../../fixtures/index.ts';
import { validate, type ConversationResult } from '../../spec/index.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { completedResult } from './completed-result.ts';
import { escapeToken, pointerTokens } from '../../spec/json-pointer.ts';
import { MockError } from '../mock-error.ts';
import { blankFlow, publicForm } from './agent-forms.ts';
import { emptyOverlay, type Overlay } from './overlay.ts';
import { inOrder } from './listing.ts';

/** Your own data, added to a generated world. You may leave out what the service would fill in, such as an `id`. */
export interface Seed {
  /** Section 2.11. */
  readonly workspaces?: readonly JsonObject[];
  /** Section 2.1, in either form. An agent whose `isPublished` is true has a published form. */
  readonly agents?: readonly JsonObject[];
  /** Section 2.10, by the id of an agent: one from above, or a generated one. */
  readonly results?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Section 2.9, by the id of an agent from above: its published form, where that is not made from the agent. */
  readonly published?: Readonly<Record<string, JsonObject>>;
  /** Nothing is left out of what is here, so that nothing is filled in but a missing `id`, version or `createdAt`. */
  readonly whole?: boolean;
}

/** Places of seeded things among identifiers, apart from those of generated and of new ones. */
const SEEDED = 0xffff_fffe;

/** @throws MockError that names every invalid place (as a JSON Pointer). */
export function seedOverlay(
  seed: Seed | undefined,
  universe: Universe,
  format: IdentifierFormat,
  now: number,
): Overlay {
  const overlay = emptyOverlay();
  if (seed === undefined) return overlay;
  const errors = seedErrors(seed);
  if (errors.length > 0)
    throw new MockError(`The seed is invalid: ${errors.map(({ at, message }) => `${at} ${message}`).join(' ')}`);
  const identifiers = createIdentifiers(universe.seed, format);
  const at = new Date(now).toISOString();
  const text = (value: Json | undefined, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

  for (const [i, given] of (seed.workspaces ?? []).entries()) {
    const id = text(given['id'], identifiers.of('workspace', SEEDED, i));
    const filled = seed.whole === true ? {} : { createdAt: at, updatedAt: at, lastActivityAt: at };
    overlay.workspaces.set(id, { ...filled, ...given, id });
  }
  for (const [i, given] of (seed.agents ?? []).entries()) {
    const id = text(given['id'], identifiers.of('agent', SEEDED, i));
    const published = seed.published?.[id];
    if (seed.whole === true) {
      const agent = { version: '6', ...given, id };
      overlay.agents.set(id, { agent, origin: 'seed' });
      const form =
        given['isPublished'] === true
          ? publicForm(agent, identifiers.of('publicAgent', SEEDED, i), text(given['publishedAt'], at))
          : undefined;
      overlay.published.set(id, published ?? form);
      continue;
    }
    const workspaceId = text(
      given['workspaceId'],
      universe.workspaceCount === 0 ? '' : (universe.workspace(0).id ?? ''),
    );
    const agent: JsonObject = {
      version: '6',
      ...blankFlow(id),
      createdAt: at,
      updatedAt: at,
      isPublished: false,
      isArchived: false,
      isClosed: false,
      tags: [],
      ...given,
      workspaceId,
      id,
    };
    const publishedAt = text(given['publishedAt'], at);
    const isPublished = given['isPublished'] === true;
    overlay.agents.set(id, { agent: isPublished ? { ...agent, publishedAt } : agent, origin: 'seed' });
    const form = isPublished ? publicForm(agent, identifiers.of('publicAgent', SEEDED, i), publishedAt) : undefined;
    overlay.published.set(id, published ?? form);
  }
  let made = 0;
  for (const [agentId, given] of Object.entries(seed.results ?? {})) {
    const place = universe.agentIndex(agentId);
    const agent = overlay.agents.get(agentId)?.agent ?? (place === undefined ? undefined : universe.agent(place));
    if (agent === undefined)
      throw new MockError(`The seed is invalid: /results/${agentId} is not the id of a seeded or generated agent.`);
    const results = given.map((result) =>
      seed.whole === true && typeof result['id'] === 'string' && typeof result['createdAt'] === 'string'
        ? (result as unknown as ConversationResult)
        : completedResult(result, agent as JsonObject, identifiers.of('result', SEEDED, made++), at),
    );
    overlay.results.set(agentId, inOrder([], results));
  }
  return overlay;
}

/** One thing that is wrong with a seed. */
export interface SeedError {
  /** JSON Pointer. */
  readonly at: string;
  readonly message: string;
}

/** Everything that is wrong with a seed, according to the schemas of agents, results and workspaces. */
export function seedErrors(seed: unknown): readonly SeedError[] {
  if (!isObject(seed)) return [{ at: '', message: 'must be an object with "workspaces", "agents" or "results".' }];
  const errors: SeedError[] = [];
  const known = ['workspaces', 'agents', 'results', 'published', 'whole', '$schema'];
  for (const key of Object.keys(seed))
    if (!known.includes(key))
      errors.push({
        at: `/${escapeToken(key)}`,
        message: `is not part of a seed. A seed has ${known.slice(0, 5).join(', ')}.`,
      });
  const judge = (schema: Parameters<typeof validate>[0], value: Json, at: string): void => {
    for (const error of validate(schema, value))
      errors.push({
        at: `${at}${error.at}`,
        message: error.keyword === 'required' ? 'is required.' : `must be ${error.expected}; it is ${error.actual}.`,
      });
  };
  const list = (value: Json | undefined, at: string): readonly Json[] => {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value as readonly Json[];
    errors.push({ at, message: 'must be a list.' });
    return [];
  };
  for (const [i, one] of list(seed['workspaces'], '/workspaces').entries()) judge('workspace', one, `/workspaces/${i}`);
  for (const [i, one] of list(seed['agents'], '/agents').entries())
    judge(
      isObject(one) && one['version'] !== undefined && one['version'] !== '6' ? 'agent-v5' : 'agent-v6',
      isObject(one) && one['version'] === undefined ? { version: '6', ...one } : one,
      `/agents/${i}`,
    );
  if (seed['whole'] !== undefined && typeof seed['whole'] !== 'boolean')
    errors.push({ at: '/whole', message: 'must be true or false.' });
  const { published = {}, results } = seed;
  const ids = new Set(list(seed['agents'], '').flatMap((one) => (isObject(one) ? [one['id']] : [])));
  if (!isObject(published))
    errors.push({
      at: '/published',
      message: 'must be an object with the ids of agents as names and forms as values.',
    });
  else
    for (const [agentId, form] of Object.entries(published)) {
      const at = `/published/${escapeToken(agentId)}`;
      if (!ids.has(agentId)) errors.push({ at, message: 'is not the id of an agent of this seed.' });
      judge(isObject(form) && form['version'] === '6' ? 'public-agent-v6' : 'public-agent-v5', form, at);
    }
  if (results !== undefined && !isObject(results))
    errors.push({ at: '/results', message: 'must be an object with the ids of agents as names and lists as values.' });
  else
    for (const [agentId, all] of Object.entries(results ?? {}))
      for (const [i, one] of list(all, `/results/${escapeToken(agentId)}`).entries()) {
        const at = `/results/${escapeToken(agentId)}/${i}`;
        judge('result', one, at);
        const createdAt = isObject(one) ? one['createdAt'] : undefined;
        if (typeof createdAt === 'string' && Number.isNaN(Date.parse(createdAt)))
          errors.push({
            at: `${at}/createdAt`,
            message: `must be an instant such as 2026-05-20T15:30:00Z; it is ${JSON.stringify(createdAt.slice(0, 60))}.`,
          });
      }
  return errors;
}

/**
 * A seed from the text of a file.
 * @throws MockError that lists what is wrong, each with the line and the JSON Pointer.
 */
export function readSeed(text: string, file: string): Seed {
  const syntax: ParseError[] = [];
  const root = parseTree(text, syntax, { disallowComments: true });
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const [broken] = syntax;
  if (broken || !root)
    throw new MockError(
      `${file}:${lineOf(broken?.offset ?? 0)}: this is not JSON (${broken ? printParseErrorCode(broken.error) : 'it is empty'}).`,
    );
  const seed = JSON.parse(text) as unknown;
  const errors = seedErrors(seed);
  if (errors.length === 0) return seed as Seed;
  const shown = errors
    .slice(0, 10)
    .map(
      ({ at, message }) => `${file}:${lineOf(nearestNode(root, at).offset)}: ${at === '' ? 'the seed' : at} ${message}`,
    );
  const more = errors.length > shown.length ? [`... and ${errors.length - shown.length} more.`] : [];
  throw new MockError([...shown, ...more].join('\n'));
}

/** The node at a pointer, or what is nearest above it. */
function nearestNode(root: Node, pointer: string): Node {
  const path = pointerTokens(pointer);
  for (let length = path.length; length > 0; length--) {
    const segments = path.slice(0, length);
    const found =
      findNodeAtLocation(
        root,
        segments.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
      ) ?? findNodeAtLocation(root, segments);
    if (found) return found;
  }
  return root;
}
