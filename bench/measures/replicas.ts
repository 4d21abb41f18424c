import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../proof/free-port.ts';
import {
  LOAD_CORE,
  SERVER_CORE,
  file,
  load,
  startServer,
  stop,
  untilAnswered,
  untilItEnds,
  type Started,
} from '../processes.ts';
import { requests } from '../requests.ts';
import { median } from '../statistics.ts';
import { CONNECTIONS, mockCommand } from './throughput.ts';

export interface Replicas {
  /** Findings, each with whether it is as expected. */
  readonly findings: readonly { readonly what: string; readonly isRight: boolean }[];
  /** Requests per second. */
  readonly throughput: Readonly<Record<'one, directly' | 'one, behind nginx' | 'two, behind nginx', number>>;
  readonly nginx: string;
}

const CONFIG = file('..', '..', 'bench', 'nginx.conf');

/** Tests two mocks behind nginx; a text says why that was not possible. */
export async function measureReplicas(rounds: number, duration: number): Promise<Replicas | string> {
  const version = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  if (version.error) return 'nginx is not installed (Debian and Ubuntu: apt-get install nginx-light).';
  /** Clean-up steps, the latest first. */
  const ends: (() => Promise<void>)[] = [];
  const started = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const one = await starting;
    ends.unshift(() => one.stop());
    return one;
  };
  try {
    const one = await started(startServer(mockCommand(), { core: SERVER_CORE }));
    const other = await started(startServer(mockCommand(), { core: LOAD_CORE }));
    const pair = await started(startNginx([one, other]));
    const single = await started(startNginx([one]));
    return {
      findings: await judge(pair.url, one, other),
      throughput: await measure(rounds, duration, {
        'one, directly': one.url,
        'one, behind nginx': single.url,
        'two, behind nginx': pair.url,
      }),
      nginx: version.stderr.trim().replace('nginx version: ', ''),
    };
  } finally {
    for (const end of ends) await end();
  }
}

