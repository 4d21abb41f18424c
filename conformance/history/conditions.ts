import { endpoints, isCreatingAgents, isReadingAgent } from '../../spec/index.ts';
import type { Form, FormName } from '../../http/form.ts';
import type { Exchange } from '../http/exchange.ts';
import { orNothing } from '../collections.ts';
import { field, isObject, stringAt } from '../json.ts';
import { counted } from '../show.ts';
import words from './condition-words.json';
import type { Facts } from './facts/facts.ts';

/** The exchanges on which a fact failed, and on which it held, by their `n`. */
export type Trace = Readonly<Record<'failed' | 'held', readonly number[]>>;

/** What an exchange asked for, and where it stood, in words that follow "requests". */
type Features = ReadonlySet<string>;

/** What seems to separate the exchanges on which a fact failed from those on which it held. */
export type Suspicion = Readonly<{ features: readonly string[]; trace: Trace }>;

/** Under which condition facts fail, from the features of the exchanges. */
export function createConditions({ agents }: Pick<Facts, 'agents'>) {
  const all = new Map<number, Features>();
  let isAfterCreation = false;
  let firstToConfirm = Infinity;
  const known = (ns: readonly number[]): readonly Features[] => [...new Set(ns)].flatMap((n) => all.get(n) ?? []);

  function featuresOf(exchange: Exchange): Features {
    const { endpoint, agentId, query, sent, answer, excerpt } = exchange;
    const { form = {} } = excerpt.request;
    const { does } = endpoints[endpoint];
    const features = new Set<string>();
    if (does === 'lists') {
      const given = new Map(query);
      for (const [name, [absent = '', present = '']] of Object.entries(words.parameters))
        features.add(given.has(name) ? present.replace('{value}', () => given.get(name) ?? '') : absent);
      if (query.length === 1 && given.has('cursor')) features.add('with a cursor alone');
    }
    if (agentId !== undefined) {
      const origin = agents.get(agentId)?.origin;
      if (origin !== undefined) features.add(words.origins[origin]);
      if (isReadingAgent(endpoint) && isAfterCreation) features.add('right after a creation');
    }
    const body = isCreatingAgents(endpoint) ? field(sent, 'agent') : sent;
    if (isObject(body)) for (const feature of featuresOfBody(body)) features.add(feature);
    for (const name of formNames) {
      const feature = FORMS[name]?.[form[name] ?? 'usual'];
      if (feature !== undefined) features.add(feature);
    }
    const encoding = answer?.headers['content-encoding'] ?? excerpt.headers?.['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      features.add(`that are answered in ${encoding.slice(0, 20)}`);
    return features;
  }

  return {
    see(exchange: Exchange): void {
      if (all.size < 2_000) all.set(exchange.n, featuresOf(exchange));
      isAfterCreation = exchange.method === 'POST' && exchange.answer?.accepted === true;
    },
    /** From now on exchanges confirm what is suspected. */
    confirm(): void {
      if (firstToConfirm === Infinity) firstToConfirm = Math.max(0, ...all.keys()) + 1;
    },
    suspicionOf(trace: Trace): Suspicion | undefined {
      const features = separating(known(trace.failed), known(trace.held));
      return features && { features, trace };
    },
    /** A sentence; `undefined` if too little is known. */
    of({ failed, held }: Trace): string | undefined {
      const sentence = sentenceFor(known(failed), known(held));
      const later = [...failed, ...held].filter((n) => n >= firstToConfirm).length;
      if (sentence === undefined || later === 0 || !separating(known(failed), known(held))) return sentence;
      return sentence.replace(/\.$/, `; confirmed by ${counted(later, 'request')}.`);
    },
  };
}

const FORMS: Readonly<Partial<Record<FormName, Readonly<Record<string, string>>>>> = words.forms;
const formNames = Object.keys(FORMS) as FormName[];

/** The unusual form that features name; `undefined` if they name none. */
export function formIn(features: readonly string[]): Form | undefined {
  const named = formNames.flatMap((name) => {
    const its = Object.entries(FORMS[name] ?? {}).find(([, says]) => features.includes(says));
    return its ? [[name, its[0]]] : [];
  });
  return orNothing(named) && (Object.fromEntries(named) as Form);
}

function* featuresOfBody(body: object): Generator<string> {
  for (const name of Object.keys(body).slice(0, 40)) yield `with ${name} in the body`;
  const name = stringAt(body, 'name') ?? '';
  if (/[^\0-\x7f]/.test(name)) yield 'whose name has a character beyond ASCII';
  if (/[\u{10000}-\u{10ffff}]/u.test(name)) yield 'whose name has a four-byte character';
  if (name.length > 100) yield 'whose name is longer than 100 characters';
  if (field(body, 'isPublished') === true) yield 'that ask to be published';
}

/** The smallest conjunction of at most two features that all failed exchanges have, and none that held. */
function separating(failed: readonly Features[], held: readonly Features[]): readonly string[] | undefined {
  if (held.length === 0) return undefined;
  const [first, ...others] = failed;
  const shared = [...(first ?? [])].filter((one) => others.every((features) => features.has(one)));
  const isApart = (...some: readonly string[]): boolean =>
    held.every((features) => !some.every((one) => features.has(one)));
  const single = shared.find((one) => isApart(one));
  if (single !== undefined) return [single];
  // Of a single exchange, some two of its features are always its own.
  if (failed.length < 2) return undefined;
  for (const [at, one] of shared.entries())
    for (const other of shared.slice(at + 1)) if (isApart(one, other)) return [one, other];
  return undefined;
}

function sentenceFor(failed: readonly Features[], held: readonly Features[]): string | undefined {
  const all = failed.length + held.length;
  if (failed.length === 0 || all === 1) return undefined;
  if (held.length === 0) return `All ${all} requests were wrong.`;
  const features = separating(failed, held)?.join(' ');
  if (features === undefined) return `Wrong in ${failed.length} of ${all} requests.`;
  const rest = held.length === 1 ? 'the other was right' : `all ${held.length} others right`;
  if (failed.length === 1) return `The only request ${features} was wrong, ${rest}.`;
  return `All ${failed.length} requests ${features} were wrong, ${rest}.`;
}
