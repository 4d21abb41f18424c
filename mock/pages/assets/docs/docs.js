import { withRealIds } from './real-ids.js';

const SERVICE = { url: 'openapi.json', scheme: 'bearer' };
const ADMIN = { url: '../__admin/openapi.json' };

const wanted = new URLSearchParams(location.search).get('document') === 'admin' ? 'admin' : 'service';
document.querySelector(`[data-document="${wanted}"]`).setAttribute('aria-current', 'page');

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

/** The path that the mock is mounted on. */
const mount = new URL('..', location.href).pathname.replace(/\/$/, '');

/** The document with servers below that path. */
const mounted = (document) => ({
  ...document,
  servers: (document.servers ?? [{ url: '/' }]).map((server) => ({
    ...server,
    url: `${mount}${server.url}`.replace(/(?<=.)\/$/, ''),
  })),
});

async function read(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.json();
}

async function show() {
  const { url, scheme } = wanted === 'admin' ? ADMIN : SERVICE;
  // Without the admin token, where there is one, the page knows no ids; it shows the document all the same.
  const [openapi, target] = await Promise.all([read(url), read('../__admin/target').catch(() => ({}))]);
  const ui = globalThis.SwaggerUIBundle({
    spec: mounted(wanted === 'admin' ? openapi : withRealIds(openapi, target)),
    domNode: document.querySelector('#reference'),
    deepLinking: true,
    validatorUrl: null,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    onComplete: () => scheme && target.token && ui.preauthorizeApiKey(scheme, target.token),
  });
}

show().catch((error) => {
  const trouble = document.querySelector('#trouble');
  trouble.textContent = `The document could not be shown. ${error.message}`;
  trouble.hidden = false;
});
