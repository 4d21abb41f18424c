/** Every form in which a finished run can be written. Apart from the reporters, which take time to load. */
export const reportFormats = {
  text: { extension: 'txt', description: 'for a person to read' },
  json: { extension: 'json', description: 'everything, for machines' },
  junit: { extension: 'xml', description: 'JUnit XML, for CI servers' },
} as const satisfies Readonly<Record<string, { readonly extension: string; readonly description: string }>>;

export type ReportFormat = keyof typeof reportFormats;

/** Whether there is a report format of this name. */
export function isReportFormat(name: string): name is ReportFormat {
  return Object.hasOwn(reportFormats, name);
}
