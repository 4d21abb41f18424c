import express, { type Router } from 'express';
import { MockError } from './mock-error.ts';
import type { Mock } from './mock.ts';
import { profileNames } from './profiles/index.ts';

/** What the API itself cannot do; every answer is JSON. */
export function adminRoutes(mock: Mock): Router {
  const router = express.Router();
  router.use(express.json({ limit: '1mb' }));

  router.get('/health', (_, response) => {
    response.json({ status: 'ok', seed: mock.seed, now: new Date(mock.now()).toISOString() });
  });
  router.get('/target', (_, response) => {
    response.json(mock.target);
  });
  router.post('/reset', (_, response) => {
    mock.reset();
    response.json({ reset: true });
  });
  router
    .route('/faults')
    .get((_, response) => {
      response.json({ faults: mock.faults });
    })
    .put((request, response) => {
      const ids = stringsUnder(request.body, 'faults');
      mock.setFaults(ids);
      response.json({ faults: mock.faults });
    })
    .delete((_, response) => {
      mock.setFaults([]);
      response.json({ faults: [] });
    });
  router
    .route('/profile')
    .get((_, response) => {
      response.json({ profile: mock.profile });
    })
    .put((request, response) => {
      const name = profileNames.find((known) => known === (request.body as { profile?: unknown } | undefined)?.profile);
      if (!name) throw new MockError(`Send {"profile": one of ${profileNames.map((n) => `"${n}"`).join(', ')}}.`);
      mock.setProfile(name);
      response.json({ profile: mock.profile, target: mock.target });
    });
  for (const [verb, published] of [
    ['publish', true],
    ['unpublish', false],
  ] as const)
    router.post(`/agents/:agentId/${verb}`, (request, response) => {
      if (!mock.setPublished(request.params['agentId'] ?? '', published)) {
        response.status(404).json({ error: 'There is no agent with this id.' });
        return;
      }
      response.json({ agentId: request.params['agentId'], isPublished: published });
    });

  router.use((request, response) => {
    response.status(404).json({
      error: `There is no route ${request.method} ${request.originalUrl}.`,
      routes: [
        'GET /__admin/health',
        'GET /__admin/target',
        'POST /__admin/reset',
        'GET, PUT, DELETE /__admin/faults',
        'GET, PUT /__admin/profile',
        'POST /__admin/agents/{agentId}/publish',
        'POST /__admin/agents/{agentId}/unpublish',
      ],
    });
  });
  router.use(((error, _request, response, _next) => {
    const known = error instanceof MockError || error instanceof SyntaxError;
    response.status(known ? 400 : 500).json({ error: known ? error.message : 'The mock failed.' });
  }) satisfies express.ErrorRequestHandler);
  return router;
}

function stringsUnder(body: unknown, key: string): readonly string[] {
  const value: unknown =
    typeof body === 'object' && body !== null ? Object.getOwnPropertyDescriptor(body, key)?.value : undefined;
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string'))
    throw new MockError(`Send {"${key}": [ids]} as application/json.`);
  return value;
}
