import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checks } from '../conformance/index.ts';
import { choices } from '../mock/choices/index.ts';
import { faults } from '../mock/faults/index.ts';
import {
  endpointIds,
  gapIds,
  gaps,
  requirementIds,
  violationIds,
  violations,
  type RequirementId,
} from '../spec/index.ts';
import { sentences } from '../spec/testing/sentences.ts';
import { documentedSections } from './transcription.ts';

/** Requirements that no check verifies, each with the reason. */
const unchecked: Partial<Record<RequirementId, string>> = {};

const root = path.join(__dirname, '..');

/** The `ids` that are not in `known`. The type is wide, since this tests what the types promise. */
const unknown = (ids: readonly string[], known: readonly string[]): readonly string[] =>
  ids.filter((id) => !known.includes(id));

const repeated = <T>(values: readonly T[]): readonly T[] => values.filter((value, i) => values.indexOf(value) < i);

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

describe('sentences of the specification', () => {
  const named = {
    requirements: sentences.flatMap(({ requirements }) => requirements ?? []),
    gaps: sentences.flatMap((sentence) => sentence.gaps ?? []),
  };

  test('every requirement and every gap that a sentence names exists', () => {
    expect(unknown(named.requirements, requirementIds)).toEqual([]);
    expect(unknown(named.gaps, gapIds)).toEqual([]);
  });

  test('every requirement and every gap is named by a sentence', () => {
    expect(unknown(requirementIds, named.requirements)).toEqual([]);
    expect(unknown(gapIds, named.gaps)).toEqual([]);
  });

  test('every sentence belongs to an existing section or to the introduction', () => {
    const sections = ['0', ...documentedSections];
    expect(sentences.filter(({ section }) => !sections.includes(section))).toEqual([]);
  });

  test('every numbered section has a sentence', () => {
    const sections = documentedSections;
    expect(sections).not.toEqual([]);
    expect(
      unknown(
        sections,
        sentences.map(({ section }) => section),
      ),
    ).toEqual([]);
  });

  test('every sentence has requirements or gaps, or says why there is nothing to test', () => {
    const astray = sentences.filter(({ requirements, gaps: open, nothingTestable }) => {
      const leads = [requirements, open].filter((ids) => ids !== undefined);
      if (leads.length === 0) return isBlank(nothingTestable);
      return nothingTestable !== undefined || leads.some((ids) => ids.length === 0 || repeated(ids).length > 0);
    });
    expect(astray).toEqual([]);
  });

  test('no sentence is empty or repeated', () => {
    const written = sentences.map(({ section, says }) => (isBlank(says) ? '' : `${section}: ${says}`));
    expect([...repeated(written), ...written.filter((line) => line === '')]).toEqual([]);
  });
});

describe('violations', () => {
  test('every violation breaks an existing requirement', () => {
    expect(violationIds.filter((id) => unknown([violations[id].breaks], requirementIds).length > 0)).toEqual([]);
  });

  test('a check claims every violation', () => {
    const claimed = checks.flatMap(({ provenBy }) => provenBy);
    expect(unknown(violationIds, claimed)).toEqual([]);
  });

  test('a check that verifies the broken requirement claims every violation', () => {
    const astray = violationIds.filter((id) => {
      const claiming = checks.filter(({ provenBy }) => provenBy.includes(id));
      return claiming.length > 0 && !claiming.some(({ verifies }) => verifies.includes(violations[id].breaks));
    });
    expect(astray).toEqual([]);
  });

  test('every violation has one fault, and no fault is shared', () => {
    expect(Object.keys(faults).toSorted()).toEqual(violationIds.toSorted());
    expect(violationIds.filter((id) => faults[id].on.length === 0)).toEqual([]);
    expect(repeated(violationIds.map((id) => faults[id]))).toEqual([]);
  });
});

