import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-bootstrap-'));
const inside = (...names: readonly string[]): string => path.join(folder, ...names);

beforeAll(() => {
  for (const file of ['bootstrap.cjs', 'package.json', 'package-lock.json'])
    copyFileSync(path.join(__dirname, '..', file), inside(file));
  mkdirSync(inside('elsewhere'));
  writeFileSync(inside('elsewhere', 'kept'), '');
  symlinkSync(inside('elsewhere'), inside('node_modules'), 'junction');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
  expect(existsSync(inside('elsewhere', 'kept'))).toBe(true);
});

test('the packages that only tests and rare tools need are in manifests of their own', () => {
  const manifest = (...place: readonly string[]): Record<string, Record<string, string>> =>
    JSON.parse(readFileSync(path.join(__dirname, '..', ...place, 'package.json'), 'utf8')) as never;
  const { dependencies = {}, devDependencies = {} } = manifest();
  const forTests = Object.keys(manifest('proof')['devDependencies'] ?? {});
  expect(forTests).toContain('jest');
  expect(forTests.filter((name) => name in dependencies || name in devDependencies)).toEqual([]);
  for (const place of [
    ['spec', 'openapi'],
    ['proof', 'mutation'],
  ])
    expect(existsSync(path.join(__dirname, '..', ...place, 'package-lock.json'))).toBe(true);
});

test('the first command builds with the types that the program installs', () => {
  const config = readFileSync(path.join(__dirname, '..', 'tsconfig.package.json'), 'utf8');
  const [, types = ''] = /"types": \[([^\]]*)\]/.exec(config) ?? [];
  const { devDependencies } = JSON.parse(readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const named = types.split(',').map((name) => `@types/${name.trim().replaceAll('"', '')}`);
  expect(named.filter((name) => devDependencies[name] === undefined)).toEqual([]);
});
