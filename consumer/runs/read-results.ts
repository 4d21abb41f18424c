import path from 'node:path';
import { isObject, parseJson, textOf, type Json, type JsonObject } from '../../text/json.ts';
import type { TestResult } from './test-run.ts';

/**
 * The tests in what a runner wrote: JSON of Jest, Vitest or Playwright, JUnit XML, or TAP. `undefined` for anything else.
 * Files are named from `cwd`.
 */
export function readResults(text: string, cwd: string): readonly TestResult[] | undefined {
  const json = parseJson(text);
  const tests = isObject(json) ? (ofJest(json, cwd) ?? ofPlaywright(json)) : (ofJunit(text) ?? ofTap(text));
  if (tests === undefined || tests.length === 0) return undefined;
  return tests;
}

const objectsIn = (value: Json | undefined): readonly JsonObject[] => {
  if (Array.isArray(value)) return value.filter(isObject);
  return [];
};
const named = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' › ');

function spanOf(start: Json | undefined, duration: Json | undefined): Pick<TestResult, 'from' | 'to'> {
  const from = typeof start === 'string' ? Date.parse(start) : Number(start ?? Number.NaN);
  if (Number.isNaN(from) || typeof duration !== 'number') return {};
  return { from, to: from + duration };
}

function statusOf(word: string): TestResult['status'] {
  if (word === 'passed' || word === 'expected' || word === 'flaky') return 'passed';
  if (word === 'failed' || word === 'unexpected') return 'failed';
  return 'skipped';
}

/** Vitest writes what Jest writes. A file that failed as a whole counts as one test. */
function ofJest(json: JsonObject, cwd: string): readonly TestResult[] | undefined {
  if (!Array.isArray(json['testResults'])) return undefined;
  return objectsIn(json['testResults']).flatMap((file): TestResult[] => {
    const where = path.relative(cwd, textOf(file['name'])).replaceAll('\\', '/');
    const tests = objectsIn(file['assertionResults']).map((one): TestResult => {
      const titles = [one['ancestorTitles'] ?? [], one['title'] ?? ''].flat().map((title) => textOf(title));
      const span = spanOf(one['startAt'] ?? one['startTime'], one['duration']);
      return { name: named(where, ...titles), status: statusOf(textOf(one['status'])), ...span };
    });
    if (tests.length === 0 && file['status'] === 'failed') return [{ name: where, status: 'failed' }];
    return tests;
  });
}

function ofPlaywright(json: JsonObject): readonly TestResult[] | undefined {
  if (!Array.isArray(json['suites'])) return undefined;
  const within = (suite: JsonObject, titles: readonly string[]): readonly TestResult[] => {
    const here = [...titles, textOf(suite['title'])];
    const specs = objectsIn(suite['specs']).flatMap((spec) =>
      objectsIn(spec['tests']).map((test): TestResult => {
        const project = textOf(test['projectName']);
        const [result] = objectsIn(test['results']);
        return {
          name: named(...here, textOf(spec['title']), project && `[${project}]`),
          status: statusOf(textOf(test['status'])),
          id: textOf(spec['id']),
          ...spanOf(result?.['startTime'], result?.['duration']),
        };
      }),
    );
    return [...specs, ...objectsIn(suite['suites']).flatMap((inner) => within(inner, here))];
  };
  const found = objectsIn(json['suites']).flatMap((suite) => within(suite, []));
  const errors = objectsIn(json['errors']);
  if (found.length === 0 && errors.length > 0) return [{ name: 'playwright', status: 'failed' }];
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const plain = (xml: string): string =>
  xml.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    return String.fromCodePoint(Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16));
  });

/** Test cases of JUnit XML, which node:test, pytest and most others write. */
function ofJunit(xml: string): readonly TestResult[] | undefined {
  if (!/<testsuites?[\s>]/.test(xml)) return undefined;
  const suites: string[] = [];
  const tests: TestResult[] = [];
  for (const [all, tag = '', attributes = ''] of xml.matchAll(
    /<(\/?testsuite|testcase)\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/g,
  )) {
    const attribute = (name: string): string =>
      plain(new RegExp(`\\s${name}=["']([^"']*)`).exec(attributes)?.[1] ?? '');
    const isEmpty = attributes.endsWith('/');
    if (tag === '/testsuite') suites.pop();
    else if (tag === 'testsuite' && !isEmpty) suites.push(attribute('name'));
    if (tag !== 'testcase') continue;
    const rest = xml.slice(xml.indexOf(all) + all.length);
    const inner = isEmpty ? '' : rest.slice(0, rest.indexOf('</testcase>'));
    const place = attribute('file') === '' ? attribute('classname') : path.basename(attribute('file'));
    // node:test has no suite around its files.
    const around = place === 'test' ? suites : [place, ...suites.slice(1)];
    let status: TestResult['status'] = /<(?:failure|error)\b/.test(inner) ? 'failed' : 'passed';
    if (/<skipped\b/.test(inner)) status = 'skipped';
    tests.push({ name: named(...around, attribute('name')), status });
  }
  return tests;
}

/** The innermost test points of TAP, with the names of those around them. */
function ofTap(text: string): readonly TestResult[] | undefined {
  if (!/^TAP version 1[34]$/m.test(text)) return undefined;
  const tests: TestResult[] = [];
  const around: string[] = [];
  let deepest = 0;
  for (const line of text.split('\n')) {
    const [, indent = '', kind = '', name = ''] = /^( *)(# Subtest:|ok \d+|not ok \d+)(?: -)? ?(.*)$/.exec(line) ?? [];
    const depth = indent.length / 4;
    if (kind === '# Subtest:') {
      around.splice(depth, around.length, name);
      deepest = depth;
    } else if (kind !== '' && depth >= deepest) {
      const [title = '', directive = ''] = name.split(' # ');
      const status = /^(?:skip|todo)/i.test(directive) ? 'skipped' : kind.startsWith('ok') ? 'passed' : 'failed';
      tests.push({ name: named(...around.slice(0, depth), title), status });
    } else if (kind !== '') deepest = depth;
  }
  return tests;
}
