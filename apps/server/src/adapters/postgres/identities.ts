import type { Store } from '@ergon/core'
import type { Pool } from 'pg'
import type { KeyedWrites } from './keyed-call.ts'
import type { ReadingLine } from './reading-line.ts'

export type Identities = Pick<
  Store,
  'identity' | 'putIdentity' | 'changeIdentity' | 'forgetIdentity' | 'leaseIdentities' | 'identitiesChecked'
>

/** What is known of ERC-8004 identities. */
export function identityRows(pool: Pool, line: ReadingLine, writes: KeyedWrites, identityNetwork: string): Identities {
  return {
    async identity(network, wallet) {
      const { rows } = await line.query<{ agent_id: bigint; tx_hash: string | null }>({
        name: 'identity',
        text: 'select agent_id, tx_hash from identities where network = $1 and wallet = $2',
        values: [network, wallet],
      })
      return rows[0] === undefined ? null : { agentId: Number(rows[0].agent_id), txHash: rows[0].tx_hash }
    },
    async putIdentity(network, wallet, identity, at) {
      await writes.query({
        name: 'identity-put',
        text: `insert into identities (network, wallet, agent_id, tx_hash, updated_at, check_at)
          values ($1, $2, $3, $4, $5, $5::timestamptz + interval '1 minute')
          on conflict (network, wallet) do update set agent_id = excluded.agent_id,
            tx_hash = coalesce(excluded.tx_hash, identities.tx_hash), updated_at = excluded.updated_at,
            check_at = excluded.check_at`,
        values: [network, wallet, identity.agentId, identity.txHash, at],
      })
    },
    async changeIdentity({ network, wallet, from, to, at, publishedSince }) {
      await pool.query({
        name: 'identity-change',
        text: `with changed as (
            update identities set agent_id = $4, tx_hash = null, updated_at = $5,
              check_at = $5::timestamptz + interval '1 minute'
            where network = $1 and wallet = $2 and agent_id = $3 returning wallet)
          update tasks t set publisher_agent_id = $4 from changed
          where t.publisher_wallet = changed.wallet and t.publisher_agent_id = $3 and t.created_at >= $6 and $1 = $7`,
        values: [network, wallet, from, to, at, publishedSince, identityNetwork],
      })
    },
    async forgetIdentity({ network, wallet, from, storedBefore }) {
      await pool.query({
        name: 'identity-forget',
        text: `delete from identities where network = $1 and wallet = $2 and agent_id = $3 and updated_at < $4`,
        values: [network, wallet, from, storedBefore],
      })
    },
    async leaseIdentities(network, now, until, limit) {
      const { rows } = await pool.query<{ network: string; wallet: string; agent_id: bigint }>({
        name: 'identities-lease',
        text: `update identities set check_at = $2 where network = $4 and wallet = any(array(
            select wallet from identities where check_at <= $1 and network = $4
            order by check_at limit $3
            for update skip locked)) returning network, wallet, agent_id`,
        values: [now, until, limit, network],
      })
      return rows.map(({ network, wallet, agent_id }) => ({ network, wallet, agentId: Number(agent_id) }))
    },
    async identitiesChecked(checked, now) {
      await pool.query({
        name: 'identities-checked',
        text: `update identities i set check_at = $3::timestamptz
            + least(greatest($3::timestamptz - i.updated_at, interval '1 minute'), interval '30 days')
          from unnest($1::text[], $2::text[]) as c (network, wallet)
          where i.network = c.network and i.wallet = c.wallet`,
        values: [checked.map(({ network }) => network), checked.map(({ wallet }) => wallet), now],
      })
    },
  }
}
