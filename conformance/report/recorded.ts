import { mapValues } from '../collections.ts';
import type { Excerpt } from '../http/exchange.ts';
import { toCurl, type CurlRequest } from '../../text/curl.ts';
import type { HttpRequest } from '../../http/exchange.ts';
import { fieldsOf, FORM_FIELDS } from '../../http/form.ts';
import { isObject, parseJson } from '../json.ts';
import { cutTo } from '../show.ts';
import { createRedactor, type Secret } from './redact.ts';
import { isSecretName, placeholderFor, withoutPasswords } from '../../text/secret-names.ts';
import type { RecordedExchange } from './report.ts';

/** Most characters of a sent body in a report: more than any body of a run has. */
const MAX_SENT = 100_000;

/** Writes an exchange as a report holds it. */
export type RecordExchange = (exchange: Excerpt) => RecordedExchange;

/** Parts of the request that come from outside hold no secret; the answer is complete. */
export function recorderWithout(secrets: readonly Secret[]): RecordExchange {
  const hide = createRedactor(secrets).text;
  // A secret may be a word that a curl line has anyway, so it has a unique name there at first.
  const aliased = secrets.map(({ value }, index) => ({ value, placeholder: `alias-${index}-of-a-secret` }));
  const alias = createRedactor(aliased).text;
  const names = secrets.map(({ placeholder }, index) => ({ value: `alias-${index}-of-a-secret`, placeholder }));
  return ({ request: sent, status, headers, body, durationMs, failure }) => {
    const request = { ...sent, headers: { ...sent.headers, ...fieldsOf(sent.form ?? {}) } };
    const flags = sent.form?.version === '1.0' ? ['-sS', '-i', '--http1.0'] : undefined;
    const shown = withoutSecrets(request, hide, secrets);
    return {
      curl: toCurl(withVariables(withoutSecrets(request, alias, aliased)), { secrets: names, flags }),
      method: shown.method,
      url: shown.url,
      requestHeaders: shown.headers,
      requestBody: shown.body && cutTo(MAX_SENT, shown.body),
      durationMs: Math.round(durationMs * 10) / 10,
      status,
      headers: headers && shortened(headers),
      body: body && withoutPasswords(body),
      failure,
    };
  };
}

/** In traffic of others each credential was replaced when it was met, so that its name stands in the header. */
function withVariables(request: HttpRequest): CurlRequest {
  const headers = mapValues(request.headers, (value) => {
    const [, scheme = '', variable] = CREDENTIAL_NAME.exec(value) ?? [];
    return variable === undefined ? value : [scheme, { variable }];
  });
  return { ...request, headers };
}

const CREDENTIAL_NAME = /^(\S+ )?(\$(?:TOKEN|COOKIE)(?:_\d+)?)$/;

type Replace = (text: string) => string;

function withoutSecrets(request: HttpRequest, text: Replace, secrets: readonly Secret[]): HttpRequest {
  const { url, body } = request;
  const headers = mapValues(request.headers, (value, name) => headerWithout(text, name, value, secrets));
  return { ...request, url: urlWithout(text, url), headers, body: body && bodyWithout(text, body) };
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
    .replace(/(?<=[?&](?!limit=|time|start=|end=|interval=)[^=&]*=)[^&]*/g, replace);
  return baseUrlWithout(replace, base) + own;
}

const OWN_HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['application/json'],
  'content-type': ['application/json', 'text/plain'],
};

function headerWithout(replace: Replace, name: string, value: string, secrets: readonly Secret[]): string {
  if (FORM_FIELDS.has(name)) return value;
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

/** The run invents these members of a body. The workspace comes from the user or the target, and others may be the token. */
const INVENTED: ReadonlySet<string> = new Set(['agent', 'name', 'icon', 'slug']);

function bodyWithout(replace: Replace, body: string): string {
  const json = parseJson(body);
  if (!isObject(json)) return body;
  const shown = mapValues(json, (value, name) => {
    if (typeof value !== 'string' || INVENTED.has(name)) return value;
    return replace(value);
  });
  const text = JSON.stringify(shown);
  return text === JSON.stringify(json) ? body : text;
}

function shortened(headers: Readonly<Record<string, string>>): Record<string, string> {
  const first = Object.entries(headers).slice(0, 50);
  return Object.fromEntries(
    first.map(([name, value]) => [cutTo(100, name), isSecretName(name) ? placeholderFor(name) : cutTo(500, value)]),
  );
}
