import type { Pool } from 'pg'

/** In which transactions something of a payment was booked, by its hash or, of a direct one, its nonce. */
export async function bookedTransactions(pool: Pool, network: string, key: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ tx_hash: string }>({
    name: 'transactions-booked',
    text: 'select distinct tx_hash from movements where network = $1 and hash = $2',
    values: [network, key],
  })
  return rows.map((row) => row.tx_hash)
}
