/** The answer header that says whether the mock, the proxy or the upstream answered. */
export const SOURCE = 'x-agent-contract-source';

/** Headers about one connection, and not about the message (RFC 9110, 7.6.1); others, which `Connection` cannot take away. */
const [HOP_BY_HOP, END_TO_END] = [
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade',
  'authorization cookie set-cookie host content-length content-type content-encoding cache-control',
].map((names): ReadonlySet<string> => new Set(names.split(' '))) as [ReadonlySet<string>, ReadonlySet<string>];

/** Alternating names and values, like `rawHeaders` of Node.js: order, case and repetitions are kept. */
export type RawHeaders = readonly string[];

/** The headers for the next hop: without hop-by-hop headers and those in `dropped`. */
export function withoutHop(raw: RawHeaders, dropped: ReadonlySet<string>): string[] {
  const named = namedByConnection(raw);
  const kept: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const [name = '', value = ''] = [raw[i], raw[i + 1]];
    const plain = name.toLowerCase();
    if (!HOP_BY_HOP.has(plain) && !named.has(plain) && !dropped.has(plain)) kept.push(name, value);
  }
  return kept;
}

const NONE: ReadonlySet<string> = new Set();

/** Headers that `Connection` names are hop-by-hop too, except for those that never are. */
function namedByConnection(raw: RawHeaders): ReadonlySet<string> {
  let named: Set<string> | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i]?.length !== 10 || raw[i]?.toLowerCase() !== 'connection') continue;
    named ??= new Set();
    for (const name of (raw[i + 1] ?? '').toLowerCase().split(','))
      if (!END_TO_END.has(name.trim())) named.add(name.trim());
  }
  return named ?? NONE;
}

/** Names in lower case; values of one name joined as HTTP joins them. */
export function joinHeaders(raw: RawHeaders): Record<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i < raw.length; i += 2) {
    const [name = '', value = ''] = [raw[i]?.toLowerCase(), raw[i + 1]];
    const before = headers.get(name);
    const sign = name === 'cookie' ? '; ' : ', ';
    headers.set(name, before === undefined ? value : before + sign + value);
  }
  return Object.fromEntries(headers);
}

/** A head as it goes over the wire: its first line, its headers and an empty line. */
export function headText(first: string, raw: RawHeaders): string {
  const lines = [first];
  for (let i = 0; i < raw.length; i += 2) lines.push(`${raw[i]}: ${raw[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
