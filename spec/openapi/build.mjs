/** Builds the OpenAPI 3.1 document from spec/endpoints.json, the schemas and the examples. It reads no files itself. */

import { componentsOf, refTo } from './components.mjs';

/** The name of an operation: that of its OpenAPI `operationId`, and of its method in client/. */
export const camelCase = (id) => id.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
const words = (id) => `${id[0].toUpperCase()}${id.slice(1)}`.replaceAll('-', ' ');

const CHOICE = 'This is our choice; the specification does not show it.';

const INFO = `The operations of the Agent Builder Service as its interface specification describes them: agents (conversation
flows), their published form, the results of their sessions, and workspaces.

How to read this document:

- Each description names the section of the specification that it rests on; \`x-section\` repeats it for machines.
- What is marked \`x-choice: true\` is **not** in the specification: status codes and the bodies of errors. It is what the
  mock server of agent-contract answers by default, so that client developers have something to work with.
- A discriminator lets generators tell the forms of an agent apart by \`version\`; \`x-assumes\` says what their types assume.
- Objects are open: fields that are not documented may appear anywhere.
- Lists of "known" values are open too and stand under \`examples\`; an \`enum\` or \`const\` marks a closed set.
- The specification names no null type except for \`nextCursor\`, and does not show how a field without a value appears. These
  schemas take the types as they are written; whether null stands for "no value" is open.
- The formats of timestamps and identifiers, the shape of blocks and the shape of version 5 agents are open.`;

/** The default refusals of the mock. */
const REFUSALS = [
  { status: 400, name: 'Invalid', what: 'The request breaks its documented shape.' },
  { status: 401, name: 'Unauthorized', what: 'The token is missing or unknown.' },
  { status: 403, name: 'Forbidden', what: "The caller's mode does not permit the operation." },
  { status: 404, name: 'NotFound', what: 'There is no such agent or workspace.' },
  { status: 413, name: 'TooLarge', what: 'The body is larger than the server takes.' },
  { status: 415, name: 'UnsupportedContentType', what: 'The body is not sent as application/json.' },
];

const PROBLEM = {
  title: 'Problem details',
  description: `Why a request was refused, in the form of RFC 9457. ${CHOICE}`,
  'x-choice': true,
  type: 'object',
  additionalProperties: true,
  required: ['type', 'title', 'status', 'detail', 'errors'],
  properties: {
    type: { type: 'string', description: 'Identifies the kind of refusal.' },
    title: { type: 'string', description: 'The kind of refusal in words.' },
    status: { type: 'integer', description: 'The status code of this answer.' },
    detail: { type: 'string', description: 'What was wrong with this request.' },
    errors: {
      type: 'array',
      description: 'Everything that was wrong with this request.',
      items: {
        type: 'object',
        additionalProperties: true,
        required: ['location', 'message'],
        properties: {
          location: {
            type: 'string',
            description: '`header/` with a name, `path`, `query/` with a name, or `body` with a JSON Pointer.',
            examples: ['body/agent/name'],
          },
          message: { type: 'string', description: 'What was expected there, and what came instead.' },
          meant: { type: 'string', description: 'What was probably meant.' },
        },
      },
    },
    section: { type: 'string', description: 'The section of the specification that says what is right.' },
    form: {
      type: 'string',
      description: 'By which form, version 5 or 6, the agent in the request was judged, and why.',
    },
    example: { description: 'A body (an object) or a request line (a text) that would be accepted.' },
  },
};

/** Links of an answer: from an agent to what can be read about it, from a page of results to the next. */
function linksOf(id, endpoints, schemas) {
  const { does, holds, agentIdAt, query } = endpoints[id];
  const links = {};
  if (holds === 'agent')
    for (const [other, { path, title }] of Object.entries(endpoints))
      if (other !== id && path.includes('{agentId}'))
        links[camelCase(other)] = {
          operationId: camelCase(other),
          parameters: { agentId: `$response.body#${agentIdAt}` },
          description: `${title}, by the id in this answer.`,
        };
  if (does === 'lists') {
    const kept = Object.keys(schemas.get(query).properties).filter((name) => name !== 'cursor');
    links.nextPage = {
      operationId: camelCase(id),
      parameters: {
        agentId: '$request.path.agentId',
        cursor: '$response.body#/nextCursor',
        ...Object.fromEntries(kept.map((name) => [name, `$request.query.${name}`])),
      },
      description: 'The next page, with the same parameters. There is none if nextCursor is null.',
    };
  }
  return Object.keys(links).length > 0 && { links };
}

