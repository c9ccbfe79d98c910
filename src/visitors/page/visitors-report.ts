/** The parts of report.json. Only types are imported, so the page contains no code from `render/`. */
import type { ReportJson } from '../render/json.ts'

export type { MovedPage as Page } from '../core/movers.ts'

export type VisitorsReport = ReportJson
export type Reading = VisitorsReport['period']
export type TrendPeriod = VisitorsReport['trend'][number]
export type Comment = NonNullable<VisitorsReport['sections']['feedback']>['agentComments'][number]
export type Fix = VisitorsReport['fixes'][number]
