/**
 * A body in which `null` may stand wherever a field may be left out, as exports of agents have it. Whether a service takes
 * it is not shown (section 2.12).
 */
export type WithNulls<T> = T extends object
  ? { [Key in keyof T]: WithNulls<T[Key]> | (object extends Pick<T, Key> ? null : never) }
  : T;
