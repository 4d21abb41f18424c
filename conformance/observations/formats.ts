import type { ChoiceOf } from '../../spec/index.ts';
import { parseTimestamp } from '../content/timestamps.ts';
import { show } from '../show.ts';
import type { Observe } from './observe.ts';

export function noteIdentifier(observe: Observe, id: unknown): void {
  if (typeof id !== 'string') return;
  const [form] = IDENTIFIERS.find(([, pattern]) => pattern.test(id)) ?? [];
  observe('identifier-format', form, `such as ${show(id)}`);
}

const IDENTIFIERS = [
  ['cuid', /^c[a-z0-9]{24}$/],
  ['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['numeric', /^\d+$/],
  ['prefixed', /^[a-z]+_[A-Za-z0-9]+$/],
] as const;

export function noteTimestamp(observe: Observe, value: unknown): void {
  if (value === undefined) return;
  observe('timestamp-format', timestampChoice(value), `such as ${show(value)}`);
}

function timestampChoice(value: unknown): ChoiceOf<'timestamp-format'> | undefined {
  if (typeof value !== 'string') return undefined;
  const { form, zoneKnown } = parseTimestamp(value) ?? { form: 'words' };
  if (form === 'epoch') return ({ 10: 'epoch-seconds', 13: 'epoch-milliseconds' } as const)[value.length];
  if (form === 'iso-8601' || form === 'other' || (form === 'sql' && zoneKnown)) return undefined;
  return form;
}
