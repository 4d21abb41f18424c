import type { Judge } from '../check.ts';
import type { Facts } from '../history/facts/facts.ts';
import { field, isObject } from '../json.ts';
import { createAcceptance, judgeAcceptance } from './agents/acceptance.ts';
import { judgeNewIds } from './agents/identifiers.ts';
import { judgeOptionalFields, judgeTakesAgents, judgeWorkspaceContent } from './agents/workspaces.ts';
import { checksOf } from './checks-of.ts';
import { judgeShape } from './shape.ts';

const isNameAlone = (sent: unknown): boolean =>
  isObject(sent) && Object.keys(sent).every((name) => name === 'name' || field(sent, name) === undefined);

/** Judges that a workspace can be created with only a name. */
const judgeNameAlone = (facts: Facts, endpoint: 'create-workspace'): Judge =>
  judgeAcceptance(facts, {
    endpoint,
    request: 'Create workspace with only a name',
    acceptance: createAcceptance(facts, endpoint, ({ sent }) => isNameAlone(sent)),
    further: createAcceptance(facts, endpoint, ({ sent }) => !isNameAlone(sent)),
  });

export const createWorkspaceChecks = checksOf('create-workspace', {
  'create-workspace-accepts-name-alone': judgeNameAlone,
  'create-workspace-accepts-optional-fields': judgeOptionalFields,
  'create-workspace-answer-shape': judgeShape,
  'create-workspace-keeps-what-was-sent': judgeWorkspaceContent,
  'create-workspace-gives-new-ids': judgeNewIds,
  'created-workspace-takes-agents': judgeTakesAgents,
});
