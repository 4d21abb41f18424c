import type { Reporter } from '../report/report.ts';
import { badgeReporter as badge, shieldsReporter as shields } from './badge.ts';
import { ctrfReporter as ctrf } from './ctrf.ts';
import { reportFormats, type ReportFormat } from './formats.ts';
import { htmlReporter as html } from './html/html.ts';
import { jsonReporter as json } from './json.ts';
import { junitReporter as junit } from './junit.ts';
import { markdownReporter as markdown } from './markdown.ts';
import { sarifReporter as sarif } from './sarif.ts';
import { summaryReporter as summary } from './summary.ts';
import { tapReporter as tap } from './tap.ts';
import { textReporter as text } from './text.ts';

/** Annotations of a GitHub job. They go to its log, not to a file. */
export { githubReporter } from './github.ts';
export { isReportFormat, reportFormats, type ReportFormat } from './formats.ts';

const all = { text, json, junit, html, markdown, ctrf, sarif, badge, shields, summary, tap };

/** The reporter of each format. */
export const reporters: Readonly<
  Record<ReportFormat, { readonly reporter: Reporter; readonly extension: string; readonly description: string }>
> = Object.fromEntries(
  Object.entries(reportFormats).map(([name, about]) => [name, { reporter: all[name as ReportFormat], ...about }]),
) as typeof reporters;
