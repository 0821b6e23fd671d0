import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { pageFields, pageRequest } from './present/page.ts'
import { presentReport } from './present/reports.ts'

export function createReportHandlers({ market }: ApiDeps): HandlersOf<'reports'> {
  return {
    'reports.create': async ({ caller }, input) =>
      done(
        presentReport(
          await market.report(caller, {
            target: input.target,
            targetId: input.target_id,
            reason: input.reason,
            note: input.note ?? null,
          }),
        ),
      ),
    'reports.list': async ({ caller }, input) => {
      const page = await market.reports(caller, pageRequest(input))
      return done({ reports: page.rows.map(presentReport), ...pageFields(page) })
    },
  }
}
