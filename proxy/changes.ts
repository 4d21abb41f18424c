import type { Finding } from '../conformance/finding.ts';
import { toAscii } from '../mock/wire/sendable.ts';
import { joinHeaders, type RawHeaders } from '../http/headers.ts';
import type { Changes } from './forward.ts';

/** What is wrong with an answer, without secrets. */
export type Wrong = Pick<Finding, 'at' | 'expected' | 'actual'>;

const MOST_CHARACTERS = 2_000;

/** The header `sl-violations` in Prism's form, with the upstream's own entries first; and a 502, if the answer is refused. */
export function changesFor(found: readonly Wrong[], raw: RawHeaders, isRefused: boolean): Changes {
  if (found.length === 0) return { headers: {} };
  const items = found.map(({ at = '', expected, actual }) => ({
    location: ['response', 'body', ...at.split('/').slice(1)],
    severity: 'Error',
    code: 'contract',
    message: `Expected ${expected}; met ${actual}.`,
  }));
  const value = bounded([...itemsIn(joinHeaders(raw)['sl-violations']), ...items]);
  const error = 'The answer of the upstream breaks the contract.';
  const body = JSON.stringify({ error, findings: items.slice(0, 20) });
  return { headers: { 'sl-violations': value }, instead: isRefused ? { status: 502, body } : undefined };
}

function itemsIn(header = '[]'): readonly unknown[] {
  try {
    const items: unknown = JSON.parse(header);
    if (Array.isArray(items)) return items as unknown[];
    return [];
  } catch {
    return [];
  }
}

function bounded(items: readonly unknown[]): string {
  for (let kept = items; ; kept = kept.slice(0, Math.floor(kept.length / 2))) {
    const text = toAscii(JSON.stringify(kept));
    if (text.length <= MOST_CHARACTERS || kept.length === 0) return text;
  }
}
