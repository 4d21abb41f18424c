/**
 * Calls of the admin API, about one session; the empty name is the session of requests that name none.
 * They fail with an Error whose message is for people.
 */
export function createApi(sessionOf) {
  // The path that the mock is mounted on.
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

  /** Creates something with the service itself; what it refuses is an Error with all that it says. */
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

  /** Sends a request of any kind below the session, and gives the status of its answer. */
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
    /** Where the events of the session's journal come from. */
    streamUrl: () => `${prefix()}/__admin/requests/stream`,
    /** What stands before the paths of the service. */
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

/** `/agents/<id>` with whatever the id holds. */
export const path = (strings, ...values) =>
  strings.reduce((sum, text, i) => `${sum}${encodeURIComponent(values[i - 1])}${text}`);
