import type { Report } from '../generated/report.ts';

export type * from '../generated/report.ts';

export type ObservedProfile = Report['observedProfile'];

/** Turns a finished run into text. Pure. `includeBodies` shows the values in bodies, not only their types; `verbose` shows in
 * text also what passed, what was observed and what was seen. */
export type Reporter = (
  report: Report,
  options: { readonly color: boolean; readonly includeBodies?: boolean; readonly verbose?: boolean },
) => string;
