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
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escaped).join('.*')}\\n`))
    .join('');
  const text = steady(written);
  if (new RegExp(`^${pattern}$`).test(`${text}\n`)) return undefined;
  // If `…` does not match at once, the whole output is shown, so no search for the first difference is needed.
  const first = lines.findIndex(
    (line) => line.trim() !== '…' && !new RegExp(`^${line.split('…').map(escaped).join('.*')}$`, 'm').test(text),
  );
  const place =
    first === -1 ? 'the lines come in another order' : `nothing is like line ${first + 1}: ${lines[first] ?? ''}`;
  return `${place}\n--- written, at its end\n${written.trim().split('\n').slice(-MOST_LINES).join('\n')}`;
}

/** How JSON differs from that on a page: it may have more members, and `…` stands for any text, or any items. */
export function jsonDifference(shown: unknown, written: unknown, at = ''): string | undefined {
  if (shown === '…') return undefined;
  if (Array.isArray(shown)) {
    if (!Array.isArray(written)) return `${at}: ${JSON.stringify(written)} is no array`;
    const isOpen = shown.at(-1) === '…';
    const items: readonly unknown[] = isOpen ? shown.slice(0, -1) : shown;
    if (isOpen ? written.length < items.length : written.length !== items.length)
      return `${at}: ${written.length} items`;
    return first(items.map((item, i) => jsonDifference(item, (written as readonly unknown[])[i], `${at}/${i}`)));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof written !== 'object' || written === null) return `${at}: ${JSON.stringify(written)} is no object`;
    const members = written as Readonly<Record<string, unknown>>;
    return first(
      Object.entries(shown).map(([key, value]) =>
        key === '…' ? undefined : jsonDifference(value, members[key], `${at}/${key}`),
      ),
    );
  }
  if (typeof shown === 'string' && typeof written === 'string') {
    if (textDifference(shown, written) === undefined) return undefined;
    return `${at}: ${JSON.stringify(written)}`;
  }
  if (shown === written) return undefined;
  return `${at}: ${JSON.stringify(written)}`;
}

const first = (differences: readonly (string | undefined)[]): string | undefined =>
  differences.find((one) => one !== undefined);

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
