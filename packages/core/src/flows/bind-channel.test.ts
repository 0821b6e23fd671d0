import { describe, expect, test } from 'vitest'
import type { Channel } from '../channels/channel.ts'
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
import { bindChannel, bindWithinMs, type BindInput } from './bind-channel.ts'

const now = scriptedNow
const ago = (ms: number): Date => new Date(now.getTime() - ms)

const input = (change: Partial<BindInput> = {}): BindInput => ({
  channelId: 'channel',
  payer: 'payer',
  payee: null,
  voucherKey: null,
  ...change,
})

describe('binding a channel', () => {
  test('reads it on the ledger on the terms of the task, and books its deposit with it', async () => {
    const { deps, said, of } = channelStage()
    expect(await bindChannel(deps, buyer, 'task', input({ payee: 'address' }))).toEqual(channel())
    expect(said).toEqual([
      ['find', 'channel'],
      ['canReceive', 'address', asset],
      ['openChannel', 'channel', { payer: 'payer', worker: 'address', asset, voucherKey: null }],
    ])
    expect(of('insertChannel')).toEqual([[channel()]])
    expect(of('post')).toEqual([
      [
        {
          id: '01950000-0000-7000-8000-0000000f4241',
          taskId: 'task',
          asset,
          at: now,
          postings: [
            { account: 'wallet:payer', atomic: -900n },
            { account: 'channel:channel', atomic: 900n },
          ],
        },
      ],
    ])
  })

  test('whose buyer signs keeps the key; the cap of the task bounds what may be charged', async () => {
    const { deps, of } = channelStage({ script: { meterTerms: { ...terms, cap: 800n } } })
    const bound = await bindChannel(deps, buyer, 'task', input({ voucherKey: 'key' }))
    expect(bound).toEqual(channel({ voucherKey: 'key', voucherSigner: 'client', limit: 800n }))
    expect(of('insertChannel')).toEqual([[bound]])
  })

  test('again answers the channel that is bound, and asks the ledger nothing', async () => {
    const { deps, said, of } = channelStage({ script: { channelOf: channel({ cumulative: 5n }) } })
    expect(await bindChannel(deps, buyer, 'task', input())).toEqual(channel({ cumulative: 5n }))
    expect([said, of('transaction')]).toEqual([[], []])
  })

  test('that this deployment opened is bound within a quarter of an hour, to the millisecond', async () => {
    const { deps } = channelStage({ opened: { ...opening, at: ago(bindWithinMs) } })
    expect(await refusalOf(() => bindChannel(deps, buyer, 'task', input()))).toBe(null)
    const late = channelStage({ opened: { ...opening, at: ago(bindWithinMs + 1) } })
    expect(await refusalOf(() => bindChannel(late.deps, buyer, 'task', input()))).toEqual([
      'CHANNEL_NOT_REUSABLE',
      { fault: 'opened_too_long_ago' },
    ])
    expect(bindWithinMs).toBe(15 * 60_000)
  })

  test.each<[string, Given, BindInput, unknown]>([
    ['of a task that is not metered', { script: { meterTerms: null } }, input(), notMetered],
    [
      'before anybody is assigned',
      { script: { task: { ...task, executorId: null } } },
      input(),
      ['NO_PAYEE_RESOLVED', { task_id: 'task' }],
    ],
    [
      'before the worker has an address',
      { script: { payoutAddress: null } },
      input(),
      ['NO_PAYEE_RESOLVED', { task_id: 'task' }],
    ],
    [
      'for another payee',
      {},
      input({ payee: 'other' }),
      ['VALIDATION_FAILED', { field: 'payee', constraint: "the worker's address", received: 'other' }],
    ],
    ['of a task that is over', { script: { task: { ...task, status: 'completed' } } }, input(), notSubmittable],
    ['whose worker cannot be paid', { canReceive: false }, input(), ['WORKER_USDC_ATA_MISSING', { worker: 'address' }]],
    [
      'where another one is bound',
      { script: { channelOf: channel({ id: 'other' }) } },
      input(),
      ['CHANNEL_NOT_REUSABLE', { fault: 'task_has_a_channel' }],
    ],
    ['of a task that went meanwhile', { lockedTask: null }, input(), ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['of a task that ended meanwhile', { lockedTask: { ...task, status: 'completed' } }, input(), notSubmittable],
    [
      'of a task that another worker has meanwhile',
      { lockedTask: { ...task, executorId: 'other' } },
      input(),
      ['NO_PAYEE_RESOLVED', { task_id: 'task' }],
    ],
    [
      'that funds another task meanwhile',
      { script: { insertChannel: false } },
      input(),
      ['CHANNEL_NOT_REUSABLE', { fault: 'bound_to_another_task' }],
    ],
  ])('%s is refused, and nothing is booked', async (_what, given, one, refused) => {
    const { deps, of } = channelStage(given)
    expect(await refusalOf(() => bindChannel(deps, buyer, 'task', one))).toEqual(refused)
    expect(of('post')).toEqual([])
  })

  test('that was bound by the same call meanwhile is answered', async () => {
    let asked = 0
    const channelOf = (): Channel | null => ((asked += 1) > 1 ? channel() : null)
    const { deps, of } = channelStage({ script: { insertChannel: false, channelOf } })
    expect(await bindChannel(deps, buyer, 'task', input())).toEqual(channel())
    expect(of('post')).toEqual([])
  })

  test('of the task of another party, or where no channels are kept, is refused', async () => {
    const { deps } = channelStage()
    expect(await refusalOf(() => bindChannel(deps, { ...buyer, wallet: 'other' }, 'task', input()))).toEqual([
      'FORBIDDEN',
      { task_id: 'task' },
    ])
    await expect(bindChannel(scriptedDeps().deps, buyer, 'task', input())).rejects.toMatchObject({
      code: 'NOT_WIRED',
      message: 'This deployment does not offer metered channels.',
    })
  })
})
