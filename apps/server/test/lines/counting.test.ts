import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIsProven, createOAuthStore, createPaymentBudget } from '../../src/adapters/postgres/index.ts'
import { openStageDatabase, type StageDatabase } from '../market/stage-database.ts'

/** Another connection holds the row at which all of a kind meet, as a server does whose disk is slow. */
let database: StageDatabase
beforeAll(async () => {
  database = await openStageDatabase()
})
afterAll(() => database.drop())

type Held = {
  readonly counted: string
  readonly ask: (index: number) => Promise<unknown>
  readonly connections: number
}

/** Sixty ask for what is held; how many of them are answered in the end. */
async function whileHeld({ counted, ask, connections }: Held, meanwhile: () => Promise<unknown>): Promise<number> {
  await ask(0)
  const { pool } = database
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    const held = await holder.query('select 1 from registration_counts where counted = $1 for update', [counted])
    expect(held.rowCount).toBe(1)
    const asked = Array.from({ length: 60 }, (_, index) => ask(index + 1))
    const settled = Promise.allSettled(asked)
    // Theirs, and the one that holds the row.
    const busy = (): number => pool.totalCount - pool.idleCount
    await expect.poll(busy).toBe(connections + 1)
    // Whoever asks something else is answered at once: nobody waits for a connection.
    for (let index = 0; index < 20; index += 1) await meanwhile()
    expect(busy()).toBe(connections + 1)
    await holder.query('rollback')
    return (await settled).filter(({ status }) => status === 'fulfilled').length
  } finally {
    holder.release()
  }
}

test('whoever waits to begin a payment holds few connections, and all are counted in the end', async () => {
  const budget = createPaymentBudget(
    database.pool,
    { perWallet: 0, perAddress: 0, inAll: 0 },
    createIsProven(database.pool),
  )
  const begin = (index: number) => budget.take({ wallet: `0x${String(index)}`, from: '127.0.0.1' }, 1)
  const reading = () => database.pool.query('select 1')
  expect(await whileHeld({ counted: 'payments', ask: begin, connections: 1 }, reading)).toBe(60)
  expect(await budget.today()).toBe(61)
})

test('programs that register themselves hold few connections, and hold nobody up who counts something else', async () => {
  const oauth = createOAuthStore(database.pool)
  const budget = createPaymentBudget(
    database.pool,
    { perWallet: 0, perAddress: 0, inAll: 0 },
    createIsProven(database.pool),
  )
  const register = (index: number): Promise<boolean> => {
    const client = { id: randomUUID(), name: 'one', redirectUris: ['http://127.0.0.1/'], createdAt: new Date() }
    return oauth.putClient(client, `10.0.0.${String(index)}`)
  }
  const paying = () => budget.take({ wallet: '0xpays', from: '127.0.0.1' }, 1)
  expect(await whileHeld({ counted: 'oauth clients', ask: register, connections: 2 }, paying)).toBe(60)
})

test('whoever waits for too long is told that the service is busy, and nothing was written', async () => {
  const oauth = createOAuthStore(database.pool)
  const register = (index: number): Promise<boolean> =>
    oauth.putClient(
      { id: randomUUID(), name: 'late', redirectUris: ['http://127.0.0.1/'], createdAt: new Date() },
      `10.0.1.${String(index)}`,
    )
  const codes: unknown[] = []
  const waiting = async (index: number): Promise<void> => {
    await register(index).catch((error: unknown) => codes.push((error as { readonly code: unknown }).code))
  }
  const enough = () => expect.poll(() => codes.length).toBe(58)
  expect(await whileHeld({ counted: 'oauth clients', ask: waiting, connections: 2 }, enough)).toBe(60)
  expect(new Set(codes)).toEqual(new Set(['SERVICE_BUSY']))
  const { rows } = await database.pool.query("select 1 from oauth_clients where name = 'late'")
  expect(rows).toHaveLength(3)
})
