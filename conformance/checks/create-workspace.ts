import type { Check, CheckContext } from '../check.ts';
import { CannotJudge, Violation, field, show, stringAt, type Finding } from '../expect.ts';
import { mustBeAccepted, slipSupply } from '../asking/given.ts';
import { judgesShape } from './shape.ts';

/** Section 4.6. */
export const createWorkspaceChecks: readonly Check[] = [
  {
    id: 'create-workspace-accepts-name-alone',
    title: 'Create workspace accepts a name alone',
    endpoint: 'create-workspace',
    verifies: ['create-workspace-works', 'accepts-json-requests', 'path-prefix'],
    provenBy: ['create-workspace-refused', 'create-workspace-demands-slug'],
    async run({ given }) {
      const answer = await given.workspace('name-only');
      await mustBeAccepted(answer, given, { request: 'Create workspace with a name alone', userGave: [] });
    },
  },
  {
    id: 'create-workspace-accepts-optional-fields',
    title: 'Create workspace accepts icon and slug beside the name',
    endpoint: 'create-workspace',
    verifies: ['create-workspace-optional-fields'],
    provenBy: ['create-workspace-refused', 'create-workspace-refuses-icon'],
    async run({ given }) {
      const answer = await given.workspace('full');
      await mustBeAccepted(answer, given, { request: 'Create workspace with name, icon and slug', userGave: [] });
    },
  },
  judgesShape('create-workspace', ['create-workspace-answer', 'answers-are-json', 'workspace-shape']),
  {
    id: 'create-workspace-keeps-what-was-sent',
    title: 'A created workspace carries the name and the icon that were sent',
    endpoint: 'create-workspace',
    verifies: ['create-workspace-keeps-content'],
    provenBy: ['create-workspace-loses-name', 'create-workspace-loses-icon'],
    run: keepsWhatWasSent,
  },
  {
    id: 'create-workspace-gives-new-ids',
    title: 'Every created workspace has an identifier of its own',
    endpoint: 'create-workspace',
    verifies: ['create-workspace-new-id'],
    provenBy: ['create-workspace-repeats-id'],
    run: givesNewIds,
  },
];

async function keepsWhatWasSent({ given }: CheckContext): Promise<void> {
  const answers = [await given.workspace('name-only'), await given.workspace('full')];
  const shown = new Set<string>();
  for (const { accepted, json, exchange } of answers) {
    if (!accepted) continue;
    const sent: unknown = JSON.parse(exchange.request.body ?? '{}');
    const findings = ['name', 'icon'].flatMap((name): Finding[] => {
      const wanted = field(sent, name);
      const met = stringAt(json, 'workspace', name);
      if (wanted === undefined || met === undefined) return [];
      shown.add(name);
      return met === wanted
        ? []
        : [{ expected: `the ${name} that was sent, ${show(wanted)}`, actual: show(met), at: `/workspace/${name}` }];
    });
    const [first, ...more] = findings;
    if (first) throw new Violation(first, [exchange], more);
  }
  if (shown.size >= 2) return;
  const refusal = answers.find(({ accepted }) => !accepted);
  if (!refusal) throw new CannotJudge('The answers do not show the name and the icon.');
  throw new CannotJudge(
    `Create workspace answered ${answers.map(({ status }) => status).join(' and ')}, so not everything could be sent.`,
    slipSupply(refusal, given.target),
  );
}

async function givesNewIds({ api, given }: CheckContext): Promise<void> {
  const first = await given.accepted('create-workspace');
  const full = await given.workspace('full');
  const second = full.accepted
    ? full
    : await api.call('create-workspace', { body: await given.body('create-workspace', 'name-only', '3') });
  const ids = [first, second].map(({ json }) => stringAt(json, 'workspace', 'id'));
  if (!second.accepted || ids.includes(undefined))
    throw new CannotJudge('There are no two workspaces whose id is a string.');
  if (ids[0] === ids[1])
    throw new Violation(
      { expected: 'an identifier that no other workspace has', actual: `${show(ids[0])} twice`, at: '/workspace/id' },
      [first.exchange, second.exchange],
    );
}
