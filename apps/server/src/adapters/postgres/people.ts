import type { Store, WorkerView } from '@ergon/core'
import type { Pool } from 'pg'
import { keyedWrites } from './keyed-call.ts'
import { identityRows, type Identities } from './identities.ts'
import type { ReadingLine } from './reading-line.ts'
import { toWorker, type WorkerRow } from './rows.ts'

type People = Pick<
  Store,
  'worker' | 'workerByWallet' | 'putWorker' | 'putScore' | 'stampEvidenceAccess' | keyof Identities
>

/** Workers, identities and cached scores. */
export function createPeople(pool: Pool, line: ReadingLine, identityNetwork: string): People {
  const writes = keyedWrites(pool)
  const select =
    'select w.*, i.agent_id from workers w left join identities i on i.wallet = w.wallet and i.network = $2'
  const find = async (name: string, where: string, value: string): Promise<WorkerView | null> => {
    const { rows } = await line.query<WorkerRow>({
      name,
      text: `${select} where ${where} = $1`,
      values: [value, identityNetwork],
    })
    return rows[0] === undefined ? null : toWorker(rows[0])
  }
  return {
    worker: (id) => find('worker', 'w.id', id),
    workerByWallet: (wallet) => find('worker-by-wallet', 'w.wallet', wallet),
    async putWorker(worker) {
      const { rows } = await writes.query<WorkerRow>({
        name: 'worker-put',
        text: `with put as (
            insert into workers (id, wallet, display_name, party, created_at)
            values ($1, $3, $4, coalesce($5, 'agent'), $6)
            on conflict (wallet) do update set display_name = coalesce($4, workers.display_name) returning *
          ) select put.*, i.agent_id from put left join identities i on i.wallet = put.wallet and i.network = $2`,
        values: [
          worker.id,
          identityNetwork,
          worker.wallet,
          worker.displayName ?? null,
          worker.party ?? null,
          worker.at,
        ],
      })
      const row = rows[0]
      if (row === undefined) throw new Error('an upsert answered no row')
      return toWorker(row)
    },
    ...identityRows(pool, line, writes, identityNetwork),
    async putScore(score) {
      if (score.role === 'worker') {
        await writes.query({
          name: 'score-worker',
          text: 'update workers set onchain_score = $2, rating_count = $3 where wallet = $1',
          values: [score.wallet, score.score, score.count],
        })
        return
      }
      await writes.query({
        name: 'score-publisher',
        text: `insert into publisher_scores (wallet, avg_score, rating_count, updated_at) values ($1, $2, $3, $4)
          on conflict (wallet) do update set avg_score = excluded.avg_score, rating_count = excluded.rating_count,
            updated_at = excluded.updated_at`,
        values: [score.wallet, score.score, score.count, score.at],
      })
    },
    async stampEvidenceAccess(ids, at) {
      await pool.query({
        name: 'evidence-stamp',
        text: `update submissions set evidence_accessed_at = $2
          where id = any($1::uuid[]) and evidence_accessed_at is null`,
        values: [ids, at],
      })
    },
  }
}
