import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from 'a2a-sdk-1/client'
import { expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import { aTask, startLiveMarket } from '../http/live-market.ts'
import { fetchAs } from './signing-fetch.ts'

test('the client of the next major version reads, cancels and follows a task with its layer for 0.3 switched on', async () => {
  await using live = await startLiveMarket()
  const publisher = await live.party(10n)
  const id = String((await publisher.call('POST', '/api/v1/tasks', aTask())).body['id'])
  const legacyCompat = { enabled: true }
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl: fetchAs(live.url, publisher), legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetchAs(live.url), legacyCompat }),
    }),
  )
  const client = await factory.createFromUrl(`http://${authority}`)
  const scope = { tenant: '' }
  expect(await client.getTask({ ...scope, id })).toMatchObject({ id, contextId: id })
  const seen: unknown[] = []
  const following = (async () => {
    for await (const event of client.resubscribeTask({ ...scope, id })) seen.push(event)
  })()
  expect(await client.cancelTask({ ...scope, id, metadata: {} })).toMatchObject({ id })
  await following
  expect(seen.length).toBeGreaterThan(0)
  await expect(client.cancelTask({ ...scope, id, metadata: {} })).rejects.toThrow(/cancel/i)
}, 60_000)
