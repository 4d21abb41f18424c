/** Says in an answer who made it. */
export const SOURCE = 'x-agent-contract-source';

/** Are about one connection and not about the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Names and values by turns, as Node.js gives and takes them: in their order, in their case, repeated if they were. */
export type RawHeaders = readonly string[];

/** Those that go on to the next hop, without those of other names that are dropped. */
export function forwarded(raw: RawHeaders, dropped: ReadonlySet<string> = new Set()): string[] {
  const named = new Set(
    pairsOf(raw).flatMap(([name, value]) =>
      name.toLowerCase() === 'connection' ? value.split(',').map((one) => one.trim().toLowerCase()) : [],
    ),
  );
  return pairsOf(raw).flatMap(([name, value]) => {
    const plain = name.toLowerCase();
    return HOP_BY_HOP.has(plain) || named.has(plain) || dropped.has(plain) ? [] : [name, value];
  });
}

/** Names in lower case; values of one name joined as HTTP joins them. */
export function joined(raw: RawHeaders): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairsOf(raw)) {
    const plain = name.toLowerCase();
    const before = headers.get(plain);
    headers.set(plain, before === undefined ? value : `${before}${plain === 'cookie' ? '; ' : ', '}${value}`);
  }
  return Object.fromEntries(headers);
}

function pairsOf(raw: RawHeaders): readonly (readonly [name: string, value: string])[] {
  return raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as const] : []));
}
