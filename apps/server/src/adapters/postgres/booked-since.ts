import type { Pool } from 'pg'

export type BookedLine = {
  readonly task_id: string
  readonly type: string
  readonly amount_atomic: bigint | null
  readonly network: string
  readonly token: string
  readonly tx_hash: string
}

/** Money that moved on chain and was booked behind this id, oldest first: ids follow the clock. */
export async function bookedSince(pool: Pool, id: string): Promise<readonly BookedLine[]> {
  const { rows } = await pool.query<BookedLine>(
    `select task_id, type, amount_atomic, network, token, tx_hash from payment_events
      where id > $1 and tx_hash is not null order by id`,
    [id],
  )
  return rows
}
