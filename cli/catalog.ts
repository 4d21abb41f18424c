import { checks } from '../conformance/checks/index.ts';
import { personaNames, personas } from '../fixtures/index.ts';
import { connectionFaultMeanings, connectionFaults } from '../mock/wire/wire.ts';
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
  type RequirementId,
  type ViolationId,
} from '../spec/index.ts';

export type CatalogEntry = Described & { readonly kind: CatalogKind; readonly id: string };

interface Described {
  /** Short facts for a table: the section, the lane and the like. */
  readonly facts: readonly string[];
  /** A name, with a text or one line per item; the first is one line, and sums up the rest. */
  readonly details: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Things of one kind, and what to say of each. */
function listing<T extends string>(ids: readonly T[], describe: (id: T) => Described) {
  return () => ids.map((id) => ({ id, ...describe(id) }));
}

type CatalogKind = keyof typeof describing;

function checkLines(isMeant: (check: (typeof checks)[number]) => boolean): readonly string[] {
  return checks.filter(isMeant).map(({ id, title }) => `${id}: ${title}`);
}
const violationLine = (id: ViolationId): string => `${id}: ${violations[id].does}`;
const requirementLine = (id: RequirementId): string =>
  `${id}: ${requirements[id].statement} (section ${requirements[id].section}, ${requirements[id].lane})`;
const endpointLine = (id: EndpointId): string => `${id}: ${endpoints[id].method} ${endpoints[id].path}`;

/** The facts and the details of each kind of thing, by id, in the order of the ledger. */
const describing = {
  check: () =>
    checks.map(({ id, title, endpoint, verifies, provenBy }) => {
      const details = { states: title, endpoint: endpointLine(endpoint), verifies: verifies.map(requirementLine) };
      return { id, facts: [endpoint], details: { ...details, 'proven to catch': provenBy.map(violationLine) } };
    }),
  requirement: listing(requirementIds, (id) => {
    const { section, lane, statement, derivation } = requirements[id];
    return {
      facts: [section, lane],
      details: {
        states: statement,
        section,
        lane,
        derivation,
        'verified by': checkLines(({ verifies }) => verifies.includes(id)),
        'broken by': violationIds.filter((violation) => violations[violation].breaks === id).map(violationLine),
      },
    };
  }),
  violation: listing(violationIds, (id) => {
    const { breaks, does, at } = violations[id];
    return {
      facts: [requirements[breaks].section, breaks],
      details: {
        does,
        breaks: requirementLine(breaks),
        at: at.map(endpointLine),
        'fits triggers': triggersOf(id).map((trigger) => `${trigger}: when ${triggers[trigger].when}`),
        'caught by': checkLines(({ provenBy }) => provenBy.includes(id)),
      },
    };
  }),
  trigger: listing(triggerIds, (id) => {
    const { when } = triggers[id];
    const at = triggers[id].at === 'every' ? endpointIds : triggers[id].at;
    const fitting = violationIds.filter((violation) => unfit(violation, id) === undefined);
    return {
      facts: [at.length === endpointIds.length ? 'every endpoint' : at.join(', ')],
      details: {
        states: `The mock commits the fault when ${when}.`,
        at: at.map(endpointLine),
        'switched on by': `mock --fault ${fitting[0] ?? ''}@${id}`,
        fits: fitting.map(violationLine),
      },
    };
  }),
  'connection-fault': listing(connectionFaults, (id) => ({
    facts: [],
    details: {
      does: connectionFaultMeanings[id],
      'switched on by': ['mock --fault, for every request', 'Prefer: fault=..., for one', 'a step of a plan'],
    },
  })),
  gap: listing(gapIds, (id) => {
    const { section, question, choices } = gaps[id];
    return {
      facts: [section, Object.keys(choices).join(' | ')],
      details: {
        question,
        section,
        choices: Object.entries(choices).map(([name, meaning]) => {
          const names = profileNames.filter((profile) => profiles[profile][id] === name).join(', ');
          return `${name}: ${meaning}${names && ` (${names})`}`;
        }),
        judged: 'Never. A run observes it and reports it.',
      },
    };
  }),
  profile: listing(profileNames, (id) => {
    const others = gapIds.filter((gap) => profiles[id][gap] !== profiles.default[gap]);
    return {
      facts: [],
      details: {
        takes: id === 'default' ? 'the first choice of every gap' : `differs from default in ${others.length} gaps`,
        choices: gapIds.map((gap) => `${gap}: ${profiles[id][gap]}`),
      },
    };
  }),
  persona: listing(personaNames, (id) => {
    const { description, agents, roles } = personas[id];
    return { facts: [`${agents.length} agents`], details: { holds: description, roles: Object.keys(roles) } };
  }),
  endpoint: listing(endpointIds, (id) => {
    const { section, title, description, method, path, request } = endpoints[id];
    const verified = new Set(checks.filter(({ endpoint }) => endpoint === id).flatMap(({ verifies }) => verifies));
    const elsewhere = new Set(endpointIds.filter((other) => other !== id).map((other) => endpoints[other].section));
    const open = gapIds.filter((gap) => !elsewhere.has(gaps[gap].section));
    return {
      facts: [section, method, path],
      details: {
        title,
        description,
        section,
        request: `${method} ${path}`,
        'schema of the request': request ?? 'it has no body',
        requirements: requirementIds.filter((requirement) => verified.has(requirement)).map(requirementLine),
        checks: checkLines(({ endpoint }) => endpoint === id),
        'gaps, in which any choice is right': open.map(
          (gap) => `${gap}: ${Object.keys(gaps[gap].choices).join(' | ')}`,
        ),
        violations: violationIds.filter((violation) => violations[violation].at.includes(id)).map(violationLine),
      },
    };
  }),
} satisfies Readonly<Record<string, () => readonly Omit<CatalogEntry, 'kind'>[]>>;

export const catalogKinds = Object.keys(describing) as readonly CatalogKind[];

export function entriesOf(kind: CatalogKind): readonly CatalogEntry[] {
  return describing[kind]().map((entry) => ({ kind, ...entry }));
}
