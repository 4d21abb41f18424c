import { readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../package.json';
import { lockedPackages, root } from './test-package.ts';

const locked = Object.entries(lockedPackages()).map(([where, one]) => ({
  name: where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length),
  ...one,
}));

describe('the lock file', () => {
  test('is of this package.json', () => {
    const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, object>;
    };
    const { name, version, dependencies, devDependencies, engines } = manifest;
    expect(packages['']).toMatchObject({ name, version, dependencies, devDependencies, engines });
  });

  // npm leaves out what its registry does not have for another system, and "npm ci" refuses such a file there.
  test('holds the packages of every system', () => {
    const names = new Set(locked.map(({ name }) => name));
    const wanted = locked.flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}));
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });

  test('vouches for the content of each package', () => {
    expect(locked.filter(({ integrity }) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
  });
});

describe('scripts that run when a package is installed', () => {
  const withScripts = locked.filter(({ hasInstallScript }) => hasInstallScript === true);

  test('reach nobody who depends on this package', () => {
    expect(withScripts.filter(({ dev }) => dev !== true)).toEqual([]);
  });

  test('are refused in this repository, and explained', () => {
    const names = [...new Set(withScripts.map(({ name }) => name))].toSorted();
    const refused: Readonly<Record<string, boolean>> = manifest.allowScripts;
    expect(names).toEqual(Object.keys(refused).toSorted());
    expect(Object.values(refused)).not.toContain(true);
    const explained = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
    expect(names.filter((name) => !explained.includes(`| ${name} `))).toEqual([]);
  });
});

test('nothing that reports to others is depended on', () => {
  const reporters =
    /^(@scarf|@sentry|@segment|@amplitude|@datadog|@bugsnag|@newrelic)\/|^(analytics-node|applicationinsights|insight|mixpanel|newrelic|posthog-node|rollbar|universal-analytics)$/;
  const found = locked.filter(({ name, dev }) => dev !== true && reporters.test(name));
  expect(found.map(({ name }) => name)).toEqual([]);
});

test('none of the packages that have known vulnerabilities reaches who depends on this package', () => {
  const known = /^(?:@stoplight\/.*|@faker-js\/faker|lodash|postman-collection|uuid|node-forge)$/;
  expect(locked.filter(({ name, dev }) => dev !== true && known.test(name)).map(({ name }) => name)).toEqual([]);
});

test('the versions that are put in the place of vulnerable ones are those of the lock file', () => {
  const { 'postman-collection': wanted } = manifest.overrides;
  for (const [name, version] of Object.entries(wanted)) {
    const found = locked.filter((one) => one.name === name);
    expect(found.map((one) => [name, one.version])).toEqual([[name, version]]);
  }
});
