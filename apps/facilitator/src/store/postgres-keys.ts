import type { Pool } from 'pg'
import { ask } from './ask.ts'
import type { Bound, IntentStore, StoredRefusal } from './intents.ts'
import { intentOf, type IntentRow } from './rows.ts'

type KeyRow = { key: string; hash_of_key: string; registration_id: string | null; refusal: StoredRefusal | null } & {
  [Column in keyof IntentRow]: IntentRow[Column] | null
}

const boundSql = `
  select k.key, k.request_hash as hash_of_key, k.registration_id, k.refusal, i.* from request_keys k
  left join intents i on i.id = k.intent_id
  where k.key = any($1)`

/** What keys stand for. */
export function createKeys(pool: Pool): Pick<IntentStore, 'find' | 'bind' | 'release'> {
  const boundTo = async (keys: readonly string[]): Promise<Bound[]> =>
    (await ask<KeyRow>(pool, 'keys-find', boundSql, [keys])).map(boundOf)
  return {
    async find(network, onceKeys, keys) {
      const [live, bound] = await Promise.all([
        onceKeys.length === 0
          ? []
          : ask<IntentRow>(
              pool,
              'intents-find',
              `select * from intents
          where network = $1 and once_key = any($2) and status in ('sent', 'succeeded')`,
              [network, onceKeys],
            ),
        keys.length === 0 ? [] : boundTo(keys),
      ])
      return { live: live.map(intentOf), bound }
    },
    async bind(key, requestHash, refusal, keepMs) {
      for (;;) {
        await ask(
          pool,
          'keys-bind',
          `insert into request_keys (key, request_hash, refusal, keep_until)
          values ($1, $2, $3, now() + $4 * interval '1 millisecond') on conflict (key) do nothing`,
          [key, requestHash, JSON.stringify(refusal), keepMs],
        )
        const [bound] = await boundTo([key])
        // Absent only when an older refusal was forgotten between the two.
        if (bound !== undefined) return bound
      }
    },
    async release(key) {
      await ask(
        pool,
        'keys-release',
        `delete from request_keys k where k.key = $1
        and (k.refusal is not null
            or exists (select 1 from intents i where i.id = k.intent_id and i.status = 'failed'))`,
        [key],
      )
    },
  }
}

function boundOf(row: KeyRow): Bound {
  // A left join: the columns of the intent are all there or all null.
  const intent = row.id === null ? null : intentOf(row as IntentRow)
  return {
    key: row.key,
    requestHash: row.hash_of_key,
    intent,
    registrationId: row.registration_id,
    refusal: row.refusal,
  }
}
