import { valueFor } from '../collections.ts';
import { baseUrlWithout } from './recorded.ts';
import { createRedactor, type Secret } from './redact.ts';
import type { Report } from './report.ts';
import { withoutPasswords } from '../../text/secret-names.ts';
import { bodyNames } from './without-values.ts';
import words from './words.json';

/**
 * Where the texts of a report come from; `*` stands for any index or name. `ours` are texts of the program, `sentence`
 * are ours with quotations, and `json` came over the wire with the contract's names. All others came from outside. Foreign parts
 * of a request were replaced when it was recorded.
 */
const WORDS = words as Readonly<Record<string, 'ours' | 'sentence' | 'json'>>;

/** The only object of a report whose names come from outside. */
const FOREIGN_NAMES = 'checks.*.failure.exchanges.*.headers';

/** A copy without secrets. The program's own texts stay the same, whatever the secrets are. */
export function redactReport(report: Report, secrets: readonly Secret[]): Report {
  const redactor = createRedactor(secrets);
  const known = new Map<string, string>();
  /** Names and words of ours occur again and again. */
  const ours = (text: string): string => valueFor(known, text, () => redactor.ours(text));
  const string = (text: string, path: string): string => {
    if (path === 'target.baseUrl') return baseUrlWithout(redactor.text, text);
    const kind = WORDS[path] ?? WORDS[path.replace(/[^.]+$/, '*')];
    if (kind === 'ours') return ours(text);
    if (kind === 'sentence') return withoutCutSecret(redactor.sentence(withoutPasswords(text)), secrets);
    return withoutCutSecret(kind === 'json' ? inJson(text, redactor.text) : redactor.text(text), secrets);
  };
  const walk = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return string(value, path);
    const above = path && `${path}.`;
    if (Array.isArray(value)) return value.map((item: unknown) => walk(item, `${above}*`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]: [string, unknown]) => [
        path === FOREIGN_NAMES ? redactor.text(name) : ours(name),
        walk(item, `${above}${name}`),
      ]),
    );
  };
  // The error of a broken runner may hold anything.
  const checks = report.checks.map((check) =>
    check.status === 'error' && check.reason !== undefined ? { ...check, reason: redactor.text(check.reason) } : check,
  );
  return walk({ ...report, checks }, '') as Report;
}

const DOCUMENTED_NAME = new RegExp(`("(?:${bodyNames.join('|')})"\\s*:)`);

/** JSON from the wire, maybe cut off. Documented names are those of the contract, and stay. */
const inJson = (body: string, text: (part: string) => string): string =>
  body
    .split(DOCUMENTED_NAME)
    .map((part, index) => (index % 2 === 0 ? text(part) : part))
    .join('');

/** If a text was cut in the middle of a secret, the rest of the secret is no longer found by its value. */
function withoutCutSecret(text: string, secrets: readonly Secret[]): string {
  const [end] = /…"?$/.exec(text) ?? [];
  if (end === undefined) return text;
  for (const { value, placeholder = '$TOKEN' } of secrets)
    for (let length = value.length - 1; length >= 4; length--)
      if (text.endsWith(value.slice(0, length) + end))
        return `${text.slice(0, -length - end.length)}${placeholder}${end}`;
  return text;
}
