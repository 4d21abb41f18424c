import type { Reporter } from '../report/report.ts';
import { badgeReporter, shieldsReporter } from './badge.ts';
import { ctrfReporter } from './ctrf.ts';
import { htmlReporter } from './html/html.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import { markdownReporter } from './markdown.ts';
import { sarifReporter } from './sarif.ts';
import { summaryReporter } from './summary.ts';
import { tapReporter } from './tap.ts';
import { textReporter } from './text.ts';

/** Annotations of a GitHub job. They go to its log, not to a file. */
export { githubReporter } from './github.ts';

/** What there is for one format. */
export interface RegisteredReporter {
  readonly reporter: Reporter;
  readonly extension: string;
  readonly description: string;
}

const formats = {
  text: { reporter: textReporter, extension: 'txt', description: 'for a person to read' },
  json: { reporter: jsonReporter, extension: 'json', description: 'everything, for machines' },
  junit: { reporter: junitReporter, extension: 'xml', description: 'JUnit XML, for CI servers' },
  html: { reporter: htmlReporter, extension: 'html', description: 'one page to read and to pass on' },
  markdown: { reporter: markdownReporter, extension: 'md', description: 'for the summary of a CI job' },
  ctrf: { reporter: ctrfReporter, extension: 'json', description: 'Common Test Report Format' },
  sarif: { reporter: sarifReporter, extension: 'sarif', description: 'SARIF 2.1.0, for code scanning' },
  badge: { reporter: badgeReporter, extension: 'svg', description: 'a badge with the verdict' },
  shields: { reporter: shieldsReporter, extension: 'json', description: 'the badge, for shields.io to draw' },
  summary: { reporter: summaryReporter, extension: 'txt', description: 'one screen for who decides' },
  tap: { reporter: tapReporter, extension: 'tap', description: 'TAP version 14' },
} satisfies Readonly<Record<string, RegisteredReporter>>;

export type ReportFormat = keyof typeof formats;

/** The reporter of each format. */
export const reporters: Readonly<Record<ReportFormat, RegisteredReporter>> = formats;

/** All report formats. */
export const reportFormats: Readonly<Record<ReportFormat, Omit<RegisteredReporter, 'reporter'>>> = formats;

/** Whether there is a report format with this name. */
export function isReportFormat(name: string): name is ReportFormat {
  return Object.hasOwn(formats, name);
}
