import type { Reporter } from '../report.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import { textReporter } from './text.ts';

export type ReportFormat = 'text' | 'json' | 'junit';

/** Every form in which a finished run can be written. */
export const reporters: Readonly<
  Record<ReportFormat, { readonly reporter: Reporter; readonly extension: string; readonly description: string }>
> = {
  text: { reporter: textReporter, extension: 'txt', description: 'for a person to read' },
  json: { reporter: jsonReporter, extension: 'json', description: 'everything, for machines' },
  junit: { reporter: junitReporter, extension: 'xml', description: 'JUnit XML, for CI servers' },
};

/** Whether there is a reporter of this name. */
export function isReportFormat(name: string): name is ReportFormat {
  return Object.hasOwn(reporters, name);
}
