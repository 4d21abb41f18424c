import { checks } from '../conformance/checks/index.ts';
import { personaNames, personas } from '../fixtures/index.ts';
import { connectionFaultMeanings, connectionFaults } from '../mock/wire/broken-connections.ts';
import { profileNames, profiles } from '../mock/profiles/index.ts';
import {
  endpointIds,
  endpoints,
  gapIds,
  gaps,
  requirementIds,
  requirements,
  triggerIds,
  triggers,
  triggersOf,
  unfit,
  violationIds,
  violations,
  type EndpointId,
  type GapId,
  type RequirementId,
  type TriggerId,
  type ViolationId,
} from '../spec/index.ts';

export type Kind =
  | 'check'
  | 'requirement'
  | 'violation'
  | 'trigger'
  | 'connection-fault'
  | 'gap'
  | 'profile'
  | 'persona'
  | 'endpoint';

/** A thing with an id. */
export interface Entry {
  readonly kind: Kind;
  readonly id: string;
  /** One line for a table. */
  readonly summary: string;
  /** Short facts for a table: the section, the lane and the like. */
  readonly facts: readonly string[];
  /** What `explain` shows: a name, with a text or one line per item. */
  readonly details: Readonly<Record<string, string | readonly string[]>>;
}

/** Comes before the facts of a table, and names the kind on the command line. */
export const kinds: Readonly<Record<Kind, { readonly plural: string; readonly aliases: readonly string[] }>> = {
  check: { plural: 'checks', aliases: [] },
  requirement: { plural: 'requirements', aliases: [] },
  violation: { plural: 'violations', aliases: ['faults'] },
  trigger: { plural: 'triggers', aliases: [] },
  'connection-fault': { plural: 'connection-faults', aliases: [] },
  gap: { plural: 'gaps', aliases: ['choices'] },
  profile: { plural: 'profiles', aliases: [] },
  persona: { plural: 'personas', aliases: [] },
  endpoint: { plural: 'endpoints', aliases: [] },
};

const makers: Readonly<Record<Kind, () => readonly Entry[]>> = {
  check: () =>
    checks.map(({ id, title, endpoint, verifies, provenBy }) => ({
      kind: 'check',
      id,
      summary: title,
      facts: [endpoint],
      details: {
        states: title,
        endpoint: endpointLine(endpoint),
        verifies: verifies.map(requirementLine),
        'proven to catch': provenBy.map(violationLine),
      },
    })),
  requirement: () =>
    requirementIds.map((id) => {
      const { section, lane, statement, derivation } = requirements[id];
      return {
        kind: 'requirement',
        id,
        summary: statement,
        facts: [section, lane],
        details: {
          states: statement,
          section,
          lane,
          ...(derivation === undefined ? {} : { derivation }),
          'verified by': checks.filter(({ verifies }) => verifies.includes(id)).map(checkLine),
          'broken by': violationIds.filter((one) => violations[one].breaks === id).map(violationLine),
        },
      };
    }),
  violation: () =>
    violationIds.map((id) => {
      const { breaks, does } = violations[id];
      return {
        kind: 'violation',
        id,
        summary: does,
        facts: [requirements[breaks].section, breaks],
        details: {
          does,
          breaks: requirementLine(breaks),
          at: violations[id].at.map(endpointLine),
          'fits triggers': triggersOf(id).map(triggerLine),
          'caught by': checks.filter(({ provenBy }) => provenBy.includes(id)).map(checkLine),
        },
      };
    }),
  trigger: () =>
    triggerIds.map((id) => {
      const { when, at } = triggers[id];
      const fitting = violationIds.filter((violation) => unfit(violation, id) === undefined);
      return {
        kind: 'trigger',
        id,
        summary: `The mock commits the fault when ${when}.`,
        facts: [at === 'every' ? 'every endpoint' : at.join(', ')],
        details: {
          states: `The mock commits the fault when ${when}.`,
          at: at === 'every' ? 'every endpoint' : at.map(endpointLine),
          'switched on by': `mock --fault ${fitting[0] ?? ''}@${id}`,
          fits: fitting.map(violationLine),
        },
      };
    }),
  'connection-fault': () =>
    connectionFaults.map((id) => ({
      kind: 'connection-fault',
      id,
      summary: connectionFaultMeanings[id],
      facts: [],
      details: {
        does: connectionFaultMeanings[id],
        'switched on by': ['mock --fault, for every request', 'Prefer: fault=..., for one', 'a step of a plan'],
      },
    })),
  gap: () =>
    gapIds.map((id) => {
      const { section, question, choices } = gaps[id];
      const names = Object.keys(choices);
      return {
        kind: 'gap',
        id,
        summary: question,
        facts: [section, names.join(' | ')],
        details: {
          question,
          section,
          choices: names.map((name) => `${name}: ${choices[name] ?? ''}${takenBy(id, name)}`),
          judged: 'Never. A run observes it and reports it.',
        },
      };
    }),
  profile: () =>
    profileNames.map((id) => {
      const profile = profiles[id];
      const others = gapIds.filter((gap) => profile[gap] !== profiles.default[gap]);
      return {
        kind: 'profile',
        id,
        summary:
          id === 'default' ? 'takes the first choice of every gap' : `differs from default in ${others.length} gaps`,
        facts: [],
        details: { choices: gapIds.map((gap) => `${gap}: ${profile[gap]}`) },
      };
    }),
  persona: () =>
    personaNames.map((id) => ({
      kind: 'persona',
      id,
      summary: personas[id].description,
      facts: [`${personas[id].agentCount} agents`],
      details: { holds: personas[id].description, roles: Object.keys(personas[id].roles) },
    })),
  endpoint: () =>
    endpointIds.map((id) => {
      const { section, title, method, path } = endpoints[id];
      return {
        kind: 'endpoint',
        id,
        summary: title,
        facts: [section, method, path],
        details: {
          title,
          section,
          request: `${method} ${path}`,
          checks: checks.filter(({ endpoint }) => endpoint === id).map(checkLine),
        },
      };
    }),
};

/** All of one kind, in the order of the ledger. */
export function entriesOf(kind: Kind): readonly Entry[] {
  return makers[kind]();
}

/** Everything that has an id. */
export function allEntries(): readonly Entry[] {
  return Object.values(makers).flatMap((make) => make());
}

const checkLine = ({ id, title }: { readonly id: string; readonly title: string }): string => `${id}: ${title}`;
const violationLine = (id: ViolationId): string => `${id}: ${violations[id].does}`;
const requirementLine = (id: RequirementId): string =>
  `${id}: ${requirements[id].statement} (section ${requirements[id].section}, ${requirements[id].lane})`;
const triggerLine = (id: TriggerId): string => `${id}: when ${triggers[id].when}`;
const endpointLine = (id: EndpointId): string => `${id}: ${endpoints[id].method} ${endpoints[id].path}`;

function takenBy(gap: GapId, choice: string): string {
  const names = profileNames.filter((name) => profiles[name][gap] === choice);
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}
