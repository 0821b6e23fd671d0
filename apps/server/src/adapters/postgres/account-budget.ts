import type { Pool } from 'pg'
import { createCounting } from './counting-transaction.ts'
import { sayingBusy } from './trouble.ts'

/** The token accounts of others that this deployment pays for: whoever closes one again keeps its rent. */
export type AccountBudget = {
  /** Counts one, for the end of that channel; false where its owner had one of late, or the day's are used up. */
  take(owner: string, channelId: string): Promise<boolean>
}

/** Any constant will do: accounts are counted one after the other. */
const budgetLock = 7_210_465
/** A transaction that never lands is made again: so often may the end of one channel count its account. */
const mostOfChannel = 3
/** Some 0.1 SOL. */
const mostOfDay = 50
const forgottenAfter = "interval '7 days'"

export function createAccountBudget(pool: Pool): AccountBudget {
  const count = createCounting(pool)
  return sayingBusy({
    take: (owner, channelId) =>
      count(owner, async (client) => {
        await client.query('select pg_advisory_xact_lock($1)', [budgetLock])
        await client.query(`delete from accounts_made where at < now() - ${forgottenAfter}`)
        const { rows } = await client.query<{ own: bigint; others: bigint; day: bigint }>({
          name: 'accounts-made',
          text: countText,
          values: [owner, channelId],
        })
        const [made] = rows
        const isFree = made !== undefined && made.own < mostOfChannel && made.others === 0n && made.day < mostOfDay
        if (isFree)
          await client.query('insert into accounts_made (owner, channel_id) values ($1, $2)', [owner, channelId])
        return { keep: isFree, answer: isFree }
      }),
  })
}

const countText = `select
  (select count(*) from accounts_made where owner = $1 and channel_id = $2) as own,
  (select count(*) from accounts_made where owner = $1 and channel_id <> $2) as others,
  (select count(*) from accounts_made where at > now() - interval '1 day') as day`
