import './node.ts';
import { createForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../../conformance/foreign/report-foreign.ts';
import { checks } from '../../conformance/checks/index.ts';
import { feedRecordings } from '../../conformance/recording/judge-recording.ts';
import type { Secret } from '../../conformance/report/redact.ts';
import { textReporter } from '../../conformance/reporters/text.ts';
import { runConformance } from '../../conformance/run.ts';
import { createAgentBody, createWorkspaceBody, importAgentBody } from '../../fixtures/requests/index.ts';
import { createMock } from '../../mock/adapters/in-browser.ts';
import { idsOfTarget, inProcess } from '../../prove/target.ts';
import { endpoints, violations } from '../../spec/index.ts';

// A mock and the judge, as the page uses them.

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body: string;
}

const BASE = 'http://service.test';
const mock = createMock({ seed: 1 });
const { agentId, publishedAgentId, workspaceId, token } = mock.target;

const bodies: Readonly<Record<string, unknown>> = {
  'create-agent': createAgentBody({ workspaceId, tag: 'Mine', detail: 'plain' }),
  'import-agent': importAgentBody({ workspaceId, tag: 'Mine', detail: 'plain' }),
  'create-workspace': createWorkspaceBody({ tag: 'Mine', detail: 'name-only' }),
};

/** One for each endpoint, with identifiers of the world. */
export const requests = Object.entries(endpoints).map(([id, { title, method, path }]) => {
  const named = path.replace('{agentId}', (id.includes('published') && publishedAgentId) || agentId);
  const body = bodies[id] === undefined ? '' : JSON.stringify(bodies[id], null, 2);
  return { title, sent: { method, path: named, token, body } satisfies Sent };
});

export const allFaults = Object.entries(violations).map(([id, { does }]) => ({ id, does }));

export function violate(ids: readonly string[]): void {
  mock.setFaults(ids);
}

/** The head and the body of the answer, as text. */
export async function sendToMock({ method, path, token: bearer, body }: Sent): Promise<string> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const answer = await mock.fetch(BASE + path, { method, headers, body: body || undefined });
  const head = [`HTTP ${answer.status}`, ...Array.from(answer.headers, ([name, value]) => `${name}: ${value}`)];
  const text = await answer.text();
  return `${head.join('\n')}\n\n${shown(text)}`;
}

function shown(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export async function check(): Promise<string> {
  const report = await runConformance({ ...idsOfTarget(mock), baseUrl: BASE, transport: inProcess(mock) });
  return textReporter(report, { color: false });
}

/** Judges a recording: HAR, or another form that `agent-contract judge` reads, without gzip within. */
export async function judge(file: Blob, name: string): Promise<string> {
  const stream = name.endsWith('.gz') ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const secrets: Secret[] = [];
  const by = { checks, strict: false, secrets };
  const judging = createForeignJudge(by);
  await feedRecordings([{ chunks: piecesOf(stream) }], judging);
  return textReporter(reportForeign(judging, by), { color: false });
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield Buffer.from(piece.value);
}
