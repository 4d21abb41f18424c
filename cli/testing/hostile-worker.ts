import { attack } from '../../proof/hostile/attack.ts';
import { servers } from '../../proof/hostile/servers.ts';
import { run } from './test-io.ts';

/** A separate process that tries the program on the requested servers in turn, by their index, and reports the results. */
process.on('message', (position: number) => {
  const server = servers[position];
  if (!server) return;
  attack(run, server)
    .catch((error: unknown) => ({ name: '', problems: [String(error)] }))
    .then((came) => process.send?.({ position, came }))
    .catch(() => process.exit(1));
});
process.on('disconnect', () => process.exit(0));
