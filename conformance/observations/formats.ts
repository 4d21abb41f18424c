import type { ChoiceOf } from '../../spec/index.ts';
import { parseTimestamp } from '../content/timestamps.ts';
import { field, stringAt } from '../json.ts';
import { show } from '../show.ts';
import type { Observe } from './observe.ts';

/** Notes in which formats something has its identifier and the time of its creation. */
export function noteFormats(observe: Observe, of: unknown): void {
  const [id, createdAt] = [stringAt(of, 'id'), field(of, 'createdAt')];
  const [form] = IDENTIFIERS.find(([, pattern]) => pattern.test(id ?? '')) ?? [];
  if (id !== undefined) observe('identifier-format', form, `such as ${show(id)}`);
  if (createdAt !== undefined) observe('timestamp-format', timestampChoice(createdAt), `such as ${show(createdAt)}`);
}

const IDENTIFIERS = [
  ['cuid', /^c[a-z0-9]{24}$/],
  ['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['numeric', /^\d+$/],
  ['prefixed', /^[a-z]+_[A-Za-z0-9]+$/],
] as const;

function timestampChoice(value: unknown): ChoiceOf<'timestamp-format'> | undefined {
  if (typeof value !== 'string') return undefined;
  const { length } = value;
  const { form, zoneKnown } = parseTimestamp(value) ?? { form: 'words' };
  if (form === 'epoch') return ({ 10: 'epoch-seconds', 13: 'epoch-milliseconds' } as const)[length];
  if (form === 'rfc3339-utc') return ({ 20: 'rfc3339-seconds', 24: form, 27: 'rfc3339-microseconds' } as const)[length];
  if (form === 'iso-8601' || form === 'other' || (form === 'sql' && zoneKnown)) return undefined;
  return form;
}
