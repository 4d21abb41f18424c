// A reporter for node:test. Those of Node.js do not name the files of tests; this one writes what Jest writes, which does.
import path from 'node:path';

interface NodeEvent {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly nesting: number;
    readonly file?: string;
    readonly skip?: unknown;
    readonly todo?: unknown;
    readonly details?: { readonly error?: { readonly failureType?: string } };
  };
}

async function* report(events: AsyncIterable<NodeEvent>): AsyncGenerator<string> {
  const files = new Map<string, { ancestorTitles: string[]; title: string; status: string }[]>();
  /** The tests that have begun, from the outermost on, and which of them hold others. */
  const titles: string[] = [];
  const holders = new Set<number>();
  for await (const { type, data } of events) {
    const { name, nesting, file = '', skip, todo, details } = data;
    if (type === 'test:start') {
      titles[nesting] = name;
      holders.delete(nesting);
      holders.add(nesting - 1);
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const failure = details?.error?.failureType;
    // What holds other tests is one itself only if it fails by itself.
    if (holders.has(nesting) && (type === 'test:pass' || failure === 'subtestsFailed')) continue;
    let status = type === 'test:pass' ? 'passed' : 'failed';
    if (skip !== undefined || todo !== undefined) status = 'skipped';
    // A file that fails as a whole, or holds no test, is named by its path.
    const title = path.resolve(name) === file ? '' : name;
    files.set(file, [...(files.get(file) ?? []), { ancestorTitles: titles.slice(0, nesting), title, status }]);
  }
  yield JSON.stringify({ testResults: Array.from(files, ([name, assertionResults]) => ({ name, assertionResults })) });
}

export = report;
