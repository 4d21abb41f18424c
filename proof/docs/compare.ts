import { literal } from '../../text/literal.ts';

/** Normalizes what differs from run to run. */
function steady(text: string): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, '<instant>')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, '<duration>')
    .replaceAll(/\bc[a-z0-9]{24}\b/g, '<id>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replaceAll(/\bagent-contract \d+\.\d+\.\d+/g, 'agent-contract <version>')
    .replaceAll(
      /\b\d{2,}(?= (?:passed|not judged|could not|of \d|checks|choices|typed|documented|were seen|results\b))/g,
      '<count>',
    )
    .replaceAll(/\b(of|only) \d{2,}\b/g, '$1 <count>')
    .replaceAll(/[^\S\n]+$/gm, '')
    .trim();
}

/** In an output, or in a text about it. */
const MOST_LINES = 60;

/**
 * How an output differs from the one on a page; `undefined` if it does not. Instants, durations, generated identifiers,
 * loopback ports, our version, and counts of two or more digits may differ. On a page, `…` stands for any text within a
 * line, and alone on a line for any lines.
 */
export function textDifference(shown: string, written: string): string | undefined {
  const lines = steady(shown).split('\n');
  const pattern = lines
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literal).join('.*')}\\n`))
    .join('');
  const text = steady(written);
  if (new RegExp(`^${pattern}$`).test(`${text}\n`)) return undefined;
  // If `…` does not match at once, the whole output is shown, so no search for the first difference is needed.
  const first = lines.findIndex(
    (line) => line.trim() !== '…' && !new RegExp(`^${line.split('…').map(literal).join('.*')}$`, 'm').test(text),
  );
  const place =
    first === -1 ? 'the lines come in another order' : `nothing is like line ${first + 1}: ${lines[first] ?? ''}`;
  return `${place}\n--- written, at its end\n${written.trim().split('\n').slice(-MOST_LINES).join('\n')}`;
}

/** How JSON differs from that on a page: it may have more members, and `…` stands for any text, or any items. */
export function jsonDifference(shown: unknown, written: unknown, at = ''): string | undefined {
  if (shown === '…' || shown === written) return undefined;
  if (typeof shown === 'string' && typeof written === 'string' && textDifference(shown, written) === undefined)
    return undefined;
  const isSameKind = Array.isArray(shown) === Array.isArray(written) && typeof shown === typeof written;
  if (typeof shown !== 'object' || shown === null || written === null || !isSameKind)
    return `${at}: ${JSON.stringify(written)}`;
  if (Array.isArray(shown) && Array.isArray(written)) {
    const isOpen = shown.at(-1) === '…';
    const fits = isOpen ? written.length >= shown.length - 1 : written.length === shown.length;
    if (!fits) return `${at}: ${written.length} items`;
  }
  return Object.entries(shown)
    .filter(([key, value]) => key !== '…' && value !== '…')
    .map(([key, value]) => jsonDifference(value, (written as Readonly<Record<string, unknown>>)[key], `${at}/${key}`))
    .find((difference) => difference !== undefined);
}
