import type { JournalEntry } from './journal-entry.ts';

/** Headers that say nothing about what was wanted. */
const INCIDENTAL = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'user-agent',
  'accept-language',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-dest',
]);

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function contentOf({ body }: JournalEntry): string | undefined {
  return body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
}

const sent = ({ headers }: JournalEntry): readonly (readonly [string, string])[] =>
  Object.entries(headers).filter(([name]) => !INCIDENTAL.has(name));

/** The request as a command for a POSIX shell; `$BASE_URL` and `$TOKEN` stand for what it is to fill in. */
export function curlOf(entry: JournalEntry): string {
  const content = contentOf(entry);
  return [
    'curl -sS -i',
    ...(entry.method === 'GET' ? [] : [`-X ${quoted(entry.method)}`]),
    ...sent(entry).map(([name, value]) =>
      value.includes('$TOKEN')
        ? `-H "${name}: ${value.replaceAll(/["\\`]/g, String.raw`\$&`)}"`
        : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(content === undefined ? [] : [`--data-binary ${quoted(content)}`]),
    `"$BASE_URL"${quoted(entry.url)}`,
  ].join(' ');
}

/** The request as a test for Jest or Vitest that expects the same status and body. */
export function testOf(entry: JournalEntry): string {
  const content = contentOf(entry);
  const headers = sent(entry).map(([name, value]) =>
    value.includes('$TOKEN')
      ? `      ${JSON.stringify(name)}: \`${value.replaceAll(/[`\\]/g, String.raw`\$&`).replace('$TOKEN', '${token}')}\`,`
      : `      ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const { status, body } = entry.response;
  return [
    `test(${JSON.stringify(`${entry.method} ${entry.url.split('?')[0] ?? ''} answers ${status}`)}, async () => {`,
    `  const response = await fetch(\`\${baseUrl}${entry.url.replaceAll(/[`\\]|\$\{/g, String.raw`\$&`)}\`, {`,
    `    method: ${JSON.stringify(entry.method)},`,
    ...(headers.length === 0 ? [] : ['    headers: {', ...headers, '    },']),
    ...(content === undefined ? [] : [`    body: ${JSON.stringify(content)},`]),
    '  });',
    `  expect(response.status).toBe(${status});`,
    ...(body === null || typeof body === 'string'
      ? []
      : [`  expect(await response.json()).toEqual(${JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ')});`]),
    '});',
    '',
  ].join('\n');
}
