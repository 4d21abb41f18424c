import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { MockRequest } from '../call.ts';
import { documentForAll } from '../document/index.ts';

/** A page, as a host sends it. */
export interface Page {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the status or the method forbids a body. */
  readonly body: Uint8Array;
}

/** A page may load only from its own origin. Swagger UI needs inline styles. */
const policy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const ASSETS = path.join(__dirname, 'assets');

interface Place {
  readonly policy: string;
  /** The folders that are served, with their subfolders, by URL path. */
  readonly folders: Readonly<Record<string, () => string>>;
}

const docs: Place = {
  policy: policy("'self' 'unsafe-inline'"),
  folders: { '/': () => path.join(ASSETS, 'docs'), '/swagger-ui/': swaggerFolder },
};
const dashboard: Place = { policy: policy("'self'"), folders: { '/': () => path.join(ASSETS, 'ui') } };

/**
 * Pages for people, which need no other origin: the API reference at `/docs`, the dashboard at `/__admin/ui`. `isPage`
 * recognises their targets.
 */
export function pageFor({ method, target, headers }: MockRequest): Page {
  const [, root = '', below = '', search = ''] = /^(\/docs|\/__admin\/ui)(\/[^?]*)?(\?.*)?$/s.exec(target) ?? [];
  const place = root === '/docs' ? docs : dashboard;
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'Pages can only be read.\n', { allow: 'GET, HEAD' });
  if (!existsSync(ASSETS)) return text(500, MOVED);
  // Pages use relative URLs, and so does this redirect, so that any mount path works. Some servers strip a trailing
  // slash, so it names the file.
  if (below === '') return text(302, '', { location: `${path.posix.basename(root)}/index.html${search}` });
  const found = place === docs && below === '/openapi.json' ? documentPage() : filePage(place, below, headers);
  const page = found ?? text(404, `There is no page ${root}${below}.\n`);
  const common = {
    'content-security-policy': place.policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  };
  return { ...page, headers: { ...page.headers, ...common } };
}

const MOVED =
  'The pages are missing: a bundler moved the mock out of its package. Tell it to leave agent-contract in place ' +
  "(Next: serverExternalPackages: ['agent-contract']). The service still answers.\n";

const text = (status: number, said: string, headers: Readonly<Record<string, string>> = {}): Page => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: Buffer.from(said),
});

const documentPage = (): Page => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(documentForAll())),
});

/** A served file. No path leads to anything outside the listed files. */
function filePage(place: Place, below: string, headers: MockRequest['headers']): Page | undefined {
  const whole = filesOf(place).get(below.endsWith('/') ? `${below}index.html` : below);
  if (whole === undefined) return undefined;
  const { size, mtimeMs } = statSync(whole);
  const etag = `W/"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: new Uint8Array() };
  const type = types[path.extname(whole)] ?? 'text/plain; charset=utf-8';
  return { status: 200, headers: { 'content-type': type, etag }, body: readFileSync(whole) };
}

const listed = new Map<Place, ReadonlyMap<string, string>>();

/** The location of each file, by its path below the folder. */
function filesOf(place: Place): ReadonlyMap<string, string> {
  const known = listed.get(place);
  if (known) return known;
  const files = new Map(
    Object.entries(place.folders).flatMap(([at, folder]) =>
      readdirSync(folder(), { recursive: true, encoding: 'utf8' })
        .filter((name) => !path.basename(name).startsWith('.') && statSync(path.join(folder(), name)).isFile())
        .map((name) => [at + name.split(path.sep).join('/'), path.join(folder(), name)] as const),
    ),
  );
  listed.set(place, files);
  return files;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The build copies it beside this module; in the source tree it is in node_modules. */
function swaggerFolder(): string {
  const copied = path.join(ASSETS, 'swagger-ui');
  // Not with require.resolve: bundlers would follow it to files that users do not have.
  return existsSync(copied) ? copied : path.join(__dirname, '../../node_modules/swagger-ui-dist');
}
