import { lostByBoth, newAgentChecks } from './agents/new-agent-checks.ts';

/** Section 4.2. The specification does not show what happens to a body in the version 5 form, so that is only observed. */
export const importAgentChecks = newAgentChecks('import-agent', {
  refusal: 'import-agent-refuses-four-byte-texts',
  ids: ['import-agent-repeats-created-id'],
  content: [
    'import-agent-loses-description',
    'import-agent-loses-tags',
    'import-agent-turns-plus-to-space',
    'import-agent-flattens-whitespace',
    'import-agent-lowers-addresses',
    'import-agent-rounds-digits',
    'import-agent-rounds-decimals',
    'import-agent-limits-numbers',
    'import-agent-drops-empty-groups',
    'import-agent-ignores-case-of-ids',
    'import-agent-reverses-choices',
    'import-agent-publishes-drafts',
  ],
  readings: [],
  alsoLost: lostByBoth,
});
