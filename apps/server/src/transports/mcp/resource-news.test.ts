import type { RecordedEvent } from '@ergon/core'
import { expect, test, vi } from 'vitest'
import type { EventListener } from '../../events/event-relay.ts'
import { heardBy } from '../../events/heard-by.ts'
import type { SeenChannel } from '../../events/meter-watches.ts'
import { createResourceNews, type NewsDeps } from './resource-news.ts'

const taskId = '00000000-0000-7000-8000-000000000001'
const uri = `svc://tasks/${taskId}`
const noMeters: NewsDeps['meters'] = {
  open: () => {
    throw new Error('nobody follows a meter here')
  },
}
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
    createResourceNews({ listen: heardBy(listen), meters: noMeters }, wallet, []).subscribe((news) => {
      if (news.kind === 'resource_updated') told[wallet]?.push(news.uri)
    }),
  )
  for (const one of [event('task.updated', []), event('worker.applied', ['party']), event('message.sent', ['another'])])
    for (const listener of listeners) listener(one)
  expect(told).toEqual({ party: [uri, uri], stranger: [uri] })
  for (const end of ends) end()
  expect(listeners.size).toBe(0)
})

test('a meter is told of as it is and when it changes, at most once a second, and never to whoever left', () => {
  vi.useFakeTimers()
  try {
    const followers: ((seen: SeenChannel | 'quiet' | 'over') => void)[] = []
    let open = 0
    const meters: NewsDeps['meters'] = {
      open: () => {
        open += 1
        return {
          next: () => Promise.resolve('quiet'),
          follow: (told) => {
            followers.push(told)
            told({ channel: null, version: 0 })
          },
          [Symbol.dispose]: () => {
            open -= 1
          },
        }
      },
    }
    const told: string[] = []
    const listen = () => ({ [Symbol.dispose]: () => undefined })
    const end = createResourceNews({ listen, meters }, 'party', [taskId]).subscribe((news) => {
      if (news.kind === 'resource_updated') told.push(news.uri)
    })
    // What it holds is not looked at here.
    const seen = { channel: {}, version: 1 } as SeenChannel
    const change = (): void => {
      for (const follower of followers) follower(seen)
    }
    expect(told).toEqual([])
    change()
    for (let tick = 0; tick < 20; tick += 1) change()
    expect(told).toEqual([`${uri}/meter`])
    vi.advanceTimersByTime(5_000)
    expect(told).toEqual(Array(2).fill(`${uri}/meter`))
    for (const follower of followers) follower('quiet')
    change()
    change()
    end()
    vi.advanceTimersByTime(5_000)
    expect([told.length, open, vi.getTimerCount()]).toEqual([3, 0, 0])
  } finally {
    vi.useRealTimers()
  }
})
