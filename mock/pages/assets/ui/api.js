/**
 * Calls of the admin API and of the service for one session; the empty name is the shared session. They fail with an
 * Error whose message is for people.
 */
export function createApi(session) {
  // The mount path of the mock.
  const mount = location.pathname.replace(/\/__admin\/ui(?:\/.*)?$/, '');
  const prefix = session === '' ? mount : `${mount}/_s/${encodeURIComponent(session)}`;

  const exchange = (target, request) =>
    fetch(`${prefix}${target}`, request).catch(() => {
      throw new Error('The mock does not answer. Is it still running?');
    });

  async function admin(method, target, body) {
    const headers = body && { 'content-type': 'application/json' };
    const response = await exchange(`/__admin${target}`, { method, headers, body: body && JSON.stringify(body) });
    const answer = await response.json().catch(() => undefined);
    if (!response.ok) throw new Error(answer?.error ?? `${method} ${target} answered ${response.status}.`);
    return answer;
  }

  return {
    get: (target) => admin('GET', target),
    post: (target, body = {}) => admin('POST', target, body),
    put: (target, body = {}) => admin('PUT', target, body),
    remove: (target) => admin('DELETE', target),
    call: admin,
    /** Creates something through the service itself. A refusal becomes an Error with its full message. */
    async create(target, body, token) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await exchange(target, { method: 'POST', headers, body: JSON.stringify(body) });
      const answer = await response.json().catch(() => undefined);
      if (!response.ok) throw new Error(`POST ${target} answered ${response.status}. ${refusalText(answer)}`);
      return answer;
    },
    /** Sends any request in the session, and returns the status of its answer. */
    async send({ method, url, headers, body }) {
      const request = { method, headers };
      if (method !== 'GET' && method !== 'HEAD') request.body = body;
      const response = await fetch(`${prefix}${url}`, request).catch(() => {
        throw new Error('The connection broke.');
      });
      return response.status;
    },
    /** The URL of the session's event stream. */
    streamUrl: `${prefix}/__admin/requests/stream`,
    /** What service paths are appended to. */
    baseUrl: `${location.origin}${prefix}`,
  };
}

/** Everything that a refusal of the service says. */
function refusalText(answer) {
  const errors = (answer?.errors ?? []).map(({ location: where, message }) => `${where}: ${message}`);
  return [answer?.detail ?? answer?.message ?? answer?.error, ...errors].filter(Boolean).join(' ');
}

/** `/agents/<id>` for any id. */
export const path = (strings, ...values) =>
  strings.reduce((sum, text, i) => `${sum}${encodeURIComponent(values[i - 1])}${text}`);
