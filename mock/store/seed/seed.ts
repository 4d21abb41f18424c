import { findNodeAtLocation, parseTree, type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { createIdentifiers, type IdentifierFormat, type Identifiers, type Universe } from '../../../fixtures/index.ts';
import { textOf, type JsonObject } from '../../../text/json.ts';
import { completedResult } from './completed-result.ts';
import { pointerTokens } from '../../../spec/json-pointer.ts';
import { MockError } from '../../mock-error.ts';
import { blankFlow, publicForm } from '../agent-forms.ts';
import { asBase, copyOverlay, type Base, type Overlay } from '../overlay.ts';
import { inOrder } from '../listing.ts';
import { seedErrors } from './seed-errors.ts';

/** Your own data, added to a generated world. You may leave out what the service would fill in, such as an `id`. */
export interface Seed {
  /** Section 2.11. */
  readonly workspaces?: readonly JsonObject[];
  /** Section 2.1, in either form. An agent whose `isPublished` is true has a published form. */
  readonly agents?: readonly JsonObject[];
  /** Section 2.10, by the id of an agent: one from above, or a generated one. */
  readonly results?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Section 2.9, by the id of an agent from above. Default: made of the agent if it is published. */
  readonly publishedAgents?: Readonly<Record<string, JsonObject>>;
  /** Whether this is all there is: nothing is generated, and nothing is filled in. */
  readonly whole?: boolean;
}

/** Indexes of seeded things among identifiers, separate from those of generated and new ones. */
const SEEDED = 0xffff_fffe;

/** @throws MockError that names every invalid place (as a JSON Pointer). */
export function seedOverlay(seed: Seed | undefined, universe: Universe, format: IdentifierFormat, now: number): Base {
  const overlay = copyOverlay();
  if (seed === undefined) return asBase(overlay);
  const errors = seedErrors(seed);
  if (errors.length > 0)
    throw new MockError(`The seed is invalid: ${errors.map(({ at, message }) => `${at} ${message}`).join(' ')}`);
  const at = new Date(now).toISOString();
  const identifiers = createIdentifiers(universe.seed, format);
  const filling: Filling = { identifiers, universe, at };
  const whole = seed.whole === true;
  if (whole)
    for (let i = 0; i < universe.workspaceCount; i++) overlay.workspaces.set(universe.workspace(i).id ?? '', undefined);
  for (const [i, given] of (seed.workspaces ?? []).entries()) {
    const id = textOf(given['id'] ?? identifiers.of('workspace', SEEDED, i));
    const filled = { createdAt: at, updatedAt: at, lastActivityAt: at, ...given, id };
    overlay.workspaces.set(id, whole ? given : filled);
  }
  for (const [i, given] of (seed.agents ?? []).entries()) {
    const agent = whole ? given : filledAgent(given, i, filling);
    const id = textOf(agent['id']);
    overlay.agents.set(id, { agent, origin: 'seed' });
    const isPublished = agent['isPublished'] === true && !whole;
    const publicId = identifiers.of('publicAgent', SEEDED, i);
    const made = isPublished ? publicForm(agent, publicId, textOf(agent['publishedAt'])) : undefined;
    overlay.published.set(id, seed.publishedAgents?.[id] ?? made);
  }
  addResults(overlay, seed, filling);
  return asBase(overlay);
}

interface Filling {
  readonly identifiers: Identifiers;
  readonly universe: Universe;
  /** RFC 3339. */
  readonly at: string;
}

function filledAgent(given: JsonObject, i: number, { identifiers, universe, at }: Filling): JsonObject {
  const id = textOf(given['id'] ?? identifiers.of('agent', SEEDED, i));
  const first = universe.workspaceCount > 0 && universe.workspace(0).id;
  const workspaceId = textOf(given['workspaceId'] ?? first);
  const flags = { isPublished: false, isArchived: false, isClosed: false };
  const usual = { version: '6', ...blankFlow(id), createdAt: at, updatedAt: at, ...flags, tags: [] };
  const agent: JsonObject = { ...usual, ...given, workspaceId, id };
  if (given['isPublished'] === true) return { ...agent, publishedAt: textOf(given['publishedAt'] ?? at) };
  return agent;
}

function addResults(overlay: Overlay, { results, whole }: Seed, { identifiers, universe, at }: Filling): void {
  let made = 0;
  for (const [agentId, given] of Object.entries(results ?? {})) {
    const place = universe.agentIndex(agentId);
    const agent = overlay.agents.get(agentId)?.agent ?? (place === undefined ? undefined : universe.agent(place));
    if (agent === undefined)
      throw new MockError(`The seed is invalid: /results/${agentId} is not the id of a seeded or generated agent.`);
    const completed = (result: JsonObject) =>
      completedResult(result, agent as JsonObject, identifiers.of('result', SEEDED, made++), at);
    overlay.results.set(agentId, inOrder([], whole === true ? given : given.map(completed)));
  }
}

/** A seed from the text of a file. @throws MockError that lists what is wrong, each with the line and the JSON Pointer. */
export function readSeed(text: string, file: string): Seed {
  const syntax: ParseError[] = [];
  const root = parseTree(text, syntax, { disallowComments: true });
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const [broken] = syntax;
  const why = broken ? printParseErrorCode(broken.error) : 'it is empty';
  if (broken || !root) throw new MockError(`${file}:${lineOf(broken?.offset ?? 0)}: this is not JSON (${why}).`);
  const seed = JSON.parse(text) as unknown;
  const errors = seedErrors(seed);
  if (errors.length === 0) return seed as Seed;
  const shown = errors
    .slice(0, 10)
    .map(({ at, message }) => `${file}:${lineOf(nearestNode(root, at).offset)}: ${at || 'the seed'} ${message}`);
  const more = errors.length > shown.length ? [`... and ${errors.length - shown.length} more.`] : [];
  throw new MockError([...shown, ...more].join('\n'));
}

function nearestNode(root: Node, pointer: string): Node {
  const path = pointerTokens(pointer);
  for (let length = path.length; length > 0; length--) {
    const names = path.slice(0, length);
    const places = names.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const found = findNodeAtLocation(root, places) ?? findNodeAtLocation(root, names);
    if (found) return found;
  }
  return root;
}
