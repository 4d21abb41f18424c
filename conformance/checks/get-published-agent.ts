import type { Judge } from '../check.ts';
import { compareAgents } from '../content/content.ts';
import type { Facts } from '../history/facts/facts.ts';
import { publicPart } from '../history/facts/public-forms.ts';
import { isAccepted, type Excerpt } from '../http/exchange.ts';
import { otherWorkspace, shownNowhere } from './agents/content.ts';
import { createLedger } from './agents/ledger.ts';
import { judgeReading, judgeRightAgent } from './agents/reading.ts';
import { checksOf } from './checks-of.ts';
import { judgeShape } from './shape.ts';

/** Section 4.4. The specification does not show the answer for an agent without a published form, so it is never judged. */
export const getPublishedAgentChecks = checksOf('get-published-agent', {
  'get-published-agent-accepts-valid-request': judgeReading,
  'get-published-agent-answer-shape': judgeShape,
  'get-published-agent-answers-the-agent-asked-for': judgeRightAgent,
  'get-published-agent-shows-what-was-imported': judgePublishedContent,
});

function judgePublishedContent({ publicForms, strict }: Facts): Judge {
  const ledger = createLedger('imported', 'publicAgent');
  /** What the first reading of each public form lacked. */
  const lacking = new Map<string, ReadonlySet<string>>();
  let example: readonly Excerpt[] = [];
  return {
    see(exchange, verdict) {
      const { agentId = '', excerpt } = exchange;
      const seen = publicForms.formIn(exchange);
      if (!seen || !isAccepted(exchange)) return;
      const { form, fact, creation, sent } = seen;
      const { answered, answeredWorkspaceId: workspaceId } = creation;
      const { differences: all, compared } = compareAgents(publicPart(sent), form);
      // Other checks judge whether the agent itself holds what was sent.
      const itself = publicPart({ ...sent, ...fact.shown, ...answered });
      const unlikeItself = new Set(compareAgents(itself, form).differences.map(({ place }) => place));
      const differences = all.filter(({ place }) => unlikeItself.has(place));
      example = [creation.excerpt, excerpt];
      if (compared > 0) verdict.judged++;
      const before = lacking.get(agentId);
      if (!before) lacking.set(agentId, new Set(differences.map(({ place }) => place)));
      for (const difference of differences)
        if (difference.is === 'absent')
          ledger.lack(agentId, difference, excerpt, before?.has(difference.place) === false);
        else ledger.other(difference, example);
      verdict.findings.push(...otherWorkspace(exchange, 'the answer to the import', workspaceId, creation.excerpt));
    },
    conclude({ findings }) {
      const never = publicForms.neverShown();
      findings.push(...ledger.findings(publicForms.shown), ...shownNowhere(never, strict, example, 'public form'));
    },
  };
}
