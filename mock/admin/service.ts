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
  type Profile,
} from '../../spec/index.ts';
import type { World } from '../store/world.ts';
import { connectionFaults } from '../wire/broken-connections.ts';
import { profileNameOf, profileNames, type ProfileChoice } from '../profiles/index.ts';
import { unseenFaults } from '../session/unseen-faults.ts';
import type { Session } from '../session/session.ts';
import { json, member, object, routesOf, type AdminAnswer } from './admin-route.ts';

/** Health, data and capabilities of the mock. */
export const serviceRoutes = routesOf('Service', {
  getHealth: {
    on: 'GET /health',
    summary: 'Show that the mock runs, and its settings',
    run: ({ session }) =>
      json({
        status: 'ok',
        ...session.world,
        profile: profileNameOf(session.profile) ?? null,
        session: session.id,
        now: new Date(session.clock.now()).toISOString(),
      }),
  },
  getTarget: {
    on: 'GET /target',
    summary: 'List the tokens and ids that a conformance run needs',
    run: ({ session }) => json(session.target),
  },
  getServiceOpenApi: {
    on: 'GET /service/openapi.json',
    summary: 'The service as an OpenAPI document: what the profile of the session answers, with ids of its world',
    run: ({ session, base }) => {
      // With `require`, since the answer is synchronous and few need it.
      const { documentOfSession } = require('../document') as typeof import('../document/index.ts');
      return json(documentOfSession(session, base));
    },
  },
  getCatalog: {
    on: 'GET /catalog',
    summary: 'List every fault with its triggers, every profile, gap and persona, and what each means',
    run: ({ mock }) =>
      json({
        faults: violationIds.map((id) => ({
          id,
          does: violations[id].does,
          at: violations[id].at,
          section: requirements[violations[id].breaks].section,
          triggers: triggersOf(id),
        })),
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
      }),
  },
  reset: {
    on: 'POST /reset',
    summary: 'Reset the session to its beginning: data, clock, faults, settings, plans and journal',
    run: ({ session }) => {
      session.reset();
      return json({ status: 'reset' });
    },
  },
  exportSeed: {
    on: 'GET /seed',
    summary: 'Show the data of the session as a seed file: a mock with --seed-file shows the same',
    run: ({ session }) => json(session.exportSeed()),
  },
});

function shownFaults(session: Session): AdminAnswer {
  const notes = unseenFaults(session);
  return json({ faults: session.faults, notes: notes.length === 0 ? undefined : notes });
}

/** What the session answers with: its data, its profile, its faults. */
export const behaviourRoutes = routesOf('Behaviour', {
  setWorld: {
    on: 'PUT /world',
    summary: 'Generate the data of the session from another seed or persona; this resets the data',
    body: object(
      {
        seed: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        persona: { enum: personaNames },
      },
      [],
      { minProperties: 1 },
    ),
    run: ({ session, body }) => {
      session.setWorld(body as unknown as Partial<World>);
      return json(session.world);
    },
  },
  getProfile: {
    on: 'GET /profile',
    summary: 'Show how the session answers what the specification leaves open',
    run: ({ session }) => json(session.profile),
  },
  setProfile: {
    on: 'PUT /profile',
    summary: 'Set a built-in profile, or choices for single gaps; this resets the data',
    body: object(
      {
        profile: { type: ['string', 'object'], description: 'A name, or gaps and their choices.' },
        choices: { type: 'object', additionalProperties: { type: 'string' } },
      },
      [],
      { minProperties: 1 },
    ),
    run: ({ session, body }) => {
      session.setProfile(
        member<ProfileChoice | undefined>(body, 'profile') ?? session.profile,
        member<Partial<Profile> | undefined>(body, 'choices'),
      );
      return json(session.profile);
    },
  },
  getFaults: {
    on: 'GET /faults',
    summary: 'List the faults that the session commits',
    run: ({ session }) => shownFaults(session),
  },
  setFaults: {
    on: 'PUT /faults',
    summary: 'Commit only these faults, each always (limit-ignored) or under a trigger (limit-ignored@first-page)',
    body: object({ faults: { type: 'array', items: { type: 'string' }, maxItems: 1000 } }, ['faults']),
    run: ({ session, body }) => {
      session.setFaults(member<string[]>(body, 'faults'));
      return shownFaults(session);
    },
  },
  clearFaults: {
    on: 'DELETE /faults',
    summary: 'Commit no faults',
    run: ({ session }) => {
      session.setFaults([]);
      return shownFaults(session);
    },
  },
});
