import type { GrantNoteStore, OAuthStore, OwnGrantStore } from '@ergon/oauth'
import type { Pool } from 'pg'
import { dayBudgets } from './budget-names.ts'
import { createCounting } from './counting-transaction.ts'
import { countToday, digestOf } from './day-counts.ts'
import { forgetRows } from './forget-rows.ts'
import { keyedWrites } from './keyed-call.ts'
import { fewOf, newcomerCounts } from './newcomer-counts.ts'
import { toClient, toCodeGrant, toGrant, toSignIn } from './oauth-rows.ts'
import type { ClientRow, CodeRow, GrantRow, SignInRow } from './oauth-rows.ts'
import { oauthPast, oauthStatements } from './oauth-statements.ts'
import { createGrantNoteRows, createOwnGrantRows } from './own-grants.ts'
import { sayingBusy } from './trouble.ts'

export type PostgresOAuthStore = OAuthStore &
  OwnGrantStore &
  GrantNoteStore & {
    /** Begins the next signing key: it is shown at once and signs from a moment on; answers its epoch. */
    rotateKeys(signsFrom: Date, lastShownUntil: Date): Promise<number>
    /** Forgets what is over, so many rows of each kind; answers how many. */
    purge(now: Date, limit: number): Promise<number>
  }

/** Clients that may register in a UTC day. */
export const clientsADay = { ofAddress: 100, inAll: 10_000 }
const { what: clients, all: allClients } = dayBudgets.tools

type Sql = keyof typeof oauthStatements

/** Delegated access in PostgreSQL, for every process of the service alike (decision 0123). */
export function createOAuthStore(pool: Pool): PostgresOAuthStore {
  const ask = async <R extends object>(name: Sql, values: readonly unknown[]): Promise<R | null> => {
    const { rows } = await pool.query<R>({ name: `oauth-${name}`, text: oauthStatements[name], values: [...values] })
    return rows[0] ?? null
  }
  const writes = keyedWrites(pool)
  /** How many rows it changed; of a statement with several parts, the last one's. */
  const change = async (name: Sql, values: readonly unknown[]): Promise<number> => {
    const { rowCount } = await writes.query({
      name: `oauth-${name}`,
      text: oauthStatements[name],
      values: [...values],
    })
    return rowCount ?? 0
  }
  return sayingBusy<PostgresOAuthStore>({
    ...createClientRows(pool, ask),
    ...createSignInRows(ask, change),
    ...createTokenRows(ask, change),
    ...createOwnGrantRows(pool),
    ...createGrantNoteRows(pool),
    async signingEpochs(now) {
      const { rows } = await pool.query<{ epoch: number; signs_from: Date; shown_until: Date | null }>({
        name: 'oauth-epochs',
        text: oauthStatements.epochs,
        values: [now],
      })
      return rows.map((row) => ({ epoch: row.epoch, signsFrom: row.signs_from, shownUntil: row.shown_until }))
    },
    async rotateKeys(signsFrom, lastShownUntil) {
      const row = await ask<{ epoch: number }>('newEpoch', [signsFrom, lastShownUntil])
      if (row === null) throw new Error('there is no signing key to follow')
      return row.epoch
    },
    async purge(now, limit) {
      let gone = 0
      for (const past of oauthPast) gone += await forgetRows(pool, past, limit, [now])
      return gone
    },
  })
}

type Ask = <R extends object>(name: Sql, values: readonly unknown[]) => Promise<R | null>
type Change = (name: Sql, values: readonly unknown[]) => Promise<number>

function createClientRows(pool: Pool, ask: Ask): Pick<OAuthStore, 'putClient' | 'findClient'> {
  const count = createCounting(pool)
  return {
    putClient: ({ id, name, redirectUris, createdAt }, from) =>
      count(from, async (client) => {
        const spent = await countToday(client, [
          {
            by: 'address',
            counted: digestOf(`${clients} from ${from}`),
            amount: 1,
            limit: clientsADay.ofAddress,
            ...fewOf(clientsADay),
          },
          // A tool that registers has no wallet yet: all of them are newcomers.
          ...newcomerCounts({ what: clients, from, amount: 1, limits: clientsADay, kept: 0 }),
          { by: 'all', counted: allClients, amount: 1, limit: clientsADay.inAll },
        ])
        if (spent === null) await client.query(oauthStatements.putClient, [id, name, redirectUris, createdAt])
        return { keep: spent === null, answer: spent === null }
      }),
    async findClient(id) {
      const row = await ask<ClientRow>('findClient', [id])
      return row === null ? null : toClient(row)
    },
  }
}

function createSignInRows(
  ask: Ask,
  change: Change,
): Pick<OAuthStore, 'putSignIn' | 'findSignIn' | 'decide' | 'finish'> {
  return {
    async putSignIn(one) {
      await change('putSignIn', [
        one.rid,
        one.clientId,
        one.clientName,
        one.clientHost,
        one.redirectUri,
        one.state,
        one.scopes,
        one.resource,
        one.challenge,
        one.csrfHash,
        one.expiresAt,
      ])
    },
    async findSignIn(rid, now) {
      const row = await ask<SignInRow>('findSignIn', [rid, now])
      return row === null ? null : toSignIn(row)
    },
    async decide(rid, outcome, now) {
      const given = outcome.kind === 'allowed' ? outcome : null
      const values = [given?.by, given?.address, given?.chainId, given?.scopes]
      const limits = [given?.limits?.maxCents, given?.limits?.maxCount]
      return (
        (await change(
          'decide',
          [rid, now, outcome.kind, ...values, ...limits].map((one) => one ?? null),
        )) === 1
      )
    },
    async finish(rid, grant, now) {
      if (grant === null) return (await change('finishDenied', [rid, now])) === 1
      const done = await change('finishAllowed', [
        rid,
        now,
        grant.id,
        grant.clientId,
        grant.clientName,
        grant.address,
        grant.chainId,
        grant.scopes,
        grant.limits?.maxCents ?? null,
        grant.limits?.maxCount ?? null,
        grant.resource,
        grant.redirectUri,
        grant.challenge,
        grant.codeHash,
        grant.codeExpiresAt,
        grant.expiresAt,
      ])
      if (done === 1) await change('noteClient', [grant.clientId, now])
      return done === 1
    },
  }
}

function createTokenRows(
  ask: Ask,
  change: Change,
): Pick<OAuthStore, 'findCode' | 'redeem' | 'rotate' | 'findRefresh' | 'revoke' | 'isLive'> {
  return {
    async findCode(codeHash) {
      const row = await ask<CodeRow>('findCode', [codeHash])
      return row === null ? null : toCodeGrant(row)
    },
    redeem: async (codeHash, refresh, now) =>
      (await change('redeem', [codeHash, now, refresh?.hash ?? null, refresh?.expiresAt ?? null])) === 1,
    async rotate(hash, clientId, next, now) {
      const row = await ask<GrantRow>('rotate', [hash, clientId, now, next.hash, next.expiresAt])
      return row === null ? null : toGrant(row)
    },
    async findRefresh(hash, now) {
      type Row = { grant_id: string; client_id: string; scopes: string[]; is_used: boolean; is_spent: boolean }
      const row = await ask<Row>('findRefresh', [hash, now])
      return row === null
        ? null
        : {
            grantId: row.grant_id,
            clientId: row.client_id,
            scopes: row.scopes,
            isUsed: row.is_used,
            isSpent: row.is_spent,
          }
    },
    async revoke(grantId, why, now) {
      await change('revoke', [grantId, why, now])
    },
    isLive: async (grantId, now) => (await ask('isLive', [grantId, now])) !== null,
  }
}
