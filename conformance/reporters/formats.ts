/** All report formats. They are separate from the reporters, which take time to load. */
export const reportFormats = {
  text: { extension: 'txt', description: 'for a person to read' },
  json: { extension: 'json', description: 'everything, for machines' },
  junit: { extension: 'xml', description: 'JUnit XML, for CI servers' },
  html: { extension: 'html', description: 'one page to read and to pass on' },
  markdown: { extension: 'md', description: 'for the summary of a CI job' },
  ctrf: { extension: 'json', description: 'Common Test Report Format' },
  sarif: { extension: 'sarif', description: 'SARIF 2.1.0, for code scanning' },
  badge: { extension: 'svg', description: 'a badge with the verdict' },
  shields: { extension: 'json', description: 'the badge, for shields.io to draw' },
  summary: { extension: 'txt', description: 'one screen for who decides' },
  tap: { extension: 'tap', description: 'TAP version 14' },
} as const satisfies Readonly<Record<string, { readonly extension: string; readonly description: string }>>;

export type ReportFormat = keyof typeof reportFormats;

/** Whether there is a report format with this name. */
export function isReportFormat(name: string): name is ReportFormat {
  return Object.hasOwn(reportFormats, name);
}
