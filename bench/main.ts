import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { file, pinning } from './processes.ts';
import { measurePassing } from './measures/passing.ts';
import { measureReplicas } from './measures/replicas.ts';
import * as results from './results.ts';
import { measureRunner } from './measures/runner.ts';
import { measureScale } from './measures/scale.ts';
import { measureStart } from './measures/start.ts';
import { measureThroughput } from './measures/throughput.ts';

const RESULTS = file('..', '..', 'bench', 'results.md');

/**
 * `--quick` measures roughly, and `--only throughput,start` only some sections; both write to standard output, and not
 * to results.md.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
  const { quick, only } = values;
  const load = [loadavg()[0] ?? 0];
  const sections: Readonly<Record<string, () => Promise<string>>> = {
    throughput: async () =>
      results.throughput(
        await measureThroughput({ rounds: quick ? 2 : 5, duration: quick ? 500 : 1500, hasReferences: true }),
      ),
    scale: async () => results.scale(await measureScale(quick ? 1 : 5, quick ? 100_000 : 1_000_000)),
    start: async () => results.start(await measureStart(quick ? 3 : 11)),
    runner: async () => results.runner(await measureRunner(quick ? 1 : 5)),
    passing: async () => results.passing(await measurePassing(quick ? 2 : 5, quick ? 700 : 1500)),
    replicas: async () => results.replicas(await measureReplicas(quick ? 1 : 5, quick ? 500 : 1500)),
  };
  const wanted = only?.split(',') ?? Object.keys(sections);
  const unknown = wanted.filter((name) => sections[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`--only: there is no ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}.`);
  const parts: string[] = [];
  for (const name of wanted) {
    process.stderr.write(`${name} ...\n`);
    try {
      parts.push((await sections[name]?.()) ?? '');
    } catch (error) {
      // The other sections took minutes, so their results are kept.
      parts.push(`## ${name}\n\nNot measured: ${errorText(error)}`);
      process.stderr.write(`error: ${name}: ${errorText(error)}\n`);
      process.exitCode = 1;
    }
    load.push(loadavg()[0] ?? 0);
  }
  const [cpu] = cpus();
  const text = results.page(parts, {
    machine: `${cpus().length} cores of ${cpu?.model ?? 'an unknown kind'}, ${process.platform} ${process.arch}`,
    node: process.version,
    pinning,
    date: new Date().toISOString().slice(0, 10),
    load,
  });
  if (quick || only !== undefined) process.stdout.write(text);
  else {
    const { format } = await import('oxfmt');
    writeFileSync(RESULTS, (await format(RESULTS, text, { printWidth: 120 })).code);
  }
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

main().catch((error: unknown) => {
  process.stderr.write(`error: ${errorText(error)}\n`);
  process.exitCode = 1;
});
