import type { Pool } from 'pg'
import { Unavailable } from '../errors.ts'
import { ask } from '../store/ask.ts'

/** A share of a day's gas that a write counts against. */
export type GasCount = { readonly key: string; readonly most: number }

/** How much gas was spent on a day, by whom it is counted against. As with `IntentStore`, a method that throws has answered nothing. */
export type GasBook = {
  /** Adds to each count, or to none when one would pass its limit: that one's key. */
  take(day: string, counts: readonly GasCount[], gas: number): Promise<string | undefined>
  spent(day: string, key: string): Promise<number>
}

/** In PostgreSQL, so that a restart does not begin the day anew. */
export function createGasBook(pool: Pool): GasBook {
  return {
    async take(day, counts, gas) {
      const client = await pool.connect().catch(unavailable)
      try {
        await client.query('begin')
        for (const { key, most } of counts) {
          const { rows } = await client.query<{ gas: string }>({
            name: 'gas-take', text: 'insert into gas_spent as g (day, key, gas) values ($1, $2, $3) on conflict (day, key) do update set gas = g.gas + excluded.gas returning gas', values: [day, key, gas],
          })
          if (Number(rows[0]?.gas ?? 0) > most) {
            await client.query('rollback')
            return key
          }
        }
        await client.query({ name: 'gas-forget', text: 'delete from gas_spent where day < $1', values: [day] })
        await client.query('commit')
        return undefined
      } catch (cause) {
        await client.query('rollback').catch(() => undefined)
        return unavailable(cause)
      } finally {
        client.release()
      }
    },
    async spent(day, key) {
      const [row] = await ask<{ gas: string }>(pool, 'gas-spent', 'select gas from gas_spent where day = $1 and key = $2', [day, key])
      return Number(row?.gas ?? 0)
    },
  }
}

function unavailable(cause: unknown): never {
  // Counting comes before sending.
  throw new Unavailable('store_unavailable', 'the settlement store does not answer', { status: 503, details: { broadcast: false }, cause })
}
