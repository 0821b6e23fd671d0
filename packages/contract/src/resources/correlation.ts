import * as Type from 'typebox'
import { nullable, open } from '../schema.ts'

/** Advice against made-up histories, never a gate (spec §2). */
export const correlation = (counterparty: string) =>
  nullable(
    open({
      tasks_with_this_publisher: Type.Integer({ description: `Completed tasks of ${counterparty}.` }),
      total_completed: Type.Integer(),
      distinct_publishers: Type.Integer(),
      concentration: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of the completed tasks that were for this publisher.',
      }),
      flagged: Type.Boolean({
        description:
          'At least three completed tasks, and four in five of them for this publisher or all of them for one.',
      }),
    }),
  )
