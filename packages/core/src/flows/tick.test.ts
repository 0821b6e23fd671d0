import { describe, expect, test } from 'vitest'
import { boundChannel, type AcceptedTick, type Channel } from '../channels/channel.ts'
import { mostVouchers } from '../channels/metering.ts'
import type { Ticked, TickTurn } from '../channels/tick-turn.ts'
import { MarketError } from '../errors.ts'
import { scriptedDeps, scriptedNow } from '../testing/scripted-deps.ts'
import { tick, type TickInput } from './tick.ts'

const now = scriptedNow
const publisher = { kind: 'wallet', wallet: 'publisher', agentId: null, via: 'signature' } as const
const worker = { ...publisher, wallet: 'worker' }

const channel = (change: Partial<Channel> = {}): Channel => ({
  ...boundChannel(
    {
      id: 'channel',
      taskId: 'task',
      executorId: 'executor',
      asset: { symbol: 'USDC', network: 'solana', decimals: 6 },
      payer: 'payer',
      payee: 'payee',
      worker: 'address',
      voucherSigner: 'operator',
      voucherKey: null,
      deposit: 1_000n,
      unit: 'scan',
      price: 300n,
      limit: 1_000n,
    },
    new Date(now.getTime() - 60_000),
  ),
  ...change,
})
const task: TickTurn['task'] = {
  id: 'task',
  status: 'accepted',
  escrowStatus: 'none',
  deadline: new Date(now.getTime() + 1),
  publisherWallet: 'publisher',
  workerWallet: 'worker',
}
const turn = (of: Partial<Channel> = {}, change: Partial<TickTurn['task']> = {}): TickTurn => ({
  task: { ...task, ...change },
  channel: channel(of),
  earlier: null,
})
const input = (change: Partial<TickInput> = {}): TickInput => ({
  evidence: { seen: 3 },
  unit: null,
  payee: null,
  note: 'three boats',
  voucher: null,
  idempotency: { key: 'k', bodyHash: 'h' },
  ...change,
})

const vouchers = {
  sign: (channelId: string, cumulative: bigint) => `${channelId} over ${String(cumulative)}`,
  isSigned: ({ signature }: { readonly signature: string }, key: string) => signature === `by ${key}`,
}

async function ticked(
  at: TickTurn | null,
  given: TickInput = input(),
  caller: typeof publisher | typeof worker = worker,
): Promise<Ticked> {
  const takeTick = (taskId: string, key: string | null, decide: (turn: TickTurn | null) => Ticked): Ticked => {
    expect([taskId, key]).toEqual(['task', given.idempotency?.key ?? null])
    return decide(at)
  }
  const { deps } = scriptedDeps({ takeTick }, { channels: { vouchers } as never })
  return tick(deps, caller, 'task', given)
}

const refusal = async (...of: Parameters<typeof ticked>): Promise<unknown> =>
  ticked(...of).then(
    () => null,
    (error: unknown) => (error instanceof MarketError ? [error.code, error.details] : error),
  )
const wrong = (field: string, constraint: string, received?: string) => [
  'VALIDATION_FAILED',
  { field, constraint, ...(received === undefined ? {} : { received }) },
]

describe('a unit of work', () => {
  test.each([publisher, worker])('of $wallet raises the voucher, and is written whole', async (caller) => {
    const accepted: AcceptedTick = {
      id: '01950000-0000-7000-8000-0000000f4241',
      channelId: 'channel',
      index: 1,
      amount: 300n,
      cumulative: 300n,
      measured: 1n,
      signature: 'channel over 300',
      evidence: { seen: 3 },
      note: 'three boats',
      author: caller.wallet,
      idempotency: { key: 'k', bodyHash: 'h' },
      at: now,
    }
    expect(await ticked(turn(), input(), caller)).toEqual({
      tick: accepted,
      channel: {
        ...channel(),
        cumulative: 300n,
        measured: 1n,
        measuredUntil: now,
        signature: 'channel over 300',
        vouchers: 1,
        updatedAt: now,
      },
      replayed: false,
    })
  })
  test('after others counts on from them', async () => {
    const last = { measured: 2n, cumulative: 600n, vouchers: 2 }
    const { tick: one } = await ticked(turn(last))
    expect([one.index, one.amount, one.cumulative, one.measured]).toEqual([3, 300n, 900n, 3n])
  })
  test('without a key is written without one', async () => {
    expect((await ticked(turn(), input({ idempotency: null }))).tick.idempotency).toBe(null)
  })
  test('may name the unit and the payee that it is for', async () => {
    expect((await ticked(turn(), input({ unit: 'scan', payee: 'address' }))).replayed).toBe(false)
  })
  test('carries at most 4096 characters of evidence', async () => {
    const evidence = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) })
    expect((await ticked(turn(), input({ evidence: evidence(4_096) }))).replayed).toBe(false)
    const tooMuch = wrong('evidence', 'an object with a member, of at most 4096 characters as JSON')
    expect(await refusal(turn(), input({ evidence: evidence(4_097) }))).toEqual(tooMuch)
    expect(await refusal(turn(), input({ evidence: {} }))).toEqual(tooMuch)
  })
  test('that its buyer signs for has the signature of the buyer', async () => {
    const voucher = { channelId: 'channel', cumulative: 300n, signer: null, signature: 'by buyer' }
    const { tick: one } = await ticked(turn({ voucherKey: 'buyer' }), input({ voucher }))
    expect([one.amount, one.cumulative, one.signature]).toEqual([300n, 300n, 'by buyer'])
  })
})

