/** Recognizes a visitors report's comment without loading the code for reports. */

/** The hidden mark at the very end of a report's comment; visitors/core/report-mark.ts reads its content. */
export const reportMark = /<!-- docs-agent-report:2:([A-Za-z0-9+/=]{1,20000}):([A-Za-z0-9_-]{1,100}) -->\s*$/

/** Whether a comment is a report, of any series. */
export function isReport(body: string): boolean {
  return reportMark.test(body.slice(-21_000))
}
