import { endpointIds, endpoints, gapIds, gaps, requirements, type EndpointId } from '../spec/index.ts';
import { templateOf } from '../spec/json-pointer.ts';
import { UsageError } from '../conformance/usage-error.ts';
import { findingsOf } from '../conformance/report/findings.ts';
import { misfitsOf } from '../conformance/report/json-schema.ts';
import type { Report } from '../conformance/report/report.ts';
import { locationsOf } from '../mock/faults/shape.ts';
import { visible } from '../text/visible.ts';
import reportSchema from './client-report.schema.json';
import type { ClientNeeds, EndpointNeeds } from './report.ts';

/** Whether a server gives a client what it needs, and why not, or what is not known. */
export interface Deployment {
  readonly client: string;
  readonly server: string;
  readonly answer: 'yes' | 'no' | 'unknown';
  /** What the server does otherwise. */
  readonly missing: readonly string[];
  /** What the report does not tell, and what to run. */
  readonly unknown: readonly string[];
}

/** Whether the server of a report gives all that a client needs. */
export function canDeploy(needs: ClientNeeds, report: Report): Deployment {
  const missing = new Set<string>();
  const unknown: string[] = [];
  if (needs.undecided !== undefined)
    unknown.push(
      `The needs are not complete: ${needs.undecided} choices, faults or fields were not decided. Run client without --time and --sample.`,
    );
  for (const endpoint of endpointIds) {
    const need = needs.endpoints[endpoint];
    if (need) aboutEndpoint(endpoint, need, report, { missing, unknown });
  }
  for (const gap of gapIds) {
    const fails = needs.worksNotWith[gap];
    if (!fails) continue;
    const { choice } = report.observations.find((one) => one.gap === gap) ?? {};
    if (choice === undefined)
      unknown.push(
        `${gap}: ${gaps[gap].question} Nothing that was asked shows it. Run check on the whole server, with an agent that has results.`,
      );
    else if (fails.includes(choice)) missing.add(`${gap}: the server answers with ${choice}, and the client cannot.`);
  }
  for (const id of needs.requirements) {
    const about = report.checks.filter(({ requirements: of }) => of.some((one) => one.id === id));
    const failed = about.find(({ status, failure }) => status === 'fail' && (failure?.requirement ?? id) === id);
    const { section, statement } = requirements[id];
    if (failed) missing.add(`${failed.id}: ${statement} (section ${section}) The server breaks that.`);
    else if (!about.some(({ status }) => status === 'pass')) {
      const { supply = '', reason = 'Run check on the whole server.' } =
        about.find((one) => one.supply) ?? about.find((one) => one.reason) ?? {};
      unknown.push(`${id}: not judged. ${supply ? `Supply ${supply}.` : reason}`);
    }
  }
  let answer: Deployment['answer'] = 'yes';
  if (unknown.length > 0) answer = 'unknown';
  if (missing.size > 0) answer = 'no';
  return { client: needs.client, server: report.target.baseUrl, answer, missing: [...missing], unknown };
}

/** Whether a server shows the fields of an endpoint, by its failures and by the places that were seen. */
function aboutEndpoint(
  endpoint: EndpointId,
  { fields }: EndpointNeeds,
  { checks, evidence }: Report,
  { missing, unknown }: { readonly missing: Set<string>; readonly unknown: string[] },
): void {
  const { title, response } = endpoints[endpoint];
  const seen = evidence.find(({ schema }) => schema === response);
  const broken = checks
    .filter((one) => one.endpoint === endpoint && one.status === 'fail')
    .flatMap((one) => findingsOf(one))
    .flatMap(({ at }) => at ?? [])
    .map(templateOf);
  const places = locationsOf(endpoint).map(({ pointer }) => pointer);
  const unseen: string[] = [];
  for (const [field, ways] of Object.entries(fields)) {
    const within = places.filter((place) => place.startsWith(`${field}/`));
    if (broken.includes(field)) missing.add(`${title}: ${field} is not as documented.`);
    // Nothing below the body was seen: it is of another version, say.
    else if (!seen || seen.seenValid < 2) unseen.push(field);
    else if (!seen.neverSeen.includes(field)) {
      const isHollow = within.length > 0 && within.every((place) => seen.neverSeen.includes(place));
      if (isHollow && ways.includes('empty')) unseen.push(`what ${field} holds`);
    } else if (ways.includes('absent')) {
      const around = field.replace(/\/[^/]*$/, '');
      if (!places.includes(around) || seen.neverSeen.includes(around)) unseen.push(field);
      else missing.add(`${title}: ${field} is in no answer that was seen.`);
    }
  }
  if (unseen.length > 0)
    unknown.push(`${title}: nothing is known of ${unseen.join(', ')}. Run check with an agent that has them.`);
}

const needsSchema = { $ref: '#/$defs/clientNeeds', $defs: reportSchema.$defs };

/** The content of a needs file, even of a later version with more properties. `label` begins the message. @throws UsageError */
export function readNeeds(value: unknown, label: string): ClientNeeds {
  const [wrong] = misfitsOf(needsSchema, value).filter(({ keyword }) => keyword !== 'additionalProperties');
  if (wrong)
    throw new UsageError(
      `${label} is not a needs file: ${visible(`${wrong.at || 'it'} ${wrong.says}`)}. ` +
        '"agent-contract client --needs FILE -- <test command>" writes one.',
    );
  const needs = value as ClientNeeds;
  const unknown = [
    ...Object.keys(needs.endpoints).filter((id) => !endpointIds.some((known) => known === id)),
    ...Object.keys(needs.worksNotWith).filter((id) => !gapIds.some((known) => known === id)),
    ...needs.requirements.filter((id) => !Object.hasOwn(requirements, id)),
  ];
  if (unknown.length > 0)
    throw new UsageError(`${label} names ${visible(unknown.join(', '))}, which this version does not know.`);
  return needs;
}
