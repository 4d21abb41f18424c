import session from './pages-session.json';
import { tried, type Program } from './typed-client.ts';

/** A request of the session. The symbols in braces are resolved when it is played. */
interface Played {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A name of the target, such as `{agentId}`, or a pointer into an earlier answer, such as `{3/agent/id}`. */
const SYMBOL = /\{([A-Za-z]+|\d+(?:\/[^{}/]+)+)\}/g;

/** The recorded requests of both pages, without those whose values no answer gave. */
export const pagesClient: Program = async ({ mock, fetch, baseUrl }) => {
  /** The names of the target, and the answers, which count from 1. */
  const given: Record<string, unknown> = { ...mock.target };
  for (const [place, { method, path, headers, body }] of (session as readonly Played[]).entries()) {
    let isComplete = true;
    const fill = (text: string, write: (value: string) => string): string =>
      text.replaceAll(SYMBOL, (_, symbol: string) => {
        const value = symbol
          .split('/')
          .reduce<unknown>((inner, key) => (inner as typeof given | undefined)?.[key], given);
        isComplete &&= typeof value === 'string';
        return write(String(value));
      });
    const url = baseUrl + fill(path, encodeURIComponent);
    const text =
      body === undefined ? undefined : fill(JSON.stringify(body), (value) => JSON.stringify(value).slice(1, -1));
    const filled = Object.entries(headers).map(([name, value]): [string, string] => [name, fill(value, String)]);
    if (isComplete)
      given[place + 1] = await tried(async () => (await fetch(url, { method, headers: filled, body: text })).json());
  }
};
