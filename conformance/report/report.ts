import type { Report } from '../generated/report.ts';

export type * from '../generated/report.ts';

export type ObservedProfile = Report['observedProfile'];

/** Turns a finished run into text. Pure. `includeBodies` shows the values in bodies, not only their types. */
export type Reporter = (
  report: Report,
  options: { readonly color: boolean; readonly includeBodies?: boolean },
) => string;
