import type { Check, CheckContext } from '../check.ts';
import { CannotJudge, Violation, show, stringAt } from '../expect.ts';
import { mustBeAccepted } from '../asking/given.ts';
import { observeRefusal } from '../observations/recognise.ts';
import { agentParts, judgesShape } from './shape.ts';

/** Section 4.3. */
export const getAgentChecks: readonly Check[] = [
  {
    id: 'get-agent-accepts-valid-request',
    title: 'Get agent answers an agent that exists',
    endpoint: 'get-agent',
    verifies: ['get-agent-works', 'path-prefix'],
    provenBy: ['get-agent-refused'],
    async run({ given }) {
      const answer = await given.valid('get-agent');
      if (!answer.accepted && given.target.agentId === undefined && [403, 404, 410].includes(answer.status))
        throw new CannotJudge('The agent that the run created was not found; another check judges that.', '--agent-id');
      await mustBeAccepted(answer, given, { request: 'Get agent', userGave: ['agentId'] });
    },
  },
  judgesShape('get-agent', [
    'get-agent-answer',
    'answers-are-json',
    'user-mode-closed-set',
    ...agentParts,
    'sharing-shape',
  ]),
  {
    id: 'get-agent-answers-the-agent-asked-for',
    title: 'Get agent answers the agent whose identifier was asked for',
    endpoint: 'get-agent',
    verifies: ['get-agent-right-agent'],
    provenBy: ['get-agent-answers-another'],
    async run({ given }) {
      const agentId = given.need('agentId');
      const answer = await given.accepted('get-agent');
      const id = stringAt(answer.json, 'agent', 'id');
      if (id === undefined) throw new CannotJudge('The answer holds no string as the id of the agent.');
      if (id !== agentId)
        throw new Violation(
          { expected: `the agent ${show(agentId)}`, actual: `the agent ${show(id)}`, at: '/agent/id' },
          [answer.exchange],
        );
    },
  },
  {
    id: 'get-agent-mode-matches-token',
    title: 'currentUserMode reports the access that the token gives',
    endpoint: 'get-agent',
    verifies: ['user-mode-reports-access'],
    provenBy: ['get-agent-mode-always-write'],
    run: modeMatchesToken,
  },
];

async function modeMatchesToken({ api, given, observe }: CheckContext): Promise<void> {
  const { readToken, guestToken } = given.target;
  const tokens = [
    ...(readToken === undefined ? [] : [['read', readToken] as const]),
    ...(guestToken === undefined ? [] : [['guest', guestToken] as const]),
  ];
  if (tokens.length === 0)
    throw new CannotJudge('It takes a token whose access is known.', '--read-token or --guest-token');
  const control = await given.accepted('get-agent');
  const agentId = await given.agentToRead();
  let unclear: string | undefined;
  for (const [mode, token] of tokens) {
    const answer = await api.call('get-agent', { agentId, authorization: `Bearer ${token}` });
    const met = stringAt(answer.json, 'currentUserMode');
    if (!answer.accepted) {
      unclear = `The ${mode} token was answered with ${answer.status}.`;
      observeRefusal(observe, 'forbidden', answer);
    } else if (met === undefined || !['guest', 'read', 'write'].includes(met)) {
      unclear = 'The answer holds no known currentUserMode.';
    } else if (met !== mode) {
      throw new Violation(
        { expected: `the mode ${mode}, for a token that gives it`, actual: `the mode ${met}`, at: '/currentUserMode' },
        [control.exchange, answer.exchange],
      );
    }
  }
  if (unclear !== undefined) throw new CannotJudge(unclear, '--read-token or --guest-token for this agent');
}
