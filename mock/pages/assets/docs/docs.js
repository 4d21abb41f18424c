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

/** The mount path of the mock. */
const mount = new URL('..', location.href).pathname.replace(/\/$/, '');

/** The document with its servers below that path. */
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
