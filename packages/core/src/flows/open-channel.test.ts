import { describe, expect, test } from 'vitest'
import {
  asset,
  buyer,
  channel,
  channelStage,
  notMetered,
  notSubmittable,
  opening,
  task,
  terms,
  type Given,
} from '../testing/scripted-channels.ts'
import { refusalOf, scriptedDeps, scriptedNow } from '../testing/scripted-deps.ts'
import { channelOffer, openChannel, windUpOpenings } from './open-channel.ts'

const now = scriptedNow
const ago = (ms: number): Date => new Date(now.getTime() - ms)

describe('what a buyer may open', () => {
  const ask = { payer: 'payer', depositUsd: null, voucherKey: null }
  const agreed = {
    taskId: 'task',
    payer: 'payer',
    worker: 'address',
    asset,
    deposits: { least: 300n, most: 1_000n },
    voucherKey: null,
  }
  test('is on the terms of the task; its cap goes in where no other deposit is asked for', async () => {
    const { deps, said } = channelStage()
    expect(await channelOffer(deps, buyer, 'task', ask)).toEqual({
      transaction: 'to sign',
      channelId: 'channel',
      ...agreed,
      terms,
      deposit: 1_000n,
    })
    expect(said).toEqual([
      ['canReceive', 'address', asset],
      ['offer', agreed, 1_000n],
    ])
  })
  test.each([
    ['0.0003', 300n],
    ['0.001', 1_000n],
  ])('takes a deposit of %s', async (depositUsd, deposit) => {
    expect((await channelOffer(channelStage().deps, buyer, 'task', { ...ask, depositUsd })).deposit).toBe(deposit)
  })
  test.each(['0.000299', '0.001001'])('takes no deposit of %s', async (depositUsd) => {
    expect(await refusalOf(() => channelOffer(channelStage().deps, buyer, 'task', { ...ask, depositUsd }))).toEqual([
      'VALIDATION_FAILED',
      {
        field: 'deposit_usd',
        constraint: 'from the price of one unit to the cap of the task',
        received: depositUsd,
      },
    ])
  })
  test.each<[string, Given, string | null, unknown]>([
    [
      'while the task has a channel',
      { script: { channelOf: channel() } },
      null,
      ['CHANNEL_NOT_REUSABLE', { fault: 'task_has_a_channel' }],
    ],
    ['of a task that is not metered', { script: { meterTerms: null } }, null, notMetered],
    [
      'whose key is that of this service',
      {},
      'signer',
      [
        'VALIDATION_FAILED',
        {
          field: 'authorized_signer',
          constraint: 'a key of the buyer; left out, this service signs',
          received: 'signer',
        },
      ],
    ],
    ['of a task that is over', { script: { task: { ...task, status: 'completed' } } }, null, notSubmittable],
    ['whose worker cannot be paid', { canReceive: false }, null, ['WORKER_USDC_ATA_MISSING', { worker: 'address' }]],
  ])('nothing %s', async (_what, given, voucherKey, refused) => {
    const { deps, said } = channelStage(given)
    expect(await refusalOf(() => channelOffer(deps, buyer, 'task', { ...ask, voucherKey }))).toEqual(refused)
    expect(said.filter(([name]) => name === 'offer')).toEqual([])
  })
  test('the key of the buyer is part of the terms', async () => {
    expect((await channelOffer(channelStage().deps, buyer, 'task', { ...ask, voucherKey: 'key' })).voucherKey).toBe(
      'key',
    )
  })
})

