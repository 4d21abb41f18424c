/** Calls for one session; the empty name is the shared one. They fail with an Error whose message is for people. */
export function createApi(session) {
  const mount = location.pathname.replace(/\/__admin\/ui(?:\/.*)?$/, '');
  const prefix = session === '' ? mount : `${mount}/_s/${encodeURIComponent(session)}`;

  /** `below` is where the target is: the admin API, or nothing for the service itself. */
  async function call(below, method, target, body, token) {
    const path = below + target;
    const headers = { 'content-type': 'application/json' };
    if (token) headers.authorization = `Bearer ${token}`;
    const request = { method, headers, body: body && JSON.stringify(body) };
    const response = await fetch(`${prefix}${path}`, request).catch(() => {
      throw new Error('The mock does not answer. Is it still running?');
    });
    const answer = await response.json().catch(() => undefined);
    if (!response.ok) throw new Error(refusalText(answer) || `${method} ${path} answered ${response.status}.`);
    return answer;
  }

  const callAdmin = call.bind(undefined, '/__admin');
  return {
    call: callAdmin,
    get: callAdmin.bind(undefined, 'GET'),
    post: callAdmin.bind(undefined, 'POST'),
    put: callAdmin.bind(undefined, 'PUT'),
    /** Asks the service itself for a new `agent` or `workspace`, and resolves with it. */
    async create(kind, target, body, token) {
      const { [kind]: made } = (await call('', 'POST', target, body, token)) ?? {};
      if (!made?.id) throw new Error(`The answer holds no ${kind} with an id; the journal shows it.`);
      return made;
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
    streamUrl: `${prefix}/__admin/requests/stream`,
    baseUrl: `${location.origin}${prefix}`,
  };
}

function refusalText(answer) {
  const { detail, message, error, errors, issues } = answer ?? {};
  const wrong = [errors, issues].flat().filter((each) => each?.message);
  const places = wrong.map((each) => `${each.location ?? each.path.join('/')}: ${each.message}`);
  return [detail ?? message ?? error, ...places].filter(Boolean).join(' ');
}

/** `/agents/<id>` for any id. */
export const path = (strings, ...values) =>
  strings.reduce((sum, text, i) => `${sum}${encodeURIComponent(values[i - 1])}${text}`);
