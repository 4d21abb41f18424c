import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { proxyTo, upstreamOf } from './testing/test-proxy.ts';

const run = promisify(execFile);

/** Each posts `{"a":1}` to the URL that it is given, and prints the answer. */
const programs: Readonly<Record<string, readonly [file: string, source: string, command: string, ...args: string[]]>> =
  {
    'curl, which offers HTTP/2': [
      '-',
      '',
      'curl',
      '-sS',
      '--http2',
      '-d',
      '{"a":1}',
      '-H',
      'content-type: application/json',
    ],
    Java: [
      'Client.java',
      `import java.net.URI; import java.net.http.*;
     class Client { public static void main(String[] args) throws Exception {
       var request = HttpRequest.newBuilder(URI.create(args[0])).header("content-type", "application/json")
         .POST(HttpRequest.BodyPublishers.ofString("{\\"a\\":1}")).build();
       System.out.print(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body()); } }`,
      'java',
    ],
    Python: [
      'client.py',
      `import sys, urllib.request
request = urllib.request.Request(sys.argv[1], b'{"a":1}', {"content-type": "application/json"})
print(urllib.request.urlopen(request).read().decode(), end="")`,
      'python3',
    ],
  };

const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

const isThere = ([, [, , command]]: (typeof all)[number]): boolean => spawnSync(command, ['--version']).status === 0;
const all = Object.entries(programs);
const there = all.filter(isThere);
for (const [name] of all.filter((one) => !there.includes(one))) test.todo(`${name} is not on this machine`);

test.each(there)('%s gets its answer, with its body forwarded and the exchange judged', async (_, program) => {
  const [name, source, command, ...args] = program;
  const upstream = await upstreamOf((request, response) => {
    let body = '';
    request.on('data', (data) => (body += String(data)));
    request.on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end(`{"got":${body}}`));
  });
  const { url, traffic } = await proxyTo(upstream.url);
  const file = path.join(folder, name);
  if (source !== '') writeFileSync(file, source);
  const { stdout } = await run(command, [...args, ...(source === '' ? [] : [file]), `${url}/api/v1/agents`]);
  expect(stdout).toBe('{"got":{"a":1}}');
  expect((await traffic())?.judged).toBe(1);
});
