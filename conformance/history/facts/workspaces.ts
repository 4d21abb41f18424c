import { endpoints, isCreatingAgents, isReadingAgent } from '../../../spec/index.ts';
import { isAccepted, type Answered, type Exchange } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import type { NeverShown } from '../../content/places.ts';
import { stringAt } from '../../json.ts';
import type { TargetOptions } from '../../target-options.ts';
import { isWithinLag } from './lateness.ts';

const MAX_WORKSPACES = 2000;
const FIELDS = ['name', 'icon', 'slug'] as const;
/** So many workspaces show that it is no accident. */
const OFTEN = 2;

/** Whether a slug may be the one that was sent, in another form: cut, extended, or with other signs. */
function isSlugOf(sent: string, shown: string): boolean {
  const [one = '', other = ''] = [sent, shown].map((slug) => slug.toLowerCase().replaceAll(/[^a-z\d]/g, ''));
  return other.includes(one) || (other !== '' && one.startsWith(other));
}

export function createWorkspaces({ workspaceId: given }: TargetOptions = {}) {
  /** The workspaces that the user gave, or that a request of this history created. */
  const facts = new Map<string, { readonly creation: Pick<Answered, 'n' | 'excerpt' | 'answeredAt'> | undefined }>();
  if (given !== undefined) facts.set(given, { creation: undefined });
  const [created, known, used] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const add = (id: string | undefined, ...sets: readonly Set<string>[]): void => {
    if (id !== undefined) for (const set of sets) if (set.size < MAX_WORKSPACES) set.add(id);
  };
  const [sentTimes, shown] = [new Map<string, number>(), new Set<string>()];
  const noteFields = (sent: unknown, answered: unknown): void => {
    for (const name of FIELDS) {
      const [wanted = '', is] = [stringAt(sent, name), stringAt(answered, 'workspace', name)];
      if (wanted === '') continue;
      sentTimes.set(name, (sentTimes.get(name) ?? 0) + 1);
      if (is !== undefined && (name !== 'slug' || isSlugOf(wanted, is))) shown.add(name);
    }
  };
  return {
    neverShown: (): readonly NeverShown[] =>
      [...sentTimes]
        .filter(([name, times]) => times >= OFTEN && !shown.has(name))
        .map(([name, times]) => ({ kind: `workspace/${name}`, times })),
    get: (id = '') => facts.get(id),
    /** Whether a denial may mean that the workspace of a creation is so new that it was not found yet. */
    isDeniedAsNew: ({ sent, answer, sentAt }: Answered): boolean =>
      GONE.has(answer.status) && isWithinLag(facts.get(stringAt(sent, 'workspaceId') ?? '')?.creation, { sentAt }),
    created,
    /** Workspaces that are known to exist: created, shown by an agent, or in use for one. */
    known,
    used,
    see(exchange: Exchange): void {
      if (!isAccepted(exchange)) return;
      const { endpoint, method, answer, sent, n, excerpt, answeredAt } = exchange;
      if (isReadingAgent(endpoint)) add(stringAt(answer.json, 'agent', 'workspaceId'), known);
      if (method !== 'POST') return;
      if (isCreatingAgents(endpoint)) add(stringAt(sent, 'workspaceId'), known, used);
      if (endpoints[endpoint].holds !== 'workspace') return;
      const id = stringAt(answer.json, 'workspace', 'id');
      noteFields(sent, answer.json);
      add(id, created, known);
      if (id !== undefined && !facts.has(id) && facts.size < MAX_WORKSPACES)
        facts.set(id, { creation: { n, excerpt, answeredAt } });
    },
  };
}
