import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { served } from '../http/testing/test-server.ts';
import { createMock } from '../mock/index.ts';
import { proxyTo, upstreamOf } from './testing/test-proxy.ts';

const run = promisify(execFile);

interface Program {
  readonly command: readonly [string, ...string[]];
  /** Says by its status whether it is here. */
  readonly isHere: readonly [string, ...string[]];
  /** Its file, and what is in it. Each posts `{"a":1}` to the URL that it is given, and prints the answer. */
  readonly source?: readonly [file: string, text: string];
}

const programs: Readonly<Record<string, Program>> = {
  'curl, which offers HTTP/2': {
    command: ['curl', '-sS', '--http2', '-d', '{"a":1}', '-H', 'content-type: application/json'],
    isHere: ['curl', '--version'],
  },
  "Java's HttpClient": {
    command: ['java', '-Xshare:auto', '-XX:TieredStopAtLevel=1'],
    isHere: ['java', '--version'],
    source: [
      'Client.java',
      `import java.net.URI; import java.net.http.*;
class Client { public static void main(String[] args) throws Exception {
  var request = HttpRequest.newBuilder(URI.create(args[0])).header("content-type", "application/json")
    .POST(HttpRequest.BodyPublishers.ofString("{\\"a\\":1}")).build();
  System.out.print(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body()); } }`,
    ],
  },
  "Python's urllib": {
    command: ['python3'],
    isHere: ['python3', '--version'],
    source: [
      'client.py',
      `import sys, urllib.request
request = urllib.request.Request(sys.argv[1], b'{"a":1}', {"content-type": "application/json"})
print(urllib.request.urlopen(request).read().decode(), end="")`,
    ],
  },
  "Python's requests": {
    command: ['python3'],
    isHere: ['python3', '-c', 'import requests'],
    source: [
      'with-requests.py',
      `import sys, requests
with requests.Session() as session:
    session.head(sys.argv[1])
    print(session.post(sys.argv[1], b'{"a":1}').text, end="")`,
    ],
  },
  'net/http of Go': {
    command: ['go', 'run'],
    isHere: ['go', 'version'],
    source: [
      'client.go',
      `package main
import ("fmt"; "io"; "net/http"; "os"; "strings")
func main() {
  answer, err := http.Post(os.Args[1], "application/json", strings.NewReader("{\\"a\\":1}"))
  if err != nil { panic(err) }
  body, _ := io.ReadAll(answer.Body)
  fmt.Print(string(body))
}`,
    ],
  },
};

const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

const all = Object.entries(programs);
const there = all.filter(([, { isHere }]) => spawnSync(isHere[0], isHere.slice(1)).status === 0);
for (const [name] of all.filter((one) => !there.includes(one))) test.todo(`${name} is not on this machine`);

test.each(there)('%s gets its answer through the proxy and through a mock', async (_, { command, source }) => {
  const [file, ...args] = command;
  const upstream = await upstreamOf((request, response) => {
    // A HEAD is answered like a GET, as simple servers do.
    void text(request).then((body) => response.socket?.write(answerOf(`{"got":${body}}`)));
  });
  const proxy = await proxyTo(upstream.url);
  const mock = await served(createMock({ upstream: { url: upstream.url } }));
  if (source) {
    args.push(path.join(folder, source[0]));
    writeFileSync(path.join(folder, source[0]), source[1]);
  }
  for (const { url } of [proxy, mock]) {
    const { stdout } = await run(file, [...args, `${url}/api/v1/agents`]);
    expect(stdout).toBe('{"got":{"a":1}}');
  }
  expect((await proxy.traffic())?.judged).toBe(1);
});

function answerOf(body: string): string {
  return `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
