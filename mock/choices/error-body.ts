import { pointerTokens } from '../../spec/json-pointer.ts';
import type { Refusal } from '../call.ts';

export interface ErrorBody {
  readonly contentType: string;
  /** What JSON.stringify takes. */
  readonly body: object;
}

/** Writes a refusal with its status as a body, or without one. Lists every error of the request if the format can. */
export type ErrorBodyWriter = (refusal: Refusal, status: number) => ErrorBody | undefined;

const titles: Record<Refusal['kind'], string> = {
  unauthorized: 'Authentication failed',
  forbidden: 'Not allowed in this mode',
  'not-found': 'Not found',
  invalid: 'Invalid request',
  'too-large': 'Body too large',
  'content-type': 'Unsupported content type',
  'unknown-route': 'No such route',
  'wrong-method': 'Method not allowed',
  'rate-limited': 'Too many requests',
  failed: 'The service failed',
};

const trpcCodes: Record<Refusal['kind'], string> = {
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  invalid: 'BAD_REQUEST',
  'too-large': 'PAYLOAD_TOO_LARGE',
  'content-type': 'UNSUPPORTED_MEDIA_TYPE',
  'unknown-route': 'NOT_FOUND',
  'wrong-method': 'METHOD_NOT_SUPPORTED',
  'rate-limited': 'TOO_MANY_REQUESTS',
  failed: 'INTERNAL_SERVER_ERROR',
};

const problemJson: ErrorBodyWriter = (refusal, status) => ({
  contentType: 'application/problem+json; charset=utf-8',
  body: {
    type: `urn:agent-contract:error:${refusal.kind}`,
    title: titles[refusal.kind],
    status,
    detail: refusal.detail,
    errors: refusal.errors.map(({ location, message, meant }) => ({ location, message, meant })),
    // What helps a developer.
    section: refusal.section,
    form: refusal.form,
    example: refusal.example,
  },
});

const trpc: ErrorBodyWriter = (refusal) => ({
  contentType: 'application/json',
  body: {
    message: refusal.kind === 'invalid' ? 'Input validation failed' : refusal.detail,
    code: trpcCodes[refusal.kind],
    issues: issuesOf(refusal),
  },
});

function issuesOf({ errors }: Refusal): object[] | undefined {
  if (errors.length === 0) return undefined;
  return errors.map(({ location, message: text }) => ({ path: pointerTokens(location), message: text }));
}

const message: ErrorBodyWriter = (refusal) => ({
  contentType: 'application/json; charset=utf-8',
  body: { error: [refusal.detail, ...refusal.errors.map((e) => `${e.location}: ${e.message}`)].join(' ') },
});

export const errorBody = { 'problem-json': problemJson, trpc, message, empty: (): undefined => undefined };
