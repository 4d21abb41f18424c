import { endpoints, schemas, type EndpointId } from '../../spec/index.ts';
import { drawFor } from '../../fixtures/universe/chance/draw.ts';
import { textWord } from '../../fixtures/universe/chance/hash.ts';
import {
  surprisingAgent,
  surprisingPublicAgent,
  surprisingResults,
  surprisingWorkspace,
  type Surprise,
} from '../../fixtures/universe/difficult/surprises.ts';
import { textsOf } from '../../fixtures/universe/difficult/texts.ts';

/** Matches its schema, and is surprising. It depends only on the input. `agentId` is empty if the path has no agent. */
export function madeUpBody(endpoint: EndpointId, { seed, agentId }: Surprise): unknown {
  const surprise: Surprise = { seed, agentId: agentId || undefined };
  const { mayBeVersion5, holds, response } = endpoints[endpoint];
  const draw = drawFor(textWord(seed), textWord(endpoint), textWord(`${seed}#`), 0);
  const currentUserMode = draw.one(['guest', 'read', 'write']);
  const cursor = `c_${draw.below(2 ** 32).toString(36)}${draw.below(2 ** 32).toString(36)}`;
  const isLast = draw.next() < 0.5;
  const held = surprising[holds as keyof typeof surprising](surprise, mayBeVersion5 === true ? 'both' : '6');
  // An empty last page is an example of the document, and would be the same for many seeds.
  const nextCursor = isLast && Array.isArray(held) && held.length > 0 ? null : cursor;
  const made: Readonly<Record<string, unknown>> = { [holds]: held, currentUserMode, nextCursor };
  const names = Object.keys(schemas[response].properties ?? {});
  return Object.fromEntries(names.map((name) => [name, made[name]]));
}

const surprising = {
  agent: surprisingAgent,
  publicAgent: surprisingPublicAgent,
  results: surprisingResults,
  workspace: surprisingWorkspace,
};

const places = ['header/authorization', 'path', 'query/limit', 'body', 'body/agent/name', 'body/a~1b/0', ''] as const;

/** The body of a dynamic refusal: problem details with as many members as possible, or as few. */
export function madeUpProblem(status: number, seed: string): unknown {
  const draw = drawFor(textWord(seed), textWord('problem'), textWord(`${seed}#`), status);
  const text = textsOf(draw);
  const sometimes = (name: string, value: unknown): object => (draw.next() < 0.5 ? { [name]: value } : {});
  return {
    type: `urn:agent-contract:error:${draw.one(['invalid', 'failed', 'unknown-to-you'])}`,
    title: text(),
    status,
    detail: text(),
    errors: Array.from({ length: draw.one([0, 1, 2, 30]) }, () => ({
      location: draw.one(places),
      message: text(),
      ...sometimes('meant', text()),
    })),
    ...sometimes('section', '4.5'),
    ...sometimes('form', text()),
    ...sometimes('example', draw.next() < 0.5 ? text() : { name: text() }),
  };
}
