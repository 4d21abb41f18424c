import { isAdmin, sessionOf } from '../access/address.ts';
import { MockError } from '../mock-error.ts';
import { route } from '../service/route.ts';
import { endpointsNamed } from '../upstream/options.ts';
import { literal } from '../../text/literal.ts';
import { parseUrl } from '../../text/parse-url.ts';

/** Which requests a mock answers. */
export interface ServiceOptions {
  /** The URL before the paths of the service, or a path at any origin. Default: any origin and any path. */
  readonly baseUrl?: string | undefined;
  /** Endpoints that the mock answers, by id (`list-results`) or section (`4.5`); other requests pass through. Default: all. */
  readonly only?: readonly string[] | undefined;
}

/** Without a base URL, the paths that the mock knows, at any origin and below any path. @throws MockError */
export function serviceUrls({ baseUrl, only }: ServiceOptions) {
  const urls = urlsBelow(baseUrl);
  const endpoints = only && endpointsNamed(only, 'only: ');
  if (endpoints?.length === 0) throw new MockError('only: name at least one endpoint, or leave it out for all.');
  const takes = (of: Below, method: string, url: string): boolean => {
    if (!endpoints) return true;
    const { target } = sessionOf({ method, target: of.targetOf(url), headers: {} });
    if (isAdmin(target)) return true;
    const found = route(method, target.split('?')[0] ?? '');
    return 'endpoint' in found && endpoints.includes(found.endpoint);
  };
  return {
    ...urls,
    /** The mock always answers its sessions and its admin API. */
    isAnswered: takes.bind(undefined, urls),
    /** Whether a request looks as if the mock had to answer it, but is not below `baseUrl`. */
    isMissed: (method: string, url: string): boolean =>
      !urls.pattern.test(url) && anywhere.pattern.test(url) && takes(anywhere, method, url),
  };
}

interface Below {
  /** With or without a query. */
  readonly pattern: RegExp;
  /** The path and query of such a URL, as the mock takes them. */
  readonly targetOf: (url: string) => string;
}

/** Below a path, where an app has its own, only what the mock knows. No module of a dev server, and no page of a mock. */
const ANYWHERE =
  /^https?:\/\/[^/?#]+(?![^?#]*\.(?:[cm]?[jt]sx?|css|vue|svelte)(?:[?#]|$))(?:\/(?:api\/v1|__admin(?!\/ui)|_s)|(?<path>\/[^?#]+?)\/(?:_s\/[^/?#]+\/)?(?:api\/v1\/(?:agents|workspaces)|__admin(?!\/ui)))(?:[/?#]|$)/;

const anywhere: Below = {
  pattern: ANYWHERE,
  targetOf: (url) => pathOf(url).slice(ANYWHERE.exec(url)?.groups?.['path']?.length ?? 0),
};

function urlsBelow(baseUrl: string | undefined): Below {
  if (baseUrl === undefined) return anywhere;
  const { origin, path } = baseOf(baseUrl);
  return {
    pattern: new RegExp(`^${origin === undefined ? 'https?://[^/?#]+' : literal(origin)}${literal(path)}(?:[/?#]|$)`),
    targetOf(url) {
      const below = pathOf(url).slice(path.length);
      if (below.startsWith('/')) return below;
      return `/${below}`;
    },
  };
}

function baseOf(baseUrl: string): { readonly origin: string | undefined; readonly path: string } {
  const isPath = baseUrl.startsWith('/') && !baseUrl.startsWith('//');
  const text = isPath ? `http://mock${baseUrl}` : baseUrl;
  if (!/^https?:\/\//i.test(text) || !parseUrl(text))
    throw new MockError(
      `baseUrl is ${JSON.stringify(baseUrl)}; it must be the URL before the paths of the service, ` +
        'such as https://service.example or /service.',
    );
  const { origin, pathname } = new URL(text);
  return { origin: isPath ? undefined : origin, path: pathname.replace(/\/+$/, '') };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
