import { pointerTokens } from '../../spec/json-pointer.ts';
import type { Refusal } from '../call.ts';
import refusals from '../refusals.json';

/** Writes a refusal with its status as a JSON body, or as a page. Lists every error of the request if the format can. */
type ErrorBodyWriter = (refusal: Refusal, status: number) => { contentType: string; body?: object; page?: string };

const problemJson: ErrorBodyWriter = (refusal, status) => ({
  contentType: 'application/problem+json; charset=utf-8',
  body: {
    type: `urn:agent-contract:error:${refusal.kind}`,
    title: refusals[refusal.kind].title,
    status,
    detail: refusal.detail,
    errors: refusal.errors.map(({ location, message, meant }) => ({ location, message, meant })),
    section: refusal.section,
    form: refusal.form,
    example: refusal.example,
  },
});

const trpc: ErrorBodyWriter = ({ kind, detail, errors }) => ({
  contentType: 'application/json',
  body: {
    message: kind === 'invalid' ? 'Input validation failed' : detail,
    code: refusals[kind].trpcCode,
    issues:
      errors.length > 0
        ? errors.map(({ location, message: text }) => ({ path: pointerTokens(location), message: text }))
        : undefined,
  },
});

const message: ErrorBodyWriter = (refusal) => ({
  contentType: 'application/json; charset=utf-8',
  body: { error: [refusal.detail, ...refusal.errors.map((e) => `${e.location}: ${e.message}`)].join(' ') },
});

const html: ErrorBodyWriter = ({ kind }, status) => {
  const heading = `${status} ${refusals[kind].title}`;
  const page = `<html>\n<head><title>${heading}</title></head>\n<body><h1>${heading}</h1></body>\n</html>\n`;
  return { contentType: 'text/html', page };
};

export const errorBody = { 'problem-json': problemJson, trpc, message, html, empty: undefined };
