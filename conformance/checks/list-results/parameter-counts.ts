import type { Selection } from '../../results/selection.ts';

/** A parameter of a request for a list: what could be at fault where it is refused. */
export type Parameter = 'limit' | 'filter' | 'cursor';

/** A parameter with its value, as a key. */
export type ParameterKey = string;

/** The parameters that a request gives. A cursor beside parameters may be refused, and one alone: which is not shown. */
export const parametersOf = ({
  limit,
  sentFilter,
  cursor,
}: Selection): readonly (readonly [Parameter, ParameterKey])[] => [
  ...(cursor === undefined
    ? []
    : [['cursor', limit === undefined && sentFilter === undefined ? 'cursor alone' : 'cursor beside'] as const]),
  ...(limit === undefined ? [] : [['limit', `limit=${limit}`] as const]),
  ...(sentFilter === undefined ? [] : [['filter', `filter=${sentFilter}`] as const]),
];

/** How often requests with each parameter were accepted and refused. */
export interface ParameterCounts {
  note(selection: Selection, isAccepted: boolean): void;
  /** How many requests gave a parameter, with a value or with any. */
  requests(parameter: Parameter, value?: string): number;
  readonly all: number;
  /** Whether a request that gives none was refused. */
  readonly isBareRefused: boolean;
  /** Orders the parameter first that is refused more often than the other, and more times; 0 where neither is. */
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
  /** How often a parameter is refused, little being made of a few requests. */
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
      const isMeant = (key: ParameterKey): boolean =>
        value === undefined ? key.startsWith(`${parameter}=`) : key === `${parameter}=${value}`;
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
