import endpointRows from './endpoints.json';
import gapRows from './gaps.json';
import requirementRows from './requirements.json';
import violationRows from './violations.json';
import type { SchemaName } from './schema.ts';

export type EndpointId = keyof typeof endpointRows;
export type RequirementId = keyof typeof requirementRows;
export type ViolationId = keyof typeof violationRows;
export type GapId = keyof typeof gapRows;
export type ChoiceOf<G extends GapId> = keyof (typeof gapRows)[G]['choices'] & string;

/** An answer to every gap: what one server makes of everything that the specification leaves open. Pure JSON. */
export type Profile = { readonly [G in GapId]: ChoiceOf<G> };

/** One operation of the service (section 4). */
export interface Endpoint {
  readonly section: string;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /** Path template below the base URL; `{agentId}` is its only parameter. */
  readonly path: string;
  /** Schema of the request body, of the query as an object, and of the answer to an accepted request. */
  readonly request: SchemaName | null;
  readonly query: SchemaName | null;
  readonly response: SchemaName;
}

/** Something that the specification demands. `derived` rows say what they are derived from. */
export interface Requirement {
  readonly section: string;
  readonly lane: 'stated' | 'derived';
  readonly statement: string;
  readonly derivation?: string;
}

/** One way of breaking a requirement, described as what a bad server does. */
export interface Violation {
  readonly breaks: RequirementId;
  readonly does: string;
}

/** A question that the specification leaves open, with the answers that we know; the first is the mock's default. */
export interface Gap {
  readonly section: string;
  readonly question: string;
  readonly choices: Readonly<Record<string, string>>;
}

export const endpoints = endpointRows as Readonly<Record<EndpointId, Endpoint>>;
export const requirements = requirementRows as Readonly<Record<RequirementId, Requirement>>;
export const violations = violationRows as Readonly<Record<ViolationId, Violation>>;
export const gaps: Readonly<Record<GapId, Gap>> = gapRows;

const keysOf = <K extends string>(rows: Readonly<Record<K, unknown>>): readonly K[] => Object.keys(rows) as K[];

export const endpointIds = keysOf(endpoints);
export const requirementIds = keysOf(requirements);
export const violationIds = keysOf(violations);
export const gapIds = keysOf(gaps);

/** The documented values of `timeFilter` (section 4.5), a closed set. */
export const timeFilters = [
  'today',
  'last7Days',
  'last30Days',
  'monthToDate',
  'lastMonth',
  'yearToDate',
  'allTime',
] as const;
export type TimeFilter = (typeof timeFilters)[number];
