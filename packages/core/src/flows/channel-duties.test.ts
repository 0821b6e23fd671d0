import { describe, expect, test } from 'vitest'
import type { Channel } from '../channels/channel.ts'
import { channel, endStage, leaving, order, type EndGiven } from '../testing/scripted-channel-ends.ts'
import { linesOf, type Script } from '../testing/scripted-deps.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { reclaimChannels, settleChannels, watchChannels } from './channel-duties.ts'

describe('an open channel is watched', () => {
  const watched = (isTaskOver: boolean, lockChannel: Channel | null = channel()): Script => ({
    leaseChannels: [{ channel: channel(), isTaskOver }],
    lockChannel,
  })
  test.each<[string, EndGiven, number, readonly string[]]>([
    ['and stays', { script: watched(false) }, 0, ['leaseChannels open now 2026-11-21T12:00:10.000Z 50']],
    [
      'and its payer leaves',
      { script: watched(false), state: 'closing' },
      1,
      [
        'leaseChannels open now 2026-11-21T12:00:10.000Z 50',
        'transaction',
        'lockChannel task',
        'closeChannel channel {submissionId:null,rating:null,attempts:0,at:now,reason:exit} now',
      ],
    ],
    [
      'and its task is over',
      { script: watched(true), fault: 'channel_unreadable' },
      1,
      [
        'leaseChannels open now 2026-11-21T12:00:10.000Z 50',
        'transaction',
        'lockChannel task',
        'closeChannel channel {submissionId:null,rating:null,attempts:0,at:now,reason:task} now',
      ],
    ],
    [
      'and is closed meanwhile',
      { script: watched(true, leaving) },
      0,
      ['leaseChannels open now 2026-11-21T12:00:10.000Z 50', 'transaction', 'lockChannel task'],
    ],
    [
      'and cannot be read',
      { script: watched(false), fault: 'channel_unreadable' },
      0,
      ['leaseChannels open now 2026-11-21T12:00:10.000Z 50'],
    ],
  ])('%s', async (_what, given, done, lines) => {
    const { deps, asked, woken } = endStage(given)
    expect(await watchChannels(deps)).toEqual(done)
    expect(woken).toEqual(done === 0 ? [] : ['settlements'])
    expect(linesOf(asked)).toEqual(lines)
  })
  test('a fault of ours is not hidden', async () => {
    await expect(watchChannels(endStage({ script: watched(false), fault: 'down' }).deps)).rejects.toThrow('down')
  })
})

describe('the rent of a channel that was paid out is taken back', () => {
  test.each<[string, EndGiven, number, readonly string[]]>([
    [
      'by a transaction that is written down first',
      {},
      1,
      [
        'leaseChannels settled now 2026-11-21T12:10:00.000Z 50',
        'openOrder channel',
        'transaction',
        'lockChannel task',
        'insertOrder {act:reclaim,wire:wire,signature:signed,lastValidHeight:9n,settled:600n,deposit:900n,id:#1,channelId:channel,status:sent,sentAt:now}',
        'send #1',
        'fate 2000',
        'transaction',
        'endOrder #1 landed now',
        'transaction',
        'reclaimChannel channel now',
      ],
    ],
    [
      'by the one that was written down',
      { script: { openOrder: order } },
      1,
      [
        'leaseChannels settled now 2026-11-21T12:10:00.000Z 50',
        'openOrder channel',
        'send order',
        'fate 2000',
        'transaction',
        'endOrder order landed now',
        'transaction',
        'reclaimChannel channel now',
      ],
    ],
    [
      'as it was before',
      { state: 'gone' },
      1,
      [
        'leaseChannels settled now 2026-11-21T12:10:00.000Z 50',
        'openOrder channel',
        'transaction',
        'reclaimChannel channel now',
      ],
    ],
    [
      'later, where it cannot be yet',
      { order: null },
      0,
      ['leaseChannels settled now 2026-11-21T12:10:00.000Z 50', 'openOrder channel'],
    ],
    [
      'later, while nobody knows',
      { fate: { state: 'unknown' } },
      0,
      [
        'leaseChannels settled now 2026-11-21T12:10:00.000Z 50',
        'openOrder channel',
        'transaction',
        'lockChannel task',
        'insertOrder {act:reclaim,wire:wire,signature:signed,lastValidHeight:9n,settled:600n,deposit:900n,id:#1,channelId:channel,status:sent,sentAt:now}',
        'send #1',
        'fate 2000',
      ],
    ],
    [
      'later, where it failed',
      { fate: { state: 'failed' } },
      0,
      [
        'leaseChannels settled now 2026-11-21T12:10:00.000Z 50',
        'openOrder channel',
        'transaction',
        'lockChannel task',
        'insertOrder {act:reclaim,wire:wire,signature:signed,lastValidHeight:9n,settled:600n,deposit:900n,id:#1,channelId:channel,status:sent,sentAt:now}',
        'send #1',
        'fate 2000',
        'transaction',
        'endOrder #1 failed now',
      ],
    ],
    [
      'later, while the ledger cannot be read',
      { fault: 'channel_unreadable' },
      0,
      ['leaseChannels settled now 2026-11-21T12:10:00.000Z 50', 'openOrder channel'],
    ],
  ])('%s', async (_what, given, done, lines) => {
    const { deps, asked } = endStage(given)
    expect(await reclaimChannels(deps)).toEqual(done)
    expect(linesOf(asked)).toEqual(lines)
  })
  test('a fault of ours is not hidden', async () => {
    await expect(reclaimChannels(endStage({ fault: 'down' }).deps)).rejects.toThrow('down')
  })
  test('these are no duties where no channels are kept', async () => {
    const { deps, asked } = placeOn(heldTask())
    expect([await settleChannels(deps), await watchChannels(deps), await reclaimChannels(deps)]).toEqual([0, 0, 0])
    expect(asked).toEqual([])
  })
})
