import { plan } from '../probes/plan.ts';
import { checksOf } from '../check.ts';
import { field, isObject } from '../json.ts';
import { createAcceptance, judgeAcceptance } from './agents/acceptance.ts';
import { judgeNewIds } from './agents/identifiers.ts';
import { judgeOptionalFields, judgeTakesAgents, judgeWorkspaceContent } from './agents/workspaces.ts';
import { judgesShape } from './shape.ts';

const isNameAlone = (sent: unknown): boolean =>
  isObject(sent) && Object.keys(sent).every((name) => name === 'name' || field(sent, name) === undefined);

const creations = [plan.createWorkspaceByName, plan.createTwoWorkspaces];
const allCreations = [plan.createWorkspaceByName, plan.createWorkspaceWithOptionalFields, plan.createTwoWorkspaces];

export const createWorkspaceChecks = checksOf('create-workspace', [
  {
    id: 'create-workspace-accepts-name-alone',
    title: 'Create workspace accepts a body with only a name',
    verifies: ['create-workspace-works', 'accepts-json-requests', 'path-prefix'],
    probes: creations,
    judge: (facts) =>
      judgeAcceptance(facts, {
        endpoint: 'create-workspace',
        request: 'Create workspace with only a name',
        acceptance: createAcceptance(facts, 'create-workspace', ({ sent }) => isNameAlone(sent)),
        further: createAcceptance(facts, 'create-workspace', ({ sent }) => !isNameAlone(sent)),
      }),
  },
  {
    id: 'create-workspace-accepts-optional-fields',
    title: 'Create workspace accepts icon and slug besides the name',
    verifies: ['create-workspace-optional-fields'],
    probes: allCreations,
    judge: judgeOptionalFields,
  },
  judgesShape('create-workspace', ['create-workspace-answer', 'answers-are-json', 'workspace-shape']),
  {
    id: 'create-workspace-keeps-what-was-sent',
    title: 'A created workspace has the name and the icon from the request',
    verifies: ['create-workspace-keeps-content'],
    probes: allCreations,
    judge: judgeWorkspaceContent,
  },
  {
    id: 'create-workspace-gives-new-ids',
    title: 'Every created workspace has its own identifier, and the date of its creation',
    verifies: ['create-workspace-new-id', 'creation-dated-when-made'],
    probes: creations,
    judge: judgeNewIds,
  },
  {
    id: 'created-workspace-takes-agents',
    title: 'A created workspace accepts agents',
    verifies: ['created-workspace-usable'],
    probes: [plan.createWorkspaceByName, plan.createWorkspace, plan.createUnusual],
    judge: judgeTakesAgents,
  },
]);
