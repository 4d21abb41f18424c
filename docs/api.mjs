/**
 * The TypeScript API as the sources document it: the exports of each entry of the package, with docstring and declaration. The
 * compiler of TypeScript 7 has no API that reads comments, and typedoc supports only versions up to 6.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';

/** The parsed modules by file, each read once. */
const modules = new Map();

function moduleOf(file) {
  if (!modules.has(file)) {
    const text = readFileSync(file, 'utf8');
    const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] });
    modules.set(file, { file, text, body: program.body });
  }
  return modules.get(file);
}

const nameOf = (node) => node.name ?? node.value;
function docOf({ leadingComments = [] }) {
  const last = leadingComments.at(-1);
  if (last?.type !== 'CommentBlock' || !last.value.startsWith('*')) return '';
  return last.value
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}

function fileOf(from, importer) {
  if (!from.startsWith('.')) return undefined;
  const file = path.join(path.dirname(importer), from);
  if (existsSync(file)) return file;
  return undefined;
}

function declaredBy(declaration) {
  if (declaration?.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => nameOf(id));
  if (declaration?.id) return [nameOf(declaration.id)];
  return [];
}

/** The exports of a module by name: the declaring statement and its module. Exports of other packages are left out. */
function exportsOf(file) {
  const found = new Map();
  if (file === undefined) return found;
  const { body } = moduleOf(file);
  for (const node of body) {
    if (node.type === 'ExportAllDeclaration') {
      const from = fileOf(node.source.value, file);
      for (const [name, one] of exportsOf(from)) if (!found.has(name)) found.set(name, one);
    } else if (node.type === 'ExportNamedDeclaration' && node.source) {
      const from = fileOf(node.source.value, file);
      for (const { local, exported } of node.specifiers) {
        const one = exportsOf(from).get(nameOf(local));
        if (one) found.set(nameOf(exported), one);
      }
    } else if (node.type === 'ExportNamedDeclaration' && node.declaration)
      for (const name of declaredBy(node.declaration)) found.set(name, { file, node, declaration: node.declaration });
    else if (node.type === 'ExportDefaultDeclaration')
      found.set('default', { file, node, declaration: node.declaration });
    else if (node.type === 'TSExportAssignment')
      for (const one of body.filter((other) => declaredBy(other).includes(nameOf(node.expression))))
        found.set(one.type === 'FunctionDeclaration' ? 'the module' : 'its types', {
          file,
          node: one,
          declaration: one,
        });
  }
  return found;
}

/** A declaration as a reader needs it: signatures without bodies, and constants without values that say no more. */
function shown({ file, declaration }) {
  const { text } = moduleOf(file);
  if (declaration.type === 'FunctionDeclaration')
    return `${text
      .slice(declaration.start, declaration.body.start)
      .trim()
      .replace(/^async /, '')};`;
  if (declaration.type === 'ClassDeclaration') return classOf(declaration, text);
  if (declaration.type !== 'VariableDeclaration') return text.slice(declaration.start, declaration.end);
  const [{ id, init }] = declaration.declarations;
  if (init?.type === 'ArrowFunctionExpression')
    return `const ${text.slice(id.start, id.end)} = ${text.slice(init.start, init.body.start).trim()} …;`;
  const value = init ? text.slice(init.start, init.end) : '';
  const written = id.typeAnnotation ? '' : ` = ${value.length > 200 ? '…' : value}`;
  return `const ${text.slice(id.start, id.end)}${written};`;
}

function classOf({ id, superClass, body }, text) {
  const members = body.body
    .filter(({ type, accessibility }) => accessibility !== 'private' && type !== 'ClassPrivateProperty')
    .map((member) => {
      const end = member.body?.start ?? member.end;
      const said = docOf(member);
      const comment = said === '' ? '' : `  /** ${said.replaceAll('\n', ' ')} */\n`;
      return `${comment}  ${text.slice(member.start, end).trim().replace(/;$/, '')};`;
    });
  const base = superClass ? ` extends ${text.slice(superClass.start, superClass.end)}` : '';
  return `class ${nameOf(id)}${base} {\n${members.join('\n')}\n}`;
}

/** The exports of an entry, by name. @returns {readonly { name: string; doc: string; code: string }[]} */
export function documented(file) {
  return [...exportsOf(file)]
    .filter(([, one]) => !one.file.includes(`${path.sep}generated${path.sep}`))
    .map(([name, one]) => ({ name, doc: docOf(one.node), code: shown(one) }));
}
