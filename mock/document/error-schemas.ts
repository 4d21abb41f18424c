import type { Profile } from '../../spec/index.ts';
import { openapi, type Schema } from '../../spec/openapi/document.ts';

const string = (description: string): Schema => ({ type: 'string', description });

/** The body of a refusal for each choice of `error-body`, by component name; none if the choice has no body. */
export const errorSchemas: Readonly<Record<Profile['error-body'], Readonly<Record<string, Schema>>>> = {
  'problem-json': { Problem: openapi.components.schemas['Problem'] ?? {} },
  trpc: {
    ErrorWithIssues: {
      title: 'Error with issues',
      description: 'Why a request was refused.',
      'x-choice': true,
      type: 'object',
      additionalProperties: true,
      required: ['message', 'code'],
      properties: {
        message: string('What was wrong.'),
        code: string('The kind of refusal.'),
        issues: {
          type: 'array',
          description: 'Everything that was wrong with the request.',
          items: {
            type: 'object',
            additionalProperties: true,
            properties: {
              path: { type: 'array', items: { type: 'string' }, description: 'The path to the place.' },
              message: string('What was expected there.'),
            },
          },
        },
      },
    },
  },
  message: {
    ErrorText: {
      title: 'Error text',
      description: 'Why a request was refused.',
      'x-choice': true,
      type: 'object',
      additionalProperties: true,
      required: ['error'],
      properties: { error: string('What was wrong.') },
    },
  },
  empty: {},
};
