import type { NewAgentEndpoint } from '../../../spec/index.ts';
import { isObject, textOf, withFields, type Json, type JsonObject } from '../../../text/json.ts';
import { bodyOf, type Call } from '../../call.ts';
import type { Store } from '../../store/store.ts';
import { onlyFor, refuseValid, type Fault } from '../fault.ts';
import { eachItem, items, mappedFields, onSent, onTexts } from './content-faults.ts';

const onNumbers = (on: NewAgentEndpoint, change: (number: number) => number): Fault =>
  onSent(on, (agent) => mappedFields(agent, (value) => (typeof value === 'number' ? change(value) : value)));

const onGroups = (on: NewAgentEndpoint, change: (groups: readonly JsonObject[]) => readonly JsonObject[]): Fault =>
  onSent(on, (agent) => ('groups' in agent ? { ...agent, groups: [...change(items(agent, 'groups'))] } : agent));

function firstOf(groups: readonly JsonObject[], keyOf: (group: JsonObject) => string): readonly JsonObject[] {
  return [...new Map(groups.toReversed().map((group) => [keyOf(group), group])).values()].toReversed();
}

const onItems = (on: NewAgentEndpoint, change: (items: readonly Json[]) => readonly Json[]): Fault =>
  onSent(on, (agent) =>
    eachItem(agent, 'groups', (group) =>
      eachItem(group, 'blocks', (block) =>
        Array.isArray(block['items']) ? { ...block, items: [...change(block['items'])] } : block,
      ),
    ),
  );

function cut(value: Json, levels: number, rest: Json = null): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return rest;
  if (Array.isArray(value)) return value.map((item: Json) => cut(item, levels - 1, rest));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item, levels - 1, rest)]));
}

/** Only requests that they change count for a trigger. */
function whereTheyChange<Id extends string>(faults: Record<Id, Fault>): Record<Id, Fault> {
  const changes = (fault: Fault) => (call: Call, store: Store) => {
    const changed = fault.request?.(call, store) ?? call;
    return JSON.stringify(bodyOf(changed)) !== JSON.stringify(bodyOf(call));
  };
  const all = Object.entries<Fault>(faults).map(([id, fault]) => [id, onlyFor(changes(fault))(fault)] as const);
  return Object.fromEntries(all) as Record<Id, Fault>;
}

function refusesTexts(on: NewAgentEndpoint, part: string, isRefused: (text: string) => boolean): Fault {
  const holds = (value: Json | undefined): boolean => {
    if (typeof value === 'string') return isRefused(value);
    return typeof value === 'object' && value !== null && Object.values(value).some(holds);
  };
  return onlyFor((call) => {
    const body = bodyOf(call);
    return isObject(body) && isObject(body['agent']) && holds(body['agent'][part]);
  })(refuseValid(on));
}

export const refusesTheWordNull = refusesTexts('create-agent', 'groups', (text) => text === 'null');
export const refusesFourByteTexts = refusesTexts('import-agent', 'groups', (text) =>
  /[\u{10000}-\u{10ffff}]/u.test(text),
);

