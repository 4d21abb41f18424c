/** Builds the OpenAPI 3.1 document from spec/endpoints.json, the schemas, the examples, and what does not depend on them. */

import frame from './frame.json' with { type: 'json' };
import refusals from './refusals.json' with { type: 'json' };
import { componentsOf, refTo } from './components.mjs';

/** The name of an operation: that of its OpenAPI `operationId`, and of its method in client/. */
export const camelCase = (id) => id.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

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
  const { info, components } = frame;
  const named = bodies.filter((name) => name !== null);
  return {
    ...frame,
    info: { ...info, description: info.description.join('\n') },
    paths,
    components: {
      securitySchemes: components.securitySchemes,
      responses,
      schemas: { ...componentsOf(schemas, named), ...components.schemas },
    },
  };
}

/** Finds examples by the beginning of their names, the leading ones first, and removes them from `unused`. */
const examplesIn = (examples, unused) => (prefix) => {
  const found = [...examples].filter(([file]) => file.startsWith(`${prefix}.`));
  if (found.length === 0) throw new Error(`spec/examples holds no ${prefix}.*.json`);
  const named = found.map(([file, value]) => {
    unused.delete(file);
    const name = file.slice(prefix.length + 1, -'.json'.length);
    const summary = `${name[0].toUpperCase()}${name.slice(1)}`.replaceAll('-', ' ');
    return [name, { summary, value }];
  });
  // Tools show the first one.
  const leading = ['version-6', 'first-page'];
  return Object.fromEntries(named.toSorted(([a], [b]) => leading.includes(b) - leading.includes(a)));
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

function responsesOf(id, { section, method, response, refusals: own }, { schemas, endpoints, examplesOf }) {
  const success = method === 'POST' ? '201' : '200';
  return {
    [success]: {
      description: `${schemas.get(response).description} Section ${section}. The status code is our choice; the specification does not show it.`,
      'x-section': section,
      content: { 'application/json': { schema: refTo(response), examples: examplesOf(`${id}.response`) } },
      ...linksOf(id, endpoints, schemas),
    },
    ...Object.fromEntries(
      refusals
        .filter(({ status }) => own.includes(status))
        .map(({ status, name }) => [String(status), { $ref: `#/components/responses/${name}` }]),
    ),
  };
}

const refusalResponses = ({ examplesOf }) =>
  Object.fromEntries(
    refusals.map(({ status, name, what }) => [
      name,
      {
        description: what,
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
