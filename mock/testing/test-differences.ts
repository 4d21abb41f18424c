import { isObject, parseJson, type Json } from '../../text/json.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Used by tests only: the value that a text encodes as JSON, or the text itself. */
export function parsed(text: string): Json {
  const value = parseJson(text);
  if (value === undefined) return text;
  return value;
}

/** Used by tests only: the places where two values differ, with `*` for every index. */
export function differingPlaces(one: Json | undefined, other: Json | undefined, at: string): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other))
    return Array.from({ length: Math.max(one.length, other.length) }, (_, i) =>
      differingPlaces(one[i], other[i], `${at}/*`),
    ).flat();
  if (isObject(one) && isObject(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
      differingPlaces(one[name], other[name], `${at}/${name}`),
    );
  if (one === other) return [];
  return [at];
}

/** Used by tests only: how two answers differ: in status, or else in which places. */
export const changes = (one: Answer, other: Answer): readonly string[] => {
  if (one.status === other.status)
    return [
      ...differingPlaces(parsed(one.body), parsed(other.body), ''),
      ...differingPlaces({ ...one.headers }, { ...other.headers }, 'header'),
    ];
  return [`${one.status} to ${other.status}`];
};
