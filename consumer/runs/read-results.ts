import path from 'node:path';
import { orNothing } from '../../conformance/collections.ts';
import { isObject, parseJson, textOf, type Json, type JsonObject } from '../../text/json.ts';
import type { TestResult } from './test-run.ts';

/**
 * The tests in what a runner wrote: JSON of Jest, Vitest, Playwright or Go, or JUnit XML. `undefined` for anything else.
 * Files are named from `cwd`.
 */
export function readResults(text: string, cwd: string): readonly TestResult[] | undefined {
  const json = parseJson(text);
  return orNothing((isObject(json) && (ofJest(json, cwd) ?? ofPlaywright(json))) || ofJunit(text) || ofGo(text));
}

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  [value ?? []].flat().filter((one) => isObject(one));

const named = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' › ');

function spanOf(start: Json | undefined, duration: Json | undefined): Pick<TestResult, 'from' | 'to'> {
  const from = new Date((start ?? Number.NaN) as string | number).getTime();
  if (Number.isNaN(from) || typeof duration !== 'number') return {};
  return { from, to: from + duration };
}

/** The words of Jest, Vitest and Playwright; any other means that the test did not run. */
const statuses: Readonly<Record<string, TestResult['status']>> = {
  passed: 'passed',
  expected: 'passed',
  flaky: 'passed',
  failed: 'failed',
  unexpected: 'failed',
};

/** Vitest writes what Jest writes. A file that failed as a whole counts as one test. */
function ofJest(json: JsonObject, cwd: string): readonly TestResult[] | undefined {
  if (!Array.isArray(json['testResults'])) return undefined;
  // They are written in the order in which they end.
  const files = objectsIn(json['testResults']).toSorted((a, b) => (textOf(a['name']) < textOf(b['name']) ? -1 : 1));
  return files.flatMap((file): TestResult[] => {
    const where = path.relative(cwd, textOf(file['name'])).replaceAll('\\', '/');
    const tests = objectsIn(file['assertionResults']).map((one): TestResult => {
      const titles = [one['ancestorTitles'] ?? [], one['title'] ?? ''].flat().map((title) => textOf(title));
      const span = spanOf(one['startAt'] ?? one['startTime'], one['duration']);
      return { name: named(where, ...titles), status: statuses[textOf(one['status'])] ?? 'skipped', ...span };
    });
    if (tests.length === 0 && file['status'] === 'failed') return [{ name: where, status: 'failed' }];
    return tests;
  });
}

function ofPlaywright(json: JsonObject): readonly TestResult[] | undefined {
  if (!Array.isArray(json['suites'])) return undefined;
  const within = (suite: JsonObject, titles: readonly string[]): readonly TestResult[] => {
    const here = [...titles, textOf(suite['title'])];
    const specs = objectsIn(suite['specs']).flatMap((spec) => {
      const turns = new Map<string, number>();
      return objectsIn(spec['tests']).map((test): TestResult => {
        const project = textOf(test['projectName']);
        const [result] = objectsIn(test['results']);
        const turn = turns.get(project) ?? 0;
        turns.set(project, turn + 1);
        return {
          name: named(...here, textOf(spec['title']), project && `[${project}]`),
          status: statuses[textOf(test['status'])] ?? 'skipped',
          id: textOf(spec['id']),
          turn,
          ...spanOf(result?.['startTime'], result?.['duration']),
        };
      });
    });
    return [...specs, ...objectsIn(suite['suites']).flatMap((inner) => within(inner, here))];
  };
  const found = objectsIn(json['suites']).flatMap((suite) => within(suite, []));
  if (found.length === 0 && objectsIn(json['errors']).length > 0) return [{ name: 'playwright', status: 'failed' }];
  return found;
}

/** Lines of `go test -json`, between others. What holds other tests is one itself only if it fails by itself. */
function ofGo(text: string): readonly TestResult[] {
  const events = text.split('\n').flatMap((line) => objectsIn(parseJson(line)));
  const results = new Map<string, TestResult>();
  const beginnings = new Map<string, Json | undefined>();
  for (const { Action: action, Package: from, Test: test, Time: time } of events) {
    const name = named(textOf(from), ...textOf(test).split('/'));
    if (action === 'run') beginnings.set(name, time);
    if (action !== 'pass' && action !== 'fail' && action !== 'skip') continue;
    const within = [...results].filter(([other]) => other.startsWith(`${name} › `));
    const isHolder = within.length > 0 || test === undefined;
    if (isHolder && (action !== 'fail' || within.some(([, { status }]) => status === 'failed'))) continue;
    const status = ({ pass: 'passed', fail: 'failed', skip: 'skipped' } as const)[action];
    const begun = textOf(beginnings.get(name));
    results.set(name, { name, status, ...spanOf(begun, Date.parse(textOf(time)) - Date.parse(begun)) });
  }
  return [...results.values()];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plain(xml: string): string {
  return xml.replace(/&(?:#(x?[\da-f]+)|(\w+));/gi, (all, code?: string, name = '') => {
    if (code === undefined) return ENTITIES[name] ?? all;
    return String.fromCodePoint(Number(code.replace(/^x/i, '0x')));
  });
}

/** Test cases of JUnit XML, which pytest and most others write. */
function ofJunit(xml: string): readonly TestResult[] | undefined {
  if (!/<testsuites?[\s>]/.test(xml)) return undefined;
  const suites: string[] = [];
  const tests: TestResult[] = [];
  const tags = /<(\/?testsuite|testcase)\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/g;
  for (const { 0: all, 1: tag, 2: attributes = '', index } of xml.matchAll(tags)) {
    const attribute = (name: string): string =>
      plain(new RegExp(`\\s${name}=["']([^"']*)`).exec(attributes)?.[1] ?? '');
    const isEmpty = attributes.endsWith('/');
    if (tag === '/testsuite') suites.pop();
    else if (tag === 'testsuite' && !isEmpty) suites.push(attribute('name'));
    if (tag !== 'testcase') continue;
    let inner = '';
    if (!isEmpty) inner = xml.slice(index + all.length, xml.indexOf('</testcase>', index));
    const place = path.basename(attribute('file')) || attribute('classname');
    let status: TestResult['status'] = 'passed';
    if (/<(?:failure|error)\b/.test(inner)) status = 'failed';
    if (/<skipped\b/.test(inner)) status = 'skipped';
    tests.push({ name: named(place, ...suites.slice(1), attribute('name')), status });
  }
  return tests;
}
