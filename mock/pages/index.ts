import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RequestHandler, Response } from 'express';
import express from 'express';
import { documentForAll } from '../document/index.ts';

/** What a page may do: load from its own origin, and nothing else. Swagger UI sets styles in its markup. */
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

/**
 * Pages for people, which work without any other origin: the reference of the API at `/docs`, the dashboard at
 * `/__admin/ui`. The handler knows by the path that it is mounted on which of them is wanted.
 */
export function pages(): RequestHandler {
  made ??= makePages();
  return made;
}

let made: RequestHandler | undefined;

function makePages(): RequestHandler {
  const docs = express.Router();
  docs.use(headed(policy("'self' 'unsafe-inline'")));
  docs.get('/openapi.json', (_request, response) => {
    response.json(documentForAll());
  });
  docs.use('/swagger-ui', files(swaggerFolder()), noSuchPage);
  docs.use(files(path.join(ASSETS, 'docs')), noSuchPage);

  const dashboard = express.Router();
  dashboard.use(headed(policy("'self'")), files(path.join(ASSETS, 'ui')), noSuchPage);

  return (request, response, next) => {
    const [asked = '', search] = request.originalUrl.split('?');
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response);
    // What a page names is relative to it, so its address has to end in a slash.
    if (request.path === '/' && !asked.endsWith('/'))
      return response.redirect(302, `${request.baseUrl}/${search === undefined ? '' : `?${search}`}`);
    const page = request.baseUrl.toLowerCase().endsWith('/docs') ? docs : dashboard;
    page(request, response, next);
  };
}

const headed =
  (contentPolicy: string): RequestHandler =>
  (_request, response, next) => {
    response.set({
      'content-security-policy': contentPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    next();
  };

const files = (folder: string): RequestHandler =>
  express.static(folder, { redirect: false, cacheControl: false, dotfiles: 'ignore' });

const noSuchPage: RequestHandler = (request, response) => {
  response.status(404).type('text/plain').send(`There is no page ${request.baseUrl}${request.path}.\n`);
};

const refuse = (response: Response): void => {
  response.status(405).set('allow', 'GET, HEAD').type('text/plain').send('Pages can be read, and nothing else.\n');
};

/** Copied beside this module by the build; in the source tree it is where npm put it. */
function swaggerFolder(): string {
  const copied = path.join(ASSETS, 'swagger-ui');
  return existsSync(copied) ? copied : path.dirname(require.resolve('swagger-ui-dist/package.json'));
}
