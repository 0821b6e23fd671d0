import type { Store } from '@ergon/core'
import { createLine, type Commit } from './engine/line.ts'
import type { Point } from './engine/session.ts'
import { elseNotSimulated } from './engine/not-simulated.ts'
import type { MemoryDatabase } from './memory-database.ts'
import { auditReads } from './reads/audit-reads.ts'
import { channelReads } from './reads/channel-reads.ts'
import { eventReads } from './reads/event-reads.ts'
import { findingReads } from './reads/finding-reads.ts'
import { followReads } from './reads/follow-reads.ts'
import { moneyReads } from './reads/money-reads.ts'
import { offerReads } from './reads/offer-reads.ts'
import { peopleReads } from './reads/people-reads.ts'
import { ratingReads } from './reads/rating-reads.ts'
import { taskReads } from './reads/task-reads.ts'
import { timerReads } from './reads/timer-reads.ts'
import { verificationReads } from './reads/verification-reads.ts'
import { workReads } from './reads/work-reads.ts'

export type StoreDeps = {
  readonly disk: MemoryDatabase
  /** The process, and which of its lives: its connections are dropped together. */
  readonly connection: string
  /** Where agent ids of workers are looked up. */
  readonly identityNetwork: string
  /**
   * Awaited before every statement, `begin`, `commit` and `rollback` included, and when a lock was granted. One that
   * fails is a line that was cut; undefined is nothing to wait for.
   */
  readonly point: Point
  /** Asked when something is about to be committed. */
  readonly commit: (label: string) => Commit
  /** Something was committed that others may wait for. */
  readonly onCommitted?: () => void
}

/**
 * The store of a simulated process: what ours on PostgreSQL answers, statement by statement, with READ COMMITTED, row
 * locks, unique keys and lost lines as PostgreSQL has them. One suite runs on both.
 */
export function createMemoryStore(deps: StoreDeps): Store {
  const {
    disk: { disk, isUp, pool },
    identityNetwork,
  } = deps
  const line = createLine({ ...deps, disk, isUp })
  const parts = { disk, line, identityNetwork }
  const tasks = taskReads(parts)
  const told = async <T>(writing: Promise<T>): Promise<T> => {
    const written = await writing
    deps.onCommitted?.()
    return written
  }
  return elseNotSimulated<Store>({
    ...tasks,
    publish: (task, event, idempotency) => told(tasks.publish(task, event, idempotency)),
    transaction: (work) => told(line.transaction((run) => pool.use(run, work))),
    ...workReads(parts),
    ...peopleReads(parts),
    ...moneyReads(parts),
    ...ratingReads(parts),
    ...auditReads(parts),
    ...findingReads(parts),
    ...eventReads(parts),
    ...verificationReads(parts),
    ...followReads(parts),
    ...channelReads(parts),
    ...timerReads(parts),
    ...offerReads(parts),
  })
}
