import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { gapIds, gaps, type Profile } from '../../spec/index.ts';
import type { OpenApi, Operation, Response, Schema } from '../../spec/openapi/document.ts';
import { isSuccess, openapi } from '../../spec/openapi/document.ts';
import { neutralDocument } from '../../spec/openapi/neutral.ts';
import { createAgentBody, createWorkspaceBody, importAgentBody } from '../../fixtures/index.ts';
import { parseJson } from '../../text/json.ts';
import { createMock, type Mock } from '../mock.ts';
import { profileNames, profiles } from '../profiles/index.ts';
import { testNow } from '../testing/test-client.ts';
import { documentOfSession } from './index.ts';
import { documentOf } from './of-profile.ts';

interface Sent {
  readonly operation: string;
  readonly target: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly oversize?: boolean;
}

const operationsOf = ({ paths }: OpenApi): Operation[] => Object.values(paths).flatMap((item) => Object.values(item));

/** Valid and invalid requests, one for each kind of answer. */
function requestsOf(mock: Mock): Sent[] {
  const { agentId, workspaceId, v5AgentId, readToken = '', guestToken = '' } = mock.target;
  const { profile } = mock.session('');
  const made = { workspaceId, tag: 'a', detail: 'full' } as const;
  const post = (operation: string, path: string, body?: unknown): Sent => {
    return { operation, target: `/api/v1/${path}`, body };
  };
  const get = (operation: string, id: string, rest = ''): Sent => post(operation, `agents/${id}${rest}`);
  const reads = [
    get('getAgent', agentId),
    get('getPublishedAgent', agentId, '/publishedAgent'),
    get('listResults', agentId, '/results?timeFilter=allTime&limit=3'),
  ];
  const writes = [
    post('createAgent', 'agents', createAgentBody(made)),
    post('importAgent', 'agents/import', importAgentBody(made)),
    post('createWorkspace', 'workspaces', createWorkspaceBody(made)),
  ];
  const all = [...reads, ...writes];
  const asText = { 'content-type': 'text/plain' };
  return [
    ...all,
    ...['wrong', guestToken, readToken].flatMap((token) =>
      all.map((sent) => ({ ...sent, headers: { authorization: `Bearer ${token}` } })),
    ),
    ...writes.flatMap((sent) => [
      { ...sent, headers: asText },
      { ...sent, body: [] },
      { ...sent, oversize: true },
    ]),
    get('getAgent', v5AgentId),
    get('getAgent', 'nobody'),
    get('getAgent', '%E0%A4%A'),
    get('getPublishedAgent', '%E0%A4%A', '/publishedAgent'),
    get('getPublishedAgent', v5AgentId, '/publishedAgent'),
    get('getPublishedAgent', 'nobody', '/publishedAgent'),
    get('listResults', agentId, '/results?limit=0&timeFilter=x&limit=x&cursor=x&other=x'),
    get('listResults', 'nobody', '/results'),
    post('createAgent', 'agents', { workspaceId, agent: { name: 5 } }),
    post('createAgent', 'agents', { workspaceId: 'nowhere', agent: { name: 'x' } }),
    post('importAgent', 'agents/import', importAgentBody({ ...made, workspaceId: 'nowhere' })),
    // A rate limit takes many requests for each operation.
    ...(profile['rate-limit'] === 'none' ? [] : all.flatMap((sent) => Array(60).fill(sent) as Sent[])),
  ];
}

/** What is wrong with an answer; `undefined` if nothing is. Records the answer in `seen`. */
type Judge = (sent: Sent, mock: Mock, seen: Set<string>) => string | undefined;

function judge(document: OpenApi): Judge {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'urn:agent-contract:document', components: document.components });
  const compiled = new Map<unknown, ValidateFunction>();
  const validatorOf = ({ $ref }: Schema): ValidateFunction => {
    const known = compiled.get($ref) ?? ajv.compile({ $ref: `urn:agent-contract:document${String($ref)}` });
    compiled.set($ref, known);
    return known;
  };
  const operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
  return (sent, mock, seen) => {
    const { status, headers, body } = mock.handle({
      method: sent.body === undefined ? 'GET' : 'POST',
      target: sent.target,
      headers: { authorization: `Bearer ${mock.target.token}`, 'content-type': 'application/json', ...sent.headers },
      ...(sent.body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(sent.body)) }),
      ...(sent.oversize ? { oversize: true } : {}),
    });
    seen.add(`${sent.operation} ${status}`);
    const response = responseOf(operations.get(sent.operation), status, document);
    if (response === undefined) return `${status} is not in the document`;
    if (response.content === undefined) return body === '' || status >= 400 ? undefined : 'a body that is not there';
    const [type = ''] = headers['content-type']?.split(';') ?? [];
    const schema = (response.content[type] ?? response.content['*/*'])?.schema;
    if (schema === undefined) return `${type} is not in the document`;
    if (body === '' || Object.keys(schema).length === 0) return undefined;
    const isValid = validatorOf(schema);
    return isValid(parseJson(body) ?? body) ? undefined : `${body.slice(0, 100)} ${ajv.errorsText(isValid.errors)}`;
  };
}

