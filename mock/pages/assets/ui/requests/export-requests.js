// Requests of the journal in the formats of other tools. No DOM: this is tested in Node.js.

const asText = (body) => (typeof body === 'string' ? body : JSON.stringify(body));
const pairs = (all) => Object.entries(all).map(([name, value]) => ({ name, value: String(value) }));
const sizeOf = (text) => new TextEncoder().encode(text).length;
const queryOf = (url) => [...new URLSearchParams(url.split('?')[1] ?? '')].map(([name, value]) => ({ name, value }));

/** An HTTP archive (HAR 1.2), oldest first. `entries` are newest first, as the journal has them. */
export const toHar = (entries, baseUrl) => ({
  log: {
    version: '1.2',
    creator: { name: 'agent-contract', version: '1' },
    entries: entries.toReversed().map((entry) => harEntry(entry, baseUrl)),
  },
});

function harEntry({ at, method, url, headers, body, response }, baseUrl) {
  const sent = body === null ? '' : asText(body);
  const answered = response.body === null ? '' : asText(response.body);
  const type = response.headers['content-type'] ?? '';
  const wait = response.delivery?.delay ?? 0;
  return {
    startedDateTime: at,
    time: wait,
    request: {
      method,
      url: `${baseUrl}${url}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(headers),
      queryString: queryOf(url),
      ...(body !== null && { postData: { mimeType: headers['content-type'] ?? '', text: sent } }),
      headersSize: -1,
      bodySize: sizeOf(sent),
    },
    response: {
      // A broken connection has no status; 0 is what browsers write.
      status: response.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: { size: sizeOf(answered), mimeType: type, text: answered },
      redirectURL: '',
      headersSize: -1,
      bodySize: sizeOf(answered),
      ...(response.delivery?.connection && { _error: response.delivery.connection }),
    },
    cache: {},
    timings: { send: 0, wait, receive: 0 },
  };
}

/** Headers that a client makes itself. */
const OWN = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'authorization', 'user-agent']);

/** The headers of a request that say something of it, without those that every client makes anew. */
export const tellingHeaders = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name) && !name.startsWith('sec-')));

/**
 * A collection of Postman (2.1), which Bruno, Insomnia and Hoppscotch read too; each request once. The token is the variable
 * `token`, which is left empty.
 */
export function toPostman(entries, baseUrl) {
  const items = new Map();
  for (const { method, url, headers, body } of entries.toReversed()) {
    const raw = body === null ? undefined : asText(body);
    items.set(`${method} ${url} ${raw ?? ''}`, {
      name: `${method} ${url}`,
      request: {
        method,
        header: Object.entries(tellingHeaders(headers)).map(([key, value]) => ({ key, value: String(value) })),
        ...(raw !== undefined && { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }),
        url: `{{baseUrl}}${url}`,
      },
    });
  }
  return {
    info: {
      name: 'Agent Builder Service',
      // Named, and never loaded.
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
