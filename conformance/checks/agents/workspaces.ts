import { endpoints, type NewAgentEndpoint } from '../../../spec/index.ts';
import type { Finding, Judge } from '../../check.ts';
import { isSameValue } from '../../content/values.ts';
import { isAnswered, isEntitled, type Exchange, type Kept } from '../../http/exchange.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { field, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import type { Acceptance } from './acceptance.ts';
import { MAX_FINDINGS } from './made.ts';

/** Judges that a created workspace has the name and the icon from the request. */
export function judgeWorkspaceContent(): Judge {
  const findings: Finding[] = [];
  const shown = new Set<string>();
  let judged = 0;
  return {
    see(exchange) {
      const { answer, sent, kept, endpoint, method, open } = exchange;
      if (endpoints[endpoint].holds !== 'workspace' || method !== 'POST' || open || !answer?.accepted) return;
      for (const name of ['name', 'icon']) {
        const [wanted, met] = [field(sent, name), stringAt(answer.json, 'workspace', name)];
        if (typeof wanted !== 'string' || met === undefined) continue;
        shown.add(name);
        judged++;
        if (isSameValue([name], normal(wanted), normal(met), undefined) || findings.length >= MAX_FINDINGS) continue;
        findings.push({
          expected: `the ${name} from the request, ${show(wanted)}`,
          actual: show(met),
          at: `/workspace/${name}`,
          exchanges: [kept],
        });
      }
    },
    verdict: () => ({
      findings,
      judged,
      missing: shown.size > 0 && shown.size < 2 ? { reason: `The answers show only the ${[...shown][0]}.` } : undefined,
    }),
  };
}

const normal = (text: string): string => text.normalize('NFC').trim();

/** Judges that icon and slug are accepted beside the name, each in at least one form. */
export function judgeOptionalFields(facts: Facts): Judge {
  /** When each was last accepted. */
  const accepted = new Map<string, number>();
  const refusals: {
    readonly names: readonly string[];
    readonly n: number;
    readonly status: number;
    readonly kept: Kept;
  }[] = [];
  let nameAlone = -1;
  let twin: Kept | undefined;
  return {
    see(exchange) {
      const { endpoint, caller, method, open, sent, n, begun, kept } = exchange;
      if (
        endpoints[endpoint].holds !== 'workspace' ||
        !isEntitled(caller) ||
        method !== 'POST' ||
        open ||
        !isAnswered(exchange)
      )
        return;
      if (typeof field(sent, 'name') !== 'string') return;
      const names = ['icon', 'slug'].filter((name) => typeof field(sent, name) === 'string');
      const { answer } = exchange;
      if (answer.accepted) for (const name of names) accepted.set(name, begun);
      if (answer.accepted && names.length === 0) [nameAlone, twin] = [begun, kept];
      if (!answer.accepted && names.length > 0 && refusals.length < 50)
        refusals.push({ names, n, status: answer.status, kept });
    },
    verdict() {
      const findings: Finding[] = [];
      for (const name of ['icon', 'slug']) {
        const since = accepted.get(name) ?? -1;
        const alone = refusals.filter(({ names, status, n }) => names.join() === name && isAbout(status) && n > since);
        const last = alone.at(-1);
        // A later acceptance of a name alone shows whether a quota is used up.
        if (facts.isForeign === true || alone.length < 2 || !last || last.n > nameAlone) continue;
        findings.push({
          expected: `Create workspace with a name and ${name === 'icon' ? 'an icon' : 'a slug'} is accepted, as with only a name`,
          actual: `the answer was ${last.status}`,
          exchanges: [...(twin ? [twin] : []), last.kept],
        });
      }
      const isKnown = accepted.size === 2 || findings.length > 0;
      const reason =
        nameAlone < 0 ? 'No workspace could be created with only a name.' : 'Not every optional field was accepted.';
      const asked = refusals.length > 0 || facts.traffic.of('create-workspace').requests > 0;
      return {
        findings,
        judged: accepted.size + findings.length,
        missing: isKnown || !asked ? undefined : { reason, supply: 'a token that may create workspaces' },
      };
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
      for (const one of all) one.see(exchange);
    },
    verdict() {
      const refusals = all.flatMap((one) => one.unexplained.map(([refusal, twin]) => ({ refusal, twin })));
      const findings = refusals.flatMap(({ refusal, twin }): Finding[] => {
        const { workspaceId = '', status, kept } = refusal;
        if (!workspaces.made.has(workspaceId) || workspaces.used.has(workspaceId)) return [];
        return [
          {
            expected: `the created workspace ${show(workspaceId)} accepts an agent, as another workspace does`,
            actual: `the answer was ${status}`,
            exchanges: [twin, kept],
          },
        ];
      });
      const used = [...workspaces.made].filter((id) => workspaces.used.has(id)).length;
      return { findings: findings.slice(0, MAX_FINDINGS), judged: used + findings.length };
    },
  };
}
