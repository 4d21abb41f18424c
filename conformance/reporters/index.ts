import type { Reporter } from '../report.ts';
import { reportFormats, type ReportFormat } from './formats.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import { textReporter } from './text.ts';

export { isReportFormat, reportFormats, type ReportFormat } from './formats.ts';

/** The reporter of every format. */
export const reporters: Readonly<
  Record<ReportFormat, { readonly reporter: Reporter; readonly extension: string; readonly description: string }>
> = {
  text: { reporter: textReporter, ...reportFormats.text },
  json: { reporter: jsonReporter, ...reportFormats.json },
  junit: { reporter: junitReporter, ...reportFormats.junit },
};
