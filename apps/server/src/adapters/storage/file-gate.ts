import { MarketError } from '@ergon/core'
import { createFairGate } from '../../surroundings/fair-gate.ts'

/** Files held in memory at once, each up to the limit and with its clean copy. */
const width = 3

/** Lets a few files be taken at once, tasks in turn. @throws SERVICE_BUSY when too many wait, or too long */
export function createFileGate(): <T>(taskId: string, work: () => Promise<T>) => Promise<T> {
  const gate = createFairGate({ width, maxWaiting: 1_000, maxInLane: 64, maxWaitMs: 20_000 })
  return async (taskId, work) => {
    const leave = await gate.enter(taskId)
    if (leave === undefined) throw new MarketError('SERVICE_BUSY', { part: 'evidence' })
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
