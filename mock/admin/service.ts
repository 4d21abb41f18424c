import { personaNames, personas } from '../../fixtures/index.ts';
import {
  gaps,
  gapIds,
  requirements,
  triggerIds,
  triggers,
  triggersOf,
  violationIds,
  violations,
} from '../../spec/index.ts';
import { connectionFaults } from '../wire/wire.ts';
import { profileNameOf, profileNames } from '../profiles/index.ts';
import { showing, shows, type Handlers } from './admin-route.ts';

export const serviceHandlers = {
  getHealth: shows(({ session }) => ({
    status: 'ok',
    ...session.world,
    profile: profileNameOf(session.profile) ?? null,
    session: session.id,
    now: new Date(session.clock.now()).toISOString(),
  })),
  getTarget: shows(({ session }) => session.target),
  getServiceOpenApi: shows(({ session, base }) => {
    // With `require`, since the answer is synchronous and few need it.
    const { documentOfSession } = require('../document') as typeof import('../document/index.ts');
    return documentOfSession(session, base);
  }),
  getCatalog: shows(({ mock }) => ({
    faults: violationIds.map((id) => {
      const { does, at, breaks } = violations[id];
      return { id, does, at, section: requirements[breaks].section, triggers: triggersOf(id) };
    }),
    triggers: triggerIds.map((id) => ({ id, when: triggers[id].when })),
    connectionFaults,
    profiles: profileNames,
    gaps: gapIds.map((id) => {
      const { section, question, choices } = gaps[id];
      return { id, section, question, choices };
    }),
    personas: personaNames.map((name) => ({ name, description: personas[name].description })),
    tokens: Object.fromEntries(mock.tokens),
    hasUpstream: mock.upstream !== undefined,
  })),
  reset: showing(() => ({ status: 'reset' }))(({ session }) => session.reset()),
  exportSeed: shows(({ session }) => session.exportSeed()),
} satisfies Partial<Handlers>;
