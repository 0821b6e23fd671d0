import { makesNotice, noticeOf } from '../notices/notice.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { HeldCursor } from '../ports/store-cursors.ts'
import type { RecordedEvent } from '../ports/store-events.ts'
import type { Store } from '../ports/store.ts'
import type { Clock, Ids } from '../ports/surroundings.ts'

export type NoticeDutyDeps = {
  readonly store: Pick<Store, 'holdCursor' | 'moveCursor' | 'failCursor' | 'releaseCursor' | 'eventsAfter' | 'task'>
  readonly notifier: Notifier
  readonly clock: Clock
  readonly ids: Ids
  readonly leaseMs: number
  /** A notice that failed too often is left out. */
  readonly onGivenUp: (noticeId: string, cause: unknown) => void
}

const consumer = 'notices'
const batch = 50
const maxFailures = 6

/**
 * One round of telling workers, durable: the place moves behind an event only when its notice was told, so a crash
 * tells the last one again, under the same id, and loses none. Answers how many were told.
 */
export function createNoticeDuty(deps: NoticeDutyDeps): () => Promise<number> {
  return async () => {
    const { store, clock } = deps
    const until = (): Date => new Date(clock.now().getTime() + deps.leaseMs)
    const held = await store.holdCursor(consumer, deps.ids.next(), clock.now(), until())
    if (held === null) return 0
    let failures = held.failures
    const page = await store.eventsAfter({ wallet: null, types: null, taskId: null, category: null }, held.place, batch)
    let told = 0
    for (const event of page.events.filter(({ type }) => makesNotice(type))) {
      if (await tell(deps, held, event, failures)) told += 1
      failures = 0
      if (!(await store.moveCursor(held, event.place, until()))) return told
    }
    if (await store.moveCursor(held, page.place, until())) await store.releaseCursor(held)
    return told
  }
}

/** @throws what the notifier threw, until it did so too often */
async function tell(deps: NoticeDutyDeps, held: HeldCursor, event: RecordedEvent, failures: number): Promise<boolean> {
  const task = event.taskId === null ? null : await deps.store.task(event.taskId)
  const notice =
    task === null
      ? null
      : noticeOf(event, {
          taskId: task.id,
          title: task.title,
          category: task.category,
          publisherWallet: task.publisherWallet,
        })
  if (notice === null) return false
  try {
    return (await deps.notifier.notify(notice)) === 'told'
  } catch (error) {
    if (failures + 1 < maxFailures) {
      await deps.store.failCursor(held)
      throw error
    }
    deps.onGivenUp(notice.id, error)
    return false
  }
}