describe('opening a channel', () => {
  const sent = { payer: 'payer', transaction: 'signed', voucherKey: null }
  test('writes down what is sent before it is sent, and binds what has landed', async () => {
    const { deps, said, of } = channelStage()
    expect(await openChannel(deps, buyer, 'task', sent)).toEqual(channel())
    const terms = expect.objectContaining({ deposits: { least: 300n, most: 1_000n }, payer: 'payer' }) as unknown
    expect(said.slice(0, 7)).toEqual([
      ['canReceive', 'address', asset],
      ['countersign', 'signed', terms],
      ['find', 'channel'],
      ['demandLikely', expect.objectContaining({ channelId: 'channel', wire: 'wire' }), 'payer'],
      ['record', opening, { each: 10, inAll: 2_000 }],
      ['find', 'channel'],
      ['deliver', opening, 12_000],
    ])
    expect(of('insertChannel')).toEqual([[channel()]])
  })
  test('sends what was written down, where that was before', async () => {
    const kept = { ...opening, wire: 'kept' }
    const { deps, said } = channelStage({ opened: kept, recorded: 'known' })
    await openChannel(deps, buyer, 'task', sent)
    expect(said).toContainEqual(['deliver', kept, 12_000])
    // What landed has moved the deposit: it is not asked for again.
    expect(said.filter(([name]) => name === 'demandLikely')).toEqual([])
  })
  test('again answers the channel that it bound', async () => {
    const { deps, said } = channelStage({ script: { channelOf: channel() }, opened: opening })
    expect(await openChannel(deps, buyer, 'task', sent)).toEqual(channel())
    expect(said).toEqual([
      ['find', 'channel'],
      ['isOf', 'signed', opening],
    ])
  })
  test.each<[string, Given]>([
    ['another transaction', { opened: opening, isOf: false }],
    ['another payer', { opened: { ...opening, payer: 'other' } }],
    ['a channel that this service did not open', { opened: null }],
  ])('again with %s is refused', async (_what, given) => {
    const { deps, said } = channelStage({ script: { channelOf: channel() }, ...given })
    expect(await refusalOf(() => openChannel(deps, buyer, 'task', sent))).toEqual([
      'CHANNEL_NOT_REUSABLE',
      { fault: 'task_has_a_channel' },
    ])
    expect(said.filter(([name]) => name === 'record')).toEqual([])
  })
  test.each<[string, Given, unknown, boolean]>([
    ['while too many are open', { recorded: 'full' }, ['SESSION_CAP_EXCEEDED', { reason: 'too_many_channels' }], false],
    [
      'while nobody knows what became of it',
      { fate: 'unknown' },
      ['channel_unreadable', { fault: 'opening_under_way' }],
      false,
    ],
    [
      'that failed, which forgets it',
      { fate: 'failed' },
      ['CHANNEL_NOT_ON_CHAIN', { channel_id: 'channel', fault: 'failed' }],
      true,
    ],
    [
      'that was refused, which may land yet',
      { fate: 'refused' },
      ['CHANNEL_NOT_ON_CHAIN', { channel_id: 'channel', fault: 'refused' }],
      false,
    ],
  ])('%s binds nothing', async (_what, given, refused, isForgotten) => {
    const { deps, said, of } = channelStage(given)
    expect(await refusalOf(() => openChannel(deps, buyer, 'task', sent))).toEqual(refused)
    expect(said.filter(([name]) => name === 'forget')).toEqual(isForgotten ? [['forget', 'channel']] : [])
    expect(of('insertChannel')).toEqual([])
  })
})

describe('what was opened and funds nothing', () => {
  const old = { ...opening, at: ago(1_800_001) }
  test('is given back after half an hour, and forgotten', async () => {
    const { deps, said } = channelStage({ script: { channel: null }, due: [old] })
    expect(await windUpOpenings(deps)).toBe(1)
    expect(said).toEqual([
      ['lease', now, new Date(now.getTime() + 900_000), 20],
      ['windUp', old],
      ['forget', 'channel'],
    ])
  })
  test.each<[string, Given]>([
    ['is younger', { script: { channel: null }, due: [{ ...opening, at: ago(1_800_000) }] }],
    ['is not given back whole', { script: { channel: null }, due: [old], windsUp: false }],
    ['is bound, and its rent is not back yet', { script: { channel: channel({ status: 'settled' }) }, due: [old] }],
  ])('stays where it %s', async (_what, given) => {
    const { deps, said } = channelStage(given)
    expect(await windUpOpenings(deps)).toBe(0)
    expect(said.filter(([name]) => name === 'forget')).toEqual([])
  })
  test('is forgotten, too, once the channel that it became is gone', async () => {
    const { deps, said } = channelStage({ script: { channel: channel({ status: 'reclaimed' }) }, due: [opening] })
    expect(await windUpOpenings(deps)).toBe(1)
    expect(said.slice(1)).toEqual([['forget', 'channel']])
  })
  test('is no duty where no channels are kept', async () => {
    expect(await windUpOpenings(scriptedDeps().deps)).toBe(0)
  })
})
