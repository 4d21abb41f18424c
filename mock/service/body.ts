import { parse as parseLeniently, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { chosen } from '../choices/index.ts';
import { attempt } from '../../text/errors.ts';
import { parseJson, type Json } from '../../text/json.ts';
import { refuse, type Refusal } from '../call.ts';
import { excessOf, MOST_LEVELS, MOST_MEMBERS, MOST_VALUES } from '../../text/json-limits.ts';
import { escapeToken } from '../../spec/json-pointer.ts';
import { MockError } from '../mock-error.ts';
import { quote } from '../wording/slips.ts';
import type { Profile } from '../../spec/index.ts';
import { platform } from '../../text/platform.ts';

const utf8 = new platform.TextDecoder('utf-8', { fatal: true });

/** Reads JSON (section 4): content type, UTF-8, syntax and nesting, but not the shape. Never throws. */
export function parseBody(bytes: Uint8Array | undefined, contentType: string | undefined, profile: Profile) {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const kind = chosen(profile, 'content-type');
  if (kind !== undefined && !isJsonType(contentType)) {
    const sent =
      contentType === undefined ? 'the request names no content type' : `the request names ${quote(contentType)}`;
    const why = /^text\/plain\b/i.test(contentType ?? '') ? ' (the default of fetch for a string)' : '';
    const message = `Send the body with content-type: application/json; ${sent}${why}.`;
    const error = { location: 'header/content-type', message, meant: 'application/json' };
    return { refusal: refuse(kind, message, error) };
  }
  const text = attempt(() => utf8.decode(bytes));
  if (text === undefined) return invalidBody('The body is not valid UTF-8.');
  const limit = chosen(profile, 'nesting-limit');
  const excess = excessOf(text, limit);
  if (excess === 'members' || excess === 'values') return invalidBody(tooMuch[excess]);
  const value = parseJson(text);
  if (excess === 'levels') {
    const path = (value !== undefined && deeperThan(value, limit)) || [];
    const at = path
      .slice(0, 8)
      .map((key) => `/${escapeToken(key.slice(0, 40))}`)
      .join('');
    const error = { location: `body${at}`, message: `Nested more than ${limit} levels deep.` };
    return { refusal: refuse('invalid', `The body is nested more than ${limit} levels deep.`, error) };
  }
  if (value === undefined) return invalidBody(`The body is not JSON: ${notJson(text) ?? describeSyntaxError(text)}`);
  return { value, text };
}

const tooMuch = {
  values: `The body has more than ${MOST_VALUES} values. Send fewer.`,
  members: `An object in the body has more than ${MOST_MEMBERS} members. Send fewer.`,
  levels: `The body is nested more than ${MOST_LEVELS} levels deep.`,
};

/** An empty body counts as an empty object. @throws MockError; one that is too large was refused before */
export function readAdminBody(bytes: Uint8Array | undefined): Json {
  if (bytes === undefined || bytes.length === 0) return {};
  const text = new platform.TextDecoder().decode(bytes);
  const excess = excessOf(text);
  if (excess !== undefined) throw new MockError(tooMuch[excess]);
  const value = parseJson(text);
  if (value === undefined) throw new MockError(`The body is not JSON: ${notJson(text) ?? describeSyntaxError(text)}`);
  return value;
}

export const isJsonType = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;|$)/i.test(contentType ?? '');

const invalidBody = (message: string): { refusal: Refusal } => ({
  refusal: refuse('invalid', message, { location: 'body', message }),
});

/** What the body is instead of JSON, for mistakes that front ends are known to make. */
function notJson(text: string): string | undefined {
  const word = /^\s*(undefined|NaN|\[object \w{1,20}\])\s*$/.exec(text.slice(0, 100))?.[1];
  if (word !== undefined) return `it is the string ${word}. Turn the object into JSON with JSON.stringify.`;
  if (/^[\w.[\]%+-]{1,100}=[^{"]*$/.test(text.slice(0, 200))) return 'it looks like a form. Send a JSON object.';
  if (/^--[-\w]{1,100}\r?\n/.test(text.slice(0, 200))) return 'it looks like a multipart form. Send a JSON object.';
  return undefined;
}

/** In characters: finding the place in a longer text takes too long. */
const LONGEST_DESCRIBED = 1_000_000;

function describeSyntaxError(text: string): string {
  if (text.length > LONGEST_DESCRIBED) return 'it is malformed, and too long to say where.';
  const errors: ParseError[] = [];
  try {
    parseLeniently(text, errors, { disallowComments: true });
  } catch {
    return 'it is nested too deeply.';
  }
  const [first] = errors;
  if (!first) return 'it is malformed.';
  const before = text.slice(0, first.offset).split('\n');
  const what = printParseErrorCode(first.error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  const after = text.slice(first.offset, first.offset + 1);
  const isAfterComma = /,\s*$/.test(text.slice(Math.max(0, first.offset - 100), first.offset));
  let hint = '';
  if (/[}\]]/.test(after) && isAfterComma) hint = ' Leave out the comma before it.';
  if (after === "'") hint = ' JSON uses double quotes.';
  return `${what} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.${hint}`;
}

/** The path of the last value that is nested deeper than `limit` levels; no recursion is deeper than that. */
function deeperThan(value: Json, limit: number): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (limit === 0) return [];
  for (const [key, child] of Object.entries(value).toReversed()) {
    const path = deeperThan(child, limit - 1);
    if (path) return [key, ...path];
  }
  return undefined;
}
