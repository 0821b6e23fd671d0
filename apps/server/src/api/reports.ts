import type { Report } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { instant } from './present/instant.ts'
import { pageFields, pageRequest } from './present/page.ts'

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

function presentReport({ id, target, targetId, reason, note, createdAt }: Report) {
  return { id, target, target_id: targetId, reason, note, created_at: instant(createdAt) }
}
