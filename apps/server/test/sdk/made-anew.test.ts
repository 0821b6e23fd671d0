import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLineToMarket, type LineToMarket } from './line-to-market.ts'

let market: LineToMarket
beforeAll(async () => {
  market = await startLineToMarket({ SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true' })
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

test('a program that removed what it made and starts over makes it anew, and not twice', async () => {
  const client = market.client()
  const make = () => client.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['*'] })
  const first = await make()
  expect((await make()).webhook_id).toBe(first.webhook_id)
  await client.webhooks.remove({ webhook_id: first.webhook_id })
  const second = await make()
  expect(second.webhook_id).not.toBe(first.webhook_id)
  expect((await make()).webhook_id).toBe(second.webhook_id)
  expect(await client.webhooks.list({})).toMatchObject({ count: 1 })
})
