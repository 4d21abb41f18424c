import gapRows from './gaps.json';
import levelRows from './levels.json';
import requirementRows from './requirements.json';
import triggerRows from './triggers.json';
import violationRows from './violations.json';
import everyEndpointRows from './violations-of-every-endpoint.json';
import { endpointRows } from './generated/endpoints.ts';
import type { SchemaName } from './schema.ts';

export type EndpointId = keyof typeof endpointRows;
export type RequirementId = keyof typeof requirementRows;
/** How every endpoint can break a requirement that all of them share: an id, and what is broken. */
type ViolationOfEvery = `${EndpointId}-${keyof typeof everyEndpointRows}`;
export type ViolationId = keyof typeof violationRows | ViolationOfEvery;
export type TriggerId = keyof typeof triggerRows;
export type GapId = keyof typeof gapRows;
export type LevelId = keyof typeof levelRows;
export type ChoiceOf<G extends GapId> = keyof (typeof gapRows)[G]['choices'] & string;

/** A gap whose choices are statuses. */
export type StatusGap = { [G in GapId]: (typeof gapRows)[G] extends { statuses: unknown } ? G : never }[GapId];

/** A choice for every gap: how one server answers everything that the specification leaves open. Pure JSON. */
export type Profile = { readonly [G in GapId]: ChoiceOf<G> };

/** One operation of the service (section 4). */
export interface Endpoint {
  readonly section: string;
  readonly title: string;
  /** What it does, in a sentence or two. */
  readonly description: string;
  /** Its subject, for the OpenAPI document: `Agents`. */
  readonly tag: string;
  readonly method: 'GET' | 'POST';
  /** Path template below the base URL; `{agentId}` is its only parameter. */
  readonly path: string;
  /** Schema of the request body, of the query as an object, and of the answer to an accepted request. */
  readonly request: SchemaName | null;
  readonly query: SchemaName | null;
  readonly response: SchemaName;
  /** What it does with a resource. To import is to create from a definition that may have been another agent's. */
  readonly does: 'creates' | 'imports' | 'reads' | 'lists';
  /** The resource, and the field of that answer that holds it. */
  readonly holds: string;
  /** Where that answer names its agent. `*` stands for each item of an array. */
  readonly agentIdAt?: string;
  /** Whether the resource may be absent although its agent exists: the answer is then not shown. */
  readonly mayBeAbsent?: boolean;
  /** Whether that answer may hold the version 5 form. */
  readonly mayBeVersion5?: boolean;
  /** Statuses of the refusals that the OpenAPI document lists: our choice, since the specification shows none. */
  readonly refusals: readonly number[];
  /** The lowest mode that may call it if modes are graded: also our choice. */
  readonly leastMode: 'guest' | 'read' | 'write';
}

/** The endpoints whose rows have these values. */
type EndpointWith<Values> = {
  [E in EndpointId]: (typeof endpointRows)[E] extends Values ? E : never;
}[EndpointId];
export type CreatingEndpoint = EndpointWith<{ does: 'creates' | 'imports' }>;
/** The endpoints that create an agent. */
export type NewAgentEndpoint = EndpointWith<{ does: 'creates' | 'imports'; holds: 'agent' }>;

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
  /** The endpoints that commit it. It may show at others too: something stored wrongly is read wrongly. */
  readonly at: readonly EndpointId[];
  readonly does: string;
}

/** A condition under which a fault is committed. */
export interface Trigger {
  /** Ends the sentence "The violation is committed when ...". */
  readonly when: string;
  readonly at: readonly EndpointId[] | 'every';
  /** Whether a run may miss it, because it holds by chance. */
  readonly isSeldom?: boolean;
  /** Whether it rests on how fast requests come and over which connections, so that it holds in one run and not in the next. */
  readonly isByChance?: boolean;
  /** Patterns (`*` stands for anything) of the only violations that fit. Default: all but those below. */
  readonly fits?: readonly string[];
  /** Patterns of violations that change no answer under this trigger; the name of another trigger stands for its patterns. */
  readonly cannotShow?: readonly string[];
  /** Patterns of violations that are permitted, or become other violations, under this trigger. */
  readonly isAnother?: readonly { readonly violations: readonly string[]; readonly because: string }[];
}

