import type { NewAgentEndpoint } from '../../../spec/index.ts';
import { isObject, textOf, withFields, type Json, type JsonObject } from '../../../text/json.ts';
import { bodyOf, type Call } from '../../call.ts';
import type { Store } from '../../store/store.ts';
import { onlyFor, refuseValid, type Fault } from '../fault.ts';
import { itemsIn } from '../../store/agent-forms.ts';
import { each, list, onSent, sends, texts, values, type Change } from './content-faults.ts';

const textsNamed = (its: string, change: (text: string) => string): Change =>
  values((value, name) => (name === its && typeof value === 'string' ? change(value) : value));
const numbers = (change: (number: number) => Json): ((part: JsonObject) => JsonObject) =>
  values(
    (value) => change(Number(value)),
    (value) => typeof value === 'number',
  );

/** `values` changes lists from the inside out too. */
const lists = (change: (list: readonly Json[]) => readonly Json[]): ((part: JsonObject) => JsonObject) =>
  values((value) => [...change(value as readonly Json[])], Array.isArray);

const withOrigins =
  (more: (sent: readonly string[]) => readonly string[]) =>
  ({ allowedOrigins, ...others }: JsonObject): JsonObject => {
    const sent = [allowedOrigins ?? []].flat().map(textOf);
    return sent.length > 0 ? { ...others, allowedOrigins: [...sent, ...more(sent)] } : others;
  };

const blocks = (change: (block: JsonObject) => JsonObject): Change => each('groups', each('blocks', change));

/** Another value of what is an object at a path of names. */
function at(path: string, change: (value: JsonObject) => Json): (part: JsonObject) => JsonObject {
  const [name = '', ...below] = path.split('/');
  const changeBelow = below.length > 0 ? at(below.join('/'), change) : change;
  return (part) => (isObject(part[name]) ? { ...part, [name]: changeBelow(part[name]) } : part);
}

/** Of parts with the same key only the first. */
const firstOf = (parts: string, keyOf: (item: JsonObject) => string): Change =>
  list(parts, (all) => [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].toReversed());

function cut(value: Json, levels: number, rest: Json = null): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return rest;
  if (Array.isArray(value)) return value.map((item: Json) => cut(item, levels - 1, rest));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item, levels - 1, rest)]));
}

/** A fault for each change of what is sent, by the end of its name. Only requests that it changes count for a trigger. */
function faultsOf<Named extends string, End extends string>(
  named: Named,
  on: readonly NewAgentEndpoint[],
  changes: Readonly<Record<End, Change>>,
) {
  const all = Object.entries<Change>(changes).map(([end, change]): readonly [string, Fault] => {
    const fault = onSent(on, change);
    const isChanged = (call: Call, store: Store): boolean =>
      JSON.stringify(bodyOf(fault.request?.(call, store) ?? call)) !== JSON.stringify(bodyOf(call));
    return [`${named}-${end}`, { ...fault, about: isChanged }];
  });
  return Object.fromEntries(all) as Record<`${Named}-${End}`, Fault>;
}

function refusesTexts(on: NewAgentEndpoint, part: string, isRefused: (text: string) => boolean): Fault {
  const holds = (value: Json | undefined): boolean => {
    if (typeof value === 'string') return isRefused(value);
    return typeof value === 'object' && value !== null && Object.values(value).some(holds);
  };
  return onlyFor(sends((agent) => holds(agent[part])))(refuseValid(on));
}

export const refusesTheWordNull = refusesTexts('create-agent', 'groups', (text) => text === 'null');
export const refusesFourByteTexts = refusesTexts('import-agent', 'groups', (text) =>
  /[\u{10000}-\u{10ffff}]/u.test(text),
);

export const refusesTags = refusesTexts('import-agent', 'tags', () => true);
export const refusesItemsOfEdges = onlyFor(
  sends((agent) => itemsIn(agent, 'edges').some(({ from }) => isObject(from) && 'itemId' in from)),
)(refuseValid('create-agent'));

