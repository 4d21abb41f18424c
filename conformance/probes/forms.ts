import { isCreating } from '../../spec/index.ts';
import { forms, type Form, type FormName } from '../../http/form.ts';
import type { Agents } from '../history/facts/agents.ts';
import { isWithoutAccess } from '../http/exchange.ts';
import { isEncodable, type ComposedRequest } from './api/request.ts';
import { createCovering, type Choices, type Covered } from './covering.ts';
import { shuffled, type Run } from './probe.ts';

/** The form in which each request goes out, so that each meets every kind of request. */
export interface Forms {
  readonly formFor: (about: ComposedRequest['about']) => Form;
  /** The server is known to refuse chunks (411), which RFC 9110 allows. */
  refuseChunks(): void;
  /** Pairs, and combinations of three if they were asked for. */
  covered(): readonly Covered[];
}

export interface FormsOptions {
  readonly agents: Pick<Agents, 'get'>;
  readonly draw: Run['draw'];
  /** Meets combinations of three once those of two are met. */
  readonly isLong: boolean;
}

/** These take time: they go only where they meet something new. */
const DEAR: ReadonlySet<FormName> = new Set(['body', 'connection', 'pause']);

export function createForms({ agents, draw, isLong }: FormsOptions): Forms {
  const covering = createCovering(isLong ? [2, 3] : [2]);
  let requests = 0;
  let isChunked = true;

  /** What a request is, apart from its form. */
  function kindOf({ endpoint, agentId, caller, query }: ComposedRequest['about']): Record<string, string> {
    const kind: Record<string, string> = { endpoint, caller };
    const origin = agents.get(agentId)?.origin;
    if (origin !== undefined) kind['agent'] = origin;
    if (endpoint !== 'list-results') return kind;
    const names = query.map(([name]) => name);
    kind['page'] = 'first';
    if (names.includes('cursor')) kind['page'] = names.length > 1 ? 'later' : 'by cursor alone';
    return kind;
  }

  function choicesFor({ endpoint, caller, query }: ComposedRequest['about']): Choices<FormName> {
    const names = new Set<FormName>(['codings']);
    if (caller !== 'wrong') names.add('connection').add('pause');
    // A token may be in the query, and is recognised there as it is.
    if (!isWithoutAccess(caller)) {
      if (query.length > 1) names.add('order');
      if (isEncodable(query)) names.add('percent');
      if (isCreating(endpoint)) names.add('body');
    }
    requests++;
    return Object.fromEntries(
      Array.from(names, (name) => {
        const values = forms[name].filter((value) => isChunked || value !== 'chunked');
        if (DEAR.has(name)) return [name, values];
        return [name, shuffled(values, (label, below) => draw(`form ${requests} ${name} ${label}`, below))];
      }),
    );
  }

  return {
    formFor: (about) => covering.rowFor(kindOf(about), choicesFor(about)) as Form,
    refuseChunks: () => void (isChunked = false),
    covered: () => covering.covered(),
  };
}
