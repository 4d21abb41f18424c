// Exports requests of the journal in the formats of other tools. No DOM: this is tested in Node.js.

const asText = (body) => (typeof body === 'string' ? body : JSON.stringify(body));
const pairs = (all) => Object.entries(all).map(([name, value]) => ({ name, value: String(value) }));
const queryOf = (url) => [...new URLSearchParams(url.split('?')[1] ?? '')].map(([name, value]) => ({ name, value }));

/** An HTTP archive (HAR 1.2), oldest first. `entries` are newest first, as the journal has them. */
export const toHar = (entries, baseUrl) => ({
  log: {
    version: '1.2',
    creator: { name: 'agent-contract', version: '1' },
    entries: entries.toReversed().map((entry) => harEntry(entry, baseUrl)),
  },
});

function harEntry({ at, method, url, headers, body, size, duration, response }, baseUrl) {
  const sent = body === null ? '' : asText(body);
  const answered = response.body === null ? '' : asText(response.body);
  const type = response.headers['content-type'] ?? '';
  return {
    startedDateTime: at,
    time: duration,
    request: {
      method,
      url: `${baseUrl}${url}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(headers),
      queryString: queryOf(url),
      ...(body !== null && { postData: { mimeType: headers['content-type'] ?? '', text: sent } }),
      headersSize: -1,
      bodySize: size,
    },
    response: {
      // A broken connection has no status; browsers write 0.
      status: response.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: { size: response.size, mimeType: type, text: answered },
      redirectURL: '',
      headersSize: -1,
      bodySize: response.size,
      ...(response.delivery?.connection && { _error: response.delivery.connection }),
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
  };
}

/** Headers that a client sets itself. */
const OWN = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'authorization', 'user-agent']);

/** The meaningful headers of a request, without those that every client sets. */
export const tellingHeaders = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name) && !name.startsWith('sec-')));

const fields = (headers) => Object.entries(headers).map(([key, value]) => ({ key, value: String(value) }));

/** The answer to a request, as an example; none if the connection broke. */
const exampleOf = ({ status, headers, body }, responseTime, originalRequest) =>
  status === null
    ? []
    : [
        {
          name: String(status),
          originalRequest,
          code: status,
          header: fields(headers),
          body: body === null ? '' : asText(body),
          responseTime,
        },
      ];

/**
 * A collection for Postman (2.1), which Bruno, Insomnia and Hoppscotch read too. Each request is in it once, with its
 * latest answer as an example. The token is the variable `token`, which is empty.
 */
export function toPostman(entries, baseUrl) {
  const items = new Map();
  for (const entry of entries.toReversed()) {
    const { method, url, headers, body } = entry;
    const raw = body === null ? undefined : asText(body);
    const request = {
      method,
      header: fields(tellingHeaders(headers)),
      ...(raw !== undefined && { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }),
      url: `{{baseUrl}}${url}`,
    };
    items.set(`${method} ${url} ${raw ?? ''}`, {
      name: `${method} ${url}`,
      request,
      response: exampleOf(entry.response, entry.duration, request),
    });
  }
  return {
    info: {
      name: 'Agent Builder Service',
      // A URI that is named, and never loaded.
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'token', value: '' },
    ],
    item: [...items.values()],
  };
}