export const createAgentValueFaults = whereTheyChange({
  'create-agent-strips-quotes': onTexts('create-agent', (text) => text.replaceAll(/["'\\]/g, '')),
  'create-agent-decodes-percent': onTexts('create-agent', (text) => text.replaceAll('%41', 'A')),
  'create-agent-fills-in-braces': onTexts('create-agent', (text) => text.replaceAll(/\{\{\w+\}\}/g, '')),
  'create-agent-strips-marks': onTexts('create-agent', (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  'create-agent-takes-the-word-null-for-nothing': onTexts('create-agent', (text) => (text === 'null' ? '' : text)),
  'create-agent-drops-signs': onNumbers('create-agent', Math.abs),
  'create-agent-cuts-groups': onGroups('create-agent', (groups) => groups.slice(0, 100)),
  'create-agent-merges-equal-titles': onGroups('create-agent', (groups) =>
    firstOf(groups, ({ title }) => textOf(title)),
  ),
  'create-agent-cuts-levels': onSent('create-agent', (agent) =>
    eachItem(agent, 'groups', (group) => cut(group, 20) as JsonObject),
  ),
  'create-agent-sorts-columns': onSent('create-agent', (agent) => {
    const { resultsTablePreferences: table } = agent;
    if (!isObject(table) || !Array.isArray(table['columnsOrder'])) return agent;
    const columnsOrder = table['columnsOrder'].toSorted((one, other) => String(one).localeCompare(String(other)));
    return { ...agent, resultsTablePreferences: { ...table, columnsOrder } };
  }),
});

export const importAgentValueFaults = whereTheyChange({
  'import-agent-turns-plus-to-space': onTexts('import-agent', (text) => text.replaceAll('+', ' ')),
  'import-agent-flattens-whitespace': onTexts('import-agent', (text) => text.replaceAll(/[\t\n]/g, ' ')),
  'import-agent-lowers-addresses': onTexts('import-agent', (text) =>
    text.replaceAll(/\S+@\S+/g, (address) => address.toLowerCase()),
  ),
  'import-agent-rounds-digits': onTexts('import-agent', (text) =>
    /^\d{10,}$/.test(text) ? String(Number(text)) : text,
  ),
  'import-agent-rounds-decimals': onNumbers('import-agent', Math.round),
  'import-agent-limits-numbers': onNumbers('import-agent', (number) => Math.min(number, 2 ** 31 - 1)),
  'import-agent-drops-empty-groups': onGroups('import-agent', (groups) =>
    groups.filter((group) => items(group, 'blocks').length > 0),
  ),
  'import-agent-ignores-case-of-ids': onGroups('import-agent', (groups) =>
    firstOf(groups, ({ id }) => textOf(id).toLowerCase()),
  ),
  'import-agent-reverses-choices': onItems('import-agent', (choices) => choices.toReversed()),
  'import-agent-publishes-drafts': onSent('import-agent', (agent) =>
    agent['isPublished'] === false ? { ...agent, isPublished: true } : agent,
  ),
});

/** What both endpoints lose, so that no answer shows it. */
const onBoth = (change: (agent: JsonObject) => JsonObject): Fault => ({
  on: ['create-agent', 'import-agent'],
  request: (call, store) => onSent(call.endpoint as NewAgentEndpoint, change).request?.(call, store) ?? call,
});

const onBlocks = (change: (block: JsonObject) => JsonObject): Fault =>
  onBoth((agent) => eachItem(agent, 'groups', (group) => eachItem(group, 'blocks', change)));

const onScalars = (change: (value: Json) => Json): Fault => onBlocks((block) => mappedFields(block, change));

const onAllTexts = (change: (text: string) => string): Fault =>
  onBoth((agent) => mappedFields(agent, (value) => (typeof value === 'string' ? change(value) : value)));

const onBlockTexts = (change: (text: string) => string): Fault =>
  onScalars((value) => (typeof value === 'string' ? change(value) : value));

/** `mapped` changes lists from the inside out too. */
const onLists = (change: (list: readonly Json[]) => readonly Json[]): Fault =>
  onScalars((value) => (Array.isArray(value) ? [...change(value)] : value));

function withHeadersInLowerCase(block: JsonObject): JsonObject {
  const { content } = block;
  if (!isObject(content) || !isObject(content['headers'])) return block;
  const headers = Object.entries(content['headers']).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...block, content: { ...content, headers: Object.fromEntries(headers) } };
}

function withListOfSteps(block: JsonObject): JsonObject {
  const { content } = block;
  if (!isObject(content) || !isObject(content['steps'])) return block;
  return { ...block, content: { ...content, steps: Object.values(content['steps']) } };
}

const withVariables = (agent: JsonObject, change: (all: readonly JsonObject[]) => readonly JsonObject[]): JsonObject =>
  'variables' in agent ? { ...agent, variables: [...change(items(agent, 'variables'))] } : agent;

const withBlocks = (group: JsonObject, isKept: (block: JsonObject) => boolean): JsonObject =>
  'blocks' in group ? { ...group, blocks: items(group, 'blocks').filter(isKept) } : group;

const isNewIn = (list: readonly Json[], item: Json, i: number): boolean =>
  list.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === i;

function withoutDottedColumns(agent: JsonObject): JsonObject {
  const { resultsTablePreferences: table } = agent;
  if (!isObject(table) || !isObject(table['columnsWidth'])) return agent;
  const kept = Object.entries(table['columnsWidth']).filter(([name]) => !name.includes('.'));
  return { ...agent, resultsTablePreferences: { ...table, columnsWidth: Object.fromEntries(kept) } };
}

export const newAgentFaultsOfBoth = {
  'new-agents-lose-starts-of-edges': onBoth((agent) =>
    eachItem(agent, 'edges', (edge) => withFields(edge, { from: {} })),
  ),
  ...whereTheyChange({
    'new-agents-merge-equal-items': onLists((list) => list.filter((item, i) => isNewIn(list, item, i))),
    'new-agents-drop-null-items': onLists((list) => list.filter((item) => item !== null)),
    'new-agents-flatten-lists': onLists((list) => list.flat() as readonly Json[]),
    'new-agents-write-numbers-as-texts': onScalars((value) => (typeof value === 'number' ? String(value) : value)),
    'new-agents-lose-huge-numbers': onScalars((value) => (Number(value) >= 1e21 ? null : value)),
    'new-agents-add-times-to-dates': onBlockTexts((text) => (text === '2024-02-29' ? `${text}T00:00:00Z` : text)),
    'new-agents-write-line-feeds': onBlockTexts((text) => text.replaceAll('\r\n', '\n')),
    'new-agents-collapse-spaces': onBlockTexts((text) => text.replaceAll(/  +/g, ' ')),
    'new-agents-compose-texts': onBlockTexts((text) => text.normalize('NFC')),
    // oxlint-disable-next-line no-control-regex
    'new-agents-drop-control-characters': onBlockTexts((text) => text.replaceAll(/[\0-\x08]/g, '')),
    'new-agents-cut-long-texts': onBlockTexts((text) => text.slice(0, 4096)),
    'new-agents-cut-long-names': onBoth((agent) => ({ ...agent, name: textOf(agent['name']).slice(0, 255) })),
    'new-agents-cut-variables': onBoth((agent) => withVariables(agent, (all) => all.slice(0, 20))),
    'new-agents-merge-names-of-any-case': onBoth((agent) =>
      withVariables(agent, (all) => firstOf(all, ({ name }) => textOf(name).toLowerCase())),
    ),
    'new-agents-keep-few-types-of-blocks': onBoth((agent) =>
      eachItem(agent, 'groups', (group) => withBlocks(group, ({ type }) => type !== 'image')),
    ),
    'new-agents-take-numbered-names-for-lists': onBlocks(withListOfSteps),
    'new-agents-take-words-for-truths': onAllTexts((text) => ({ no: 'false', yes: 'true' })[text] ?? text),
    'new-agents-write-decimals-anew': onAllTexts((text) => (text === '1.50' ? '1.5' : text)),
    'new-agents-take-commas-for-points': onAllTexts((text) => text.replace(/^(\d+),(\d+)$/, '$1.$2')),
    'new-agents-decode-texts': onAllTexts((text) => (text === 'a%20b%26c' ? 'a b&c' : text)),
    'new-agents-read-texts-as-json': onScalars((value) => (value === '{"a":[1]}' ? { a: [1] } : value)),
    'new-agents-fill-in-dollars': onAllTexts((text) => text.replaceAll(/\$[\d&']/g, '')),
    'new-agents-encrypt-addresses': onAllTexts((text) => text.replace(/^http:/, 'https:')),
    'new-agents-cut-times': onBoth((agent) =>
      mappedFields(agent, (value, name) => (name === 'expiresAt' ? textOf(value).slice(0, 10) : value)),
    ),
    'new-agents-cut-long-styles': onBoth((agent) =>
      mappedFields(agent, (value, name) => (name === 'customCss' ? textOf(value).slice(0, 1000) : value)),
    ),
    'new-agents-write-headers-in-lower-case': onBlocks(withHeadersInLowerCase),
    'new-agents-drop-dotted-columns': onBoth(withoutDottedColumns),
    'new-agents-lose-deep-levels': onBlocks((block) => cut(block, 8, {}) as JsonObject),
  }),
};
