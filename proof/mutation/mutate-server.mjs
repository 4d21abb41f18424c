// Breaks two small servers of the tests in every small way, runs the judge in process against each, and lists those that pass.
//   npm run mutate-server -- [--seed 1] [--only tiny|small] [--one-in 1]
// server-survivors.json says of each that is known why it passes: `equivalent` (no client could tell), `permitted` (the
// specification allows it) or `missed`. It fails where one is not there, and where one in twenty of the rest is missed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import vm from 'node:vm';
import { parse } from '@babel/parser';
import { transformSync } from '@swc/core';

const require = createRequire(import.meta.url);
const { runConformance } = require('../../dist/conformance/index.js');

const now = Date.UTC(2026, 4, 20, 15, 30);
const servers = {
  tiny: {
    file: 'conformance/testing/tiny-service.ts',
    from: 'function createAnswer',
    to: 'const defaultAges',
    start: ({ tinyService }) => tinyService({ now }).transport,
    options: {},
  },
  small: {
    file: 'proof/mutation/small-service.ts',
    from: 'function store(',
    to: '  return (request): Promise',
    start: ({ smallService }) => smallService(now),
    options: { guestToken: 'visitor' },
  },
};
const { values } = parseArgs({
  options: { seed: { type: 'string' }, only: { type: 'string' }, 'one-in': { type: 'string' } },
});
const [seed, oneIn] = [Number(values.seed ?? 1), Number(values['one-in'] ?? 1)];
if (values.only !== undefined && !Object.hasOwn(servers, values.only))
  fail(`--only ${values.only}: there is no such server.`);
if (![seed, oneIn].every((number) => Number.isSafeInteger(number) && number > 0))
  fail('--seed and --one-in must be whole numbers above 0.');

const judgedByHand = JSON.parse(readFileSync(path.join(import.meta.dirname, 'server-survivors.json'), 'utf8'));
const swaps = { '*': '/' };
for (const pair of ['=== !==', '< <=', '> >=', '+ -', '&& ||']) {
  const [one, other] = pair.split(' ');
  Object.assign(swaps, { [one]: other, [other]: one });
}

let [tried, missed, unknown] = [0, 0, 0];
for (const [name, server] of Object.entries(servers)) {
  if (values.only !== undefined && values.only !== name) continue;
  const source = readFileSync(server.file, 'utf8');
  const broken = await outcomeOf(server, source);
  if (broken !== 'conformant') fail(`The server ${name} is ${broken} as it is.`);
  const [from, to] = [source.indexOf(server.from), source.lastIndexOf(server.to)];
  const within = mutantsOf(source).filter(({ start }) => start > from && (to < from || start < to));
  const mutants = within.filter((_, place) => (place + seed) % oneIn === 0);
  const survivors = [];
  let unsaid = 0;
  const known = judgedByHand[name] ?? {};
  for (const { id, code } of mutants) {
    const outcome = await outcomeOf(server, code);
    // What could not be judged is said, and no run is green.
    if (outcome !== 'conformant') {
      if (outcome !== 'nonconformant') unsaid++;
      continue;
    }
    survivors.push(id);
    if (known[id] === undefined) console.log(`  passes: ${id}`);
  }
  unknown += survivors.filter((id) => known[id] === undefined).length;
  const [same, open, lost] = ['equivalent', 'permitted', 'missed'].map((verdict) =>
    survivors.filter((id) => known[id]?.startsWith(verdict)),
  );
  tried += mutants.length - same.length - open.length;
  missed += survivors.length - same.length - open.length;
  console.log(
    `${name}: ${mutants.length} mutants, ${unsaid} could not be judged and ${survivors.length} pass: ` +
      `${same.length} equivalent, ${open.length} permitted, ${lost.length} missed`,
  );
  for (const id of lost) console.log(`  ${id}: ${known[id]}`);
}
console.log(`${missed} of the ${tried} that break something are missed`);
if (unknown > 0) fail(`Judge ${unknown} by hand, in proof/mutation/server-survivors.json.`, 1);
if (missed * 20 > tried) fail('More than one in twenty is missed.', 1);

function fail(why, status = 2) {
  console.error(`error: ${why}`);
  process.exit(status);
}

/** What the judge says of a server; `failed` if it does not even start. */
async function outcomeOf({ file, start, options }, source) {
  try {
    const { code } = transformSync(source, {
      filename: file,
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      module: { type: 'commonjs' },
    });
    const exported = {};
    vm.runInThisContext(`(exports) => {${code}\n}`)(exported);
    const { outcome } = await runConformance({
      baseUrl: 'http://server.test',
      token: 'good',
      readToken: 'reader',
      workspaceId: 'w',
      agentId: 'main',
      publishedAgentId: 'main',
      transport: start(exported),
      seed,
      now,
      sleep: () => Promise.resolve(),
      maxTimeMs: 180_000,
      ...options,
    });
    return outcome;
  } catch {
    return 'nonconformant';
  }
}

/** Every mutant of a source: what changes where, and the changed source. */
function mutantsOf(source) {
  const found = [];
  const add = (node, text) => found.push({ start: node.start, end: node.end, text });
  const textOf = (node) => source.slice(node.start, node.end);
  visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program, []);
  const met = new Map();
  return found.map(({ start, end, text }) => {
    const [from, to] = [source.lastIndexOf('\n', start - 1) + 1, source.indexOf('\n', start)];
    const line = source.slice(from, to).trim();
    const plain = `${line} | ${source.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 80)} -> ${text || 'nothing'}`;
    const count = (met.get(plain) ?? 0) + 1;
    met.set(plain, count);
    return {
      id: count === 1 ? plain : `${plain} (${count})`,
      start,
      code: source.slice(0, start) + text + source.slice(end),
    };
  });

  function visit(node, above) {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach((one) => visit(one, above));
    if (typeof node.type !== 'string') return;
    // Types have no effect.
    if (/^TS(?!AsExpression)|^Import/.test(node.type)) return;
    mutate(node, above.at(-1));
    for (const [key, value] of Object.entries(node))
      if (!['loc', 'typeAnnotation', 'returnType', 'typeParameters', 'extra'].includes(key))
        visit(value, [...above, node]);
  }

  function mutate(node, parent) {
    const { type } = node;
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      if (Object.hasOwn(swaps, node.operator))
        add(node, `${textOf(node.left)} ${swaps[node.operator]} ${textOf(node.right)}`);
      else if (node.operator === '??') add(node, textOf(node.left));
    } else if (type === 'NumericLiteral') add(node, String(node.value + 1));
    else if (type === 'BooleanLiteral') add(node, String(!node.value));
    else if (type === 'StringLiteral' && parent?.type !== 'ImportDeclaration') add(node, `'${node.value}x'`);
    else if (type === 'ConditionalExpression')
      for (const part of [node.consequent, node.alternate]) add(node, `(${textOf(part)})`);
    else if (type === 'IfStatement') for (const test of ['true', 'false']) add(node.test, test);
    else if (type === 'ExpressionStatement' && node.expression.type === 'CallExpression') add(node, '');
    else if (type === 'CallExpression' && node.callee.type === 'MemberExpression')
      add(node, textOf(node.callee.object));
    else if ((type === 'ObjectProperty' || type === 'SpreadElement') && parent?.type === 'ObjectExpression')
      add({ start: node.start, end: source[node.end] === ',' ? node.end + 1 : node.end }, '');
  }
}
