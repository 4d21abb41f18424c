import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Wire } from '../wire/wire.ts';
import { quote } from '../wording/slips.ts';
import type { Preferred } from './preferences.ts';

export interface DocumentedAnswer {
  readonly code: number;
  readonly mediaType: string;
  /** By name, the most informative first. */
  readonly examples: Readonly<Record<string, unknown>>;
}

/** The documented answer with the wanted code, or with that of success; or why there is none. Refusals ignore `accept`. */
export function documentedAnswer(endpoint: EndpointId, { code, example }: Preferred, accept?: string) {
  const { title } = endpoints[endpoint];
  const all = answersOf(endpoint);
  const there =
    'Its codes and examples are ' +
    `${all.map((one) => `${one.code}: ${Object.keys(one.examples).join(', ')}`).join('; ')}.`;
  const found = all.find((one) => (code === undefined ? one.code < 300 : one.code === code));
  if (found === undefined) return { refusal: `${title} documents no answer with the code ${code}. ${there}` };
  if (example !== undefined && !Object.hasOwn(found.examples, example)) {
    const other = all.find(({ examples }) => Object.hasOwn(examples, example));
    const advice = other ? ` Ask for code=${other.code} too.` : '';
    return { refusal: `${title} has no example ${quote(example)} for the code ${found.code}.${advice} ${there}` };
  }
  if (found.code < 400 && !isAcceptable(found.mediaType, accept))
    return {
      refusal: `${title} answers ${found.mediaType}, which the Accept header ${quote(accept ?? '')} does not accept.`,
    };
  return found;
}

export const asDocumented = ({ code, mediaType }: DocumentedAnswer, body: unknown): Wire => ({
  status: code,
  headers: { 'content-type': `${mediaType}; charset=utf-8` },
  body: JSON.stringify(body),
});

/** Whether an Accept header accepts a media type, by its most specific range (RFC 9110, section 12.5.1). */
function isAcceptable(mediaType: string, accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const [type = ''] = mediaType.split('/');
  const ranges = [undefined, '*/*', `${type}/*`, mediaType];
  let best = { rank: 0, quality: 0 };
  for (const written of accept.split(',')) {
    const [range = '', ...parameters] = written.split(';').map((part) => part.trim().toLowerCase());
    const rank = ranges.indexOf(range);
    const quality = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
    if (rank > best.rank) best = { rank, quality };
  }
  return best.quality > 0;
}

function answersOf(endpoint: EndpointId): readonly DocumentedAnswer[] {
  // With `require`, since the answer is synchronous and `import()` returns a promise.
  const { openapi } = require('../../spec/openapi/document') as typeof import('../../spec/openapi/document.ts');
  const { path, method } = endpoints[endpoint];
  const responses = Object.entries(openapi.paths[path]?.[method.toLowerCase()]?.responses ?? {});
  return responses.flatMap(([code, { $ref = '', content = {} }]) => {
    const shared = openapi.components.responses?.[$ref.slice($ref.lastIndexOf('/') + 1)];
    return Object.entries(shared?.content ?? content).map(([mediaType, { examples = {} }]) => ({
      code: Number(code),
      mediaType,
      examples: Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value])),
    }));
  });
}