async function startNginx(mocks: readonly Started[]): Promise<Omit<Started, 'ready'>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-nginx-'));
  const port = await freePort();
  const servers = mocks.map(({ url }) => `server ${url.replace('http://', '')};`).join('\n    ');
  const config = readFileSync(CONFIG, 'utf8')
    .replace('127.0.0.1:4010', `127.0.0.1:${port}`)
    .replace(/server 127\.0\.0\.1:4011;\s+server 127\.0\.0\.1:4012;/, servers);
  const own = path.join(folder, 'nginx.conf');
  // As root, nginx would give its work to a user without access to the folder. Without a master there is only one
  // process to end.
  writeFileSync(own, `${process.getuid?.() === 0 ? 'user root;\n' : ''}master_process off;\n${config}`);
  const tried = spawnSync('nginx', ['-t', '-p', folder, '-c', own], { encoding: 'utf8' });
  if (tried.status !== 0) throw new Error(tried.stderr);
  const child = untilItEnds(spawn('nginx', ['-p', folder, '-c', own], { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  await untilAnswered(`${url}/__admin/health`);
  const end = async (): Promise<void> => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, child, stop: end };
}

interface Got {
  readonly status: number;
  readonly text: string;
  /** The status, the headers that do not belong to the connection, and the body. */
  readonly all: string;
}

type Findings = Replicas['findings'];

/** What the findings are made of: two mocks, the balancer before them, and what is in their worlds. */
interface Pair {
  readonly url: string;
  readonly mocks: readonly Started[];
  readonly ids: Readonly<Record<'agentId' | 'publishedAgentId' | 'workspaceId', string>>;
  readonly call: (base: string, target: string, session?: string, body?: unknown) => Promise<Got>;
}

async function judge(url: string, one: Started, other: Started): Promise<Findings> {
  const { token = '', ...ids } = one.ready['target'] as Pair['ids'] & { readonly token?: string };
  const pair = { url, mocks: [one, other], ids, call: callWith(token) };
  return [...(await judgeReads(pair)), ...(await judgeSessions(pair)), ...(await judgeWithoutSession(pair))];
}

const callWith =
  (token: string): Pair['call'] =>
  async (base, target, session, body) => {
    const response = await fetch(`${base}${target}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(session === undefined ? {} : { 'x-mock-session': session }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const headers = [...response.headers].filter(
      ([name]) => !['connection', 'keep-alive', 'server', 'transfer-encoding', 'content-length'].includes(name),
    );
    return { status: response.status, text, all: JSON.stringify([response.status, headers, text]) };
  };

/** Reads from both mocks and through the balancer; the cursor of a page comes from the one that answered last. */
async function judgeReads({ url, mocks, ids, call }: Pair): Promise<Findings> {
  const { agentId, publishedAgentId } = ids;
  let reads = 0;
  let equal = 0;
  const compare = async (target: string): Promise<string> => {
    const answers = [];
    for (const base of [...mocks.map((mock) => mock.url), url]) answers.push(await call(base, target));
    reads++;
    if (new Set(answers.map(({ all }) => all)).size === 1) equal++;
    return answers.at(reads % answers.length)?.text ?? '';
  };
  const targets = [`agents/${agentId}`, `agents/${publishedAgentId}/publishedAgent`, 'agents/none'];
  for (const target of targets) await compare(`/api/v1/${target}`);
  for (let cursor: string | null = ''; cursor !== null;) {
    const text = await compare(
      `/api/v1/agents/${agentId}/results?timeFilter=allTime&limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    cursor = (JSON.parse(text) as { readonly nextCursor: string | null }).nextCursor;
  }
  return [
    {
      what: `${equal} of ${reads} reads are byte for byte the same from both replicas and through nginx`,
      isRight: equal === reads,
    },
  ];
}

async function createAgent({ url, ids, call }: Pair, name: string, session?: string): Promise<string> {
  const { workspaceId } = ids;
  const { text } = await call(url, '/api/v1/agents', session, { workspaceId, agent: { name } });
  return (JSON.parse(text) as { readonly agent: { readonly id: string } }).agent.id;
}

/** Each session creates an agent, and then reads its own and its neighbour's. */
async function judgeSessions(pair: Pair): Promise<Findings> {
  const { url, call } = pair;
  const sessions = Array.from({ length: 100 }, (_, i) => `session-${i}`);
  const agents: string[] = [];
  for (const session of sessions) agents.push(await createAgent(pair, session, session));
  let own = 0;
  let inPath = 0;
  let ofOthers = 0;
  for (const [i, session] of sessions.entries()) {
    const id = agents[i] ?? '';
    const shows = ({ text }: Got): boolean => text.includes(`"name":"${session}"`);
    for (let again = 0; again < 5; again++) {
      const answer = await call(url, `/api/v1/agents/${id}`, session);
      if (answer.status === 200 && shows(answer)) own++;
    }
    if (shows(await call(url, `/_s/${session}/api/v1/agents/${id}`))) inPath++;
    if (shows(await call(url, `/api/v1/agents/${id}`, `${sessions[(i + 1) % sessions.length] ?? ''}-other`)))
      ofOthers++;
  }
  return [
    {
      what: `${own} of ${sessions.length * 5} reads find what their session created, by the header`,
      isRight: own === sessions.length * 5,
    },
    { what: `${inPath} of ${sessions.length} find it by the session's path`, isRight: inPath === sessions.length },
    { what: `${ofOthers} of ${sessions.length} find what another session created`, isRight: ofOthers === 0 },
    await judgePlaces(pair, sessions),
  ];
}

/** Each session lives in one of the mocks. */
async function judgePlaces({ mocks, call }: Pair, sessions: readonly string[]): Promise<Findings[number]> {
  const held = await Promise.all(
    mocks.map(async (mock) => {
      const { text } = await call(mock.url, '/__admin/sessions');
      return sessions.filter((session) => text.includes(`"${session}"`));
    }),
  );
  const [inOne = [], inOther = []] = held;
  return {
    what: `${inOne.length} sessions live in one replica, ${inOther.length} in the other, ${inOne.filter((name) => inOther.includes(name)).length} in both`,
    isRight: inOne.length + inOther.length === sessions.length && Math.min(inOne.length, inOther.length) > 10,
  };
}

/** Requests without a session see what other such requests wrote. */
async function judgeWithoutSession(pair: Pair): Promise<Findings> {
  const { url, call } = pair;
  const id = await createAgent(pair, 'without a session');
  let seen = 0;
  for (let i = 0; i < 20; i++) if ((await call(url, `/api/v1/agents/${id}`)).status === 200) seen++;
  return [{ what: `${seen} of 20 requests without a session see what one of them created`, isRight: seen === 20 }];
}

async function measure<K extends string>(
  rounds: number,
  duration: number,
  urls: Readonly<Record<K, string>>,
): Promise<Record<K, number>> {
  const asked = requests().get('list 50 results');
  if (!asked) throw new Error('There is nothing to ask.');
  const rates = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++)
    for (const [name, url] of Object.entries<string>(urls)) {
      const { target, ...rest } = asked;
      const { perSecond, failures } = await load({
        ...rest,
        // Several sessions, so that both replicas have work.
        variants: Array.from({ length: CONNECTIONS }, (_, i) => ({ 'x-mock-session': `load-${i}` })),
        url: `${url}${target}`,
        connections: CONNECTIONS,
        warmUp: round === 0 ? 3000 : 150,
        duration,
      });
      if (failures > 0) throw new Error(`${name}: ${failures} requests failed.`);
      if (round > 0) rates.set(name, [...(rates.get(name) ?? []), perSecond]);
    }
  return Object.fromEntries(Object.keys(urls).map((name) => [name, median(rates.get(name) ?? [])])) as Record<
    K,
    number
  >;
}
