import { createHash } from 'node:crypto'
import type { AdminTx, PictureStore } from '@ergon/core'
import type { Pool } from 'pg'
import type { TransactionLine } from './transaction-line.ts'

/** Of the row of the worker first, which is locked everywhere before what hangs on it. */
const removing = `with hidden as (update workers set picture = null where id = $1 and picture is not null returning id)
  delete from worker_pictures where executor_id in (select id from hidden) returning name`

/** Pictures of workers in PostgreSQL: they are small, and go with the row that shows them. */
export function createPictures(pool: Pool): PictureStore {
  return {
    async putPicture(executorId, bytes, at) {
      const name = nameOf(bytes)
      const { rowCount } = await pool.query({
        name: 'picture-put',
        text: `with shown as (update workers set picture = $2
            where id = $1 and anonymised_at is null returning id)
          insert into worker_pictures (executor_id, name, bytes, set_at) select id, $2, $3, $4 from shown
          on conflict (executor_id) do update set name = excluded.name, bytes = excluded.bytes,
            set_at = excluded.set_at`,
        values: [executorId, name, bytes, at],
      })
      return rowCount === 1 ? name : null
    },
    async removePicture(executorId) {
      const { rowCount } = await pool.query({ name: 'picture-remove', text: removing, values: [executorId] })
      return rowCount === 1
    },
    async picture(name) {
      const { rows } = await pool.query<{ bytes: Buffer }>({
        name: 'picture',
        text: 'select bytes from worker_pictures where name = $1 limit 1',
        values: [name],
      })
      return rows[0]?.bytes ?? null
    },
  }
}

export function createPictureTx(client: TransactionLine): Pick<AdminTx, 'takeDownPicture'> {
  return {
    async takeDownPicture(executorId) {
      const { rows } = await client.query<{ name: string }>(removing, [executorId])
      return rows[0]?.name ?? null
    },
  }
}

/** By what it shows, so that one address never means another picture. */
const nameOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32)
