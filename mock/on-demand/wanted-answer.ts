import type { EndpointId, Profile } from '../../spec/index.ts';
import { refuse, type Refusal, type Wire } from '../call.ts';
import type { Preferred } from './preferences.ts';
import { render } from '../service/render.ts';

/** Picks, or makes up, an answer that the OpenAPI document shows for an endpoint; a text says why there is none. */
export type Negotiate = (
  endpoint: EndpointId,
  wanted: Pick<Preferred, 'code' | 'example' | 'dynamic' | 'seed'>,
  accept: string | undefined,
) => Wire | { readonly refusal: string };

/**
 * The answer that a preference or a plan asks for in place of the mock's own: an example by name, one that is made up,
 * or a refusal with a given status, written as the profile writes refusals. No `wire` means that the mock's own will do.
 */
export function wantedAnswer(
  endpoint: EndpointId,
  wanted: Preferred,
  accept: string | undefined,
  profile: Profile,
  negotiate: Negotiate | undefined,
): { readonly wire?: Wire } | { readonly refusal: string } {
  const { code, example, dynamic, seed, retryAfter } = wanted;
  if (example !== undefined || dynamic === true) {
    if (!negotiate) return { refusal: 'Examples and made-up answers are to be had from a mock that runs in Node.js.' };
    const asked = {
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { example }),
      ...(dynamic === undefined ? {} : { dynamic }),
      ...(seed === undefined ? {} : { seed }),
    };
    const met = negotiate(endpoint, asked, accept);
    return 'refusal' in met ? met : { wire: met };
  }
  if (code === undefined || code < 300) return {};
  return { wire: render(refusalWith(code, retryAfter), profile) };
}

/** What a refusal with this status most likely means. */
function refusalWith(code: number, retryAfter: number | undefined): Refusal {
  const kind = kinds[code] ?? (code >= 500 ? 'failed' : 'invalid');
  const waits = code === 429 || code === 503;
  return {
    ...refuse(kind, `This answer was asked for: ${code}.`),
    status: code,
    ...(retryAfter !== undefined || waits ? { headers: { 'retry-after': String(retryAfter ?? 1) } } : {}),
  };
}

const kinds: Readonly<Record<number, Refusal['kind']>> = {
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not-found',
  405: 'wrong-method',
  410: 'not-found',
  413: 'too-large',
  415: 'content-type',
  429: 'rate-limited',
};

/** Whether the answer is one that is not the mock's own. */
export const asksForAnswer = ({ code, example, dynamic }: Preferred): boolean =>
  (code !== undefined && code >= 300) || example !== undefined || dynamic === true;

/** What has a say in an answer that is not the mock's own: an example goes before one that is made up. */
export const shapedBy = ({ example, dynamic }: Preferred): readonly (keyof Preferred)[] =>
  example !== undefined ? ['code', 'example'] : dynamic === true ? ['code', 'dynamic', 'seed'] : ['code', 'retryAfter'];
