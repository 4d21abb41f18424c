const SERVICE = { url: 'openapi.json', scheme: 'bearer' };
const ADMIN = { url: '../__admin/openapi.json' };
/** The document with ids of the mock. If the mock has an admin token, that is needed here. */
const OWN = '../__admin/service/openapi.json';

const wanted = new URLSearchParams(location.search).get('document') === 'admin' ? 'admin' : 'service';
document.querySelector(`[data-document="${wanted}"]`).setAttribute('aria-current', 'page');

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

/** The mount path of the mock, also behind a proxy of which the mock knows nothing. */
const mount = new URL('..', location.href).pathname.replace(/\/$/, '');

const mounted = (document) => ({
  ...document,
  servers: document.servers.map((server) => ({
    ...server,
    url: `${mount}${server.url.match(/\/_s\/.*/)?.[0] ?? ''}` || '/',
  })),
});

async function read(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.json();
}

/** What screen readers need, and Swagger UI does not write: its headings, a select, and links within buttons. */
function mend() {
  const level = (selector, n) => {
    for (const heading of document.querySelectorAll(selector)) heading.setAttribute('aria-level', n);
  };
  level('.opblock-tag, section.models h4', '2');
  level('.opblock-body :is(h4, h5), .model-box h4', '3');
  for (const [part, name] of Object.entries({ '.information-container': 'About', '.scheme-container': 'Server' }))
    for (const region of document.querySelectorAll(part)) Object.assign(region, { role: 'region', ariaLabel: name });
  document.querySelector('#servers')?.setAttribute('aria-label', 'Server');
  for (const select of document.querySelectorAll('#reference select:not([aria-label])')) select.ariaLabel = 'Choice';
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
}
new MutationObserver(mend).observe(document.querySelector('#reference'), { childList: true, subtree: true });

async function show() {
  const { url, scheme } = wanted === 'admin' ? ADMIN : SERVICE;
  const reading = wanted === 'admin' ? read(url) : read(OWN).catch(() => read(url));
  const [openapi, target] = await Promise.all([reading, read('../__admin/target').catch(() => ({}))]);
  const ui = globalThis.SwaggerUIBundle({
    spec: mounted(openapi),
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
