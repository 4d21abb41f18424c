import type { Reporter } from '../report/report.ts';
import { badgeReporter, shieldsReporter } from './badge.ts';
import { ctrfReporter } from './ctrf.ts';
import { reportFormats, type ReportFormat } from './formats.ts';
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
export { isReportFormat, reportFormats, type ReportFormat } from './formats.ts';

/** The reporter of each format. */
export const reporters: Readonly<
  Record<ReportFormat, { readonly reporter: Reporter; readonly extension: string; readonly description: string }>
> = {
  text: { reporter: textReporter, ...reportFormats.text },
  json: { reporter: jsonReporter, ...reportFormats.json },
  junit: { reporter: junitReporter, ...reportFormats.junit },
  html: { reporter: htmlReporter, ...reportFormats.html },
  markdown: { reporter: markdownReporter, ...reportFormats.markdown },
  ctrf: { reporter: ctrfReporter, ...reportFormats.ctrf },
  sarif: { reporter: sarifReporter, ...reportFormats.sarif },
  badge: { reporter: badgeReporter, ...reportFormats.badge },
  shields: { reporter: shieldsReporter, ...reportFormats.shields },
  summary: { reporter: summaryReporter, ...reportFormats.summary },
  tap: { reporter: tapReporter, ...reportFormats.tap },
};
