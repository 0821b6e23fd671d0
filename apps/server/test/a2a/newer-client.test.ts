import { randomUUID } from 'node:crypto'
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
  // Whoever follows what is over already is told that alone.
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  expect(await client.cancelTask({ ...scope, id, metadata: {} })).toMatchObject({ id })
  await following
  expect(seen.length).toBeGreaterThan(0)
  await expect(client.cancelTask({ ...scope, id, metadata: {} })).rejects.toThrow(/cancel/i)
})

test('the newest public client, as it is installed, reads, follows, talks, acts and cancels over 1.x', async () => {
  await using live = await startLiveMarket()
  const publisher = await live.party(10n)
  const id = String((await publisher.call('POST', '/api/v1/tasks', aTask())).body['id'])
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl: fetchAs(live.url, publisher) })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetchAs(live.url) }),
    }),
  )
  const client = await factory.createFromUrl(`http://${authority}`)
  expect(client.protocolVersion).toBe('1.0')
  const scope = { tenant: '' }
  const submitted = 1
  const canceled = 5
  expect(await client.getTask({ ...scope, id })).toMatchObject({ id, contextId: id, status: { state: submitted } })
  for (const unknown of ['not-a-task', '00000000-0000-4000-8000-000000000000'])
    await expect(client.getTask({ ...scope, id: unknown })).rejects.toThrow(/no (such )?task/i)
  type Sent = Parameters<typeof client.sendMessage>[0]
  // What the client sends is what is tested.
  const said = (parts: readonly object[]): Sent =>
    ({
      ...scope,
      message: {
        messageId: randomUUID(),
        contextId: '',
        taskId: '',
        role: 1,
        parts: parts.map((content) => ({ content, metadata: undefined, filename: '', mediaType: '' })),
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: { acceptedOutputModes: [], returnImmediately: true },
      metadata: undefined,
    }) as unknown as Sent
  const words = await client.sendMessage(said([{ $case: 'text', value: 'find work' }]))
  expect(words).toMatchObject({ role: 2, parts: [{ content: { $case: 'text' } }, { content: { $case: 'data' } }] })
  const action = { action: 'tasks/create', params: aTask({ title: 'Photograph another gate' }) }
  const made = await client.sendMessage(said([{ $case: 'data', value: action }]))
  expect(made).toMatchObject({ status: { state: submitted } })
  const seen: unknown[] = []
  const following = (async () => {
    for await (const event of client.resubscribeTask({ ...scope, id })) seen.push(event)
  })()
  // Whoever follows what is over already is told that alone.
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  expect(await client.cancelTask({ ...scope, id, metadata: {} })).toMatchObject({ id, status: { state: canceled } })
  await following
  expect(seen.at(-1)).toMatchObject({ payload: { $case: 'statusUpdate', value: { status: { state: canceled } } } })
  await expect(client.cancelTask({ ...scope, id, metadata: {} })).rejects.toThrow(/cancel/i)
})
