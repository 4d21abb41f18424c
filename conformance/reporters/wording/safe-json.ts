import { UNSEEN, visible } from '../../report/redact.ts';

const LINES = Symbol('lines');

interface Lines {
  readonly [LINES]: readonly string[];
}

/** Texts that `safeJson` joins, each on its own line. */
export const lines = (texts: readonly string[]): Lines => ({ [LINES]: texts });

/** JSON with readable texts, each on its line, and control characters spelled out. Names keep the escapes of JSON. */
export function safeJson(value: unknown): string {
  const shown = (_name: string, item: unknown): unknown => {
    if (typeof item === 'string') return visible(item);
    const isLines = typeof item === 'object' && item !== null && LINES in item;
    return isLines ? (item as Lines)[LINES].map(visible).join('\n') : item;
  };
  return `${unseenEscaped(JSON.stringify(value, shown, 2))}\n`;
}

/** JSON without control characters other than line ends: JSON may hold the rest unescaped. */
export const unseenEscaped = (json: string): string =>
  json.replace(UNSEEN, (character) =>
    character.replace(/[^\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
