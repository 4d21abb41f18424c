import { isObject } from '../json.ts';
import { aboutThose, onResource, refuseValid } from './fault.ts';
import { hasMadeOne } from './creations/made-before.ts';
import { takesNoAgents } from './creations/agent-faults.ts';
import { misshapen } from './shape.ts';
import type { Call } from '../call.ts';

const sends = (call: Call, field: string): boolean =>
  call.body !== undefined && 'value' in call.body && isObject(call.body.value) && field in call.body.value;

export const createWorkspaceFaults = {
  'create-workspace-answer-misshapen': misshapen('create-workspace', '/workspace/chatUsage', 'wrong-type'),
  'create-workspace-demands-slug': refuseValid('create-workspace', (call) => !sends(call, 'slug')),
  'create-workspace-refuses-icon': refuseValid('create-workspace', (call) => sends(call, 'icon')),
  'create-workspace-refuses-slug': refuseValid('create-workspace', (call) => sends(call, 'slug')),
  'created-workspace-takes-no-agents': takesNoAgents,
  'create-workspace-loses-name': onResource('create-workspace', 'workspace', (w) => ({ ...w, name: 'My workspace' })),
  'create-workspace-loses-icon': aboutThose(
    (call) => sends(call, 'icon'),
    onResource('create-workspace', 'workspace', (w) => ('icon' in w ? { ...w, icon: 'default' } : w)),
  ),
  'create-workspace-repeats-id': aboutThose(
    hasMadeOne,
    onResource('create-workspace', 'workspace', (workspace, _, store) => ({
      ...workspace,
      id: store.created().workspaces[0] ?? workspace['id'] ?? '',
    })),
  ),
};
