import type { Finding, Missing, Verdict } from '../../check.ts';
import type { List } from '../../history/facts/lists.ts';
import type { Kept } from '../../http/exchange.ts';

/** Most findings that one check keeps; the rest say the same. */
const MAX_FINDINGS = 5;

/** Counts the judged things of a check, and keeps its first findings. */
export interface VerdictBuilder {
  judged(times?: number): void;
  found(finding: Finding): void;
  verdict(missing?: Missing): Verdict;
}

/** `missing` is reported if nothing was judged. */
export function createVerdict(): VerdictBuilder {
  const findings: Finding[] = [];
  let judged = 0;
  return {
    judged: (times = 1) => void (judged += times),
    found: (finding) => void (findings.length < MAX_FINDINGS && findings.push(finding)),
    verdict: (missing) => ({ findings, judged, missing: judged === 0 ? missing : undefined }),
  };
}

/** The exchanges of some pages of a list, each once. */
export const keptOf = ({ pages }: List, ...numbers: readonly number[]): readonly Kept[] =>
  [...new Set(numbers)].flatMap((number) => pages[number]?.kept ?? []);

export const AGENT_WITH_RESULTS = '--agent-id of an agent with results';
export const NO_SECOND_PAGE: Missing = {
  reason: 'No list had a second page.',
  supply: '--agent-id of an agent with more results',
};
