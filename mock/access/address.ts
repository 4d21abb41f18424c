import { percentDecoded } from '../../text/parse-url.ts';
import type { MockRequest } from '../call.ts';

/** Whether a target, without its session, belongs to the admin API. */
export const isAdmin = (target: string): boolean => /^\/__admin(?:[/?]|$)/.test(target);

/** The session name of a request, from its path or its header, and the target without it. */
export function sessionOf(request: MockRequest): { readonly id: string; readonly target: string } {
  if (request.target.startsWith('/_s/')) {
    const [, id = '', rest = ''] = /^\/_s\/([^/?]*)(.*)$/s.exec(request.target) ?? [];
    return { id: percentDecoded(id) ?? id, target: rest.replace(/^(?!\/)/, '/') };
  }
  return { id: request.headers['x-mock-session'] ?? '', target: request.target };
}
