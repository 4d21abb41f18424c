import { endpoints } from '../../spec/index.ts';
import type { Action } from './actions.ts';
import type { Asking } from './asking.ts';
import { malformedOf, member, oddOf, type Model } from './model.ts';
import { written } from './raw-http.ts';

type Step<K extends Action['kind']> = Extract<Action, { readonly kind: K }>;

/** Performs one action in the session of a model, and records in the model what must be true afterwards. */
export async function act(asking: Asking, model: Model, step: Action): Promise<void> {
  switch (step.kind) {
    case 'create':
    case 'import':
      return makeAgent(asking, model, step);
    case 'read':
    case 'list':
    case 'read-published': {
      const below = { read: '', list: '/results', 'read-published': '/publishedAgent' }[step.kind];
      await asking.ask(model, 'GET', `/api/v1/agents/${idAt(asking, model, step.which)}${below}?${step.query}`);
      return;
    }
    case 'publish':
    case 'unpublish':
    case 'add-results':
      return change(asking, model, step);
    case 'workspace': {
      const { status } = await asking.post(model, endpoints['create-workspace'].path, step.body);
      if (status === 201) model.workspaces++;
      return;
    }
    case 'malformed':
      return sendMalformed(asking, model, step);
    case 'odd':
      return sendOdd(asking, model, step);
    case 'garbage':
      return asking.sendGarbage(step.bytes);
  }
}

const idAt = ({ target }: Asking, { agents }: Model, which: number): string =>
  [...agents.keys()][which % Math.max(1, agents.size)] ?? target.agentId;

async function makeAgent(
  { ask, target }: Asking,
  model: Model,
  { kind, isWhole, agent: drawn }: Step<'create' | 'import'>,
): Promise<void> {
  const { method, path } = endpoints[kind === 'create' ? 'create-agent' : 'import-agent'];
  const whole = kind === 'import' && isWhole ? { version: '6', groups: [], edges: [], variables: [] } : {};
  const body = { workspaceId: target.workspaceId, agent: { ...whole, ...drawn } };
  const { status, json } = await ask(model, method, path, JSON.stringify(body));
  const made = member(json, 'agent');
  const id = member(made, 'id');
  if (status === 201 && typeof id === 'string')
    model.agents.set(id, { agent: made, isPublished: member(made, 'isPublished') === true, results: 0 });
}

async function change(
  asking: Asking,
  model: Model,
  { kind, which, count }: Step<'publish' | 'unpublish' | 'add-results'>,
): Promise<void> {
  const id = idAt(asking, model, which);
  const known = model.agents.get(id);
  if (kind === 'add-results') {
    const { status } = await asking.post(model, `/__admin/agents/${id}/results`, { count });
    if (known && status === 201) known.results += count;
    return;
  }
  const { status } = await asking.post(model, `/__admin/agents/${id}/${kind}`, {});
  if (known && status === 200) known.isPublished = kind === 'publish';
}

async function sendMalformed({ ask }: Asking, model: Model, step: Step<'malformed'>): Promise<void> {
  const { method, path } = endpoints[step.endpoint];
  // This may create a workspace or an agent that the model does not know; nobody in this session asks for it.
  const elsewhere = { ...model, session: malformedOf(model) };
  const body = method === 'POST' ? step.body : undefined;
  await ask(elsewhere, method, path.replace('{agentId}', step.id), body, Object.fromEntries(step.headers));
}

function sendOdd({ target, sendBytes }: Asking, model: Model, { request }: Step<'odd'>): Promise<void> {
  const headers = [
    ['authorization', `Bearer ${target.token}`],
    ['x-mock-session', oddOf(model)],
    ...request.headers,
  ] as const;
  return sendBytes(written({ ...request, target: request.target.replaceAll('AGENT', target.agentId), headers }));
}
