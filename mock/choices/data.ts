import { isObject, textOf, withFields, type Json } from '../../text/json.ts';

/** What becomes of a value or a list in what no client has sent, by the name of its field and the kind of resource. */
export type Edit = (value: Json, name: string, kind: string) => Json;

const onList =
  (wanted: string, change: (all: readonly Json[]) => readonly Json[], only?: string): Edit =>
  (value, name, kind) => {
    if (name !== wanted || !Array.isArray(value) || (only ?? kind) !== kind) return value;
    return change(value);
  };

/** Another item like the first one, with these fields, and an identifier of the same form. */
const withAnother = (wanted: string, fields: Parameters<typeof withFields>[1]): Edit =>
  onList(wanted, ([first, ...more]) => {
    if (!isObject(first)) return [];
    const id = textOf(first['id']).replace(/.$/, (last) => String(Number(last !== '1')));
    return [first, ...more, withFields(first, { id, ...fields })];
  });

/** The fields of which one value is known, each with that value. */
const KNOWN =
  /^(?:type=Color|placement=Top|position=fixed|(?:shadow|rounde?ness)=none|layout=wrap|storage=session|plan=HOBBY|logicalOperator=OR|comparisonOperator=Equal to)$/;

/** When an agent was published. */
const PUBLISHED = /^(?:agent\/publishedAt|publicAgent\/updatedAt)$/;

const twentyMinutesBefore = (at: string): string => new Date(Date.parse(at) - 1_200_000).toISOString();

export const dataChoices = {
  'known-values': {
    known: undefined,
    others: [
      withAnother('events', { type: 'other' }),
      (value, name) => (KNOWN.test(`${name}=${textOf(value)}`) && 'other') || value,
    ],
  },
  numbers: {
    whole: undefined,
    decimal(value, name) {
      if (typeof value !== 'number' || name === 'opacity') return value;
      return Math.floor(value) + 0.5;
    },
  },
  'block-shape': {
    objects: undefined,
    any: onList('blocks', (all) => [...all, 'text', 7, null, [{}], { type: null }]),
  },
  'data-in-step': {
    'in-step': undefined,
    'same-names': [withAnother('variables', { value: undefined }), withAnother('groups', { blocks: [] })],
    'group-gone': [
      onList('groups', (all) => all.slice(0, -1), 'agent'),
      (value, name, kind) => (PUBLISHED.test(`${kind}/${name}`) && twentyMinutesBefore(textOf(value))) || value,
    ],
    unanswered: onList('answers', (all) => all.filter(() => all.length % 3 !== 0)),
    'columns-in-part': onList('columnsOrder', (all) => all.slice(1)),
  },
  'url-form': {
    absolute: undefined,
    relative: (value, name) => {
      if (!/urls?$/i.test(name) || typeof value !== 'string') return value;
      return value.replace(/^https?:\/\/[^/?#]*\/?/, '/');
    },
  },
} satisfies Record<string, Record<string, Edit | readonly Edit[] | undefined>>;
