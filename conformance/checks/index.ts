import type { Check, CheckRow } from '../check.ts';
import { endpointChecks } from '../generated/checks.ts';
import { endpointIds, violationIds, violations } from '../../spec/index.ts';
import { doesNotFail } from './failing.ts';
import { authenticationChecks } from './authentication.ts';

const rows: readonly CheckRow[] = [...endpointChecks, ...authenticationChecks, ...endpointIds.map(doesNotFail)];
const named = new Set(rows.flatMap(({ provenBy = [] }) => provenBy));

/** The violations that no check names, of what a check verifies: those at its endpoint, or where no other check would see them. */
function breaking({ id, endpoint, verifies }: CheckRow): Check['provenBy'] {
  const [first, ...others] = violationIds.filter((violation) => {
    const { breaks, at } = violations[violation];
    if (named.has(violation) || !verifies.includes(breaks)) return false;
    return at.includes(endpoint) || !rows.some((row) => at.includes(row.endpoint) && row.verifies.includes(breaks));
  });
  if (first === undefined) throw new Error(`No violation makes the check ${id} fail.`);
  return [first, ...others];
}

/** Every check, in the order in which it is reported. */
export const checks: readonly Check[] = rows.map((row) => ({ ...row, provenBy: row.provenBy ?? breaking(row) }));
