import { plan } from '../probes/plan.ts';
import { checksOf } from '../check.ts';
import { judgePublishedContent } from './agents/published.ts';
import { judgeReading, judgeRightAgent } from './agents/reading.ts';
import { definitionParts, judgesShape } from './shape.ts';

/** Section 4.4. The specification does not show the answer for an agent without a published form, so it is never judged. */
export const getPublishedAgentChecks = checksOf('get-published-agent', [
  {
    id: 'get-published-agent-accepts-valid-request',
    title: 'Get published agent returns a published agent',
    verifies: ['get-published-agent-works', 'path-prefix'],
    probes: [plan.readPublished, plan.readPublishedAgain],
    judge: (facts) => judgeReading(facts, 'get-published-agent'),
  },
  judgesShape('get-published-agent', [
    'get-published-agent-answer',
    'answers-are-json',
    'public-agent-shape',
    ...definitionParts,
  ]),
  {
    id: 'get-published-agent-answers-the-agent-asked-for',
    title: 'The public agent belongs to the agent whose identifier is in the path',
    verifies: ['get-published-agent-right-agent'],
    probes: [plan.readPublished, plan.readPublishedAgain],
    judge: (facts) => judgeRightAgent(facts, 'get-published-agent'),
  },
  {
    id: 'get-published-agent-shows-what-was-imported',
    title: 'The public form of an agent that was imported as published holds what was imported',
    verifies: ['get-published-agent-content'],
    probes: [plan.importPublished, plan.createUnusual, plan.readPublishedAgain],
    judge: judgePublishedContent,
  },
]);
