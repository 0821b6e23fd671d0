import { MarketError } from '@ergon/core'
import type { Pool } from 'pg'
import { createFairGate } from '../../surroundings/fair-gate.ts'
import { freshly } from './pool.ts'
import { beginOn, type TransactionLine } from './transaction-line.ts'
import { asUnwritten } from './trouble.ts'

/** What is counted: whoever waits to count the one does not hold up who counts the other. */
type Kind = 'a day' | 'uploads' | 'oauth clients' | 'channel openings'

/**
 * One transaction that counts what a request is about to take; it is undone where the work says that it came to
 * nothing. A lost answer counts as nothing written by the request: to count the same thing again harms nobody. All of
 * a kind meet at one row, so two of them run at once and the others wait without a connection (decision 0269).
 */
export async function inCountingTransaction<T>(pool: Pool, kind: Kind, work: Work<T>): Promise<T> {
  const leave = await gateOf(pool, kind).enter(kind)
  if (leave === undefined) throw new MarketError('SERVICE_BUSY')
  try {
    return await freshly(pool, () => inOneTransaction(pool, work))
  } finally {
    leave()
  }
}

type Work<T> = (line: TransactionLine) => Promise<{ readonly keep: boolean; readonly answer: T }>

/**
 * A second one, for where the line of the first has gone silent. Whoever waits here may have to wait for a connection
 * and for an answer besides, and is to know within fifteen seconds (`pool.ts`).
 */
const gateSettings = { width: 2, maxWaiting: 1_000, maxInLane: 1_000, maxWaitMs: 900 }

type Gate = ReturnType<typeof createFairGate>
const gates = new WeakMap<Pool, Map<Kind, Gate>>()

function gateOf(pool: Pool, kind: Kind): Gate {
  const ofPool = gates.get(pool) ?? new Map<Kind, Gate>()
  gates.set(pool, ofPool)
  const gate = ofPool.get(kind) ?? createFairGate(gateSettings)
  ofPool.set(kind, gate)
  return gate
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
