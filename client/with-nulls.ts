/**
 * A body in which `null` may replace any optional field, as in exported agents. The specification does not show whether
 * a service accepts it (section 2.12).
 */
export type WithNulls<T> = T extends object
  ? { [Key in keyof T]: WithNulls<T[Key]> | (object extends Pick<T, Key> ? null : never) }
  : T;
