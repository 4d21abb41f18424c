import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { MockRequest } from '../call.ts';
import { documentForAll } from '../document/index.ts';
import mediaTypes from './media-types.json';
import packages from './packages.json';

export interface Page {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the status or the method forbids a body. */
  readonly body: Uint8Array;
}

const ASSETS = path.join(__dirname, 'assets');
const COPIED = path.join(ASSETS, 'packages');
/** The build copies the files of packages beside this module; in the source tree they are in node_modules. */
const PACKAGES = existsSync(COPIED) ? COPIED : path.join(__dirname, '../../node_modules');

type Site = keyof typeof packages;

/** The API reference at `/docs`, the dashboard at `/__admin/ui`; they need no other origin. */
export function pageFor({ method, target, headers, base }: MockRequest): Page {
  const [, root = '', below = '', search = ''] = /^(\/docs|\/__admin\/ui)(\/[^?]*)?(\?.*)?$/s.exec(target) ?? [];
  const site = path.posix.basename(root) as Site;
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'Pages can only be read.\n', { allow: 'GET, HEAD' });
  if (!existsSync(ASSETS)) return text(500, MOVED);
  // Pages use relative URLs, and so does this redirect, so that any mount path works. Some servers strip a trailing
  // slash, so it names the file.
  if (below === '') return text(302, '', { location: `${site}/index.html${search}` });
  const isDocument = site === 'docs' && below === '/openapi.json';
  const found = isDocument
    ? text(200, JSON.stringify(documentForAll(base)), { 'content-type': 'application/json; charset=utf-8' })
    : filePage(site, below, headers);
  const page = found ?? text(404, `There is no page ${root}${below}.\n`);
  const common = {
    'content-security-policy': policyOf(site),
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

/** A page may load only from its own origin. Its own import map is allowed, and Swagger UI needs inline styles. */
function policyOf(site: Site): string {
  const html = readFileSync(path.join(ASSETS, site, 'index.html'), 'utf8');
  const [, importMap = ''] = /<script type="importmap">([^<]*)<\/script>/.exec(html) ?? [];
  const hash = createHash('sha256').update(importMap).digest('base64');
  return [
    "default-src 'none'",
    importMap === '' ? "script-src 'self'" : `script-src 'self' 'sha256-${hash}'`,
    site === 'docs' ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const text = (status: number, content: string, headers: Readonly<Record<string, string>> = {}): Page => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: Buffer.from(content),
});

/** A served file. No path leads to anything but the files that are listed. */
function filePage(site: Site, below: string, headers: MockRequest['headers']): Page | undefined {
  const wanted = below.endsWith('/') ? `${below}index.html` : below;
  const file = filesOf(site).find(({ at }) => at === wanted)?.file;
  if (file === undefined) return undefined;
  const { size, mtimeMs } = statSync(file);
  const etag = `W/"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: new Uint8Array() };
  const types: Readonly<Record<string, string>> = mediaTypes;
  const type = types[path.extname(file)] ?? 'text/plain; charset=utf-8';
  return { status: 200, headers: { 'content-type': type, etag }, body: readFileSync(file) };
}

function filesOf(site: Site): readonly { readonly at: string; readonly file: string }[] {
  const own = readdirSync(path.join(ASSETS, site), { recursive: true, encoding: 'utf8' })
    .map((name) => ({ at: `/${name.split(path.sep).join('/')}`, file: path.join(ASSETS, site, name) }))
    .filter(({ at, file }) => !path.basename(at).startsWith('.') && statSync(file).isFile());
  return [...own, ...packages[site].map((name) => ({ at: `/packages/${name}`, file: path.join(PACKAGES, name) }))];
}
