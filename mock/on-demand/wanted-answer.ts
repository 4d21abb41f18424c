import type { Profile } from '../../spec/index.ts';
import type { EndpointRoute } from '../service/route.ts';
import { refuse } from '../call.ts';
import type { Wire } from '../wire/wire.ts';
import type { Preferred } from './preferences.ts';
import { refusalKind, render } from '../service/render.ts';

/**
 * The requested answer in place of the mock's own, if there is one, with the preferences that shaped it: an example takes
 * precedence over a generated answer. Without a seed, `number`, that of the request, decides what is generated.
 */
export function wantedAnswer(
  { endpoint, agentId }: EndpointRoute,
  { accept, number }: { readonly accept: string | undefined; readonly number: number },
  preferred: Preferred,
  profile: Profile,
): { readonly wire: Wire; readonly shapedBy: readonly (keyof Preferred)[] } | { readonly refusal: string } | undefined {
  const { code, example, dynamic, seed = String(number), retryAfter } = preferred;
  if (example !== undefined || dynamic === true) {
    const { documentedAnswer, asDocumented } = require('./examples') as typeof import('./examples.ts');
    const found = documentedAnswer(endpoint, preferred, accept);
    if ('refusal' in found) return found;
    if (example !== undefined)
      return { wire: asDocumented(found, found.examples[example]), shapedBy: ['code', 'example'] };
    const { madeUpBody, madeUpProblem } = require('./dynamic') as typeof import('./dynamic.ts');
    const body = found.code < 400 ? madeUpBody(endpoint, { seed, agentId }) : madeUpProblem(found.code, seed);
    return { wire: asDocumented(found, body), shapedBy: ['code', 'dynamic', 'seed'] };
  }
  if (code === undefined || code < 300) return undefined;
  const wait = retryAfter ?? (code === 429 || code === 503 ? 1 : undefined);
  const headers = wait === undefined ? undefined : { 'retry-after': String(wait) };
  const refusal = refuse(refusalKind(code), `The request asked for this answer: ${code}.`);
  return { wire: render({ ...refusal, status: code, headers }, profile), shapedBy: ['code', 'retryAfter'] };
}
