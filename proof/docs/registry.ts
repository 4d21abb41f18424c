import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { lockedPackages } from '../../packaging/test-package.ts';
import { serveHttp, type RunningServer } from '../hostile/serve.ts';

type Manifest = Readonly<Record<'name' | 'version', string>>;

/** An npm registry of our installed dependencies: npm installs the packed file with the versions of the lock file. */
export async function openRegistry(root: string): Promise<RunningServer> {
  const packages = new Map<string, { readonly where: string; readonly manifest: Manifest }[]>();
  for (const [where, { dev }] of Object.entries(lockedPackages())) {
    const file = path.join(root, where, 'package.json');
    if (dev === true || !existsSync(file)) continue;
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    packages.set(manifest.name, [...(packages.get(manifest.name) ?? []), { where, manifest }]);
  }
  // As the public registry does, so that npm need not fetch things again for each installation.
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };
  return serveHttp(async ({ target, headers: { host = '' } }) => {
    const name = decodeURIComponent(target).slice(1);
    const [, archive] = /^-\/(.+)\.tgz$/.exec(name) ?? [];
    if (archive !== undefined) return { status: 200, headers, body: await packed(path.join(root, archive)) };
    const found = packages.get(name);
    if (found === undefined) return { status: 404, headers, body: '{}' };
    const versions = found.map(({ where, manifest }) => [
      manifest.version,
      { ...manifest, dist: { tarball: `http://${host}/-/${encodeURIComponent(where)}.tgz` } },
    ]);
    const latest = found[0]?.manifest.version;
    const body = JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) as object });
    return { status: 200, headers, body };
  });
}

/** npm strips the first folder, whatever its name, and accepts uncompressed archives too. */
async function packed(folder: string): Promise<Buffer> {
  const name = path.basename(folder);
  // Large parts that nothing needs at run time.
  const leftOut = ['*.d.ts', '*.map', '*.md', `${name}/node_modules`].flatMap((pattern) => ['--exclude', pattern]);
  const args = ['-cf', '-', ...leftOut, '-C', path.dirname(folder), name];
  const { stdout } = await promisify(execFile)('tar', args, { encoding: 'buffer', maxBuffer: Infinity });
  return stdout;
}
