import session from './pages-session.json';
import { tried, type Program } from './typed-client.ts';

/** A request of the session. The symbols in braces are resolved when it is played. */
interface Played {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Where the value of a symbol comes from: a name of the target, or a pointer into an earlier answer. */
type Stands = readonly [name: string | undefined, place: string, pointer: string];

const requests: readonly Played[] = session as readonly Played[];
const SYMBOL = /\{(?:([A-Za-z]+)|(\d+)((?:\/[^{}/]+)+))\}/g;

/**
 * The requests of the reference and the dashboard while somebody used them, recorded once by `record-pages.mjs`. A request with a
 * value that no answer gave is left out, since nobody could have sent it.
 */
export const pagesClient: Program = async ({ mock, fetch, baseUrl }) => {
  const answers: unknown[] = [];
  const known = (...[name, place, pointer]: Stands): string | undefined => {
    if (name !== undefined) return mock.target[name as keyof typeof mock.target];
    const value = at(answers[Number(place) - 1], pointer.split('/').slice(1));
    if (typeof value === 'string') return value;
    return undefined;
  };
  for (const request of requests) {
    const sent = filled(request, known);
    answers.push(
      sent &&
        (await tried(async () => {
          const { method, headers, body } = sent;
          const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
          const answer: unknown = await (await fetch(baseUrl + sent.path, init)).json();
          return answer;
        })),
    );
  }
};

const at = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>)[key] : undefined,
    value,
  );

/** The request with every symbol replaced; `undefined` if one has no value. */
function filled(request: Played, known: (...symbol: Stands) => string | undefined): Played | undefined {
  let isWhole = true;
  const fill = (text: string, write: (value: string) => string): string =>
    text.replaceAll(SYMBOL, (_, ...symbol) => {
      const value = known(...(symbol as unknown as Stands));
      isWhole &&= value !== undefined;
      return write(value ?? '');
    });
  const { method, path, headers, body } = request;
  const asJson = (value: string): string => JSON.stringify(value).slice(1, -1);
  const whole = {
    method,
    path: fill(path, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value, String)])),
    body: body === undefined ? undefined : (JSON.parse(fill(JSON.stringify(body), asJson)) as unknown),
  };
  if (isWhole) return whole;
  return undefined;
}
