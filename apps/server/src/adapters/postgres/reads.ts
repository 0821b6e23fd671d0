import type { LockMode, Store } from '@ergon/core'
import type { Pool, QueryResultRow } from 'pg'
import { countedBy, namedRows, type Counted, type NamedRows } from './named-rows.ts'
import {
  toApplication,
  toDispute,
  toPayment,
  toPaymentEvent,
  toRating,
  toSettlement,
  toSubmission,
  toTask,
  toWorker,
  type ApplicationRow,
  type DisputeRow,
  type PaymentEventRow,
  type RatingRow,
  type SettlementRow,
  type SubmissionRow,
  type TaskRow,
  type WorkerRow,
} from './rows.ts'
import { createTaskView } from './task-view.ts'
import { openMove } from './open-move.ts'
import { pageOf, sliceOfRows } from './page-of.ts'
import type { ReadingLine } from './reading-line.ts'

type Reads = Pick<
  Store,
  | 'task'
  | 'taskView'
  | 'isParticipant'
  | 'applications'
  | 'application'
  | 'submission'
  | 'submissions'
  | 'submissionsSlice'
  | 'escrowPayment'
  | 'paymentEvents'
  | 'lastLock'
  | 'openSettlement'
  | 'settlement'
  | 'disputeOf'
  | 'rating'
  | 'ratings'
>

/** The first row of an answer, as the core knows it; null where there is none. */
type One = <R extends QueryResultRow, T>(
  name: string,
  text: string,
  values: unknown[],
  map: (row: R) => T,
) => Promise<T | null>

const firstOf =
  (all: NamedRows): One =>
  async <R extends QueryResultRow, T>(name: string, text: string, values: unknown[], map: (row: R) => T) => {
    const row = (await all<R>(name, text, values))[0]
    return row === undefined ? null : map(row)
  }

/** Single rows and short lists by their keys. */
export function createReads(pool: Pool, line: ReadingLine, identityNetwork: string): Reads {
  const all = namedRows(line)
  const one = firstOf(all)
  const counted = countedBy(all)
  return {
    task: (id) => one<TaskRow, ReturnType<typeof toTask>>('task', 'select * from tasks where id = $1', [id], toTask),
    taskView: createTaskView(pool),
    ...applicationReads(all, one, identityNetwork),
    submission: (id) =>
      one<SubmissionRow, ReturnType<typeof toSubmission>>(
        'submission',
        'select * from submissions where id = $1',
        [id],
        toSubmission,
      ),
    submissions: async (taskId) =>
      (
        await all<SubmissionRow>('submissions', 'select * from submissions where task_id = $1 order by seq desc', [
          taskId,
        ])
      ).map(toSubmission),
    async submissionsSlice(taskId, executorId, { limit, offset }) {
      const theirs = 'submissions where task_id = $1 and ($2::uuid is null or executor_id = $2)'
      const [rows, total] = await Promise.all([
        all<SubmissionRow>('submissions-slice', `select * from ${theirs} order by seq desc limit $3 offset $4`, [
          taskId,
          executorId,
          limit + 1,
          offset,
        ]),
        counted('submissions-total', theirs, [taskId, executorId]),
      ])
      return sliceOfRows(rows, total, { limit, offset }, toSubmission)
    },
    ...moneyReads(all, one, counted),
    disputeOf: (submissionId) =>
      one<DisputeRow, ReturnType<typeof toDispute>>(
        'dispute-of',
        'select * from disputes where submission_id = $1',
        [submissionId],
        toDispute,
      ),
    ...ratingReads(all, one),
  }
}