/**
 * @param {object} input
 * @param {Map<string, object>} input.schemas by name
 * @param {Record<string, object>} input.endpoints the rows of spec/endpoints.json
 * @param {Map<string, unknown>} input.examples by file name: `get-agent.response.version-6.json`, `problem.404.agent.json`
 */
export function buildOpenApi({ schemas, endpoints, examples }) {
  const unused = new Set(examples.keys());
  const all = { schemas, endpoints, examples, examplesOf: examplesIn(examples, unused) };
  const paths = pathsOf(all);
  const bodies = Object.values(endpoints).flatMap(({ request, response }) => [request, response]);
  const responses = refusalResponses(all);
  if (unused.size > 0) throw new Error(`spec/examples: nothing uses ${[...unused].join(', ')}`);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Agent Builder Service',
      summary: 'Agents, their published form, their results, and workspaces',
      description: INFO,
      version: 'v1',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010', description: 'The mock server of agent-contract on its usual port' }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Agents', description: 'Conversation flows and their published form. Sections 2.1 to 2.9.' },
      { name: 'Results', description: 'Recorded sessions of an agent. Section 2.10.' },
      { name: 'Workspaces', description: 'The places that agents belong to. Section 2.11.' },
    ],
    paths,
    components: {
      securitySchemes: { bearer: BEARER },
      responses,
      schemas: {
        ...componentsOf(
          schemas,
          bodies.filter((name) => name !== null),
        ),
        Problem: PROBLEM,
      },
    },
  };
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  description: "The caller's auth token, sent with every request. How one is obtained is not shown. Section 5.",
};

/** Finds examples by the beginning of their names, the leading ones first, and removes them from `unused`. */
const examplesIn = (examples, unused) => (prefix) => {
  const found = [...examples].filter(([file]) => file.startsWith(`${prefix}.`));
  if (found.length === 0) throw new Error(`spec/examples holds no ${prefix}.*.json`);
  const named = found.map(([file, value]) => {
    unused.delete(file);
    const name = file.slice(prefix.length + 1, -'.json'.length);
    return [name, { summary: words(name), value }];
  });
  // Tools show the first one.
  const leads = ([name]) => ['version-6', 'first-page'].includes(name);
  return Object.fromEntries([...named.filter(leads), ...named.filter((example) => !leads(example))]);
};

function pathsOf(all) {
  const paths = {};
  for (const [id, endpoint] of Object.entries(all.endpoints)) {
    const { method, path } = endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(id, endpoint, all) };
  }
  return paths;
}

function operationOf(id, endpoint, all) {
  const { section, title, description, tag, request } = endpoint;
  const { schemas, examplesOf } = all;
  const parameters = parametersOf(endpoint, all);
  return {
    operationId: camelCase(id),
    tags: [tag],
    summary: title,
    description: `${description} Section ${section}.`,
    'x-section': section,
    ...(parameters.length > 0 && { parameters }),
    ...(request && {
      requestBody: {
        required: true,
        description: `${schemas.get(request).description} Section ${section}.`,
        content: { 'application/json': { schema: refTo(request), examples: examplesOf(`${id}.request`) } },
      },
    }),
    responses: responsesOf(id, endpoint, all),
  };
}

function parametersOf({ section, path, query }, { schemas, examples }) {
  const agentId = {
    name: 'agentId',
    in: 'path',
    required: true,
    description: `Identifies the agent. Section ${section}.`,
    schema: { type: 'string' },
    example: examples.get('get-agent.response.version-6.json').agent.id,
  };
  const queryParameters = Object.entries(query ? schemas.get(query).properties : {}).map(([name, schema]) => {
    const { description: says, 'x-section': from, ...rest } = schema;
    return { name, in: 'query', required: false, description: `${says} Section ${from}.`, schema: rest };
  });
  return [...(path.includes('{agentId}') ? [agentId] : []), ...queryParameters];
}

function responsesOf(id, { section, method, response, refusals }, { schemas, endpoints, examplesOf }) {
  const success = method === 'POST' ? '201' : '200';
  return {
    [success]: {
      description: `${schemas.get(response).description} Section ${section}. The status code is our choice; the specification does not show it.`,
      'x-section': section,
      content: { 'application/json': { schema: refTo(response), examples: examplesOf(`${id}.response`) } },
      ...linksOf(id, endpoints, schemas),
    },
    ...Object.fromEntries(
      REFUSALS.filter(({ status }) => refusals.includes(status)).map(({ status, name }) => [
        String(status),
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
  };
}

const refusalResponses = ({ examplesOf }) =>
  Object.fromEntries(
    REFUSALS.map(({ status, name, what }) => [
      name,
      {
        description: `${what} ${CHOICE}`,
        'x-choice': true,
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: examplesOf(`problem.${status}`),
          },
        },
      },
    ]),
  );
