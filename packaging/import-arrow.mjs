// A rule for oxlint: a room imports only the rooms that rooms.json names, and only tests import from folders named testing/.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { rooms } = JSON.parse(readFileSync(new URL('rooms.json', import.meta.url), 'utf8'));

/** Rooms that import what they need are for tests alone, and so is proof/. */
const isOfTests = (file, room) =>
  room === 'proof' || !rooms[room].imports || file.endsWith('.test.ts') || file.includes('/testing/');

/** What is wrong with an import, or undefined. Both files are given by their paths from the root. */
export function wrongImport(from, to) {
  const [room, imported] = [from, to].map((file) => file.split('/')[0]);
  if (!rooms[room] || !rooms[imported]) return undefined;
  const isTest = isOfTests(from, room);
  if (to.includes('/testing/') && !isTest) return 'Only tests import from a folder named testing/.';
  const { imports, testsImport = [] } = rooms[room];
  if (room === imported || !imports || imports.includes(imported)) return undefined;
  if (isTest && testsImport.includes(imported)) return undefined;
  return `${room}/ may import ${imports.join(', ') || 'nothing of ours'}, as packaging/rooms.json says.`;
}

function create(context) {
  const from = path.relative(root, context.filename).replaceAll('\\', '/');
  const check = ({ source }) => {
    if (!source?.value?.startsWith?.('.')) return;
    const message = wrongImport(from, path.posix.join(path.posix.dirname(from), source.value));
    if (message) context.report({ node: source, message });
  };
  return {
    ImportDeclaration: check,
    ImportExpression: check,
    TSImportType: check,
    ExportAllDeclaration: check,
    ExportNamedDeclaration: check,
  };
}

export default { meta: { name: 'rooms' }, rules: { 'import-arrow': { create } } };
