import { isCreating } from '../../../spec/index.ts';
import { forms, type Form, type FormName } from '../../../http/form.ts';
import type { Agents } from '../../history/facts/agents.ts';
import { readSelection } from '../../history/facts/selection.ts';
import { isWithoutAccess } from '../../http/exchange.ts';
import { ENCODABLE, type ComposedRequest } from './request.ts';
import { createCovering, type Choices } from '../covering.ts';
import { shuffled, type Draw } from '../draw.ts';

/** So many requests of a kind are plain at first: what fails always is to show in plain requests. */
const PLAIN: Readonly<Record<string, number>> = { first: 12, later: 12, 'by cursor alone': 3, open: Infinity };

/** The form in which each request goes out: a usual one where an unusual one would meet nothing new. */
export type Forms = ReturnType<typeof createForms>;

/** With `isLong`, meets combinations of three once those of two are met, from `goOn` on. */
export function createForms({ agents, draw, isLong }: { agents: Pick<Agents, 'get'>; draw: Draw; isLong: boolean }) {
  const covering = createCovering(isLong ? [2, 3] : [2]);
  const counts = new Map<string, number>();
  let isChunked = true;

  function kindOf({ endpoint, agentId, caller, query }: ComposedRequest['about']): Record<string, string> {
    const kind: Record<string, string> = { endpoint, caller };
    const origin = agents.get(agentId)?.origin;
    if (origin !== undefined) kind['agent'] = origin;
    if (endpoint !== 'list-results') return kind;
    const { cursor, isDocumented } = readSelection(query);
    kind['page'] = 'first';
    if (cursor !== undefined) kind['page'] = query.length > 1 ? 'later' : 'by cursor alone';
    // The specification leaves open what such a list holds, so a form that changes it would show nothing.
    if (!isDocumented) kind['page'] = 'open';
    return kind;
  }

  function choicesFor({ endpoint, caller, query }: ComposedRequest['about']): Choices<FormName> {
    const names = new Set<FormName>(['codings']);
    if (caller !== 'wrong') names.add('connection');
    // A token may be in the query, and is recognised there as it is. The plainest request comes first.
    if (!isWithoutAccess(caller)) {
      names.add('pause');
      if (query.length > 1) names.add('order');
      if (query.some(([, value]) => ENCODABLE.test(value))) names.add('percent');
      if (isCreating(endpoint)) names.add('body');
    }
    return Object.fromEntries(
      Array.from(names, (name) => {
        const [usual, ...others] = forms[name].filter((value) => isChunked || value !== 'chunked');
        return [name, [usual, ...shuffled(others, (label, below) => draw(`form ${name} ${label}`, below))]];
      }),
    );
  }

  return {
    formFor: (about: ComposedRequest['about']) => {
      const [kind, choices] = [kindOf(about), choicesFor(about)];
      const name = JSON.stringify(kind);
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      if (count >= (PLAIN[kind['page'] ?? ''] ?? 1)) return covering.rowFor(kind, choices) as Form;
      const usual = Object.keys(choices).map((one) => [one, ['usual']]);
      return covering.rowFor(kind, Object.fromEntries(usual)) as Form;
    },
    /** The server is known to refuse chunks (411), which RFC 9110 allows. */
    refuseChunks: () => void (isChunked = false),
    covered: covering.covered,
    goOn: covering.goOn,
  };
}
