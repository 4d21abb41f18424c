import { attack } from '../../proof/hostile/attack.ts';
import { hostiles } from '../../proof/hostile/hostile.ts';
import { living } from '../../proof/hostile/living.ts';
import { main } from '../main.ts';

/**
 * A separate process that runs the requested attacks in turn, by their index in both lists, and reports the results.
 */
process.on('message', (position: number) => {
  const hostile = hostiles[position];
  const one = living[position - hostiles.length];
  const running = hostile
    ? attack({ main, ...hostile, timeoutMs: hostile.hangs ? 100 : 2000, maxTimeMs: hostile.isHeavy ? 500 : 1000 })
    : one && attack({ main, timeoutMs: 5000, maxTimeMs: 20_000, formats: ['json'], ...one });
  running
    ?.catch((error: unknown) => ({ name: '', problems: [String(error)] }))
    .then((came) => process.send?.({ position, came }))
    .catch(() => process.exit(1));
});
process.on('disconnect', () => process.exit(0));
