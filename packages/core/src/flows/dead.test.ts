import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { scriptedNow } from '../testing/scripted-deps.ts'
import { authorize, capture, charge, giveBackOf, heldTask, placeOn } from '../testing/scripted-money.ts'
import type { RailOrder } from '../settlements/order.ts'
import { isDead } from './dead.ts'

const nowSec = scriptedNow.getTime() / 1_000

/** A chain whose newest block is from then; `down`: it cannot be asked. */
async function dead(order: RailOrder, chainSec: number | 'down' = 'down') {
  const { deps, chain } = placeOn(heldTask())
  let asked = 0
  const chainTime = (): Promise<Date> => {
    asked += 1
    return chainSec === 'down'
      ? Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))
      : Promise.resolve(new Date(chainSec * 1_000))
  }
  const rails = () => ({ ...chain.rail, chainTime })
  return { isDead: await isDead({ ...deps, rails }, order), asked }
}
const until = (sec: number): RailOrder => charge({ validBefore: BigInt(sec) })

describe('an order is dead', () => {
  test.each([
    ['before its deadline', nowSec + 1, false],
    ['at its deadline', nowSec, false],
    ['as long past it as the clock of a chain may be behind', nowSec - 301, true],
  ])('%s: without a look at the chain', async (_when, deadline, isSo) => {
    expect(await dead(until(deadline), nowSec)).toEqual({ isDead: isSo, asked: 0 })
  })
  test.each([
    ['past it, and the chain is not', nowSec - 1, nowSec - 1, false],
    ['past it, and so is the chain', nowSec - 1, nowSec, true],
    ['just within the bound', nowSec - 300, nowSec - 300, false],
    ['past it, and the chain cannot be read: unknown is never no', nowSec - 1, 'down', false],
  ] as const)('%s', async (_when, deadline, chainSec, isSo) => {
    expect(await dead(until(deadline), chainSec)).toEqual({ isDead: isSo, asked: 1 })
  })
  const longPast = { ...capture().payment, authorizationExpiry: nowSec - 1_000 }
  test.each<[string, RailOrder, boolean]>([
    ['a capture with its authorization', { ...capture(), payment: longPast }, true],
    ['a refund never', { ...giveBackOf(), payment: longPast }, false],
    ['a lock with its signature', authorize, false],
    [
      'a payment that lands beside another never',
      charge({ validBefore: BigInt(nowSec - 1_000), alongside: {} as never }),
      false,
    ],
  ])('%s', async (_what, order, isSo) => {
    expect((await dead(order)).isDead).toBe(isSo)
  })
})
