import { plan } from '../probes/plan.ts';
import { checksOf, type Judge } from '../check.ts';
import type { Facts } from '../history/facts/facts.ts';
import { stringAt } from '../json.ts';
import { judgeOthers } from './agents/others.ts';
import { judgeReading, judgeRightAgent } from './agents/reading.ts';
import { agentParts, judgesShape, plainRequests } from './shape.ts';

export const getAgentChecks = checksOf('get-agent', [
  {
    id: 'get-agent-accepts-valid-request',
    title: 'Get agent returns an existing agent',
    verifies: ['get-agent-works', 'path-prefix'],
    probes: [plainRequests['get-agent'], plan.readGiven, plan.readAgain],
    judge: (facts) => judgeReading(facts, 'get-agent'),
  },
  judgesShape('get-agent', ['get-agent-answer', 'answers-are-json', 'user-mode-closed-set', ...agentParts]),
  {
    id: 'get-agent-answers-the-agent-asked-for',
    title: 'Get agent returns the agent whose identifier is in the path',
    verifies: ['get-agent-right-agent'],
    probes: [plan.readGiven, plan.readAgain, plan.readCutShort],
    judge: (facts) => judgeRightAgent(facts, 'get-agent'),
  },
  {
    id: 'creations-leave-other-agents-alone',
    title: 'An agent that existed before holds nothing of those that are made',
    verifies: ['creation-leaves-others'],
    probes: [plan.createAgent, plan.importAgent, plan.readGiven, plan.readAgain],
    judge: judgeOthers,
  },
  {
    id: 'get-agent-mode-matches-token',
    title: 'currentUserMode reports the access of the token',
    verifies: ['user-mode-reports-access'],
    probes: [plan.readGiven, plan.readWithLessAccess],
    judge: judgeModes,
  },
]);

const MODES: readonly (string | undefined)[] = ['guest', 'read', 'write'];

function judgeModes({ target, agents }: Facts): Judge {
  let unclear: string | undefined;
  /** The user knows the access to the given agent only. */
  const isGiven = (agentId: string | undefined): boolean => {
    if (target.agentId === undefined) return agents.creationOf(agentId) !== undefined;
    return agentId === target.agentId;
  };
  return {
    see({ endpoint, caller, answer, agentId, excerpt }, verdict) {
      if (endpoint !== 'get-agent' || !answer || !isGiven(agentId)) return;
      if (caller !== 'read' && caller !== 'guest') return;
      const mode = stringAt(answer.json, 'currentUserMode');
      if (!answer.accepted) unclear = `Get agent with the ${caller} token answered ${answer.status}.`;
      else if (!MODES.includes(mode)) unclear = 'The answer holds no known currentUserMode.';
      else {
        verdict.judged++;
        if (mode === caller) return;
        verdict.findings.push({
          expected: `the mode ${caller}, for a token with ${caller} access`,
          actual: `the mode ${mode}`,
          at: '/currentUserMode',
          exchanges: [excerpt],
        });
      }
    },
    conclude(verdict) {
      const supply = '--read-token or --guest-token for this agent';
      if (unclear !== undefined) verdict.missing = { reason: unclear, supply };
    },
  };
}
