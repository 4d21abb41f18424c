import { personaNames } from '../../fixtures/index.ts';
import { endpointIds } from '../../spec/index.ts';
import { ways } from '../upstream/options.ts';
import { connectionFaults } from '../wire/wire.ts';
import type { Schema } from './validators.ts';
import { setSettings } from './operations.json';

const object = (properties: Schema, required: readonly string[] = [], more: Schema = {}): Schema => ({
  ...more,
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const textPattern: Schema = {
  anyOf: [
    { type: 'string' },
    object({
      equalTo: { type: 'string' },
      contains: { type: 'string' },
      glob: { type: 'string', description: 'The whole text, in which * stands for any characters, or none.' },
      absent: { type: 'boolean' },
    }),
  ],
};
const textPatterns: Schema = { type: 'object', additionalProperties: textPattern };

const pattern: Schema = {
  ...object({
    endpoint: { enum: endpointIds },
    agentId: { type: 'string' },
    method: { type: 'string', pattern: '^[^a-z]+$', description: 'In capitals, as it is sent.' },
    url: textPattern,
    urlPath: textPattern,
    queryParameters: textPatterns,
    headers: textPatterns,
    body: { description: 'JSON that the body must contain; objects may have more fields.' },
    status: { type: 'integer' },
    wasMatched: { type: 'boolean' },
    after: { type: 'integer', description: 'Only requests after the one with this number.' },
  }),
  description: 'What a request must match; every given part must match.',
};

const answer = {
  code: { type: 'integer', minimum: 200, maximum: 599 },
  example: { type: 'string' },
  dynamic: { type: 'boolean' },
  seed: { type: 'string' },
  delay: { type: 'integer', minimum: 0, description: 'Milliseconds.' },
  fault: {
    type: 'string',
    description: `The id of a violation, or a broken connection: ${connectionFaults.join(', ')}.`,
  },
  rate: { type: 'integer', minimum: 1, description: 'Bytes of the body per second.' },
  retryAfter: { type: 'integer', minimum: 0, description: 'Seconds in retry-after.' },
};
const match = object({
  agentId: { type: 'string', title: 'Only for the agent' },
  page: { enum: ['first', 'later'], title: 'Only for the page', description: 'Of a list: without or with a cursor.' },
  header: { type: 'string', title: 'Only with the header', description: 'A name, or "name: value".' },
});
const step = object({
  ...answer,
  times: { type: 'integer', minimum: 1, description: 'How many requests this step answers (default: 1).' },
});

/** The bodies that name what is listed elsewhere, or that two operations take. */
export const bodies = {
  setWorld: object(
    { seed: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, persona: { enum: personaNames } },
    [],
    { minProperties: 1 },
  ),
  updateSettings: setSettings.body,
  countRequests: pattern,
  findRequests: pattern,
  setStanding: object({ ...answer, match }, [], { minProperties: 1 }),
  addPlan: object(
    {
      on: { type: 'string', description: 'The id of an endpoint, or "every".' },
      match,
      steps: { type: 'array', minItems: 1, maxItems: 1000, items: step },
    },
    ['on', 'steps'],
  ),
  setWay: object(
    {
      way: {
        type: 'string',
        enum: ways,
        description:
          'The mock always answers about ids that it made. About all others: upstream: the upstream. fallback: the same, and ' +
          'the mock where the upstream lacks the route or cannot be reached. mock: the mock.',
      },
    },
    ['way'],
  ),
};
