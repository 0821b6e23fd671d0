import type { Pool } from 'pg'
import { forgetRows } from './forget-rows.ts'
import { sayingBusy } from './trouble.ts'

export type StoredSession = {
  readonly sid: string
  readonly wallet: string
  readonly chainId: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type SessionStore = {
  put(session: StoredSession): Promise<void>
  /** Whether the session was neither ended nor is past its time. */
  isOpen(sid: string, now: Date): Promise<boolean>
  end(sid: string): Promise<void>
  /** Forgets so many sessions at the most that are past their time; answers how many. */
  purge(now: Date, limit: number): Promise<number>
}

/** Which sessions stand, in PostgreSQL, for every process of the service alike. */
export function createSessionStore(pool: Pool): SessionStore {
  return sayingBusy<SessionStore>({
    async put(session) {
      await pool.query({
        name: 'session-put',
        text: 'insert into sessions (sid, wallet, chain_id, created_at, expires_at) values ($1, $2, $3, $4, $5)',
        values: [session.sid, session.wallet, session.chainId, session.createdAt, session.expiresAt],
      })
    },
    async isOpen(sid, now) {
      const { rowCount } = await pool.query({
        name: 'session-is-open',
        text: 'select 1 from sessions where sid = $1 and expires_at > $2',
        values: [sid, now],
      })
      return rowCount === 1
    },
    async end(sid) {
      await pool.query({ name: 'session-end', text: 'delete from sessions where sid = $1', values: [sid] })
    },
    purge: (now, limit) =>
      forgetRows(pool, { table: 'sessions', where: 'expires_at < $2', order: 'expires_at' }, limit, [now]),
  })
}
