import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checks, type Check } from '../conformance/index.ts';
import { choices } from '../mock/choices/index.ts';
import { faults } from '../mock/faults/index.ts';
import type { ViolationId } from '../spec/index.ts';
import { endpointIds, gapIds, gaps, requirementIds, violationIds, violations } from '../spec/index.ts';
import { sentences } from '../spec/testing/sentences.ts';
import { documentedSections } from './transcription.ts';

const root = path.join(__dirname, '..');

/** The `ids` that are not in `known`. The type is wide, since this tests what the types promise. */
const unknown = (ids: readonly string[], known: readonly string[]): readonly string[] =>
  ids.filter((id) => !known.includes(id));

const repeated = <T>(values: readonly T[]): readonly T[] => values.filter((value, i) => values.indexOf(value) < i);

const claims = ({ provenBy, verifies }: Check, id: ViolationId): boolean =>
  provenBy.includes(id) && verifies.includes(violations[id].breaks);

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

const named = {
  requirements: sentences.flatMap(({ requirements }) => requirements ?? []),
  gaps: sentences.flatMap((sentence) => sentence.gaps ?? []),
};
const verified = checks.flatMap(({ verifies }) => verifies);
const broken = violationIds.map((id) => violations[id].breaks);
const proven = checks.flatMap(({ provenBy }) => provenBy);

/** Sentences of our own about the whole, each with what contradicts it. */
test.each<[string, () => readonly unknown[]]>([
  ['every requirement that a sentence names exists', () => unknown(named.requirements, requirementIds)],
  ['every gap that a sentence names exists', () => unknown(named.gaps, gapIds)],
  ['a sentence names every requirement', () => unknown(requirementIds, named.requirements)],
  ['a sentence names every gap', () => unknown(gapIds, named.gaps)],
  [
    'every sentence belongs to an existing section or to the introduction',
    () => sentences.filter(({ section }) => !['0', ...documentedSections].includes(section)),
  ],
  [
    'every numbered section has a sentence',
    () => documentedSections.filter((section) => !sentences.some((sentence) => sentence.section === section)),
  ],
  [
    'every sentence has requirements or gaps, or says why there is nothing to test',
    () =>
      sentences.filter(({ requirements, gaps: open, nothingTestable }) => {
        const leads = [requirements, open].filter((ids) => ids !== undefined);
        if (leads.length === 0) return isBlank(nothingTestable);
        return nothingTestable !== undefined || leads.some((ids) => ids.length === 0 || repeated(ids).length > 0);
      }),
  ],
  ['no sentence is empty', () => sentences.filter(({ says }) => isBlank(says))],
  ['no sentence is repeated', () => repeated(sentences.map(({ section, says }) => `${section}: ${says}`))],
  ['every violation breaks an existing requirement', () => unknown(broken, requirementIds)],
  [
    'a check that verifies the broken requirement claims every violation',
    () => violationIds.filter((id) => !checks.some((check) => claims(check, id))),
  ],
  ['every violation has a fault at an endpoint', () => violationIds.filter((id) => faults[id].on.length === 0)],
  ['no two violations share a fault', () => repeated(violationIds.map((id) => faults[id]))],
  ['every requirement that a check names exists', () => unknown(verified, requirementIds)],
  ['every violation that a check names exists', () => unknown(proven, violationIds)],
  ['every check has its own id and title', () => repeated(checks.flatMap(({ id, title }) => [id, title]))],
  [
    'no check names anything twice',
    () => checks.filter(({ verifies, provenBy }) => [...repeated(verifies), ...repeated(provenBy)].length > 0),
  ],
  ['a check verifies every requirement', () => unknown(requirementIds, verified)],
])('%s', (_, contradictions) => {
  expect(contradictions()).toEqual([]);
});

test('the faults are those of the violations', () => {
  expect(Object.keys(faults).toSorted()).toEqual(violationIds.toSorted());
  expect(documentedSections).not.toEqual([]);
});

test('the implemented choices are those of the gaps', () => {
  const implemented = Object.entries(choices).map(([gap, ofGap]) => [gap, Object.keys(ofGap).toSorted()]);
  const open = gapIds.map((gap) => [gap, Object.keys(gaps[gap].choices).toSorted()]);
  expect(Object.fromEntries(implemented)).toEqual(Object.fromEntries(open));
});

describe('indexes', () => {
  const ofMock = ['choices', 'endpoints', 'faults', 'profiles'].map((name) => `mock/${name}`);
  const folders = ['conformance/checks', 'conformance/reporters', ...ofMock];

  /** The file through which a folder is used. */
  const indexOf = (folder: string): string =>
    path.join(root, folder === 'mock/endpoints' ? 'mock/answer.ts' : `${folder}/index.ts`);

  test.each(folders)('the index of %s reaches every file in its folder', (folder) => {
    const directory = path.join(root, folder);
    const units = readdirSync(directory).filter(
      (name) => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts') && name !== 'index.ts',
    );
    const reached = reachableFrom(indexOf(folder), directory);
    expect(units).not.toEqual([]);
    expect(units.filter((name) => !reached.has(path.join(directory, name)))).toEqual([]);
  });

  // A module may be reached through another one, and still be missing from the list.
  test.each(['conformance/checks', 'mock/endpoints', 'mock/faults'])(
    'the generated list of %s has the module of every endpoint, and its index uses the list',
    (folder) => {
      const directory = path.join(root, folder);
      const list = path.join(path.dirname(directory), 'generated', `${path.basename(folder)}.ts`);
      const listed = importsOf(list);
      expect(importsOf(indexOf(folder))).toContain(list);
      const units = endpointIds.map((id) => path.join(directory, `${id}.ts`)).filter((unit) => existsSync(unit));
      expect(units.length).toBeGreaterThan(0);
      expect(units.filter((unit) => !listed.includes(unit))).toEqual([]);
    },
  );
});

test('import statements of every form are found', () => {
  const source = `import { a } from './a.ts';
import {
  b,
  c,
} from './b.ts';
import type { T } from './type-only.ts';
export type { U } from './type-only-too.ts';
import * as d from './d.ts';
import e from './e.json';
export * from './f.ts';
import './g.ts';
const h = () => import('./h.ts');
import path from 'node:path';
export const from = './not-imported.ts';
// import { gone } from './gone.ts';
`;
  const found = relativeImports(source).toSorted().join(' ');
  expect(found).toBe('./a.ts ./b.ts ./d.ts ./e.json ./f.ts ./g.ts ./h.ts');
});

/** The relative imports of a module that remain at run time. */
function relativeImports(source: string): readonly string[] {
  const declared = /^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\bfrom\s+)?'(\.[^']+)';/gm;
  const dynamic = /\bimport\(\s*'(\.[^']+)'/g;
  return [...source.matchAll(declared), ...source.matchAll(dynamic)].flatMap(([, name]) => name ?? []);
}

const importsOf = (file: string): readonly string[] =>
  relativeImports(readFileSync(file, 'utf8')).map((name) => path.join(path.dirname(file), name));

/** The files in a folder that a file imports, directly or through others there, including generated lists. */
function reachableFrom(file: string, directory: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  for (const imported of importsOf(file)) {
    const around = path.dirname(imported);
    if (seen.has(imported) || !(path.basename(around) === 'generated' || around === directory)) continue;
    seen.add(imported);
    if (imported.endsWith('.ts')) reachableFrom(imported, directory, seen);
  }
  return seen;
}
