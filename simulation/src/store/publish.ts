import { MarketError, type NewEvent, type NewTask, type Store, type Task } from '@ergon/core'
import type { Disk } from './engine/database.ts'
import type { Session, Viewer } from './engine/session.ts'
import { rowOf } from './engine/table.ts'
import { keyOf } from './schema.ts'
import { tell } from './tell.ts'

type Idempotency = Parameters<Store['publish']>[2]

/** Task, history and event in one statement; false when the key is taken. */
export async function insertTask(
  disk: Disk,
  session: Session,
  { meter, ...task }: NewTask,
  event: NewEvent | null,
  idempotency: Idempotency,
): Promise<boolean> {
  const { tasks, workers, history, meterTerms } = disk.tables
  const robot =
    rowOf(session, workers.by.wallet_key, task.publisherWallet)?.party === 'robot'
      ? { publisherType: 'robot' as const }
      : {}
  const row = {
    task: {
      ...task,
      ...robot,
      executorId: null,
      area: null,
      escrowTx: null,
      paymentTx: null,
      refundTx: null,
      updatedAt: task.createdAt,
      feeTx: null,
      captured: null,
    },
    paymentBlock: null,
    idempotencyKey: idempotency?.key ?? null,
    bodyHash: idempotency?.bodyHash ?? null,
    uncountedListing: null,
    orderedFrom: null,
  }
  if (!(await tasks.insert(session, row, [tasks.by.idempotency]))) return false
  await history.insert(session, { taskId: task.id, status: task.status, at: task.createdAt, seq: disk.nextSeq() })
  if (meter !== undefined) await meterTerms.insert(session, { taskId: task.id, terms: meter })
  if (event !== null) tell(disk, session, { ...event, at: task.createdAt })
  return true
}

/** The task that the key was used for first. @throws IDEMPOTENCY_KEY_REUSED */
export function replayed(disk: Disk, viewer: Viewer, wallet: string, idempotency: NonNullable<Idempotency>): Task {
  const task = publishedUnder(disk, viewer, wallet, idempotency)
  if (task === null) throw new MarketError('IDEMPOTENCY_KEY_REUSED')
  return task
}

/** Null when nothing was published under the key. @throws IDEMPOTENCY_KEY_REUSED for another body */
export function publishedUnder(
  { tables: { tasks } }: Disk,
  viewer: Viewer,
  wallet: string,
  idempotency: NonNullable<Idempotency>,
): Task | null {
  const row = rowOf(viewer, tasks.by.idempotency, keyOf(wallet, idempotency.key))
  if (row === undefined) return null
  if (row.bodyHash !== idempotency.bodyHash) throw new MarketError('IDEMPOTENCY_KEY_REUSED')
  return row.task
}
