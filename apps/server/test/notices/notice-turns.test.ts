import { randomUUID } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@ergon/dev-env/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailSubscriptions, createPool, createPushSubscriptions } from '../../src/adapters/postgres/index.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** When browsers and mailboxes have their turn, whatever happens while a notice is under way to them. */
let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase(serverSchema)
  pool = createPool(database.url)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const claiming = { most: 10, leaseMs: 120_000, perLane: 10, underWay: new Map<string, number>() }
const hour = 3_600_000
const browserOf = (wallet: string) => ({
  ...{ wallet, endpoint: `https://push.example/${wallet}`, p256dh: 'key', auth: 'secret' },
  ...{ kinds: ['money'] as const, language: 'en' as const },
})

async function browsers() {
  const subscriptions = createPushSubscriptions(pool)
  const wallet = randomUUID()
  await subscriptions.put(browserOf(wallet), 'first', 10)
  return {
    subscriptions,
    wallet,
    again: () => subscriptions.put(browserOf(wallet), 'later', 10),
    end: async () => {
      for (const one of await subscriptions.list(wallet)) await subscriptions.remove(wallet, one.id)
    },
  }
}
async function mailboxes() {
  const subscriptions = createMailSubscriptions(pool)
  const wallet = randomUUID()
  const put = () =>
    subscriptions.put({ wallet, address: `${wallet}@mail.test`, kinds: ['money'], language: 'en' }, false)
  await subscriptions.confirm((await put()).id, 'first')
  return { subscriptions, wallet, again: put, end: () => subscriptions.remove(wallet) }
}

describe.each([
  ['a browser', browsers],
  ['a mailbox', mailboxes],
])('%s', (_name, open) => {
  const openOne = async () => {
    const { subscriptions, wallet, again, end } = await open()
    const claim = async () => {
      const due = await subscriptions.claim(claiming)
      expect(due.length).toBeLessThan(2)
      return due[0]
    }
    const claimed = async () => {
      const one = await claim()
      if (one === undefined) throw new Error('it is not due')
      return one
    }
    const leaseEnds = async () => {
      for (const table of ['push_subscriptions', 'mail_subscriptions'])
        await pool.query(`update ${table} set due_at = clock_timestamp() where wallet = $1`, [wallet])
    }
    return {
      subscriptions,
      wallet,
      claim,
      claimed,
      leaseEnds,
      again,
      [Symbol.asyncDispose]: async () => void (await end()),
    }
  }

  test('is told of what happens meanwhile after it, also when an attempt failed before', async () => {
    await using one = await openOne()
    const { subscriptions, wallet, claim, claimed, leaseEnds } = one
    await subscriptions.failed(await claimed(), 60_000)
    await leaseEnds()
    const held = await claimed()
    await subscriptions.tell([wallet])
    expect(await claim()).toBeUndefined()
    await subscriptions.heard(held, 'second', hour, 0)
    expect(await claim()).toMatchObject({ place: 'second', attempts: 0 })
  })

  test('waits after a failure, whatever happens', async () => {
    await using one = await openOne()
    await one.subscriptions.failed(await one.claimed(), 60_000)
    await one.subscriptions.tell([one.wallet])
    expect(await one.claim()).toBeUndefined()
  })

  test('is not told twice because it is named again meanwhile', async () => {
    await using one = await openOne()
    const held = await one.claimed()
    await one.again()
    expect(await one.claim()).toBeUndefined()
    await one.subscriptions.heard(held, 'second', hour, 0)
    const due = await one.claim()
    if (due !== undefined) expect(due).toMatchObject({ place: 'second' })
  })

  test('keeps what was written under the lease that took over', async () => {
    await using one = await openOne()
    const { subscriptions, wallet, claim, claimed, leaseEnds } = one
    const late = await claimed()
    await leaseEnds()
    const held = await claimed()
    await subscriptions.heard(late, 'late', 0, 0)
    await subscriptions.failed(late, 0)
    await subscriptions.postpone(late, 0)
    await subscriptions.tell([wallet])
    expect(await claim()).toBeUndefined()
    await subscriptions.heard(held, 'second', hour, 0)
    expect(await claim()).toMatchObject({ place: 'second', attempts: 0 })
  })
})
