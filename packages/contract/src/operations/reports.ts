import * as Type from 'typebox'
import { changeOfOwn, listOfOwn, operation } from '../operation.ts'
import { closed, id, instant, nullable, open, optional, page, paging, text } from '../schema.ts'
import { limits, reportReasons, reportTargets } from '../vocabulary.ts'

/** What its reporter wrote. */
export const reportFields = {
  id: id('The report.'),
  target: Type.Enum([...reportTargets]),
  target_id: id('What is reported.'),
  reason: Type.Enum([...reportReasons]),
  note: nullable(Type.String()),
  created_at: instant('When.'),
} as const
const report = open(reportFields)

export const reports = {
  'reports.create': operation({
    section: 'reports',
    summary:
      'Report a task, a submission, a worker or a listing to the operator. A second report of the same thing answers the first.',
    access: changeOfOwn,
    input: closed({
      target: Type.Enum([...reportTargets]),
      target_id: id('What is reported.'),
      reason: Type.Enum([...reportReasons]),
      note: optional(text('What happened.', 1, limits.reasonMax)),
    }),
    output: report,
    success: 201,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'WORKER_NOT_FOUND', 'LISTING_NOT_FOUND'],
    rest: [{ method: 'POST', path: '/api/v1/reports' }],
  }),
  'reports.list': operation({
    section: 'reports',
    summary: 'The reports of the caller, newest first.',
    access: listOfOwn,
    input: closed({ ...paging }),
    output: open({ reports: Type.Array(report), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/reports' }],
  }),
}
