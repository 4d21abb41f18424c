import { createAgentBody } from '../fixtures/index.ts';
import { createMock } from '../mock/index.ts';
import type { Load } from './load/load.ts';

export const operations = ['get agent', 'list 50 results', 'list 100 results', 'create agent'] as const;
export type Operation = (typeof operations)[number];

/** The instant at which every clock is frozen, so that every server has the same answers. */
export const NOW = '2026-05-20T15:30:00Z';

export type Asked = Pick<Load, 'method' | 'headers' | 'body'> & { readonly target: string };

/** The request for each operation in the mock's demo world. */
export function requests(): ReadonlyMap<Operation, Asked> {
  const { target } = createMock({ now: Date.parse(NOW), frozen: true });
  const headers = { authorization: `Bearer ${target.token}`, accept: 'application/json' };
  const agent = `/api/v1/agents/${target.agentId}`;
  const list = (limit: number): Asked => ({
    method: 'GET',
    target: `${agent}/results?limit=${limit}&timeFilter=allTime`,
    headers,
  });
  return new Map<Operation, Asked>([
    ['get agent', { method: 'GET', target: agent, headers }],
    ['list 50 results', list(50)],
    ['list 100 results', list(100)],
    [
      'create agent',
      {
        method: 'POST',
        target: '/api/v1/agents',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(createAgentBody({ workspaceId: target.workspaceId, tag: 'bench', detail: 'plain' })),
      },
    ],
  ]);
}
