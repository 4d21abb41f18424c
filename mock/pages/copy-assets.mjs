// Copies what the mock serves to browsers, Swagger UI included, beside the compiled modules, so that the package is complete.
// Part of every build, since TypeScript copies no HTML, CSS and JavaScript.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.resolve(process.argv[2] ?? path.join(here, '../../dist'), 'mock/pages/assets');
const swagger = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

rmSync(target, { recursive: true, force: true });
cpSync(path.join(here, 'assets'), target, { recursive: true });
mkdirSync(path.join(target, 'swagger-ui'));
for (const file of ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css', 'LICENSE', 'NOTICE'])
  cpSync(path.join(swagger, file), path.join(target, 'swagger-ui', file));
