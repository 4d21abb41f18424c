import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Form } from '../../http/form.ts';
import { formIn, type Suspicion } from '../history/conditions.ts';
import { renamed } from '../history/facts/failures.ts';
import { isEntitled, type Exchange } from '../http/exchange.ts';
import { stringAt } from '../json.ts';
import type { TargetApi } from './api/api.ts';
import type { CallParameters } from './api/request.ts';
import { ifPossible } from './cannot-probe.ts';

interface Sent {
  readonly endpoint: EndpointId;
  readonly body: string;
  readonly parameters: CallParameters;
}

/** The most conditions that are confirmed, and the most requests for all. */
const [MAX_CONDITIONS, MAX_REQUESTS] = [4, 12];

/** Keeps the valid requests of a run, and sends some of them again, to see whether a condition is the right one. */
export function createConfirmation() {
  const all = new Map<number, Sent>();
  let attempt = 0;

  /** The list from its head, since a cursor may serve once; otherwise the same, under another name if it makes something. */
  async function again(api: TargetApi, { endpoint, body, parameters }: Sent, form: Form): Promise<void> {
    const { query = [], ...rest } = parameters;
    const pairs = query as readonly (readonly [string, string])[];
    const others = pairs.filter(([name]) => name !== 'cursor');
    const send = (more: CallParameters) => ifPossible(api.call(endpoint, { ...rest, ...more, form }));
    if (body !== '') await send({ body: renamed(body, `c${(attempt++).toString(36)}`) });
    else {
      const head = await send({ query: others });
      const cursor = stringAt(head?.answer.json, 'nextCursor');
      if (cursor !== undefined && others.length < pairs.length) await send({ query: [...others, ['cursor', cursor]] });
    }
  }

  return {
    see({ n, endpoint, agentId, query, caller, open, excerpt: { request }, method }: Exchange): void {
      if (open || !isEntitled(caller) || all.size >= 600 || method !== endpoints[endpoint].method) return;
      const { form = {}, headers, body } = request;
      const pairs = form.order === 'reversed' ? query.toReversed() : query;
      const parameters = { agentId, query: pairs, authorization: headers['authorization'], form };
      all.set(n, { endpoint, body: body ?? '', parameters });
    },
    /** Sends one that failed, one without the condition, and another with it; after a refuted condition, the next. */
    async send(api: TargetApi, suspicions: () => readonly Suspicion[]): Promise<void> {
      const before = api.statistics.requests;
      const tried = new Set<string>();
      for (let left = MAX_CONDITIONS; left > 0; left--) {
        const next = suspicions().find(({ features }) => !tried.has(features.join()));
        if (!next) return;
        tried.add(next.features.join());
        for (const [request, form] of requestsFor(next))
          if (api.hasSpare() && api.statistics.requests - before < MAX_REQUESTS) await again(api, request, form);
      }
    },
  };

  function requestsFor({ features, trace }: Suspicion): readonly (readonly [Sent, Form])[] {
    const sent = (ns: readonly number[]): readonly Sent[] =>
      ns.flatMap((n) => all.get(n) ?? []).toSorted((one, other) => one.body.length - other.body.length);
    const [failed] = sent(trace.failed);
    if (!failed) return [];
    const held = sent(trace.held).find(({ endpoint }) => endpoint === failed.endpoint);
    const form = formIn(features);
    const requests: (readonly [Sent, Form])[] = [[failed, failed.parameters.form ?? {}]];
    if (form) requests.push([failed, {}]);
    if (held) requests.push([held, form ?? held.parameters.form ?? {}]);
    return requests;
  }
}
