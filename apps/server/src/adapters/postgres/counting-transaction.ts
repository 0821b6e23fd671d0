import { MarketError } from '@ergon/core'
import type { Pool } from 'pg'
import { createFairGate } from '../../surroundings/fair-gate.ts'
import { freshly } from './pool.ts'
import { beginOn, type TransactionLine } from './transaction-line.ts'
import { asUnwritten } from './trouble.ts'

type Work<T> = (line: TransactionLine) => Promise<{ readonly keep: boolean; readonly answer: T }>
/** Whoever waits does so in a lane of its own, and the lanes take turns. */
type Count = <T>(lane: string, work: Work<T>) => Promise<T>

/**
 * A second one, for where the line of the first has gone silent. Whoever waits here may have to wait for a connection
 * and for an answer besides, and is to know within fifteen seconds (`pool.ts`).
 */
const gateSettings = { width: 2, maxWaiting: 1_000, maxInLane: 1_000, maxWaitMs: 900 }

/**
 * Counting transactions that meet at one row: two of them run at once, and the others wait without a connection
 * (decision 0269).
 */
export function createCounting(pool: Pool): Count {
  const gate = createFairGate(gateSettings)
  return async (lane, work) => {
    const leave = await gate.enter(lane)
    if (leave === undefined) throw new MarketError('SERVICE_BUSY')
    try {
      return await inCountingTransaction(pool, work)
    } finally {
      leave()
    }
  }
}

/**
 * One transaction that counts what a request is about to take; it is undone where the work says that it came to
 * nothing. A lost answer counts as nothing written by the request: to count the same thing again harms nobody.
 */
export function inCountingTransaction<T>(pool: Pool, work: Work<T>): Promise<T> {
  return freshly(pool, () => inOneTransaction(pool, work))
}

async function inOneTransaction<T>(pool: Pool, work: Work<T>): Promise<T> {
  const client = await pool.connect()
  try {
    const open = beginOn(client)
    const { keep, answer } = await work(open)
    await (keep ? open.commit() : open.rollback())
    client.release()
    return answer
  } catch (error) {
    client.release(true)
    throw asUnwritten(error)
  }
}
