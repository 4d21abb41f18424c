import { h, select } from '../elements/dom.js';
import { failed } from '../elements/pieces.js';
import { toHar, toPostman } from './export-requests.js';

/** Downloads a value as a JSON file. */
export function save(name, content) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, undefined, 2)], { type: 'application/json' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Downloads for other tools: the shown requests, their description, and the data behind them. */
export function exportChoice({ api }, visible) {
  const kinds = {
    'requests.har': ['Requests as HAR', () => toHar(visible(), api.baseUrl())],
    'requests.postman_collection.json': ['Requests for Postman or Bruno', () => toPostman(visible(), api.baseUrl())],
    'openapi.json': ['OpenAPI document', () => api.get('/service/openapi.json')],
    'world.json': ['The world as a seed file', () => api.get('/seed')],
  };
  const control = select([['', 'Export …'], ...Object.entries(kinds).map(([name, [title]]) => [name, title])], '', {
    'aria-label': 'Export',
    onchange: async () => {
      const name = control.value;
      control.value = '';
      try {
        if (name !== '') save(name, await kinds[name][1]());
      } catch (error) {
        failed(error);
      }
    },
  });
  return control;
}
