import { describe, expect, test } from 'vitest'
import type { Intent, Outcome, Settled } from '../src/store/intents.ts'
import { account, anIntent, bothStores, failed, landed, type Stores } from './two-stores.ts'

const settled = (intent: Intent, isDeep: boolean, outcome = landed): Settled => ({
  id: intent.id,
  status: outcome.failure === undefined ? 'succeeded' : 'failed',
  outcome,
  isDeep,
})

/** Landed under the nonces 3 and 4, and failed under 5. */
async function three(stores: Stores, isDeep: boolean): Promise<readonly Intent[]> {
  const epoch = await stores.raise(account)
  const [one, two, three] = [3, 4, 5].map((accountNonce) => anIntent({ accountNonce }))
  if (one === undefined || two === undefined || three === undefined) throw new Error('three were made')
  await stores.intents.insert([one, two, three], epoch)
  await stores.intents.settle([settled(two, isDeep), settled(one, isDeep), settled(three, isDeep, failed)])
  return [one, two, three]
}
const noncesOf = (intents: readonly Intent[]): readonly number[] => intents.map((one) => one.accountNonce)

describe.each(bothStores)('the depth of intents on %s', (_where, open) => {
  test.each([
    ['not deep is opened again from a nonce on, however long ago that was', { isDeep: false, days: 300, opened: [4] }],
    ['deep is opened again for ten minutes', { isDeep: true, days: 0, opened: [4] }],
    ['deep is not opened again later', { isDeep: true, days: 1, opened: [] }],
  ])('what landed and is %s', async (_what, { isDeep, days, opened }) => {
    await using stores = await open()
    const { intents } = stores
    const all = await three(stores, isDeep)
    await stores.age(days)
    expect(await intents.reopen('another', account, 0, 0)).toEqual([])
    expect(await intents.reopen('localnet', account, 4, 0)).toMatchObject(
      opened.map(() => ({ id: all[1]?.id, status: 'sent', outcome: null })),
    )
    expect(noncesOf(await intents.open('localnet'))).toEqual(opened)
  })

  test('nothing is opened again where all of it landed a moment ago, and with what is older all of it is', async () => {
    await using stores = await open()
    const { intents } = stores
    await three(stores, false)
    expect(await intents.reopen('localnet', account, 0, 60_000)).toEqual([])
    await stores.age(1)
    const late = anIntent({ accountNonce: 6 })
    await intents.insert([late], await stores.raise(account))
    await intents.settle([settled(late, false)])
    expect(await intents.reopen('localnet', account, 6, 60_000)).toEqual([])
    expect(await intents.reopen('localnet', account, 4, 60_000)).toHaveLength(2)
    expect(noncesOf(await intents.open('localnet'))).toEqual([4, 6])
  })

  test('what landed and is not deep is listed by its nonce, with its age, until it is deep', async () => {
    await using stores = await open()
    const { intents } = stores
    const [one] = await three(stores, false)
    await stores.age(2)
    const listed = async (from: number, limit: number): Promise<readonly number[]> =>
      noncesOf((await intents.shallow('localnet', account, from, limit)).map(({ intent }) => intent))
    expect(await listed(0, 10)).toEqual([3, 4])
    expect([await listed(0, 1), await listed(4, 10), await listed(5, 10)]).toEqual([[3], [4], []])
    expect(await intents.shallow('another', account, 0, 10)).toEqual([])
    const [first] = await intents.shallow('localnet', account, 0, 1)
    expect(first).toMatchObject({ intent: { id: one?.id, status: 'succeeded', outcome: landed } })
    expect(first?.settledForMs).toBeGreaterThan(2 * 86_399_000)
    await intents.restate([{ id: one?.id ?? '', outcome: undefined, isDeep: true }])
    expect(await listed(0, 10)).toEqual([4])
  })

  test('what landed is written down as it is on the chain now, and what is open again stays so', async () => {
    await using stores = await open()
    const { intents } = stores
    const [one, two] = await three(stores, false)
    const again: Outcome = { ...landed, blockNumber: 8 }
    await intents.reopen('localnet', account, 4, 0)
    await intents.restate([one, two].map((it) => ({ id: it?.id ?? '', outcome: again, isDeep: false })))
    expect(await intents.shallow('localnet', account, 0, 10)).toMatchObject([
      { intent: { id: one?.id, outcome: again } },
    ])
    expect(await intents.open('localnet')).toMatchObject([{ id: two?.id, outcome: null }])
  })

  test('what was deep, was opened again and landed anew is not deep', async () => {
    await using stores = await open()
    const { intents } = stores
    const [, two] = await three(stores, true)
    await intents.reopen('localnet', account, 4, 0)
    if (two !== undefined) await intents.settle([settled(two, false)])
    expect(await intents.shallow('localnet', account, 0, 10)).toMatchObject([{ intent: { id: two?.id } }])
  })
})
