import { localChainId } from '@ergon/contracts'
import {
  anyPayment,
  bytesToHex,
  standingOrderDigest,
  standingOrderToWire,
  standingRevocationDigest,
} from '@ergon/protocols'
import { expect, test } from 'vitest'
import type { Context } from '../src/http/context.ts'
import { createRouter } from '../src/http/router.ts'
import { addStandingRoutes } from '../src/http/standing-routes.ts'
import { addresses, nowSec, payer, randomHex32, sign, stranger } from '../src/testing/payments.ts'

test('after a flood of orders that are taken back, one more a second is', async () => {
  let ms = 5_000
  const context = {
    networks: { find: () => ({ name: 'localnet', chainId: localChainId }) },
    standing: { revoke: () => Promise.resolve(0) },
    now: nowSec,
    surroundings: { monotonic: () => ms },
  } as unknown as Context // what this route asks
  const router = createRouter()
  addStandingRoutes(router, context)
  const order = {
    ...{ payer: payer.address, spender: stranger.address, operator: addresses.operator, token: addresses.token },
    ...{ maxPerRelease: 1n, maxTotal: 1n, maxCount: 1, notBefore: nowSec() - 60, notAfter: nowSec() + 900 },
    ...{ nonce: randomHex32(), payment: anyPayment },
  }
  const digest = standingOrderDigest(order, localChainId)
  const body = {
    network: 'localnet',
    standingOrder: standingOrderToWire(order, sign(digest, payer.privateKey)),
    signature: sign(standingRevocationDigest(bytesToHex(digest), localChainId), payer.privateKey),
  }
  const request = {
    ...{ method: 'POST', path: '/standing-orders/revoke', from: '' },
    ...{ headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) },
  }
  const revoke = async (): Promise<number | undefined> => (await router.find(request)?.answer())?.status
  for (let taken = 0; taken < 300; taken += 1) expect(await revoke()).toBe(200)
  expect(await revoke()).toBe(429)
  ms += 1_000
  expect([await revoke(), await revoke()]).toEqual([200, 429])
  ms += 10_000
  expect([await revoke(), await revoke()]).toEqual([200, 200])
})
