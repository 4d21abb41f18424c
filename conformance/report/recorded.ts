import type { Kept } from '../http/exchange.ts';
import { MAX_KEPT } from '../http/read-body.ts';
import { toCurl, type CurlRequest } from '../../text/curl.ts';
import type { HttpRequest } from '../../http/exchange.ts';
import { isObject, stringAt } from '../json.ts';
import { createRedactor, type Secret } from './redact.ts';
import type { RecordedExchange } from './report.ts';

/**
 * An exchange as a report holds it. Parts of the request that come from outside hold no secret; the answer is complete.
 */
export function recorded(exchange: Kept, secrets: readonly Secret[]): RecordedExchange {
  const { status, headers, body, durationMs, failure } = exchange;
  const { hide, alias, named } = writingOf(secrets);
  const request = withoutSecrets(exchange.request, hide, secrets);
  return {
    curl: toCurl(withVariables(withoutSecrets(exchange.request, alias.replace, alias.secrets)), { secrets: named }),
    method: request.method,
    url: request.url,
    requestHeaders: request.headers,
    ...(request.body === undefined ? {} : { requestBody: cut(request.body, MAX_KEPT) }),
    durationMs: Math.round(durationMs * 10) / 10,
    status,
    ...(headers === undefined ? {} : { headers: shortened(headers) }),
    body,
    failure,
  };
}

/** In traffic of others each credential was replaced when it was met, so that its name stands in the header. */
const withVariables = (request: HttpRequest): CurlRequest => ({
  ...request,
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => {
      const [, scheme = '', variable] = CREDENTIAL_NAME.exec(value) ?? [];
      return [name, variable === undefined ? value : [scheme, { variable }]];
    }),
  ),
});

const CREDENTIAL_NAME = /^(\S+ )?(\$(?:TOKEN|COOKIE)(?:_\d+)?)$/;

type Replace = (text: string) => string;

/** Writes exchanges without these secrets. */
interface Writing {
  readonly hide: Replace;
  /** Replaces secrets with unique names, since a secret may be a word that a curl line has anyway. */
  readonly alias: { readonly replace: Replace; readonly secrets: readonly Secret[] };
  /** These names. */
  readonly named: readonly Secret[];
}

/** Made once for a run: the patterns of a secret in all its forms take long to build. */
const writings = new WeakMap<readonly Secret[], Writing>();

function writingOf(secrets: readonly Secret[]): Writing {
  const known = writings.get(secrets);
  if (known) return known;
  const aliases = secrets.map((secret, index) => ({ ...secret, alias: `alias-${index}-of-a-secret` }));
  const aliased = aliases.map(({ value, alias }) => ({ value, placeholder: alias }));
  const writing = {
    hide: createRedactor(secrets).text,
    alias: { replace: createRedactor(aliased).text, secrets: aliased },
    named: aliases.map(({ placeholder, alias }) => ({ value: alias, ...(placeholder && { placeholder }) })),
  };
  writings.set(secrets, writing);
  return writing;
}

/** The request, with placeholders in the parts that the user or the target gave. */
function withoutSecrets(request: HttpRequest, text: Replace, secrets: readonly Secret[]): HttpRequest {
  const { body } = request;
  return {
    ...request,
    url: urlWithout(text, request.url),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, headerWithout(text, name, value, secrets)]),
    ),
    ...(body === undefined ? {} : { body: bodyWithout(text, body) }),
  };
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** A base URL without secrets in its path. The host is never a secret. */
export function baseUrlWithout(replace: Replace, url: string): string {
  const [origin = ''] = ORIGIN.exec(url) ?? [];
  return origin + replace(url.slice(origin.length));
}

/** The run itself names agents that no server has. */
const OWN_AGENT = 'agent-contract-unknown-';

function urlWithout(replace: Replace, url: string): string {
  const [, base, path = ''] = /^(.*?)(\/api\/v1\/(?:agents|workspaces)(?:[/?].*)?)$/s.exec(url) ?? [];
  if (base === undefined) return baseUrlWithout(replace, url);
  const own = path
    .replace(/(?<=^\/api\/v1\/agents\/)(?!import$)[^/?]+/, (id) => (id.startsWith(OWN_AGENT) ? id : replace(id)))
    .replace(/(?<=[?&]cursor=)[^&]*/, replace);
  return baseUrlWithout(replace, base) + own;
}

/** Headers that the runner sets itself, with their values. */
const OWN_HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['application/json'],
  'content-type': ['application/json', 'text/plain'],
};

function headerWithout(replace: Replace, name: string, value: string, secrets: readonly Secret[]): string {
  if (OWN_HEADERS[name]?.includes(value) === true) return value;
  if (name !== 'authorization') return replace(value);
  const [, scheme = '', credential = ''] = /^(\S+ )?(.*)$/s.exec(value) ?? [];
  if (OWN_CREDENTIALS.test(credential)) return value;
  // A whole token, or a variation that the run made of it.
  const secret = secrets.find((one) => one.value === credential);
  return `${scheme}${secret === undefined ? replace(credential) : (secret.placeholder ?? '$TOKEN')}`;
}

/** Credentials that the run invents without the token. */
const OWN_CREDENTIALS = /^(?:|null|undefined|agent-contract-unknown-.*)$/s;

/** The workspace comes from the user or the target. Everything else in a judged body is invented by the run. */
function bodyWithout(replace: Replace, body: string): string {
  const json = parsed(body);
  const workspaceId = stringAt(json, 'workspaceId');
  if (!isObject(json) || workspaceId === undefined || replace(workspaceId) === workspaceId) return body;
  return JSON.stringify({ ...json, workspaceId: replace(workspaceId) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

const shortened = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, 50)
      .map(([name, value]) => [cut(name, 100), cut(value, 500)]),
  );
