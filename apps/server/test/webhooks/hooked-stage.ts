import type { Webhook } from '@ergon/core'
import { createTestClock, type TestClock } from '@ergon/core/testing'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { wireWebhooks } from '../../src/wire-webhooks.ts'
import { caughtUp, openStage, publisher, type Stage } from '../market/stage.ts'

export type HookedProcess = ReturnType<typeof wireWebhooks>

export type HookedStage = AsyncDisposable &
  HookedProcess & {
    readonly stage: Stage
    /** The clock of deliveries; the market's own is stopped. */
    readonly clock: TestClock
    /** Another process on the same database; with another secret where one is named. */
    process(ofSecret?: string): HookedProcess & AsyncDisposable
    /** An endpoint that proved itself. */
    active(
      url: string,
      events?: readonly string[],
      owner?: string,
      signsEd25519?: boolean,
    ): Promise<{ readonly webhook: Webhook; readonly secret: string }>
    /** Fans out and attempts what is due now, to the end. */
    round(): Promise<void>
  }

const secret = 'a secret of this test, long enough'

/** Webhooks on real SQL and real sockets, with a clock that is moved by hand and starts when the test does. */
export async function openHookedStage(
  resolve?: (hostname: string) => Promise<readonly string[]>,
): Promise<HookedStage> {
  const stage = await openStage()
  const clock = createTestClock(new Date())
  const wire = (pool: Stage['pool'], ofSecret = secret): HookedProcess =>
    wireWebhooks({
      pool,
      secret: ofSecret,
      near: 'loopback',
      version: 'test',
      now: () => clock.now(),
      onCommitted: () => undefined,
      onError: (error) => {
        throw error
      },
      ...(resolve === undefined ? {} : { resolve }),
    })
  const own = wire(stage.pool)
  return {
    ...own,
    stage,
    clock,
    process(ofSecret) {
      const pool = createPool(stage.databaseUrl)
      const other = wire(pool, ofSecret)
      return {
        ...other,
        async [Symbol.asyncDispose]() {
          await other[Symbol.asyncDispose]()
          await pool.end()
        },
      }
    },
    async active(url, events = ['*'], owner = publisher.wallet, signsEd25519 = false) {
      const made = await own.webhooks.create(owner, { url, events, description: null, signsEd25519 })
      return { webhook: await own.webhooks.verify(owner, made.webhook.id), secret: made.secret }
    },
    async round() {
      await caughtUp(stage)
      await drain(own)
    },
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]()
      await stage[Symbol.asyncDispose]()
    },
  }
}

/** Until nothing is due. */
export async function drain({ delivery }: Pick<HookedProcess, 'delivery'>): Promise<void> {
  while ((await delivery.fanOut()) > 0);
  do await delivery.settled()
  while ((await delivery.begin()) > 0)
  await delivery.settled()
}

/** What the publisher's endpoint was sent, newest first, without the challenge. */
export async function sentTo(hooked: HookedStage, id: string) {
  const page = { limit: 100, offset: 0, cursor: null }
  return (await hooked.webhooks.deliveries(publisher.wallet, id, null, page)).rows.filter(
    ({ kind }) => kind !== 'challenge',
  )
}
