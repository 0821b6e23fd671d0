import type { Pool } from 'pg'
import { freshly } from './pool.ts'
import { beginOn, type TransactionLine } from './transaction-line.ts'
import { asUnwritten } from './trouble.ts'

/**
 * One transaction that counts what a request is about to take; it is undone where the work says that it came to
 * nothing.
 * A lost answer counts as nothing written by the request: to count the same thing again harms nobody.
 */
export function inCountingTransaction<T>(pool: Pool, work: Work<T>): Promise<T> {
  return freshly(pool, () => inOneTransaction(pool, work))
}

type Work<T> = (line: TransactionLine) => Promise<{ readonly keep: boolean; readonly answer: T }>

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
