import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { flagsOf, readFlags, secretsOf } from '../flags.ts';
import { interrupted } from '../interruption.ts';
import { banner, dashboardOf, readyLine } from '../mock/banner.ts';
import { mockFlags } from '../mock/flags.ts';
import { startMock } from '../mock/start.ts';
import { isOperated, operateFlags, startOperation, type RunningOperation } from '../operate.ts';

export const flags = { ...mockFlags, ...operateFlags, ...flagsOf('ready', {}) };
export const endsItself = true;

export async function run(cli: Cli, command: Command): Promise<number | void> {
  const { io, secrets } = cli;
  const settings = readFlags(flags, command, io);
  secrets.push(...secretsOf(flags, settings));
  const metrics = isOperated(cli, settings) ? (await import('../mock/metrics.ts')).createMockMetrics() : undefined;
  const running = await startMock(io, settings, 4010, { onExchange: metrics?.onExchange });
  let isKept = false;
  let operation: RunningOperation | undefined;
  try {
    operation = metrics && (await startOperation(cli, settings, metrics.of(running.mock)));
    io.stdout.write(settings.json ? `${readyLine(running, settings)}\n` : banner(running, settings, io));
    if (settings.open) await (await import('../mock/open-page.ts')).openPage(dashboardOf(running.server.url), io);
    await interrupted(io.signal);
    operation?.server?.drain();
  } finally {
    isKept = await running.stop();
    await operation?.end();
  }
  if (!isKept) return exitStatus.broken;
}
