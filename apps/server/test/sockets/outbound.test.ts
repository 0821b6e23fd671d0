import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Said } from '../../src/sockets/frames.ts'
import { createOutbound } from '../../src/sockets/outbound.ts'

const said = (id: number): Said => ({ id: String(id), bytes: Buffer.from(String(id)) })

test('however live and missed events overlap, each is told once and the missed ones in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 40 }),
      async (liveBefore, relayAt, pageSize) => {
        const told: string[] = []
        const outbound = createOutbound({
          wire: {
            bufferedAmount: 0,
            isOpen: true,
            send: (data, done) => {
              told.push(data.toString())
              done?.()
            },
          },
          maxBufferedBytes: 1,
          onStall: () => {
            throw new Error('stalled')
          },
        })
        // The past is 0 to 39. Some of it came live already, the live stream is behind the rest and goes on to 60.
        for (let id = 40 - liveBefore; id < 40; id += 1) if (id < relayAt) outbound.hear(said(id))
        await outbound.afterwards(async (tell) => {
          for (let from = 0; from < 40; from += pageSize + 1) {
            await tell(Array.from({ length: Math.min(pageSize + 1, 40 - from) }, (_, index) => said(from + index)))
            if (from <= relayAt) for (let id = relayAt; id < from; id += 1) outbound.hear(said(id))
          }
        })
        for (let id = Math.max(relayAt, 39); id < 60; id += 1) outbound.hear(said(id))
        expect(new Set(told).size).toBe(told.length)
        expect(told.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, id) => id))
      },
    ),
  )
})

test('a reader with too much unread is reported once it is so', () => {
  let stalls = 0
  const wire = {
    bufferedAmount: 0,
    isOpen: true,
    send: () => {
      wire.bufferedAmount += 10
    },
  }
  const outbound = createOutbound({
    wire,
    maxBufferedBytes: 25,
    onStall: () => {
      stalls += 1
    },
  })
  for (const id of [1, 2]) outbound.hear(said(id))
  expect(stalls).toBe(0)
  outbound.hear(said(3))
  expect(stalls).toBe(1)
})
