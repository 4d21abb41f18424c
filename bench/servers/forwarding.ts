import { startProxy } from '../../proxy/start.ts';

/** The cost of forwarding without judging, to the URL in the first argument. */
async function main(): Promise<void> {
  const { url } = await startProxy({
    upstream: new URL(process.argv[2] ?? ''),
    timeoutMs: 60_000,
    port: 0,
    host: '127.0.0.1',
    inspector: { inspect: () => undefined, flush: () => undefined },
  });
  process.stdout.write(`${JSON.stringify({ url })}\n`);
}

void main();