function responseOf(operation: Operation | undefined, status: number, document: OpenApi): Response | undefined {
  const responses = operation?.responses ?? {};
  const response = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : document.components.responses?.[name];
}

const judges = new Map<string, Judge>();
/** Most profiles have the same document except for their name. */
function judgeOf(document: OpenApi): Judge {
  const { paths, components } = document;
  const key = JSON.stringify([paths, components]);
  const known = judges.get(key) ?? judge(document);
  judges.set(key, known);
  return known;
}

const mockOf = (profile: Profile): Mock => createMock({ now: testNow, frozen: true, profile });

/** Answers that the document does not allow, and documented statuses that no answer had. */
function troublesOf(document: OpenApi, profile: Profile): string[] {
  const mock = mockOf(profile);
  const check = judgeOf(document);
  const seen = new Set<string>();
  const troubles = requestsOf(mock).flatMap((sent) => {
    const trouble = check(sent, mock, seen);
    return trouble === undefined ? [] : [`${sent.operation} ${sent.target}: ${trouble}`];
  });
  const documented = operationsOf(document).flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  const never = documented.filter((one) => !one.endsWith('XX') && !seen.has(one));
  return [...troubles, ...never.map((one) => `${one}: never`)];
}

describe('the document of a profile', () => {
  test.each(profileNames)('%s describes what the mock answers', (name) => {
    expect(troublesOf(documentOf(profiles[name]), profiles[name])).toEqual([]);
  });

  test('describes what the mock answers, for each choice of each gap', () => {
    for (const gap of gapIds)
      for (const choice of Object.keys(gaps[gap].choices)) {
        const profile = { ...profiles.default, [gap]: choice };
        expect([gap, choice, troublesOf(documentOf(profile), profile)]).toEqual([gap, choice, []]);
      }
  });

  test('for the default profile is the document itself, except for where refusals are', () => {
    const { paths, components, info } = documentOf(profiles.default);
    expect(components.schemas).toEqual(openapi.components.schemas);
    expect(info['x-profile']).toEqual(profiles.default);
    const statuses = ({ responses }: Operation): string[] => Object.keys(responses);
    for (const [path, item] of Object.entries(openapi.paths))
      for (const [method, operation] of Object.entries(item)) {
        const own = paths[path]?.[method];
        expect(own && statuses(own)).toEqual(statuses(operation));
        for (const [status, { $ref }] of Object.entries(operation.responses)) {
          const shared = openapi.components.responses?.[$ref?.split('/').at(-1) ?? ''];
          if (shared) expect(own?.responses[status]?.content).toEqual(shared.content);
        }
      }
  });

  test('has examples that match its schemas', () => {
    for (const name of profileNames) {
      const document = documentOf(profiles[name]);
      const ajv = new Ajv2020({ strict: false });
      ajv.addSchema({ $id: 'urn:agent-contract:document', components: document.components });
      for (const operation of operationsOf(document))
        for (const { content = {} } of Object.values(operation.responses))
          for (const { schema, examples = {} } of Object.values(content)) {
            const isValid = ajv.compile({ $ref: `urn:agent-contract:document${String(schema['$ref'])}` });
            for (const { value } of Object.values(examples)) expect([isValid(value), value]).toEqual([true, value]);
          }
    }
  });
});

describe('the neutral document', () => {
  const neutral = neutralDocument();

  test('allows what every profile answers, except null', () => {
    for (const name of profileNames) {
      const choices = { 'absent-values': 'omitted', 'unpublished-agent': 'refused' } as const;
      const profile: Profile = { ...profiles[name], ...choices, 'answer-content-type': 'application-json' };
      expect(troublesOf(neutral, profile)).toEqual([]);
    }
  });

  test('states no refusal, no error body and no choice', () => {
    for (const operation of operationsOf(neutral)) expect(Object.keys(operation.responses)).toEqual(['2XX', '4XX']);
    expect(JSON.stringify(neutral)).not.toMatch(/x-choice|our choice|Problem|components\/responses/);
    expect(neutral.components).not.toHaveProperty('responses');
    expect(neutral.info.description).toContain('- Status codes are **not** in the specification');
    expect(neutral.info.description).toContain('- Objects are open');
  });
});

type Links = Record<string, { readonly operationId: string; readonly parameters: object }>;

test('links name existing operations and parameters', () => {
  const operations = operationsOf(documentOfSession(mockOf(profiles.default).session('')));
  const names: string[] = [];
  for (const { operationId, responses } of operations)
    for (const [status, { links = {} }] of Object.entries(responses))
      for (const [name, link] of Object.entries(links as Links)) {
        expect(isSuccess(status)).toBe(true);
        const target = operations.find((one) => one.operationId === link.operationId);
        const known = ((target?.['parameters'] ?? []) as { name: string }[]).map((one) => one.name);
        expect(known).toEqual(expect.arrayContaining(Object.keys(link.parameters)));
        names.push(`${operationId} ${name}`);
      }
  const expected = ['createAgent getAgent', 'importAgent listResults', 'listResults nextPage'];
  expect(names).toEqual(expect.arrayContaining(expected));
});
