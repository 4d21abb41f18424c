import { judgeNewAgents } from './agents/acceptance.ts';
import { judgeContent, judgeWorkspace } from './agents/content.ts';
import { judgeNewIds } from './agents/identifiers.ts';
import { judgeReadings } from './agents/later-readings.ts';
import { judgeReadable } from './agents/readable.ts';
import { checksOf } from './checks-of.ts';
import { judgeShape } from './shape.ts';

/** The specification does not show what happens to a body in the version 5 form, so that is only observed. */
export const importAgentChecks = checksOf('import-agent', {
  'import-agent-accepts-valid-body': judgeNewAgents,
  'import-agent-answer-shape': judgeShape,
  'import-agent-gives-new-ids': judgeNewIds,
  'import-agent-keeps-what-was-sent': judgeContent,
  'import-agent-in-the-workspace': judgeWorkspace,
  'imported-agent-can-be-read': judgeReadable,
  'imported-agent-reads-as-answered': judgeReadings,
});
