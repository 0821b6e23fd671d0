import { expect, test } from 'vitest'
import type { BoughtChannel } from '../src/paying/channel.ts'
import { Purse } from '../src/paying/purse.ts'

const channel = (change: Partial<BoughtChannel> = {}): BoughtChannel => ({
  channelId: 'one',
  seller: 'seller',
  url: 'http://a.test',
  voucherSigner: 'client',
  challengeId: 'c',
  deposit: 300n,
  signed: 0n,
  taken: 0n,
  spent: 0n,
  ...change,
})
const purseOf = (...channels: readonly BoughtChannel[]) => {
  const kept: (readonly BoughtChannel[])[] = []
  const purse = new Purse(1_000n, channels, (all) => {
    kept.push(all)
  })
  return { purse, kept }
}

test('what a channel holds or may come to hold is bound, also of one that is over', () => {
  const { purse } = purseOf(
    channel(),
    channel({ channelId: 'two', seller: 'other', adding: 50n }),
    channel({ channelId: 'old', deposit: 100n, isOver: true }),
  )
  expect(purse.left()).toBe(250n)
  expect([purse.of('seller')?.channelId, purse.of('other')?.channelId, purse.of('nobody')]).toEqual([
    'one',
    'two',
    undefined,
  ])
  expect(purse.all().map(({ channelId }) => channelId)).toEqual(['one', 'two', 'old'])
})

test('a channel that takes no calls stays bound, and another takes its place', async () => {
  const { purse, kept } = purseOf(channel())
  await purse.stop(channel())
  expect([purse.of('seller'), purse.left()]).toEqual([undefined, 700n])
  expect(kept.at(-1)).toMatchObject([{ channelId: 'one', isOver: true }])
  await purse.put(channel({ channelId: 'two' }))
  expect(purse.left()).toBe(400n)
  // It is no longer the one that pays: stopping it again stops nothing.
  await purse.stop(channel())
  expect(purse.of('seller')?.channelId).toBe('two')
})

test('a change reaches the channel it is meant for, over or not, and none that is no more', async () => {
  const { purse, kept } = purseOf(channel({ channelId: 'old', isOver: true }), channel())
  await purse.change(channel({ channelId: 'old' }), ({ spent }) => ({ spent: spent + 5n }))
  await purse.change(channel(), () => ({ spent: 7n }))
  expect(purse.all().map(({ channelId, spent }) => [channelId, spent])).toEqual([
    ['one', 7n],
    ['old', 5n],
  ])
  const before = kept.length
  await purse.change(channel({ channelId: 'gone' }), () => ({ spent: 9n }))
  expect(kept).toHaveLength(before)
})

test('an end gives back what it did not cost, once, whoever learns it first', async () => {
  const { purse, kept } = purseOf(channel({ spent: 40n }), channel({ channelId: 'old', isOver: true, spent: 60n }))
  expect(purse.left()).toBe(400n)
  await purse.end(channel(), ({ spent }) => spent)
  expect([purse.left(), purse.of('seller')]).toEqual([660n, undefined])
  await purse.end(channel({ channelId: 'old' }), ({ spent }) => spent)
  expect([purse.left(), purse.all()]).toEqual([900n, []])
  const before = kept.length
  await purse.end(channel(), ({ deposit }) => deposit)
  expect([purse.left(), kept.length]).toEqual([900n, before])
})
