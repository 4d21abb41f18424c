import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Middleware } from '../hosts/mounted/mount.ts';
import type { MockOptions } from '../mock-core.ts';
import { MockError } from '../mock-error.ts';
import { createMock, type Mock } from '../mock.ts';
import { readSeed, type Seed } from '../store/seed/seed.ts';

declare namespace agentContract {
  /** The needed part of a dev server, or a preview server, of Vite. */
  interface ViteServer {
    readonly config: {
      readonly root: string;
      readonly logger: { info(text: string): void; error(text: string): void };
    };
    readonly middlewares: { use(path: string, middleware: Middleware): unknown };
    /** Missing on a preview server. */
    readonly watcher?: {
      add(file: string): unknown;
      on(event: 'add' | 'change', listener: (file: string) => void): unknown;
    };
    readonly resolvedUrls: { readonly local: readonly string[] } | null;
    printUrls(): void;
  }

  interface VitePlugin {
    readonly name: string;
    readonly apply: 'serve';
    configureServer(server: ViteServer): void;
    configurePreviewServer(server: ViteServer): void;
  }

  /** The options of the mock. Vite restarts with the new ones whenever its configuration is saved. */
  interface VitePluginOptions extends Omit<MockOptions, 'seedData'> {
    /** The path of the mock. Default: `/mock`. It is independent of Vite's `base`. */
    readonly base?: string;
    /**
     * A file with your own agents, results and workspaces, as for `mock --seed-file`, relative to the root of the
     * project. It is read again whenever it is saved; data that was written to the mock stays.
     */
    readonly seedFile?: string;
  }
}

/**
 * A plugin that serves a mock and its dashboard on the port of the dev server: `plugins: [agentContract()]`.
 * @throws MockError for an invalid base path. An invalid option of the mock, or an invalid file, stops the server from
 * starting.
 */
function agentContract({
  base = '/mock',
  seedFile,
  ...options
}: agentContract.VitePluginOptions = {}): agentContract.VitePlugin {
  const at = base.replace(/\/+$/, '');
  if (!/^(?:\/[^/?#\s]+)+$/.test(at))
    throw new MockError(`base is ${JSON.stringify(base.slice(0, 200))}; it must be a path such as /mock.`);
  const serve = (server: agentContract.ViteServer): void => {
    const file = seedFile === undefined ? undefined : path.resolve(server.config.root, seedFile);
    const mock = createMock({ ...options, seedData: file === undefined ? undefined : seedOf(file) });
    server.middlewares.use(at, mock.app);
    if (file !== undefined) follow(server, mock, file);
    announce(server, at);
  };
  return { name: 'agent-contract', apply: 'serve', configureServer: serve, configurePreviewServer: serve };
}

/** @throws MockError */
function seedOf(file: string): Seed {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw new MockError(`seedFile: ${file} cannot be read. It is looked for from the root of the project.`, {
      cause: error,
    });
  }
  return readSeed(text, file);
}

/** Reads the file again whenever it is saved. If it is invalid, the mock keeps its data. */
function follow({ watcher, config: { logger } }: agentContract.ViteServer, mock: Mock, file: string): void {
  if (!watcher) return;
  const read = (changed: string): void => {
    if (path.resolve(changed) !== file) return;
    try {
      mock.setBeginning({ seedData: seedOf(file) });
      logger.info(`agent-contract: read again: ${file}`);
    } catch (error) {
      if (!(error instanceof MockError)) throw error;
      logger.error(`agent-contract: ${error.message}\nThe mock goes on with what it had.`);
    }
  };
  watcher.add(file);
  watcher.on('add', read);
  watcher.on('change', read);
}

function announce(server: agentContract.ViteServer, at: string): void {
  const print = server.printUrls.bind(server);
  server.printUrls = () => {
    print();
    const [url] = server.resolvedUrls?.local ?? [];
    if (url === undefined) return;
    const { origin } = new URL(url);
    server.config.logger.info(`  ➜  Mock:    ${origin}${at}\n  ➜  Dashboard: ${origin}${at}/__admin/ui/`);
  };
}

export = agentContract;
