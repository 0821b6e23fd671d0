import { askDays, unsentKeptMs, type Store } from '@ergon/core'
import type { Pool } from 'pg'
import type { Config } from './config/config.ts'
import { forgetUnconfirmed } from './mail.ts'
import type { Books } from './open-books.ts'
import type { WebhookDelivery } from './webhooks/deliver.ts'
import type { DutyDeps } from './workers/duties.ts'

type RetentionParts = {
  readonly config: Pick<Config, 'eventsKeptDays' | 'offersKeptDays'>
  readonly pool: Pool
  readonly books: Books
  readonly store: Store
  readonly deliveries: Pick<WebhookDelivery, 'forget'>
  readonly now: () => Date
}

export type Retentions = ReturnType<typeof retentions>

/** What this service keeps for a time, and forgets in steps. */
export function retentions({ config, pool, books, store, deliveries, now }: RetentionParts) {
  const daysAgo = (days: number): Date => new Date(now().getTime() - days * 86_400_000)
  return {
    events: (limit) => store.forgetEvents(daysAgo(config.eventsKeptDays), limit),
    ticks: (limit) => store.forgetTicks(daysAgo(config.eventsKeptDays), limit),
    offers: (limit) => books.offers.forget(daysAgo(config.offersKeptDays), limit),
    asks: (limit) => store.endAsks(daysAgo(askDays), limit),
    'cash-outs': (limit) => store.forgetCashOuts(new Date(now().getTime() - unsentKeptMs), limit),
    deliveries: (limit) => deliveries.forget(limit),
    keys: (limit) => books.keys.purge(limit),
    nonces: (limit) => books.nonces.purge(limit),
    sessions: (limit) => books.sessions.purge(now(), limit),
    accounts: (limit) => books.accounts.purge(limit),
    counts: (limit) => books.registrations.purge(limit),
    'upload-days': (limit) => books.uploads.forgetDays(limit),
    oauth: (limit) => books.oauth.purge(now(), limit),
    warrants: (limit) => books.warrants.purge(limit),
    links: (limit) => books.links.purge(limit),
    mails: (limit) => forgetUnconfirmed(pool, limit),
  } as const satisfies DutyDeps['forget']
}
