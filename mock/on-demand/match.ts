import type { MockRequest } from '../call.ts';
import { MockError } from '../mock-error.ts';
import type { EndpointRoute } from '../service/route.ts';

/** For which requests to its endpoint a plan or a standing answer is; every given part must match. */
export interface Match {
  readonly agentId?: string;
  /** Of a list: `first` is without a cursor, `later` with one. */
  readonly page?: 'first' | 'later';
  /** `name`, or `name: value`. */
  readonly header?: string;
}

/** A request that belongs to an endpoint. */
export type Asked = EndpointRoute & Pick<MockRequest, 'headers' | 'target'>;

export function matches({ agentId, page, header }: Match, asked: Asked): boolean {
  const isLater = /[?&]cursor=./.test(asked.target);
  if (agentId !== undefined && agentId !== asked.agentId) return false;
  if (page !== undefined && (page === 'later') !== isLater) return false;
  if (header === undefined) return true;
  const [name = '', ...value] = header.split(':');
  const sent = new Map(Object.entries(asked.headers)).get(name.trim().toLowerCase());
  return sent !== undefined && (value.length === 0 || sent === value.join(':').trim());
}

/** @throws MockError, which the label begins, for an unknown part. */
export function checkMatch(match: Match | undefined, label: string): void {
  const unknown = Object.keys(match ?? {}).find((name) => !['agentId', 'page', 'header'].includes(name));
  if (unknown === undefined) return;
  throw new MockError(`${label}${JSON.stringify(unknown)} is not known. A match has agentId, page and header.`);
}
