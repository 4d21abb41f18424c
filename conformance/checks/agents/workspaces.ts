import { endpoints, type NewAgentEndpoint } from '../../../spec/index.ts';
import type { Judge } from '../../check.ts';
import { isSameValue } from '../../content/values.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAnswered, isEntitled, type Answered, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { field, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { createVerdict } from '../verdict-builder.ts';
import type { Acceptance } from './acceptance.ts';
import { MAX_FINDINGS } from './created.ts';

/** Judges that a created workspace has the name and the icon from the request. */
export function judgeWorkspaceContent(): Judge {
  const verdict = createVerdict(MAX_FINDINGS);
  const shown = new Set<string>();
  return {
    see(exchange) {
      const { answer, sent, excerpt, endpoint, method, open } = exchange;
      if (endpoints[endpoint].holds !== 'workspace' || method !== 'POST' || open || !answer?.accepted) return;
      for (const name of ['name', 'icon']) {
        const [wanted, actual] = [field(sent, name), stringAt(answer.json, 'workspace', name)];
        if (typeof wanted !== 'string' || actual === undefined) continue;
        shown.add(name);
        verdict.judged();
        if (isSameValue([name], normal(wanted), normal(actual), undefined)) continue;
        verdict.found({
          expected: `the ${name} from the request, ${show(wanted)}`,
          actual: show(actual),
          at: `/workspace/${name}`,
          exchanges: [excerpt],
        });
      }
    },
    verdict() {
      const [only] = shown;
      const missing = shown.size === 1 ? { reason: `The answers show only the ${only}.` } : undefined;
      return { ...verdict.verdict(), missing };
    },
  };
}

const normal = (text: string): string => text.normalize('NFC').trim();

const OPTIONAL = { icon: 'an icon', slug: 'a slug' } as const;
type Optional = keyof typeof OPTIONAL;

const optionalIn = (sent: unknown): readonly Optional[] =>
  (['icon', 'slug'] as const).filter((name) => typeof field(sent, name) === 'string');

interface RefusedOptional {
  readonly names: readonly Optional[];
  readonly n: number;
  readonly status: number;
  readonly excerpt: Excerpt;
}

const MAX_REFUSALS = 50;

/** Judges that icon and slug are accepted beside the name, each in at least one form. */
export function judgeOptionalFields({ policy, traffic }: Facts): Judge {
  /** When each was last accepted. */
  const accepted = new Map<Optional, number>();
  const refusals: RefusedOptional[] = [];
  /** The last accepted request with a name alone. */
  let nameAlone: Pick<Answered, 'begun' | 'excerpt'> | undefined;
  return {
    see(exchange) {
      const { endpoint, caller, method, open, sent, n, excerpt } = exchange;
      if (endpoints[endpoint].holds !== 'workspace' || !isEntitled(caller) || method !== 'POST' || open) return;
      if (!isAnswered(exchange) || typeof field(sent, 'name') !== 'string') return;
      const names = optionalIn(sent);
      const { answer, begun } = exchange;
      if (answer.accepted) {
        for (const name of names) accepted.set(name, begun);
        if (names.length === 0) nameAlone = { begun, excerpt };
      } else if (names.length > 0 && refusals.length < MAX_REFUSALS)
        refusals.push({ names, n, status: answer.status, excerpt });
    },
    verdict() {
      const verdict = createVerdict(MAX_FINDINGS);
      const aloneAt = nameAlone?.begun ?? -1;
      for (const name of policy.isWilful ? [] : (['icon', 'slug'] as const)) {
        const since = accepted.get(name) ?? -1;
        const alone = refusals.filter(({ names, status, n }) => names.join() === name && isAbout(status) && n > since);
        const last = alone.at(-1);
        // A later acceptance of a name alone shows whether a quota is used up.
        if (alone.length < 2 || !last || last.n > aloneAt) continue;
        verdict.found({
          expected: `Create workspace with a name and ${OPTIONAL[name]} is accepted, as with only a name`,
          actual: `the answer was ${last.status}`,
          exchanges: nameAlone ? [nameAlone.excerpt, last.excerpt] : [last.excerpt],
        });
      }
      const { findings } = verdict.verdict();
      const judged = accepted.size + findings.length;
      const isTried = refusals.length > 0 || traffic.of('create-workspace').requests > 0;
      if (accepted.size === 2 || findings.length > 0 || !isTried) return { findings, judged };
      const reason = nameAlone
        ? 'Not every optional field was accepted.'
        : 'No workspace could be created with only a name.';
      return { findings, judged, missing: { reason, supply: 'a token that may create workspaces' } };
    },
  };
}

const isAbout = (status: number): boolean => ![401, 402, 403, 429].includes(status) && status < 500;

/** Judges that a created workspace accepts agents, as other workspaces do. */
export function judgeTakesAgents(
  { workspaces }: Facts,
  creations: Readonly<Record<NewAgentEndpoint, Acceptance>>,
): Judge {
  const all = Object.values(creations);
  return {
    see(exchange: Exchange) {
      for (const acceptance of all) acceptance.see(exchange);
    },
    verdict() {
      const verdict = createVerdict(MAX_FINDINGS);
      const used = [...workspaces.created].filter((id) => workspaces.used.has(id)).length;
      verdict.judged(used);
      for (const [{ workspaceId = '', status, excerpt }, twin] of all.flatMap(({ unexplained }) => unexplained)) {
        if (!workspaces.created.has(workspaceId) || workspaces.used.has(workspaceId)) continue;
        verdict.judged();
        verdict.found({
          expected: `the created workspace ${show(workspaceId)} accepts an agent, as another workspace does`,
          actual: `the answer was ${status}`,
          exchanges: [twin, excerpt],
        });
      }
      return verdict.verdict();
    },
  };
}
