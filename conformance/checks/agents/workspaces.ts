import { endpoints } from '../../../spec/index.ts';
import { addFailure, type Judge } from '../../check.ts';
import { onlyOf, present } from '../../collections.ts';
import { createSeenPlaces } from '../../content/places.ts';
import { isSameValue } from '../../content/values.ts';
import { wordOf } from '../../history/facts/failures.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAccepted, isAnswered, isEntitled, type Answered, type Excerpt } from '../../http/exchange.ts';
import { field, isObject, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { createAcceptance } from './acceptance.ts';
import { shownNowhere } from './content.ts';
import { createLedger } from './ledger.ts';
import { refusalOf, refused, type Refusal } from './refusals.ts';

/** Judges that a created workspace has the name and the icon from the request. */
export function judgeWorkspaceContent({ strict, workspaces }: Facts): Judge {
  const ledger = createLedger('sent', 'workspace');
  const shown = createSeenPlaces();
  let example: Excerpt | undefined;
  return {
    see(exchange, verdict) {
      const { sent, excerpt, endpoint, open, caller } = exchange;
      if (endpoints[endpoint].holds !== 'workspace' || open || !isEntitled(caller) || !isAccepted(exchange)) return;
      example = excerpt;
      const workspace = field(exchange.answer.json, 'workspace');
      if (!isObject(workspace)) return;
      for (const name of ['name', 'icon']) {
        const [wanted, actual] = [field(sent, name), stringAt(workspace, name)];
        if (typeof wanted !== 'string' || wanted === '') continue;
        const at = { place: `/${name}`, at: `/${name}`, kind: name, empty: undefined };
        const difference = { ...at, expected: show(wanted), actual: show(actual) };
        // Of all workspaces together: what one answer lacks is not lost.
        if (actual === undefined) {
          ledger.lack('', { ...difference, is: 'absent' }, excerpt);
          continue;
        }
        shown.kinds.add(name);
        verdict.judged++;
        const [one, other] = [wanted, actual].map((text) => text.normalize('NFC').trim());
        if (!isSameValue([name], one, other, undefined)) ledger.other({ ...difference, is: 'another' }, [excerpt]);
      }
    },
    conclude(verdict) {
      verdict.findings.push(...ledger.findings(shown));
      verdict.findings.push(...shownNowhere(workspaces.neverShown(), strict, present(example)));
      const only = onlyOf(shown.kinds);
      if (only !== undefined) verdict.missing = { reason: `The answers show only the ${only}.` };
    },
  };
}

const OPTIONAL = { icon: 'an icon', slug: 'a slug' };

/** Judges that icon and slug are accepted beside the name, each in at least one form. */
export function judgeOptionalFields({ policy, traffic }: Facts): Judge {
  const accepted = new Map<string, number>();
  const acceptedForms = new Set<string>();
  const refusals: (Refusal & { readonly fields: readonly string[]; readonly form: string })[] = [];
  let nameAlone: Pick<Answered, 'begun' | 'excerpt'> | undefined;
  const formOf = (sent: unknown, name = ''): string => `${name} ${stringAt(sent, name)?.replaceAll(/[a-z\d]+/gi, 'x')}`;
  return {
    see(exchange) {
      const { endpoint, caller, open, sent, begun, excerpt } = exchange;
      if (endpoints[endpoint].holds !== 'workspace' || !isEntitled(caller) || open) return;
      if (!isAnswered(exchange) || typeof field(sent, 'name') !== 'string') return;
      const fields = Object.keys(OPTIONAL).filter((name) => typeof field(sent, name) === 'string');
      if (exchange.answer.accepted) {
        for (const name of fields) {
          accepted.set(name, begun);
          acceptedForms.add(formOf(sent, name));
        }
        if (fields.length === 0) nameAlone = { begun, excerpt };
      } else if (fields.length > 0 && refusals.length < 50)
        refusals.push({ ...refusalOf(exchange), fields, form: formOf(sent, fields[0]) });
    },
    conclude(verdict) {
      verdict.judged = accepted.size;
      for (const [name, words] of policy.isWilful ? [] : Object.entries(OPTIONAL)) {
        const later = refusals.filter(
          ({ fields, status, n }) =>
            fields.join() === name && wordOf(status) === 'refused' && n > (accepted.get(name) ?? -1),
        );
        // Who accepts an address as an icon may refuse a picture, at any time.
        const isOfOne = accepted.has(name) && new Set(later.map(({ form }) => form)).size === 1;
        const alone = later.filter(({ form }) => !isOfOne || acceptedForms.has(form));
        const last = alone.at(-1);
        // A later acceptance of a name alone shows whether a quota is used up.
        if (alone.length < 2 || !last || !nameAlone || last.n > nameAlone.begun) continue;
        const request = `Create workspace with a name and ${words}`;
        addFailure(verdict, {
          ...refused(request, last, [nameAlone.excerpt]),
          expected: `${request} is accepted, as with only a name`,
        });
      }
      const isTried = refusals.length > 0 || traffic.of('create-workspace').requests > 0;
      if (accepted.size === Object.keys(OPTIONAL).length || verdict.findings.length > 0 || !isTried) return;
      const supply = 'a token that may create workspaces';
      verdict.missing = { reason: 'No workspace could be created with only a name.', supply };
      if (nameAlone) verdict.missing = { reason: 'Not every optional field was accepted.', supply };
    },
  };
}

/** Judges that a created workspace accepts agents, as other workspaces do. */
export function judgeTakesAgents(facts: Facts): Judge {
  const { created, used } = facts.workspaces;
  const all = [createAcceptance(facts, 'create-agent'), createAcceptance(facts, 'import-agent')];
  return {
    see(exchange) {
      for (const acceptance of all) acceptance.see(exchange);
    },
    conclude(verdict) {
      verdict.judged += [...created].filter((id) => used.has(id)).length;
      for (const [{ workspaceId = '', status, excerpt }, twin] of all.flatMap((one) => one.unexplained()))
        if (created.has(workspaceId) && !used.has(workspaceId))
          addFailure(verdict, {
            expected: `the created workspace ${show(workspaceId)} accepts an agent, as another workspace does`,
            actual: `the answer was ${status}`,
            exchanges: [twin, excerpt],
          });
    },
  };
}
