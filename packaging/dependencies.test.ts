import { readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../package.json';
import { lockedPackages, root } from './test-package.ts';

const locked = Object.entries(lockedPackages()).map(([where, one]) => ({
  name: where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length),
  ...one,
}));

describe('the lock file', () => {
  test('matches package.json', () => {
    const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, object>;
    };
    const { name, version, dependencies, devDependencies, engines } = manifest;
    expect(packages['']).toMatchObject({ name, version, dependencies, devDependencies, engines });
  });

  // npm omits packages for other systems that its registry lacks, and "npm ci" then refuses the file on those systems.
  test('contains the packages of every system', () => {
    const names = new Set(locked.map(({ name }) => name));
    const wanted = locked.flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}));
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });

  test('has a checksum for each package', () => {
    expect(locked.filter(({ integrity }) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
  });
});

describe('install scripts', () => {
  const withScripts = locked.filter(({ hasInstallScript }) => hasInstallScript === true);

  test('reach no dependent of this package', () => {
    expect(withScripts.filter(({ dev }) => dev !== true)).toEqual([]);
  });

  test('are disabled in this repository, and explained', () => {
    const names = [...new Set(withScripts.map(({ name }) => name))].toSorted();
    const refused: Readonly<Record<string, boolean>> = manifest.allowScripts;
    expect(names).toEqual(Object.keys(refused).toSorted());
    expect(Object.values(refused)).not.toContain(true);
    const explained = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
    expect(names.filter((name) => !explained.includes(`| ${name} `))).toEqual([]);
  });
});

test('no dependency reports to anybody', () => {
  const reporters =
    /^(@scarf|@sentry|@segment|@amplitude|@datadog|@bugsnag|@newrelic)\/|^(analytics-node|applicationinsights|insight|mixpanel|newrelic|posthog-node|rollbar|universal-analytics)$/;
  const found = locked.filter(({ name, dev }) => dev !== true && reporters.test(name));
  expect(found.map(({ name }) => name)).toEqual([]);
});

test('no package with known vulnerabilities reaches a dependent', () => {
  const known = /^(?:@stoplight\/.*|@faker-js\/faker|lodash|postman-collection|uuid|node-forge)$/;
  expect(locked.filter(({ name, dev }) => dev !== true && known.test(name)).map(({ name }) => name)).toEqual([]);
});

test('the lock file has the versions that replace vulnerable ones', () => {
  const { 'postman-collection': wanted } = manifest.overrides;
  for (const [name, version] of Object.entries(wanted)) {
    const found = locked.filter((one) => one.name === name);
    expect(found.map((one) => [name, one.version])).toEqual([[name, version]]);
  }
});
