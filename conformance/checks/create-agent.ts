import { judgeNewAgents } from './agents/acceptance.ts';
import { judgeContent, judgeWorkspace } from './agents/content.ts';
import { judgeNewIds } from './agents/identifiers.ts';
import { judgeReadings } from './agents/later-readings.ts';
import { judgeReadable } from './agents/readable.ts';
import { checksOf } from './checks-of.ts';
import { judgeShape } from './shape.ts';

export const createAgentChecks = checksOf('create-agent', {
  'create-agent-accepts-valid-body': judgeNewAgents,
  'create-agent-answer-shape': judgeShape,
  'create-agent-gives-new-ids': judgeNewIds,
  'create-agent-keeps-what-was-sent': judgeContent,
  'create-agent-in-the-workspace': judgeWorkspace,
  'created-agent-can-be-read': judgeReadable,
  'created-agent-reads-as-answered': judgeReadings,
});
