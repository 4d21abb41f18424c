import { dated, hasMadeOne, moved, onlyFor, onResource, refuseValid } from './fault.ts';
import { takesNoAgents } from './creations/agent-faults.ts';
import { misshapen } from './shape.ts';
import { bodyOf, type Call } from '../call.ts';

const sends =
  (field: string) =>
  (call: Call): boolean =>
    field in (Object(bodyOf(call)) as object);

const refused = refuseValid('create-workspace');

export const createWorkspaceFaults = {
  'create-workspace-answer-misshapen': misshapen('create-workspace', '/workspace/chatUsage', 'wrong-type'),
  'create-workspace-demands-slug': onlyFor((call) => !sends('slug')(call))(refused),
  'create-workspace-refuses-icon': onlyFor(sends('icon'))(refused),
  'create-workspace-refuses-slug': onlyFor(sends('slug'))(refused),
  'created-workspace-takes-no-agents': takesNoAgents,
  'create-workspace-loses-name': onResource('create-workspace', (w) => ({ ...w, name: 'My workspace' })),
  'create-workspace-loses-icon': onlyFor(sends('icon'))(
    onResource('create-workspace', (w) => ({ ...w, icon: 'default' })),
  ),
  'create-workspace-loses-icon-beside-slug': onlyFor((call) => sends('icon')(call) && sends('slug')(call))(
    onResource('create-workspace', ({ icon: _icon, ...workspace }) => workspace),
  ),
  'create-workspace-dated-back': dated('create-workspace', -6),
  'create-workspace-updated-before-created': onResource('create-workspace', (w) => moved(w, 'updatedAt', -1)),
  'create-workspace-repeats-id': onlyFor(hasMadeOne)(
    onResource('create-workspace', (workspace, _, store) => ({
      ...workspace,
      id: store.created().workspaces[0] ?? workspace['id'] ?? '',
    })),
  ),
};
