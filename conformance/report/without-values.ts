import { timeFilters, typedLocations } from '../../spec/index.ts';
import type { Excerpt } from '../http/exchange.ts';
import type { Report } from './report.ts';
import { QUOTED } from '../../text/json.ts';
import { withoutPasswords, withoutSecretParameters } from '../../text/secret-names.ts';

const pointers = Object.values(typedLocations).flatMap((of) => of.map(({ pointer }) => pointer));
/** The names that bodies have by the contract. */
export const bodyNames = [...new Set(pointers.join('/').split('/'))].filter((name) => /^\w+$/.test(name));

/** Values that the contract or our sentences name, which nobody's data are. */
const VALUES = ['string', 'number', 'boolean', 'object', 'array', 'null', '5', '6', 'guest', 'read', 'write'];
const DOCUMENTED: ReadonlySet<string> = new Set([...bodyNames, ...VALUES, ...timeFilters]);

/** Identifiers and instants: what a finding is about, and no words of anybody. */
const HARMLESS = /^(?:(?=[^/]*\d)(?=[^/]*[a-z])[\w-]{1,64}|\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?|)…?$/i;

const HIDDEN = '…';

/** A sentence, or JSON, whose quotations show names, identifiers, instants and what the contract documents, and no other text. */
export const withoutQuoted = (text: string): string =>
  text.replace(QUOTED, (quoted, value: string, end: string, colon: string | undefined) =>
    colon !== undefined || DOCUMENTED.has(value) || HARMLESS.test(value) ? quoted : `"${HIDDEN}${end}`,
  );

/** JSON, maybe cut off, without its texts and long numbers; any other body is hidden as a whole. */
function bodyWithout(body: string): string {
  if (!/^\s*[[{]/.test(body)) return body && HIDDEN;
  return withoutQuoted(body).replaceAll(/(?<=[:[,]\s*)-?\d[\d.eE+-]{4,}/g, '0');
}

/** An exchange of others without what its own form says is secret. */
export const excerptWithoutSecrets = ({ request, body, ...rest }: Excerpt): Excerpt => ({
  ...rest,
  request: {
    ...request,
    url: withoutSecretParameters(request.url),
    body: request.body && withoutPasswords(request.body),
  },
  body: body && withoutPasswords(body),
});

/** An exchange with the forms of its bodies, and none of their values. */
export const excerptWithout = ({ request, body, ...rest }: Excerpt): Excerpt => ({
  ...rest,
  request: { ...request, body: request.body && bodyWithout(request.body) },
  body: body && bodyWithout(body),
});

const SENTENCES: ReadonlySet<string> = new Set(['expected', 'actual', 'seen']);

/** A report whose sentences quote no values but identifiers, instants and those of the contract. */
export function sentencesWithout(report: Report): Report {
  const quiet = JSON.parse(JSON.stringify(report), (name, value: unknown) =>
    SENTENCES.has(name) && typeof value === 'string' ? withoutQuoted(value) : value,
  ) as Report;
  return { ...quiet, created: quiet.created.map((one) => ({ ...one, name: HIDDEN })) };
}
