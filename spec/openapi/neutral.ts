import { isSuccess, openapi, withOperations, type OpenApi, type Operation, type Response } from './document.ts';

/**
 * The document without our own choices: a request is accepted with any 2XX and refused with another status, and the
 * body of a refusal is open. For servers other than this mock.
 */
export function neutralDocument(): OpenApi {
  const { info, components, ...rest } = withOperations(openapi, neutralOperation);
  const { Problem: _problem, ...schemas } = components.schemas;
  const { responses: _responses, ...others } = components;
  return {
    ...rest,
    info: {
      ...info,
      description: info.description.replace(/^- What is marked `x-choice: true`[\s\S]*?(?=\n- )/m, NEUTRAL),
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The server in question',
        variables: { base_url: { default: 'http://127.0.0.1:4010', description: 'What every path begins with.' } },
      },
    ],
    components: { ...others, schemas },
  };
}

/** Stands in place of the line of the introduction about what is marked. */
const NEUTRAL = `- Status codes are **not** in the specification, nor are the bodies of errors: \`2XX\` is any status of success, and a
  refusal, here \`4XX\`, may hold anything.`;

function neutralOperation(operation: Operation): Operation {
  const [[, answer] = ['', {}]] = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
  return {
    ...operation,
    responses: {
      '2XX': { ...answer, description: (answer.description ?? '').replace(/ The status code is our choice.*$/, '') },
      '4XX': REFUSED,
    },
  };
}

const REFUSED: Response = {
  description: 'The request is refused. Which status says so, why, and what the body holds is not shown. Section 7.',
  'x-section': '7',
  content: { 'application/json': { schema: {} }, '*/*': { schema: {} } },
};
