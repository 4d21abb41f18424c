import type { Check } from '../check.ts';
import { CannotJudge, Violation, show, stringAt } from '../expect.ts';
import { mustBeAccepted } from '../asking/given.ts';
import { judgesShape } from './shape.ts';

/** Section 4.4. What an agent without a published form is answered with is not shown, so it is never judged. */
export const getPublishedAgentChecks: readonly Check[] = [
  {
    id: 'get-published-agent-accepts-valid-request',
    title: 'Get published agent answers an agent that is published',
    endpoint: 'get-published-agent',
    verifies: ['get-published-agent-works', 'path-prefix'],
    provenBy: ['get-published-agent-refused'],
    async run({ given }) {
      const answer = await given.valid('get-published-agent');
      await mustBeAccepted(answer, given, { request: 'Get published agent', userGave: ['publishedAgentId'] });
    },
  },
  judgesShape('get-published-agent', [
    'get-published-agent-answer',
    'answers-are-json',
    'public-agent-shape',
    'event-shape',
    'group-shape',
    'edge-shape',
    'variable-shape',
    'theme-shape',
    'settings-shape',
  ]),
  {
    id: 'get-published-agent-answers-the-agent-asked-for',
    title: 'The public agent belongs to the agent whose identifier was asked for',
    endpoint: 'get-published-agent',
    verifies: ['get-published-agent-right-agent'],
    provenBy: ['get-published-agent-answers-another'],
    async run({ given, observe }) {
      const agentId = given.need('publishedAgentId');
      const { json, exchange } = await given.accepted('get-published-agent');
      const met = stringAt(json, 'publicAgent', 'agentId');
      if (met === undefined) throw new CannotJudge('The answer does not show the agentId of the public agent.');
      const id = stringAt(json, 'publicAgent', 'id');
      if (id !== undefined)
        observe(
          'public-agent-id',
          id === met ? 'agent' : 'own',
          id === met ? 'its agentId' : 'another than its agentId',
        );
      if (met !== agentId)
        throw new Violation(
          {
            expected: `the public form of ${show(agentId)}`,
            actual: `that of ${show(met)}`,
            at: '/publicAgent/agentId',
          },
          [exchange],
        );
    },
  },
];
