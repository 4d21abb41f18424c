import { typedLocations } from '../../spec/index.ts';
import { baseUrlWithout } from './recorded.ts';
import { createRedactor, type Redactor, type Secret } from './redact.ts';
import type { Report } from './report.ts';

/**
 * Whose words stand where in a report; `*` stands for any index or name. `ours` are the program's, `sentence` are ours
 * with quotations, `json` came over the wire under the names of the contract. Everything else came from outside.
 */
const WORDS: Readonly<Record<string, 'ours' | 'sentence' | 'json'>> = {
  'tool.*': 'ours',
  startedAt: 'ours',
  outcome: 'ours',
  summary: 'sentence',
  'checks.*.id': 'ours',
  'checks.*.title': 'ours',
  'checks.*.endpoint': 'ours',
  'checks.*.status': 'ours',
  'checks.*.requirements.*.*': 'ours',
  'checks.*.provenBy.*.*': 'ours',
  'checks.*.reason': 'sentence',
  'checks.*.supply': 'ours',
  'checks.*.failure.expected': 'sentence',
  'checks.*.failure.actual': 'sentence',
  'checks.*.failure.at': 'ours',
  'checks.*.failure.more.*.expected': 'sentence',
  'checks.*.failure.more.*.actual': 'sentence',
  'checks.*.failure.more.*.at': 'ours',
  // What of a request is not ours was replaced when it was recorded.
  'checks.*.failure.exchanges.*.curl': 'ours',
  'checks.*.failure.exchanges.*.method': 'ours',
  'checks.*.failure.exchanges.*.url': 'ours',
  'checks.*.failure.exchanges.*.requestHeaders.*': 'ours',
  'checks.*.failure.exchanges.*.requestBody': 'ours',
  'checks.*.failure.exchanges.*.body': 'json',
  'checks.*.failure.exchanges.*.failure': 'sentence',
  'observations.*.seen': 'sentence',
  'observations.*.*': 'ours',
  'observedProfile.*': 'ours',
  'checks.*.failure.requirement': 'ours',
  'causes.*.requirement': 'ours',
  'causes.*.expected': 'sentence',
  'causes.*.actual': 'sentence',
  'causes.*.at': 'ours',
  'causes.*.checks.*': 'ours',
  'serverErrors.shown.*.*': 'ours',
  'evidence.*.schema': 'ours',
  'evidence.*.neverSeen.*': 'ours',
  'created.*.kind': 'ours',
  'traffic.leftOut.*.reason': 'ours',
};

/** The only object of a report whose names come from outside. */
const FOREIGN_NAMES = 'checks.*.failure.exchanges.*.headers';

/** A copy without secrets, in which what the program says on its own account is the same whatever they are. */
export function redactReport(report: Report, secrets: readonly Secret[]): Report {
  const redactor = createRedactor(secrets);
  const string = (text: string, path: string): string => {
    if (path === 'target.baseUrl') return baseUrlWithout(redactor.text, text);
    switch (WORDS[path] ?? WORDS[path.replace(/[^.]+$/, '*')] ?? 'foreign') {
      case 'ours':
        return redactor.ours(text);
      case 'sentence':
        return withoutCutSecret(redactor.sentence(text), secrets);
      case 'json':
        return withoutCutSecret(inJson(text, redactor), secrets);
      case 'foreign':
        return withoutCutSecret(redactor.text(text), secrets);
    }
  };
  const walk = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return string(value, path);
    const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
    if (Array.isArray(value)) return value.map((item: unknown) => walk(item, below('*')));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]: [string, unknown]) => [
        path === FOREIGN_NAMES ? redactor.text(name) : redactor.ours(name),
        walk(item, below(name)),
      ]),
    );
  };
  // Where the runner broke, what the error says may come from anywhere.
  const checks = report.checks.map((check) =>
    check.status === 'error' && check.reason !== undefined ? { ...check, reason: redactor.text(check.reason) } : check,
  );
  return walk({ ...report, checks }, '') as Report;
}

/** Every documented field, as the name that a JSON object gives it. */
const DOCUMENTED_NAMES = new RegExp(
  `("(?:${[...new Set(Object.values(typedLocations).flatMap((of) => of.flatMap(({ pointer }) => pointer.split('/').filter((name) => /^\\w+$/.test(name)))))].join('|')})"\\s*:)`,
);

/** JSON from the wire, perhaps cut off. Documented names are those of the contract, and stay. */
const inJson = (body: string, { text }: Redactor): string =>
  body
    .split(DOCUMENTED_NAMES)
    .map((part, index) => (index % 2 === 0 ? text(part) : part))
    .join('');

/** Where a text was shortened in the middle of a secret, what is left of it is no longer found by its value. */
function withoutCutSecret(text: string, secrets: readonly Secret[]): string {
  const [end] = /…"?$/.exec(text) ?? [];
  if (end === undefined) return text;
  for (const { value, placeholder = '$TOKEN' } of secrets)
    for (let length = value.length - 1; length >= 4; length--)
      if (text.endsWith(value.slice(0, length) + end))
        return `${text.slice(0, -length - end.length)}${placeholder}${end}`;
  return text;
}