function applicationReads(
  all: NamedRows,
  one: One,
  identityNetwork: string,
): Pick<Reads, 'isParticipant' | 'applications' | 'application'> {
  return {
    async isParticipant(taskId, wallet) {
      const rows = await all(
        'is-participant',
        `select 1 from workers w
          where w.wallet = $2
            and (exists (select 1 from applications a where a.task_id = $1 and a.executor_id = w.id)
              or exists (select 1 from tasks t where t.id = $1 and t.executor_id = w.id))`,
        [taskId, wallet],
      )
      return rows.length > 0
    },
    async applications(taskId, page) {
      const total = (
        await all<{ count: bigint }>(
          'applications-total',
          `select count(*) from applications a join workers w on w.id = a.executor_id
            where a.task_id = $1 and w.wallet not in (select wallet from bans)`,
          [taskId],
        )
      )[0]
      const rows = await all<
        ApplicationRow & {
          wallet: string
          display_name: string | null
          picture: string | null
          party: WorkerRow['party']
          agent_id: bigint | null
          tasks_completed: number
          onchain_score: number | null
        }
      >(
        'applications',
        `select a.*, w.wallet, w.display_name, w.picture, w.party, w.tasks_completed, w.onchain_score, i.agent_id
          from applications a join workers w on w.id = a.executor_id
         left join identities i on i.wallet = w.wallet and i.network = $5
         where a.task_id = $1 and w.wallet not in (select wallet from bans) and ($2::uuid is null or a.id > $2)
         order by a.id limit $3 offset $4`,
        [taskId, page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0, identityNetwork],
      )
      return pageOf(rows, Number(total?.count ?? 0n), page, (row) => ({
        ...toApplication(row),
        ...picked(toWorker({ ...row, id: row.executor_id })),
      }))
    },
    application: (taskId, executorId) =>
      one<ApplicationRow, ReturnType<typeof toApplication>>(
        'application',
        'select * from applications where task_id = $1 and executor_id = $2',
        [taskId, executorId],
        toApplication,
      ),
  }
}

function moneyReads(
  all: NamedRows,
  one: One,
  counted: Counted,
): Pick<Reads, 'escrowPayment' | 'paymentEvents' | 'lastLock' | 'openSettlement' | 'settlement'> {
  return {
    escrowPayment: (taskId) =>
      one<{ payment: unknown }, ReturnType<typeof toPayment>>(
        'escrow-payment',
        'select payment from escrows where task_id = $1',
        [taskId],
        (row) => toPayment(row.payment),
      ),
    async paymentEvents(taskId, { limit, offset }) {
      const text = 'select * from payment_events where task_id = $1 order by seq limit $2 offset $3'
      const [rows, total] = await Promise.all([
        all<PaymentEventRow>('payment-events', text, [taskId, limit + 1, offset]),
        counted('payment-events-total', 'payment_events where task_id = $1', [taskId]),
      ])
      return sliceOfRows(rows, total, { limit, offset }, toPaymentEvent)
    },
    // A lock in `fase2` notes that the balance was asked for, then the authorization; one in `fase5` the latter alone.
    lastLock: (taskId) =>
      one<{ before: string | null }, LockMode>(
        'last-lock',
        `select lag(type) over (order by seq) as before from payment_events
          where task_id = $1 and type in ('verify', 'store_auth') order by seq desc limit 1`,
        [taskId],
        ({ before }) => (before === 'verify' ? 'fase2' : 'fase5'),
      ),
    openSettlement: (taskId) =>
      one<SettlementRow, ReturnType<typeof toSettlement>>(
        'settlement-open',
        `select * from settlements where task_id = $1 and ${openMove} limit 1`,
        [taskId],
        toSettlement,
      ),
    settlement: (taskId, purpose) =>
      one<SettlementRow, ReturnType<typeof toSettlement>>(
        'settlement',
        'select * from settlements where task_id = $1 and purpose = $2 order by seq desc limit 1',
        [taskId, purpose],
        toSettlement,
      ),
  }
}

function ratingReads(all: NamedRows, one: One): Pick<Reads, 'rating' | 'ratings'> {
  return {
    rating: (taskId, direction) =>
      one<RatingRow, ReturnType<typeof toRating>>(
        'rating',
        'select * from ratings where task_id = $1 and direction = $2',
        [taskId, direction],
        toRating,
      ),
    ratings: async (taskId) =>
      (
        await all<RatingRow>(
          'ratings',
          "select * from ratings where task_id = $1 order by (status = 'confirmed') desc, direction desc",
          [taskId],
        )
      ).map(toRating),
  }
}

function picked({
  wallet,
  displayName,
  picture,
  party,
  agentId,
  reputation,
}: ReturnType<typeof toWorker>): Pick<
  ReturnType<typeof toWorker>,
  'wallet' | 'displayName' | 'picture' | 'party' | 'agentId' | 'reputation'
> {
  return { wallet, displayName, picture, party, agentId, reputation }
}
