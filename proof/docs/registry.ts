import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { lockedPackages } from '../../packaging/test-package.ts';

/** An npm registry on a free loopback port. */
export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Large parts that nothing needs at run time. */
const LEFT_OUT = ['*.d.ts', '*.map', '*.md'].flatMap((pattern) => ['--exclude', pattern]);

/**
 * Serves only the installed dependencies of the package, so that npm can install the packed file as usual, without a
 * network, and with exactly the versions of the lock file.
 */
export async function openRegistry(root: string): Promise<Registry> {
  const packages = new Map<string, { readonly where: string; readonly manifest: Manifest }[]>();
  for (const [where, { dev }] of Object.entries(lockedPackages())) {
    const file = path.join(root, where, 'package.json');
    if (dev === true || !existsSync(file)) continue;
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    packages.set(manifest.name, [...(packages.get(manifest.name) ?? []), { where, manifest }]);
  }

  /** Packed once, however often it is installed. */
  const archives = new Map<string, Promise<Buffer>>();
  const archiveOf = (where: string): Promise<Buffer> => {
    const archive = archives.get(where) ?? packed(path.join(root, where));
    archives.set(where, archive);
    return archive;
  };

  const server = createServer((request, response) => {
    const asked = decodeURIComponent(request.url ?? '').slice(1);
    const [, where] = /^-\/(.+)\.tgz$/.exec(asked) ?? [];
    if (where !== undefined) {
      void archiveOf(where).then((archive) => response.end(archive));
      return;
    }
    const versions = packages.get(asked)?.map(({ where: place, manifest }) => ({
      ...manifest,
      dist: { tarball: `${url}/-/${encodeURIComponent(place)}.tgz` },
    }));
    // As the public registry does, so that npm need not ask again for each installation.
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };
    response.writeHead(versions === undefined ? 404 : 200, headers);
    response.end(
      JSON.stringify({
        name: asked,
        'dist-tags': { latest: versions?.[0]?.version },
        versions: Object.fromEntries((versions ?? []).map((one) => [one.version, one])),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** npm strips the first folder, whatever its name, and accepts uncompressed archives too. */
async function packed(folder: string): Promise<Buffer> {
  const name = path.basename(folder);
  const args = ['-cf', '-', ...LEFT_OUT, '--exclude', `${name}/node_modules`, '-C', path.dirname(folder), name];
  const { stdout } = await promisify(execFile)('tar', args, { encoding: 'buffer', maxBuffer: Infinity });
  return stdout;
}