export const createAgentValueFaults = faultsOf('create-agent', ['create-agent'], {
  'strips-quotes': texts((text) => text.replaceAll(/["'\\]/g, '')),
  'decodes-percent': texts((text) => text.replaceAll('%41', 'A')),
  'fills-in-braces': texts((text) => text.replaceAll(/\{\{\w+\}\}/g, '')),
  'strips-marks': texts((text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  'takes-the-word-null-for-nothing': texts(() => '', /^null$/),
  'drops-signs': numbers(Math.abs),
  'cuts-groups': list('groups', (groups) => groups.slice(0, 100)),
  'merges-equal-titles': firstOf('groups', ({ title }) => textOf(title)),
  'cuts-levels': each('groups', (group) => cut(group, 20) as JsonObject),
  'sorts-columns': at('resultsTablePreferences', (table) => {
    const columns = [table['columnsOrder'] ?? []].flat();
    return { ...table, columnsOrder: columns.toSorted((one, other) => textOf(one).localeCompare(textOf(other))) };
  }),
});

export const importAgentValueFaults = faultsOf('import-agent', ['import-agent'], {
  'turns-plus-to-space': texts((text) => text.replaceAll('+', ' ')),
  'flattens-whitespace': texts((text) => text.replaceAll(/[\t\n]/g, ' ')),
  'lowers-addresses': texts((text) => text.replaceAll(/(?<!\S)\S+@\S+/g, (word) => word.toLowerCase())),
  'rounds-digits': texts((text) => String(Number(text)), /^\d{10,}$/),
  'rounds-decimals': numbers(Math.round),
  'limits-numbers': numbers((number) => Math.min(number, 2 ** 31 - 1)),
  'drops-empty-groups': list('groups', (groups) => groups.filter((group) => [group['blocks'] ?? []].flat().length > 0)),
  'ignores-case-of-ids': firstOf('groups', ({ id }) => textOf(id).toLowerCase()),
  'reverses-choices': blocks((block) =>
    Array.isArray(block['items']) ? { ...block, items: block['items'].toReversed() } : block,
  ),
  'publishes-drafts': (agent) => (agent['isPublished'] === false ? { ...agent, isPublished: true } : agent),
});

const both = ['create-agent', 'import-agent'] as const;

/** What both endpoints lose, so that no answer shows it. */
export const newAgentFaultsOfBoth = {
  'new-agents-lose-starts-of-edges': onSent(
    both,
    each('edges', (edge) => withFields(edge, { from: {} })),
  ),
  ...faultsOf('new-agents', both, {
    'merge-equal-items': blocks(lists((all) => [...new Map(all.map((item) => [JSON.stringify(item), item])).values()])),
    'drop-null-items': blocks(lists((all) => all.filter((item) => item !== null))),
    'write-null-items-as-texts': blocks(lists((all) => all.map((item) => item ?? ''))),
    'lose-last-columns': at('resultsTablePreferences', (table) => ({
      ...table,
      columnsOrder: [table['columnsOrder'] ?? []].flat().slice(0, -1),
    })),
    'flatten-lists': blocks(lists((all) => all.flat() as readonly Json[])),
    'write-numbers-as-texts': blocks(numbers(String)),
    'lose-links-of-blocks': blocks(({ outgoingEdgeId: _edge, ...block }) => block),
    'write-widths-as-texts': at('resultsTablePreferences', numbers(String)),
    'double-edges': list('edges', (all) => [...all, ...all.map((one) => ({ ...one, id: `${textOf(one['id'])}2` }))]),
    'lose-huge-numbers': blocks(values((value) => (Number(value) >= 1e21 ? null : value))),
    'add-times-to-dates': blocks(texts((text) => `${text}T00:00:00Z`, /^2024-02-29$/)),
    'write-line-feeds': blocks(texts((text) => text.replaceAll('\r\n', '\n'))),
    'collapse-spaces': blocks(texts((text) => text.replaceAll(/  +/g, ' '))),
    'compose-texts': blocks(texts((text) => text.normalize('NFC'))),
    // oxlint-disable-next-line no-control-regex
    'drop-control-characters': blocks(texts((text) => text.replaceAll(/[\0-\x08]/g, ''))),
    'cut-long-texts': blocks(texts((text) => text.slice(0, 4096))),
    'cut-long-names': (agent) => ({ ...agent, name: textOf(agent['name']).slice(0, 255) }),
    'cut-variables': list('variables', (all) => all.slice(0, 20)),
    'merge-names-of-any-case': firstOf('variables', ({ name }) => textOf(name).toLowerCase()),
    'keep-one-event': list('events', (all) => all.slice(0, 1)),
    'keep-few-types-of-blocks': each(
      'groups',
      list('blocks', (all) => all.filter(({ type }) => type !== 'image')),
    ),
    'take-numbered-names-for-lists': blocks(at('content/steps', (steps) => Object.values(steps))),
    'take-words-for-truths': texts((text) => ({ no: 'false', yes: 'true' })[text] ?? text),
    'write-decimals-anew': texts(() => '1.5', /^1\.50$/),
    'take-commas-for-points': texts((text) => text.replace(/^(\d+),(\d+)$/, '$1.$2')),
    'decode-texts': texts(() => 'a b&c', /^a%20b%26c$/),
    'read-texts-as-json': blocks(values(() => ({ a: [1] }), '{"a":[1]}')),
    'fill-in-dollars': texts((text) => text.replaceAll(/\$[\d&']/g, '')),
    'encrypt-addresses': texts((text) => text.replace(/^http:/, 'https:')),
    'let-in-any-origin': at(
      'settings/security',
      withOrigins(() => ['*']),
    ),
    'let-in-http-origins': at(
      'settings/security',
      withOrigins((sent) =>
        sent.filter((origin) => origin.startsWith('https:')).map((origin) => origin.replace('https:', 'http:')),
      ),
    ),
    'cut-queries-of-pictures': at('theme/chat/hostAvatar', (avatar) =>
      withFields(avatar, { url: textOf(avatar['url']).replace(/\?.*/s, '') }),
    ),
    'rename-a-field': at('theme/chat/container/border', ({ roundeness = null, ...border }) => ({
      ...border,
      roundness: roundeness,
    })),
    'write-types-in-capitals': each('events', (event) => ({ ...event, type: textOf(event['type']).toUpperCase() })),
    'cut-times': textsNamed('expiresAt', (text) => text.slice(0, 10)),
    'drop-zones': textsNamed('expiresAt', (text) => text.replace(/(?:Z|[+-]\d\d:\d\d)$/, '')),
    'join-words-of-styles': textsNamed('customCss', (text) => text.replaceAll(/\s+/g, '')),
    'cut-long-styles': textsNamed('customCss', (text) => text.slice(0, 1000)),
    'cut-long-code': textsNamed('customHeadCode', (text) => text.slice(0, 4096)),
    'drop-blocks-of-other-types': each('groups', (group) => ({ ...group, blocks: [...itemsIn(group, 'blocks')] })),
    'round-block-numbers': blocks(numbers(Math.fround)),
    'write-headers-in-lower-case': blocks(
      at('content/headers', (headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ),
    ),
    'drop-dotted-columns': at('resultsTablePreferences/columnsWidth', (widths) =>
      Object.fromEntries(Object.entries(widths).filter(([name]) => !name.includes('.'))),
    ),
    'lose-deep-levels': blocks((block) => cut(block, 8, {}) as JsonObject),
  }),
};
