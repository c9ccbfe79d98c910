/** How a visitors report's comment is told from others, without the code that makes reports. */

/** The hidden mark at the end of a report's comment; visitors/core/report-mark.ts reads what it says. */
export const reportMark =
  /<!-- docs-agent-report:1:([\d-]{10}):([\d-]{10}):(\d{1,19}):([A-Za-z0-9+/=_-]{1,200}) -->\s*$/

/** Whether a comment is a report, of whatever series. */
export function isReport(body: string): boolean {
  return reportMark.test(body)
}
