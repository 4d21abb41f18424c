import { violationIds, type ViolationId } from '../../spec/index.ts';
import type { CheckRow, Judge, Missing } from '../check.ts';
import type { Facts } from '../history/facts/facts.ts';
import { probesNamed } from '../probes/plan.ts';
import table from './checks.json';

type Table = typeof table;

/** What a row of `checks.json` says of a check. In names of violations, `*` stands for any end. */
interface Row {
  readonly title: string;
  readonly verifies: readonly string[];
  /** Default: the violations that no row names, of what it verifies. */
  readonly provenBy?: readonly string[];
  readonly alsoFailsOn?: readonly string[];
  readonly probes: readonly string[];
  readonly missing?: Missing;
}

/** How the fact of each row of an endpoint is judged. */
type Judges<Endpoint extends keyof Table> = Readonly<
  Record<keyof Table[Endpoint], (facts: Facts, endpoint: Endpoint) => Judge>
>;

/** The checks of an endpoint: its rows in `checks.json`, with what judges each. */
export function checksOf<Endpoint extends keyof Table>(
  endpoint: Endpoint,
  judges: Judges<Endpoint>,
): readonly CheckRow[] {
  const rows = Object.entries<Row>(table[endpoint]) as [keyof Table[Endpoint] & string, Row][];
  return rows.map(([id, { verifies, provenBy, alsoFailsOn, probes, ...row }]) => ({
    ...row,
    id,
    endpoint,
    verifies: verifies as unknown as CheckRow['verifies'],
    provenBy: violationsNamed(provenBy) as CheckRow['provenBy'],
    alsoFailsOn: violationsNamed(alsoFailsOn),
    probes: probesNamed(probes, endpoint),
    judge: (facts) => judges[id](facts, endpoint),
  }));
}

function violationsNamed(names: readonly string[] | undefined): readonly ViolationId[] | undefined {
  const found = names?.flatMap((name) => {
    const ids = violationIds.filter((id) => id === name || (name.endsWith('*') && id.startsWith(name.slice(0, -1))));
    if (ids.length === 0) throw new Error(`There is no violation "${name}".`);
    return ids;
  });
  return found && [...new Set(found)];
}
