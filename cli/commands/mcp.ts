import { version } from '../../package.json';
import type { Cli } from '../command.ts';
import { codeOf, messageOf, UsageError } from '../errors.ts';

/** The most characters of one answer: more would fill the context of a model. */
const MOST = 20_000;

export const flags = {};
export const endsItself = true;

export async function run(cli: Cli): Promise<void> {
  const kit = await loadKit();
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createTools } = await import('../mcp/tools.ts');
  const { tools, close } = createTools(cli);
  try {
    await new Promise<void>((resolve) => {
      const running = serveStdio(() => createServer(cli, kit, tools));
      process.stdin.once('end', resolve);
      cli.io.signal?.addEventListener('abort', () => void running.close().finally(resolve), { once: true });
    });
  } finally {
    await close();
  }
}

type Kit = Awaited<ReturnType<typeof loadKit>>;

/** @throws UsageError if it is not installed */
async function loadKit() {
  try {
    return await import('@modelcontextprotocol/server');
  } catch (error) {
    if (!codeOf(error).endsWith('MODULE_NOT_FOUND')) throw error;
    throw new UsageError(
      'mcp needs the package @modelcontextprotocol/server, which is not installed. Install it beside agent-contract: npm install --save-dev @modelcontextprotocol/server@2',
    );
  }
}

/** A server with these tools; the kit checks their arguments. Nothing it answers is long, or holds a secret. */
export function createServer(
  { clean }: Cli,
  { McpServer, fromJsonSchema }: Kit,
  tools: ReturnType<typeof import('../mcp/tools.ts').createTools>['tools'],
) {
  const server = new McpServer({ name: 'agent-contract', version });
  for (const { name, description, input, work } of tools) {
    const inputSchema = fromJsonSchema<object>({ type: 'object', ...input, additionalProperties: false });
    server.registerTool(name, { description, inputSchema }, async (given) => {
      const { says, isError = false } = await Promise.resolve(given)
        .then(work)
        .catch((error: unknown) => ({ says: messageOf(error), isError: true }));
      return { content: [{ type: 'text' as const, text: bounded(clean(says)) }], isError };
    });
  }
  return server;
}

function bounded(text: string): string {
  if (text.length <= MOST) return text;
  const end = text.slice(-2000);
  const left = text.length - MOST;
  return `${text.slice(0, MOST - end.length)}\n… ${left} characters are left out here. Ask for less …\n${end}`;
}
