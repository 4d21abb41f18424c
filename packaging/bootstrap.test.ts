import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, temporaryFolder } from './test-package.ts';

const folder = temporaryFolder();
const inside = (...names: readonly string[]): string => path.join(folder, ...names);

beforeAll(() => {
  for (const file of ['bootstrap.cjs', 'package.json', 'package-lock.json'])
    fs.copyFileSync(path.join(root, file), inside(file));
  fs.mkdirSync(inside('elsewhere'));
  fs.writeFileSync(inside('elsewhere', 'kept'), '');
  fs.symlinkSync(inside('elsewhere'), inside('node_modules'), 'junction');
});

test('the packages of another folder are not deleted through a link', () => {
  // Without npm on its path it could not install anything either.
  const { status, stderr } = spawnSync(process.execPath, [inside('bootstrap.cjs')], {
    encoding: 'utf8',
    env: { PATH: folder },
  });
  expect(status).toBe(1);
  expect(stderr).toBe(
    `the dependencies are not installed, and node_modules is a link to ${inside('elsewhere')}. Run npm ci where it leads to, or remove the link.\n`,
  );
  expect(fs.existsSync(inside('elsewhere', 'kept'))).toBe(true);
});

/** The dependencies that a manifest names. */
function named(place: string): readonly string[] {
  const text = fs.readFileSync(path.join(root, place, 'package.json'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(text) as Readonly<Record<string, object | undefined>>;
  return Object.keys({ ...dependencies, ...devDependencies });
}

test('the packages that only tests and rare tools need are in manifests of their own', () => {
  const forTests = named('proof');
  expect(forTests).toContain('jest');
  expect(forTests.filter((name) => named('.').includes(name))).toEqual([]);
  for (const place of ['spec/openapi', 'proof/mutation'])
    expect(fs.existsSync(path.join(root, place, 'package-lock.json'))).toBe(true);
});

test('the first command builds with the types that the program installs', () => {
  const config = fs.readFileSync(path.join(root, 'tsconfig.package.json'), 'utf8');
  const [, types = ''] = /"types": \[([^\]]*)\]/.exec(config) ?? [];
  const wanted = types.split(',').map((name) => `@types/${name.trim().replaceAll('"', '')}`);
  expect(named('.')).toEqual(expect.arrayContaining(wanted));
});
