import type { RecordedEvent } from '@ergon/core'
import { expect, test } from 'vitest'
import type { EventListener } from '../../events/event-relay.ts'
import { heardBy } from '../../events/heard-by.ts'
import { createListening } from './listening.ts'
import { createResourceNews } from './resource-news.ts'
import type { InnerCall, Sender } from './inner-call.ts'

const taskId = '00000000-0000-7000-8000-000000000001'
const uri = `svc://tasks/${taskId}`
const event = (type: RecordedEvent['type'], wallets: readonly string[]): RecordedEvent => ({
  ...{ id: 'an event', type, taskId, wallets, at: new Date(0), data: {}, place: 'here' },
})

test('a subscription tells of what everybody may hear, and of the rest only to its parties', () => {
  const listeners = new Set<EventListener>()
  const listen = (listener: EventListener): Disposable => {
    listeners.add(listener)
    return { [Symbol.dispose]: () => listeners.delete(listener) }
  }
  const told: Record<string, string[]> = { party: [], stranger: [] }
  const ends = Object.keys(told).map((wallet) =>
    createResourceNews(heardBy(listen), wallet).subscribe((news) => {
      if (news.kind === 'resource_updated') told[wallet]?.push(news.uri)
    }),
  )
  for (const one of [event('task.updated', []), event('worker.applied', ['party']), event('message.sent', ['another'])])
    for (const listener of listeners) listener(one)
  expect(told).toEqual({ party: [uri, uri], stranger: [uri] })
  for (const end of ends) end()
  expect(listeners.size).toBe(0)
})

test('a meter is not subscribed to: the refusal says what tells of its changes', async () => {
  const calls: InnerCall = {
    run: () => Promise.reject(new Error('not asked')),
    read: () => Promise.resolve({ status: 200, code: null, body: {}, headers: {}, wallet: 'party', caller: null }),
  }
  // Of a sender only its wallet and its connection are read.
  const sender = { principal: { wallet: 'party' }, request: { ip: '127.0.0.1', onEnd: () => undefined } } as unknown
  const notifications = { resourceSubscriptions: [`${uri}/meter`] }
  await expect(createListening(calls).begin(sender as Sender, { notifications })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { constraint: `no meter; GET /api/v1/tasks/${taskId}/meter/stream tells of each change` },
  })
})