describe('a tick is refused, and changes nothing,', () => {
  test.each<[string, TickTurn | null, TickInput, unknown]>([
    ['where there is no such task', null, input(), ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['where there is no channel', { ...turn(), channel: null }, input(), ['no_channel_bound', { task_id: 'task' }]],
    ['for another unit', turn(), input({ unit: 'second' }), wrong('unit', 'scan', 'second')],
    ['for another payee', turn(), input({ payee: 'other' }), wrong('payee', 'address', 'other')],
    ['on a channel that closes', turn({ status: 'closing' }), input(), ['CHANNEL_EXPIRED', { status: 'closing' }]],
    [
      'at the deadline',
      turn({}, { deadline: now }),
      input(),
      ['CHANNEL_EXPIRED', { status: 'open', task_status: 'accepted' }],
    ],
    [
      'of a task that is over',
      turn({}, { status: 'completed' }),
      input(),
      ['CHANNEL_EXPIRED', { status: 'open', task_status: 'completed' }],
    ],
    [
      'while the task is reviewed',
      turn({}, { status: 'verifying' }),
      input(),
      ['TASK_NOT_SUBMITTABLE', { task_id: 'task', status: 'verifying', escrow_status: 'none' }],
    ],
    ['at the limit', turn({ cumulative: 1_000n }), input(), ['SESSION_CAP_EXCEEDED', { limit_uusdc: '1000' }]],
    ['after a million', turn({ vouchers: mostVouchers }), input(), ['SESSION_CAP_EXCEEDED', { limit_uusdc: '1000' }]],
    [
      'where no time has passed',
      turn({ unit: 'second', measuredUntil: now }),
      input(),
      wrong('evidence', 'work that costs something since the last tick'),
    ],
    [
      'with a voucher where this service signs',
      turn(),
      input({ voucher: { channelId: 'channel', cumulative: 300n, signer: null, signature: 's' } }),
      wrong('voucher', 'none: this service signs them'),
    ],
  ])('%s', async (_what, at, given, refused) => {
    expect(await refusal(at, given)).toEqual(refused)
  })
  test('without the voucher of its buyer', async () => {
    expect(await refusal(turn({ voucherKey: 'buyer' }))).toEqual([
      'VALIDATION_FAILED',
      expect.objectContaining({ fault: 'missing' }),
    ])
  })
  test('of anybody else, whatever else is wrong with it', async () => {
    const stranger = { ...publisher, wallet: 'stranger' } as unknown as typeof publisher
    expect(await refusal({ ...turn(), channel: null }, input({ evidence: {} }), stranger)).toEqual([
      'FORBIDDEN',
      { task_id: 'task' },
    ])
  })
  test('where no channels are kept', async () => {
    const { deps, asked } = scriptedDeps()
    await expect(tick(deps, worker, 'task', input())).rejects.toMatchObject({ code: 'NOT_WIRED', details: {} })
    expect(asked).toEqual([])
  })
})

describe('a tick that is sent again', () => {
  const earlier = { id: 'earlier', idempotency: { key: 'k', bodyHash: 'h' } } as AcceptedTick
  test('is answered as it was, with the channel as it is, even when that takes no more', async () => {
    const at = { ...turn({ status: 'closing', cumulative: 900n }), earlier }
    expect(await ticked(at, input({ unit: 'second' }))).toEqual({ tick: earlier, channel: at.channel, replayed: true })
  })
  test.each([
    ['with another body', input({ idempotency: { key: 'k', bodyHash: 'other' } })],
    ['without a body that is known', input({ idempotency: null })],
  ])('%s is refused', async (_what, given) => {
    expect(await refusal({ ...turn(), earlier }, given)).toEqual(['IDEMPOTENCY_KEY_REUSED', {}])
  })
})
