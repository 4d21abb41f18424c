import { endpoints, validate } from '../../../spec/index.ts';
import { textWord } from '../../content/text-word.ts';
import { isEntitled, type Exchange } from '../../http/exchange.ts';
import { field, isObject, stringAt } from '../../json.ts';

/** A request of the user's caller that keeps to the documentation. */
export function isValidCreation({ endpoint, caller, method, open, sent }: Exchange): boolean {
  const schema = endpoints[endpoint].request;
  if (!isEntitled(caller) || method !== 'POST' || open || !isObject(sent) || schema === null) return false;
  if (endpoints[endpoint].holds !== 'workspace') {
    const agent = field(sent, 'agent');
    if (stringAt(sent, 'workspaceId') === undefined || !isObject(agent)) return false;
    if (endpoints[endpoint].does === 'imports' && agent['version'] !== '6') return false;
  } else if (stringAt(sent, 'name') === undefined) return false;
  return validate(schema, sent).length === 0;
}

/** Properties for which a server may accept or refuse a name: its characters and its length. */
const kindOf = (name: string): string =>
  `${/[^\0-\x7f]/.test(name) ? 'ü' : ''}${/[^\w ]/.test(name) ? '-' : ''}${name.length > 30 ? 'long' : ''}`;

const OWN: ReadonlySet<string> = new Set(['workspaceId', 'id', 'shareId', 'selectedThemeTemplateId']);

/** What a body asks for, without its name and its identifiers: equal for bodies that differ only in these. */
export function demandOf(sent: unknown): string {
  const ids = new Set<string>();
  const collect = (value: unknown): void => {
    const id = stringAt(value, 'id');
    if (id !== undefined) ids.add(id);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(sent);
  const plain = JSON.stringify(sent, (name, value: unknown) => {
    if (['name', 'slug', 'publicId'].includes(name) && typeof value === 'string') return kindOf(value);
    if (OWN.has(name) || (typeof value === 'string' && ids.has(value))) return '';
    if (isObject(value) && Object.keys(value).some((key) => ids.has(key)))
      return Object.fromEntries(Object.values(value).map((item, i) => [String(i), item]));
    return value;
  });
  return digest(plain);
}

/** A short form of a text: equal for equal texts, and almost never for others. */
export const digest = (text: string): string => `${text.length} ${textWord(text)}`;
