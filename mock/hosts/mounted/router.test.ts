import express from 'express';
import supertest from 'supertest';
import { createMock } from '../../mock.ts';
import { testNow } from '../../testing/test-client.ts';
import { load } from '../../testing/test-hosts.ts';

const mock = createMock({ now: testNow, frozen: true });
const { agentId, token } = mock.target;

test.each([
  ['5', express],
  ['4', load('express4') as typeof express],
])('your own routes work beside the mock, in Express %s', async (_, framework) => {
  const router = mock.router();
  router.use(express.json());
  router.get('/flags/:name', (request, response) => {
    response.status(201).json({ name: request.params['name'], of: request.query['of'] });
  });
  router.post('/flags', (request, response) => response.json({ got: request.body }));
  // A handler with the types of Express works too.
  const typed: express.RequestHandler = (request, response) => void response.send(request.baseUrl);
  router.get('/where', typed);
  const service = supertest(framework().use('/mock', router));

  await service.get(`/mock/api/v1/agents/${agentId}`).auth(token, { type: 'bearer' }).expect(200);
  await service.get('/mock/__admin/ui/').expect(200, /^<!doctype html>/i);
  await service.get('/mock/flags/new?of=mine').expect(201, { name: 'new', of: 'mine' });
  await service
    .post('/mock/flags')
    .send({ a: 1 })
    .expect(200, { got: { a: 1 } });
  await service.get('/mock/where').expect(200, '/mock');
  expect((await service.get('/mock/elsewhere')).status).toBe(404);
});

test('each call returns a new router', async () => {
  mock.router().get('/one', (_request, response) => response.json({}));
  expect((await supertest(express().use(mock.router())).get('/one')).status).toBe(404);
});
