import type { Selection } from '../../history/facts/selection.ts';

/** A parameter of a list request, which may be the reason for a refusal. */
export type Parameter = 'limit' | 'filter' | 'cursor';

/** A parameter with its value, as a key. */
export type ParameterKey = string;

/**
 * The parameters of a request. A server may accept a cursor only alone, or only with parameters: the specification
 * leaves that open.
 */
export function parametersOf({
  limit,
  sentFilter,
  cursor,
}: Selection): readonly (readonly [Parameter, ParameterKey])[] {
  const isAlone = limit === undefined && sentFilter === undefined;
  const parameters: [Parameter, ParameterKey][] = [];
  if (cursor !== undefined) parameters.push(['cursor', isAlone ? 'cursor alone' : 'cursor beside']);
  if (limit !== undefined) parameters.push(['limit', `limit=${limit}`]);
  if (sentFilter !== undefined) parameters.push(['filter', `filter=${sentFilter}`]);
  return parameters;
}

/** How often requests with each parameter were accepted and refused. */
export interface ParameterCounts {
  note(selection: Selection, isAccepted: boolean): void;
  /** How many requests had a parameter, with a given value or with any. */
  requests(parameter: Parameter, value?: string): number;
  readonly all: number;
  /** Whether a request without the parameter was refused. */
  readonly isBareRefused: boolean;
  /** Sorts the parameter first that is refused at a higher rate, and more often; 0 if neither is. */
  compare(one: ParameterKey, other: ParameterKey): number;
}

interface Count {
  accepted: number;
  refused: number;
}

const BARE = 'request';

export function createParameterCounts(): ParameterCounts {
  const counts = new Map<ParameterKey, Count>();
  let all = 0;
  const countOf = (key: ParameterKey): Count => counts.get(key) ?? { accepted: 0, refused: 0 };
  const requestsOf = (key: ParameterKey): number => countOf(key).accepted + countOf(key).refused;
  /** How often a parameter is refused, with less weight on few requests. */
  const ratio = (key: ParameterKey): number => countOf(key).refused / (requestsOf(key) + 2);
  return {
    note(selection, isAccepted) {
      all++;
      const given = parametersOf(selection).map(([, key]) => key);
      for (const key of given.length === 0 ? [BARE] : given) {
        const count = countOf(key);
        counts.set(key, count);
        if (isAccepted) count.accepted++;
        else count.refused++;
      }
    },
    requests(parameter, value) {
      const isMeant = (key: ParameterKey): boolean => {
        if (value === undefined) return key.startsWith(`${parameter}=`);
        return key === `${parameter}=${value}`;
      };
      return [...counts.keys()].filter(isMeant).reduce((sum, key) => sum + requestsOf(key), 0);
    },
    get all() {
      return all;
    },
    get isBareRefused() {
      return countOf(BARE).refused > 0;
    },
    compare: (one, other) => ratio(other) - ratio(one) || countOf(other).refused - countOf(one).refused,
  };
}