describe('checks', () => {
  test('every id that a check names exists', () => {
    const astray = checks.filter(
      ({ verifies, provenBy }) =>
        unknown(verifies, requirementIds).length > 0 || unknown(provenBy, violationIds).length > 0,
    );
    expect(astray.map(({ id }) => id)).toEqual([]);
  });

  test('every check has its own id, and names nothing twice', () => {
    expect(repeated(checks.map(({ id }) => id))).toEqual([]);
    const astray = checks.filter(
      ({ verifies, provenBy }) => repeated(verifies).length > 0 || repeated(provenBy).length > 0,
    );
    expect(astray.map(({ id }) => id)).toEqual([]);
  });

  test('every requirement is verified by a check, or has a reason why none does', () => {
    const verified = checks.flatMap(({ verifies }) => verifies);
    const excused = requirementIds.filter((id) => id in unchecked);
    expect(unknown(requirementIds, [...verified, ...excused])).toEqual([]);
  });

  test('every requirement with such a reason is indeed unverified', () => {
    const verified = checks.flatMap(({ verifies }) => verifies);
    const excused = Object.entries(unchecked);
    expect(excused.filter(([id, reason]) => verified.includes(id as RequirementId) || isBlank(reason))).toEqual([]);
    expect(
      unknown(
        excused.map(([id]) => id),
        requirementIds,
      ),
    ).toEqual([]);
  });
});

test('the implemented choices are those of the gaps', () => {
  const implemented = Object.entries(choices).map(([gap, ofGap]) => [gap, Object.keys(ofGap).toSorted()]);
  const open = gapIds.map((gap) => [gap, Object.keys(gaps[gap].choices).toSorted()]);
  expect(Object.fromEntries(implemented)).toEqual(Object.fromEntries(open));
});

describe('indexes', () => {
  const folders = [
    'conformance/checks',
    'conformance/reporters',
    'mock/choices',
    'mock/endpoints',
    'mock/faults',
    'mock/profiles',
  ];

  test.each(folders)('the index of %s reaches every file in its folder', (folder) => {
    const directory = path.join(root, folder);
    const index = path.join(directory, 'index.ts');
    const units = readdirSync(directory).filter(
      (name) => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts') && name !== 'index.ts',
    );
    const reached = reachableFrom(index);
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
      expect(importsOf(path.join(directory, 'index.ts'))).toContain(list);
      const units = endpointIds.map((id) => path.join(directory, `${id}.ts`)).filter((unit) => existsSync(unit));
      expect(units.length).toBeGreaterThan(0);
      expect(units.filter((unit) => !listed.includes(unit))).toEqual([]);
    },
  );
});

test('import statements of every form are found', () => {
  const source = [
    `import { a } from './a.ts';`,
    `import {\n  b,\n  c,\n} from './b.ts';`,
    `import type { T } from './type-only.ts';`,
    `export type { U } from './type-only-too.ts';`,
    `import * as d from './d.ts';`,
    `import e from './e.json';`,
    `export * from './f.ts';`,
    `import './g.ts';`,
    `const h = () => import('./h.ts');`,
    `import path from 'node:path';`,
    `export const from = './not-imported.ts';`,
    `// import { gone } from './gone.ts';`,
  ].join('\n');
  expect(relativeImports(source).toSorted()).toEqual([
    './a.ts',
    './b.ts',
    './d.ts',
    './e.json',
    './f.ts',
    './g.ts',
    './h.ts',
  ]);
});

/** The relative imports of a module that remain at run time. */
function relativeImports(source: string): readonly string[] {
  const declared = /^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\bfrom\s+)?'(\.[^']+)';/gm;
  const dynamic = /\bimport\(\s*'(\.[^']+)'/g;
  return [...source.matchAll(declared), ...source.matchAll(dynamic)].flatMap(([, name]) => name ?? []);
}

const isGenerated = (file: string): boolean => path.basename(path.dirname(file)) === 'generated';

const importsOf = (file: string): readonly string[] =>
  relativeImports(readFileSync(file, 'utf8')).map((name) => path.join(path.dirname(file), name));

/** The files in a folder that a file imports, directly or through others there, including generated lists. */
function reachableFrom(
  file: string,
  directory = path.dirname(file),
  seen: Set<string> = new Set(),
): ReadonlySet<string> {
  for (const imported of importsOf(file)) {
    if (seen.has(imported) || !(isGenerated(imported) || path.dirname(imported) === directory)) continue;
    seen.add(imported);
    if (imported.endsWith('.ts')) reachableFrom(imported, directory, seen);
  }
  return seen;
}
