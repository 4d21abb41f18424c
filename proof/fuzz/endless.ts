import { setImmediate as turn } from 'node:timers/promises';
import { checks } from '../../conformance/checks/index.ts';
import { createForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../../conformance/foreign/report-foreign.ts';
import type { Secret } from '../../conformance/report/redact.ts';
import { createMock, type Mock } from '../../mock/index.ts';

/** What goes wrong at the end of the day: the order of a list, a shape, and a reading of what was created. */
export const LATE_FAULTS = ['results-ascending', 'get-agent-answer-misshapen', 'created-agent-reads-otherwise'];

/** How the traffic is spread. */
const [SESSIONS, COOKIES] = [5_000, 10_000];
const DAY = Date.UTC(2026, 4, 20);
const LAST = 400;

/**
 * Judges a day of right traffic of many callers, sessions and agents, and then some of a server with faults. One in twenty
 * requests creates an agent, which the next one reads.
 * @returns the ids of checks that failed before the faults began and after, and the largest heap in megabytes
 */
export async function judgeEndless(exchanges: number, faults = LATE_FAULTS) {
  const secrets: Secret[] = [];
  const by = { checks, strict: false, secrets };
  const judge = createForeignJudge({ ...by, baseUrl: 'http://service.test' });
  let largestHeap = 0;
  let created = '';
  let n = 0;

  const send = (mock: Mock, i: number, session: string): void => {
    const { token, agentId, workspaceId } = mock.target;
    const sentAt = DAY + i * 80;
    const isCreating = i % 20 === 0;
    const id = i % 20 === 1 ? created : agentId;
    const read = `/api/v1/agents/${id}${i % 3 === 0 ? '/results?limit=20' : ''}`;
    const name = `Agent ${i}`;
    const [method, target, body] = isCreating
      ? ['POST', '/api/v1/agents', JSON.stringify({ workspaceId, agent: { name } })]
      : ['GET', read];
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      cookie: `visitor=${(i * 7) % COOKIES}`,
      'x-mock-session': session,
      'x-mock-now': new Date(sentAt).toISOString(),
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const wire = mock.handle({ method, target, headers, body: body === undefined ? undefined : Buffer.from(body) });
    if (isCreating) created = (JSON.parse(wire.body) as { agent: { id: string } }).agent.id;
    judge.see(
      {
        request: { method, url: `http://service.test${target}`, headers, body },
        answer: { status: wire.status, headers: { ...wire.headers }, body: Buffer.from(wire.body) },
        sentAt,
        answeredAt: sentAt + 20,
        hasAllHeaders: true,
      },
      { begun: ++n, n: ++n },
    );
    if (i % 10_000 === 0) largestHeap = Math.max(largestHeap, process.memoryUsage().heapUsed / 1e6);
  };
  const failing = (): readonly string[] =>
    reportForeign(judge, by).checks.flatMap(({ id, status }) => (status === 'fail' || status === 'error' ? [id] : []));

  const options = { now: DAY, journalLimits: { entries: 10 } };
  let right = createMock(options);
  for (let i = 0; i < exchanges; i++) {
    // The mock keeps what clients create; the judge is what must not.
    if (i % 5_000 === 0) {
      right = createMock(options);
      // Timers of the earlier mock hold it until they have run.
      await turn();
    }
    // A creation and the reading after it belong to one session.
    send(right, i, `s-${Math.floor(i / 20) % SESSIONS}`);
  }
  const falseAlarms = failing();
  const wrong = createMock({ now: DAY, faults });
  for (let i = 0; i < LAST; i++) send(wrong, exchanges + i, 'last');
  const { summary } = reportForeign(judge, by);
  return { exchanges: exchanges + LAST, falseAlarms, found: failing(), summary, largestHeap: Math.round(largestHeap) };
}
