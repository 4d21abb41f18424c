/**
 * Whether an agent, or its published form, has version 6, which the specification shows in full (section 2.1).
 * Otherwise it has an older form, of which the specification shows little (section 4.3). It narrows the type, which
 * `agent.version === '6'` does not: the version of the older form is any string.
 */
export const isVersion6 = <A extends { readonly version?: string | null }>(
  agent: A,
): agent is Extract<A, { readonly version?: '6' }> => agent.version === '6';