/** A question that the specification leaves open, with the answers that we know; the first is the mock's default. */
export interface Gap {
  readonly section: string;
  readonly question: string;
  readonly choices: Readonly<Record<string, string>>;
  /** The status that each choice stands for, where the choices are statuses. */
  readonly statuses?: Readonly<Record<string, number>>;
}

/** A part of the contract that a server can claim to hold. */
export interface Level {
  readonly title: string;
  /** All checks of these endpoints belong to it. */
  readonly endpoints: readonly EndpointId[];
  /** Whether it also takes an agent in the version 5 form (section 9). */
  readonly needsVersion5?: boolean;
}

export const endpoints: Readonly<Record<EndpointId, Endpoint>> = endpointRows;
export const requirements = requirementRows as Readonly<Record<RequirementId, Requirement>>;
export const violations = { ...violationsOfEveryEndpoint(), ...violationRows } as Readonly<
  Record<ViolationId, Violation>
>;
export const triggers = triggerRows as Readonly<Record<TriggerId, Trigger>>;
export const gaps: Readonly<Record<GapId, Gap>> = gapRows;
export const levels = levelRows as Readonly<Record<LevelId, Level>>;

/** The status of each choice, for a gap whose choices are statuses; for `success-status`, that of a creation. */
export const statusOfChoice = Object.fromEntries(
  Object.entries(gaps).flatMap(([id, { statuses }]) => (statuses ? [[id, statuses]] : [])),
) as { readonly [G in StatusGap]: Readonly<Record<ChoiceOf<G>, number>> };

export function isCreating(endpoint: EndpointId): endpoint is CreatingEndpoint {
  const { does } = endpoints[endpoint];
  return does === 'creates' || does === 'imports';
}

export function isCreatingAgents(endpoint: EndpointId): endpoint is NewAgentEndpoint {
  return isCreating(endpoint) && endpoints[endpoint].holds === 'agent';
}

/** Whether it shows an existing agent, as it is stored. */
export function isReadingAgent(endpoint: EndpointId): boolean {
  const { does, holds } = endpoints[endpoint];
  return does === 'reads' && holds === 'agent';
}

/** In those rows `*` is the endpoint, and a sentence begins with the endpoint's title. */
function violationsOfEveryEndpoint(): Readonly<Record<ViolationOfEvery, Violation>> {
  const made = Object.entries(endpoints).flatMap(([id, { title }]) =>
    Object.entries(everyEndpointRows).map(([name, { breaks, does }]): [string, object] => [
      `${id}-${name}`,
      { breaks: breaks.replace('*', id), at: [id], does: `${title} ${does}` },
    ]),
  );
  return Object.fromEntries(made) as Readonly<Record<ViolationOfEvery, Violation>>;
}

const keysOf = <K extends string>(rows: Readonly<Record<K, unknown>>): readonly K[] => Object.keys(rows) as K[];

export const endpointIds = keysOf(endpoints);
export const requirementIds = keysOf(requirements);
export const violationIds = keysOf(violations);
export const triggerIds = keysOf(triggers);
export const gapIds = keysOf(gaps);
export const levelIds = keysOf(levels);

/** Why a violation cannot be committed under a trigger; `undefined` if it can. */
export function unfit(
  violation: ViolationId,
  trigger: TriggerId,
): 'elsewhere' | 'cannot show' | 'is another' | undefined {
  const { at, fits = ['*'], cannotShow = [], isAnother = [] } = triggers[trigger];
  if (!isAmong(violation, fits)) return 'elsewhere';
  if (at !== 'every' && !violations[violation].at.some((endpoint) => at.includes(endpoint))) return 'elsewhere';
  if (isAmong(violation, cannotShow)) return 'cannot show';
  if (isAnother.some((row) => isAmong(violation, row.violations))) return 'is another';
  return undefined;
}

/** The triggers under which a violation can be committed. */
export const triggersOf = (violation: ViolationId): readonly TriggerId[] =>
  triggerIds.filter((trigger) => unfit(violation, trigger) === undefined);

/** Whether an id matches a pattern, in which one `*` stands for anything, or one of those of a trigger that is named. */
function isAmong(id: string, patterns: readonly string[]): boolean {
  const named: Readonly<Partial<Record<string, Trigger>>> = triggers;
  return patterns.some((pattern) => {
    const [beginning = '', end] = pattern.split('*');
    if (end === undefined) return id === pattern || isAmong(id, named[pattern]?.cannotShow ?? []);
    return id.startsWith(beginning) && id.endsWith(end);
  });
}

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
