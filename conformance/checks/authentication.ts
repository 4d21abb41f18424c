import { endpointIds, endpoints, type EndpointId, type RequirementId } from '../../spec/index.ts';
import { wrongCredentials } from '../probes/plan.ts';
import { addFailure, type CheckRow } from '../check.ts';
import { present } from '../collections.ts';
import type { Probe } from '../probes/probe.ts';
import flaws from '../history/facts/credential-flaws.json';
import { credentialFlaws, type CredentialFlaw, type Unrefused } from '../history/facts/credentials.ts';
import { refusalGivesNothing } from './refusal-gives-nothing.ts';

interface Row {
  readonly verifies: RequirementId;
  /** Completes "Create agent refuses". */
  readonly refuses: string;
  /** Completes "the request", if the request does not say it itself. */
  readonly differs: string;
  /** What is accepted, where another way breaks the same requirement. */
  readonly accepted?: readonly ('similar-token' | 'token-in-query' | 'token-in-other-header' | 'cookie')[];
  /** If these are served too, the credentials of this way make no difference. */
  readonly unlessServed?: CredentialFlaw;
}

const rows = flaws as Readonly<Record<CredentialFlaw, Row>>;

/** Section 5: every endpoint refuses a caller without an issued token. */
export const authenticationChecks: readonly CheckRow[] = endpointIds.flatMap((endpoint): readonly CheckRow[] => {
  const probe = wrongCredentials(endpoint);
  return [...credentialFlaws.map((flaw) => refuses(endpoint, flaw, probe)), refusalGivesNothing(endpoint, probe)];
});

function refuses(endpoint: EndpointId, flaw: CredentialFlaw, probe: Probe): CheckRow {
  const { verifies, refuses: what, differs: usual, accepted, unlessServed } = rows[flaw];
  const [first, ...others] = accepted ?? [];
  return {
    id: `${endpoint}-refuses-${flaw}`,
    title: `${endpoints[endpoint].title} refuses ${what}`,
    endpoint,
    verifies: [verifies],
    provenBy: first && [`${endpoint}-accepts-${first}`, ...others.map((one) => `${endpoint}-accepts-${one}` as const)],
    probes: [probe],
    judge: ({ credentials, failures }) => ({
      conclude(verdict) {
        const { served, silent, refused, unconfirmed } = credentials.seen(endpoint, flaw);
        if (unlessServed && served.length > 0 && credentials.seen(endpoint, unlessServed).served.length > 0) {
          const other = rows[unlessServed].differs;
          verdict.missing = { reason: `The request ${other} is served too, so this one shows nothing more.` };
          return;
        }
        verdict.judged = refused;
        const sizeOf = ({ excerpt: { request } }: Unrefused): number =>
          request.url.split('=').length + Object.keys(request.headers).length;
        const plainestFirst = served.toSorted((one, other) => sizeOf(one) - sizeOf(other));
        for (const { excerpt, twin, differs = usual } of plainestFirst)
          addFailure(verdict, {
            expected: `the request ${differs} is refused`,
            actual: `it was accepted with ${excerpt.status ?? 'no status'}`,
            exchanges: present(twin, excerpt),
          });
        // Where others are cut off now and then, two that are cut off may be an accident.
        if (silent && failures.sometimes().length === 0)
          addFailure(verdict, {
            expected: `the request ${usual} is answered, and refused`,
            actual: `no answer, twice, while requests with the right token are answered: ${silent.at(-1)?.failure ?? ''}`,
            exchanges: silent,
          });
        if (refused === 0 && unconfirmed.length > 0)
          verdict.missing = {
            reason:
              'After wrong credentials the target accepted no request with the right token, so refusals prove nothing.',
          };
      },
    }),
  };
}
