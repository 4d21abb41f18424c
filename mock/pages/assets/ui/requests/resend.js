// Sends a request of the journal again, unchanged or edited, with the token of the session.
import { button, field, h, select } from '../elements/dom.js';
import { tellingHeaders } from './export-requests.js';
import { failed, told } from '../elements/pieces.js';

const written = (body) => (body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body, undefined, 2));

/** Buttons that send a request again, at once or from a form; the journal then shows the new one. */
export function resend({ api, target, go }, { method, url, headers, body }) {
  async function send(sent) {
    try {
      const status = await api.send({
        ...sent,
        headers: { ...tellingHeaders(headers), authorization: `Bearer ${target.token}` },
      });
      told(`It was answered with ${status}.`);
    } catch (error) {
      // A broken connection counts as an answer: the journal has it.
      failed(error);
    }
    const { requests } = await api.get('/requests?limit=1');
    if (requests[0]) go(`journal/${requests[0].id}`);
  }
  const verb = select(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((one) => [one, one]),
    method,
    { name: 'method' },
  );
  const path = h('input', { name: 'path', value: url, required: true, pattern: '/.*', spellcheck: 'false' });
  const content = h('textarea', { name: 'body', rows: 8, spellcheck: 'false', value: written(body) });
  const form = h(
    'form',
    {
      class: 'resend',
      hidden: true,
      onsubmit: (event) => {
        event.preventDefault();
        void send({ method: verb.value, url: path.value, body: content.value === '' ? undefined : content.value });
      },
    },
    h('div', { class: 'fields' }, field('Method', verb), field('Path', path)),
    field('Body', content),
    h('div', { class: 'actions' }, h('button', {}, 'Send')),
  );
  const edit = button(
    'Edit and send',
    () => {
      form.hidden = !form.hidden;
      edit.setAttribute('aria-expanded', String(!form.hidden));
      if (!form.hidden) path.focus();
    },
    { 'aria-expanded': 'false' },
  );
  const again = button('Send again', () => send({ method, url, body: body === null ? undefined : written(body) }));
  return { buttons: [again, edit], form };
}
