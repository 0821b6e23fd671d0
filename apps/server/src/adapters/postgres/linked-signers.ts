import type { Pool } from 'pg'
import type { SealedText } from '../sealed-text.ts'
import { forgetRows } from './forget-rows.ts'
import { sayingBusy } from './trouble.ts'

/** A request at the signer of a wallet, with the document that it is about. */
export type KeptRequest = { readonly id: string; readonly asked: string; readonly signature: string | null }

/** What is kept of external signers: a secret for each wallet, and what each was asked to sign. */
export type LinkedSigners = {
  link(wallet: string, secret: string): Promise<void>
  /** A secret of null: the signer ended the link. Null where there is none. */
  find(wallet: string): Promise<{ readonly secret: string | null } | null>
  /** The signer serves this wallet no more: its secret is deleted, and that it was so is told for a while. */
  ended(wallet: string): Promise<void>
  /** Deletes everything of a wallet; whether there was a secret. */
  unlink(wallet: string): Promise<boolean>
  openRequest(wallet: string, subject: string): Promise<KeptRequest | null>
  /** Keeps a request, or answers the one that is there about the same; null where too many are open. */
  begin(
    request: { readonly id: string; readonly asked: string } & Of & { readonly goodUntil: Date },
  ): Promise<KeptRequest | null>
  /** Kept a little longer, so that whoever lost the answer reads it again. */
  signed(id: string, signature: string): Promise<void>
  drop(id: string): Promise<void>
  /** Forgets what is over; answers how much. */
  purge(limit: number): Promise<number>
}
type Of = { readonly wallet: string; readonly subject: string }

/** How many documents of one wallet may wait for its owner at once. */
const mostOpen = 20
const linkDays = 90
const endedDays = 30
const signedMinutes = 10

/** Every time is the database's own. */
export function createLinkedSigners(pool: Pool, vault: SealedText): LinkedSigners {
  return sayingBusy({ ...createLinks(pool, vault), ...createRequests(pool, vault) })
}

function createLinks(pool: Pool, vault: SealedText): Omit<LinkedSigners, keyof ReturnType<typeof createRequests>> {
  return {
    async link(wallet, secret) {
      await pool.query({
        name: 'linked-link',
        text: `insert into linked_signers (wallet, secret, good_until)
          values ($1, $2, now() + make_interval(days => $3)) on conflict (wallet)
          do update set secret = excluded.secret, linked_at = now(), good_until = excluded.good_until`,
        values: [wallet, vault.seal(secret), linkDays],
      })
    },
    async find(wallet) {
      const { rows } = await pool.query<{ secret: Buffer | null }>({
        name: 'linked-find',
        text: 'select secret from linked_signers where wallet = $1 and good_until > now()',
        values: [wallet],
      })
      const [row] = rows
      if (row === undefined) return null
      const { secret } = row
      return secret === null ? { secret } : readable(() => ({ secret: vault.open(secret) }))
    },
    async ended(wallet) {
      await pool.query({
        name: 'linked-ended',
        text: `update linked_signers set secret = null, good_until = now() + make_interval(days => $2)
          where wallet = $1`,
        values: [wallet, endedDays],
      })
    },
    async unlink(wallet) {
      const { rows } = await pool.query<{ had: boolean }>({
        name: 'linked-unlink',
        text: `with asked as (delete from linked_signer_requests where wallet = $1)
          delete from linked_signers where wallet = $1 returning secret is not null as had`,
        values: [wallet],
      })
      return rows[0]?.had ?? false
    },
  }
}

/** What was sealed under a secret that this deployment has no more is as good as gone. */
function readable<T>(open: () => T): T | null {
  try {
    return open()
  } catch {
    return null
  }
}

type Row = { readonly id: string; readonly asked: Buffer; readonly signature: Buffer | null }

function createRequests(pool: Pool, vault: SealedText) {
  const read = (row: Row | undefined): KeptRequest | null =>
    row === undefined
      ? null
      : readable(() => ({
          id: row.id,
          asked: vault.open(row.asked),
          signature: row.signature === null ? null : vault.open(row.signature),
        }))
  const openRequest: LinkedSigners['openRequest'] = async (wallet, subject) => {
    const { rows } = await pool.query<Row>({
      name: 'linked-open',
      text: `select id, asked, signature from linked_signer_requests
        where wallet = $1 and subject = $2 and good_until > now()`,
      values: [wallet, subject],
    })
    return read(rows[0])
  }
  const begin: LinkedSigners['begin'] = async ({ id, wallet, subject, asked, goodUntil }) => {
    const { rows } = await pool.query<Row>({
      name: 'linked-begin',
      text: `insert into linked_signer_requests (id, wallet, subject, asked, good_until)
        select $1, $2, $3, $4, $5 where
          (select count(*) from linked_signer_requests where wallet = $2 and good_until > now()) < $6
        on conflict (wallet, subject) do update
          set id = excluded.id, asked = excluded.asked, signature = null, good_until = excluded.good_until
          where linked_signer_requests.good_until <= now()
        returning id, asked, signature`,
      values: [id, wallet, subject, vault.seal(asked), goodUntil, mostOpen],
    })
    // Nothing was written where another call was first.
    return read(rows[0]) ?? openRequest(wallet, subject)
  }
  return {
    openRequest,
    begin,
    async signed(id: string, signature: string): Promise<void> {
      await pool.query({
        name: 'linked-signed',
        text: `update linked_signer_requests
          set signature = $2, good_until = least(good_until, now() + make_interval(mins => $3)) where id = $1`,
        values: [id, vault.seal(signature), signedMinutes],
      })
    },
    async drop(id: string): Promise<void> {
      await pool.query({
        name: 'linked-drop',
        text: 'delete from linked_signer_requests where id = $1',
        values: [id],
      })
    },
    async purge(limit: number): Promise<number> {
      const over = (table: string) =>
        forgetRows(pool, { table, where: 'good_until < now()', order: 'good_until' }, limit)
      return Math.max(await over('linked_signers'), await over('linked_signer_requests'))
    },
  }
}
