/**
 * Calls of the admin API for one session; the empty name is the default session. They fail with an Error whose message
 * is for people.
 */
export function createApi(sessionOf) {
  // The mount path of the mock.
  const mount = location.pathname.replace(/\/__admin\/ui(?:\/.*)?$/, '');
  const prefix = () => mount + (sessionOf() === '' ? '' : `/_s/${encodeURIComponent(sessionOf())}`);

  async function call(method, path, body) {
    const hasBody = body !== undefined;
    const response = await fetch(`${prefix()}/__admin${path}`, {
      method,
      ...(hasBody && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch(noAnswer);
    const answer = await response.json().catch(() => undefined);
    if (!response.ok) throw new Error(answer?.error ?? `${method} ${path} answered ${response.status}.`);
    return answer;
  }

  /** Creates something through the service itself. A refusal becomes an Error with its full message. */
  async function create(path, body, token) {
    const response = await fetch(`${prefix()}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(noAnswer);
    const answer = await response.json().catch(() => undefined);
    if (response.ok) return answer;
    throw new Error(`POST ${path} answered ${response.status}. ${saidIn(answer)}`);
  }

  /** Sends any request in the session, and returns the status of its answer. */
  async function send({ method, url, headers, body }) {
    const mayHaveBody = method !== 'GET' && method !== 'HEAD';
    const response = await fetch(`${prefix()}${url}`, {
      method,
      headers,
      ...(mayHaveBody && body !== undefined && { body }),
    }).catch(() => {
      throw new Error('The connection broke.');
    });
    return response.status;
  }

  return {
    create,
    send,
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    put: (path, body = {}) => call('PUT', path, body),
    remove: (path) => call('DELETE', path),
    /** The URL of the session's event stream. */
    streamUrl: () => `${prefix()}/__admin/requests/stream`,
    /** The prefix of service paths. */
    baseUrl: () => `${location.origin}${prefix()}`,
  };
}

function noAnswer() {
  throw new Error('The mock does not answer. Is it still running?');
}

/** Everything that a refusal of the service says. */
function saidIn(answer) {
  const errors = (answer?.errors ?? []).map(({ location, message }) => `${location}: ${message}`);
  return [answer?.detail ?? answer?.message ?? answer?.error ?? '', ...errors].filter(Boolean).join(' ');
}

/** `/agents/<id>` for any id. */
export const path = (strings, ...values) =>
  strings.reduce((sum, text, i) => `${sum}${encodeURIComponent(values[i - 1])}${text}`);
