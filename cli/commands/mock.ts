import type { AddCommand, Cli } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { addFlags, readFlags, switchFlag, type ValuesOf } from '../flags.ts';
import { interrupted } from '../interruption.ts';
import { mockFlags, mockSecrets } from '../mock/flags.ts';
import { isOperated, operateFlags, startOperation, type Operation } from '../operate.ts';

const flags = {
  ...mockFlags,
  ...operateFlags,
  json: switchFlag('print one line of JSON when the mock is ready'),
} as const;

const DEFAULT_PORT = 4010;

export const addMock: AddCommand = (program, cli) => {
  const command = program.command('mock').description('start a mock of the service');
  addFlags(command, flags);
  command.action(cli.action(() => serve(cli, readFlags(flags, command, cli.io, undefined))));
};

async function serve(cli: Cli, settings: ValuesOf<typeof flags>): Promise<number> {
  const { io, secrets } = cli;
  secrets.push(...mockSecrets(settings));
  const page = settings.open ? await import('../mock/open-page.ts') : undefined;
  page?.checkOpenable(settings.host ?? '127.0.0.1');
  const [{ startMock }, { banner, dashboardOf, readyLine }] = await Promise.all([
    import('../mock/start.ts'),
    import('../mock/banner.ts'),
  ]);
  const metrics = isOperated(cli, settings) ? (await import('../mock/metrics.ts')).createMockMetrics() : undefined;
  const running = await startMock(io, settings, DEFAULT_PORT, { onExchange: metrics?.onExchange });
  let isKept = false;
  let operation: Operation | undefined;
  try {
    operation = metrics && (await startOperation(cli, settings, metrics.of(running.mock)));
    io.stdout.write(settings.json ? `${readyLine(running, settings)}\n` : banner(running, settings, io));
    await page?.openPage(dashboardOf(running.server.url), io);
    await interrupted(io.signal);
    operation?.drain();
  } finally {
    isKept = await running.stop();
    await operation?.end();
  }
  if (isKept) return exitStatus.conformant;
  return exitStatus.broken;
}
