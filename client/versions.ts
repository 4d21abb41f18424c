/**
 * Whether an agent, or a published one, is of version 6, which the specification shows in full (section 2.1). What is
 * not is of an older form, of which little is shown (section 4.3).
 */
export const isVersion6 = <A extends { readonly version?: string | null }>(
  agent: A,
): agent is Extract<A, { readonly version?: '6' }> => agent.version === '6';
