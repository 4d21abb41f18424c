import type { CreatedCosts } from './created-worker.ts';
import type { ListingCosts } from './listing-worker.ts';
import { file, residentSize, runScript, startServer } from '../processes.ts';
import type { SessionCosts } from './sessions-worker.ts';
import { median } from '../statistics.ts';
import { mockCommand } from './throughput.ts';

export interface PersonaCosts {
  readonly persona: string;
  /** Milliseconds from the start of the process to the first answer. */
  readonly start: number;
  /** Resident bytes of the process afterwards. */
  readonly resident: number;
}

export interface Scale {
  readonly listing: ListingCosts;
  readonly personas: readonly PersonaCosts[];
  readonly sessions: SessionCosts;
  readonly created: CreatedCosts;
}

export async function measureScale(rounds: number, mostCreated: number): Promise<Scale> {
  return {
    listing: await runScript<ListingCosts>([file('measures', 'listing-worker.js'), String(rounds * 8)], { core: 0 }),
    personas: await measurePersonas(rounds),
    sessions: await runScript<SessionCosts>([file('measures', 'sessions-worker.js')], {
      core: 0,
      flags: ['--expose-gc'],
    }),
    created: await runScript<CreatedCosts>([file('measures', 'created-worker.js'), String(mostCreated)], {
      core: 0,
      flags: ['--expose-gc', '--max-old-space-size=6144'],
    }),
  };
}

async function measurePersonas(rounds: number): Promise<readonly PersonaCosts[]> {
  const names = ['tiny', 'demo', 'large'] as const;
  const all = names.map((persona) => ({ persona, start: [] as number[], resident: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const { persona, start, resident } of all) {
      const began = performance.now();
      const server = await startServer(mockCommand('--persona', persona));
      const { agentId, token } = server.ready['target'] as { readonly agentId: string; readonly token: string };
      const answer = await fetch(`${server.url}/api/v1/agents/${agentId}/results`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.arrayBuffer();
      start.push(performance.now() - began);
      resident.push(residentSize(server.child));
      await server.stop();
    }
  return all.map(({ persona, start, resident }) => ({ persona, start: median(start), resident: median(resident) }));
}
