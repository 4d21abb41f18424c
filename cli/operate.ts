import type { Registry } from 'prom-client';
import { isLoopback } from '../http/local-names.ts';
import { startOtlp } from '../http/operate/otlp.ts';
import { startOperating, type Routes } from '../http/operate/server.ts';
import { visible } from '../text/visible.ts';
import type { Cli } from './command.ts';
import { codeOf, UsageError } from './errors.ts';
import { BadValue, flagsOf, type ValuesOf } from './flags.ts';

export const operateFlags = flagsOf('operate', { operate: readAddress, operateToken: readToken });

export type RunningOperation = Awaited<ReturnType<typeof startOperation>>;

export const isOperated = ({ io }: Cli, { operate }: ValuesOf<typeof operateFlags>): boolean =>
  operate !== undefined || io.env['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined;

/** Serves the probes, the metrics and the `routes`, and sends metrics to a collector, as far as flags and variables say. @throws UsageError */
export async function startOperation(
  { io, secrets }: Cli,
  { operate, operateToken: token }: ValuesOf<typeof operateFlags>,
  register: Registry,
  routes: Routes = {},
) {
  const { env, stderr } = io;
  const all = { '/metrics': async () => ({ type: register.contentType, body: await register.metrics() }), ...routes };
  const server = operate && (await listen(operate, token, all));
  if (server) stderr.write(`for operators: ${server.url}\n`);
  const otlp = startOtlp(
    env,
    secrets,
    () => register.getMetricsAsJSON(),
    (why) => stderr.write(`warning: OTEL_EXPORTER_OTLP_ENDPOINT: nothing was sent (${visible(why)}).\n`),
  );
  return {
    server,
    otlp,
    end: async (): Promise<void> => {
      await otlp?.end();
      server?.close();
    },
  };
}

function listen({ host, port }: ReturnType<typeof readAddress>, token: string | undefined, routes: Routes) {
  if (!isLoopback(host) && token === undefined)
    throw new UsageError(
      `--operate ${visible(host)}:${port}: other machines may reach this, so it needs a token: set AGENT_CONTRACT_OPERATE_TOKEN.`,
    );
  return startOperating({ host, port, token }, routes).catch((error: unknown) => {
    throw new UsageError(`--operate: nothing can listen on ${visible(host)}:${port} (${codeOf(error)}).`, {
      cause: error,
    });
  });
}

function readAddress(text: string) {
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text.trim()) ?? [];
  const [host, port] = [bracketed ?? plain, Number(digits)];
  if (host !== undefined && port <= 65_535) return { host, port };
  throw new BadValue('this must be HOST:PORT, for example 127.0.0.1:9464.');
}

function readToken(text: string): string {
  if (/^[!-~]{1,200}$/.test(text)) return text;
  throw new BadValue('a token has up to 200 ASCII letters, digits and signs, and no space.');
}
