import { forgetText, type PastRows } from '@ergon/process'
import type { Query } from './database.ts'
import { inSteps } from './in-steps.ts'

/** A call may be resent for a day; its answer is kept for ten minutes. */
const keepKeys = '1 day'
const keepAnswers = '10 minutes'
const keepChannels = '90 days'

const oldCalls: PastRows = {
  table: 'deliveries',
  // A voucher that says more than what is settled now may be the best one yet, also of a call that came to nothing.
  where: `state <> 'asked' and asked_at < now() - interval '${keepKeys}'
    and not exists (select from channels c where c.channel_id = deliveries.channel_id
      and c.status in ('open', 'closing') and c.payable < deliveries.cumulative)`,
  order: 'asked_at',
}
const oldDays: PastRows = {
  table: 'sponsored',
  where: "day < (now() at time zone 'utc')::date",
  order: 'day, counted',
}

const emptyAnswers = `update deliveries set body = null, headers = null where id in (
    select id from deliveries where body is not null and charged_at < now() - interval '${keepAnswers}'
    order by charged_at limit $1) and body is not null`
/** Its calls first: there may be any number of them. */
const endedChannels = `old as (select channel_id from channels
    where closed_at < now() - interval '${keepChannels}' and reclaim_at is null
      and not exists (select from deliveries d where d.channel_id = channels.channel_id)
    order by closed_at limit $1),
  sent as (delete from transactions where channel_id in (select channel_id from old))`

const forgetting = [
  `with gone as (${emptyAnswers} returning 1)`,
  `with gone as (${forgetText(oldCalls)} returning 1)`,
  `with ${endedChannels},
    gone as (delete from channels where channel_id in (select channel_id from old) returning 1)`,
  `with gone as (${forgetText(oldDays)} returning 1)`,
].map((gone) => `${gone} select count(*)::int as count from gone`)

/** Forgets what is kept no longer: so many rows a step, and so many steps at the most in one round. */
export async function forgetOld(query: Query): Promise<void> {
  for (const text of forgetting) await inSteps(query, text)
}
