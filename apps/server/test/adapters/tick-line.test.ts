import type { Ticked } from '@ergon/core'
import { expect, test } from 'vitest'
import { createTickLine, type TakeTicks, type TickEnd } from '../../src/adapters/postgres/tick-line.ts'

const neverAsked = (): Ticked => {
  throw new Error('nobody decides here')
}
// Nothing is read of it: it only has to come back.
const ticked = { replayed: false } as Ticked

test('ticks of a channel that was held up each have their end, also where one of them is not taken', async () => {
  const asked: (readonly [count: number, waits: boolean])[] = []
  const take: TakeTicks = (ticks, waits) => {
    asked.push([ticks.length, waits])
    if (!waits) return Promise.resolve(new Map(ticks.map((one): [typeof one, TickEnd] => [one, 'held'])))
    if (ticks.some(({ key }) => key === 'bad')) return Promise.reject(new Error('a value that no column takes'))
    return Promise.resolve(new Map(ticks.map((one): [typeof one, TickEnd] => [one, { ticked }])))
  }
  const line = createTickLine(take)
  const ends = await Promise.allSettled(['good', 'bad'].map((key) => line({ taskId: 'a', key, decide: neverAsked })))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(asked).toEqual([
    [2, false],
    [2, true],
    [1, true],
    [1, true],
  ])
})
