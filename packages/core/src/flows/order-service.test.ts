import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { orderInstructions, orderTitle, usDollar, type ListingView } from '../listings/listing.ts'
import type { NewTask } from '../ports/store.ts'
import { linesOf, refusalOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { orderListing, type OrderInput } from './order-service.ts'

const now = scriptedNow
const buyer: WalletCaller = { kind: 'wallet', wallet: 'buyer', agentId: 4, via: 'signature' }
const listing: ListingView = {
  id: 'listing',
  sellerExecutorId: 'executor',
  title: 'I translate menus',
  description: 'I translate your menu.',
  category: 'content_generation',
  unitPrice: { atomic: 10_000_000n, asset: usDollar },
  skills: [],
  evidence: ['text_response'],
  network: 'localnet',
  acceptedNetworks: ['localnet', 'other'],
  availability: 'active',
  ordersCount: 0,
  createdAt: now,
  updatedAt: now,
  sellerWallet: 'seller',
  sellerName: null,
  sellerPicture: null,
  sellerReputation: { effective: null, onchain: null, completed: 0 } as never,
}

function stage(script: Script = {}, settings: object = {}) {
  const plain = scriptedDeps()
  const published: NewTask[] = []
  const one = scriptedDeps(
    {
      listing,
      lockListing: listing,
      areApart: false,
      isBanned: false,
      feeOwedBy: null,
      application: null,
      publish(task: NewTask) {
        published.push(task)
        return task
      },
      // What assigning and cancelling read of it.
      task: () => published[0] ?? null,
      ...script,
    },
    {
      networks: [...plain.deps.networks, { ...plain.deps.networks[0], name: 'other' }] as typeof plain.deps.networks,
      settings: { ...plain.deps.settings, ...settings },
    },
  )
  return { ...one, published }
}
const input = (change: Partial<OrderInput> = {}): OrderInput => ({
  bountyUsd: null,
  deadlineHours: 24,
  instructions: null,
  network: null,
  paymentAuth: null,
  ...change,
})
const order = (one: ReturnType<typeof stage>, change: Partial<OrderInput> = {}) =>
  orderListing(one.deps, buyer, 'listing', input(change))
const signed = JSON.stringify({ receiver: 'seller' })

describe('a service is ordered', () => {
  const written: Lines = [
    'listing listing',
    'areApart buyer seller',
    'isBanned seller',
    'feeOwedBy buyer',
    'transaction',
    'lockListing listing',
  ]
  test('as a task of the buyer, for which the seller has applied', async () => {
    const one = stage()
    const { task, listing: ordered } = await order(one)
    expect(ordered).toEqual(listing)
    expect(task).toMatchObject({
      title: 'Order: I translate menus',
      instructions: 'I translate your menu.',
      category: 'content_generation',
      bounty: { atomic: 10_000_000n, asset: { symbol: 'USDC', network: 'localnet' } },
      deadline: new Date(now.getTime() + 86_400_000),
      publisherWallet: 'buyer',
      publisherAgentId: 4,
      publisherType: 'agent',
      target: 'any',
      minReputation: 0,
      evidenceRequired: ['text_response'],
      evidenceOptional: [],
      locationHint: null,
    })
    const lines = linesOf(one.asked)
    expect(lines.slice(0, 6)).toEqual(written)
    expect(lines.slice(7)).toEqual([
      'application #2 executor',
      'insertApplication {id:#4,taskId:#2,executorId:executor,status:pending,message:null,createdAt:now}',
      'addEvent {id:#5,type:worker.applied,taskId:#2,at:now,' +
        'data:{task_id:#2,application_id:#4,executor_id:executor,listing_id:listing}}',
      'noteOrder #2 listing',
    ])
    expect(one.of('publish')[0]?.[1]).toMatchObject({ type: 'task.created', data: { listing_id: 'listing' } })
  })
  test('at its price, with what the buyer asks beyond it, where the buyer wants it', async () => {
    const { task } = await order(stage(), { bountyUsd: '10', instructions: 'In blue.', network: 'other' })
    expect(task).toMatchObject({
      instructions: 'I translate your menu.\n\nIn blue.',
      bounty: { asset: { network: 'other' } },
    })
  })
  test('with the identity that the buyer has by then', async () => {
    const one = stage()
    const identified = (caller: WalletCaller) => Promise.resolve({ ...caller, agentId: 9 })
    expect((await orderListing({ ...one.deps, identified }, buyer, 'listing', input())).task.publisherAgentId).toBe(9)
  })
  test('and assigned later, where nothing is locked, whatever was signed', async () => {
    const one = stage({}, { paymentMode: 'fase1' })
    expect((await order(one, { paymentAuth: signed })).task.status).toBe('published')
    expect(one.of('lockTask')).toEqual([])
  })
  test('not at all, where its seller cannot be assigned at once', async () => {
    const one = stage({
      worker: null,
      lockTask: () => ({ ...one.published[0], status: 'published' }),
      hasOpenSettlement: false,
      pendingApplications: [],
    })
    expect(await refusalOf(() => order(one, { paymentAuth: signed }))).toEqual([
      'WORKER_NOT_FOUND',
      { executor_id: 'executor' },
    ])
    expect(linesOf(one.asked)).toContain('moveTask #2 cancelled now {refundTx:null}')
  })
  test('and stays, where the fault is ours', async () => {
    const worker = (): never => {
      throw new Error('down')
    }
    const one = stage({ worker })
    await expect(order(one, { paymentAuth: signed })).rejects.toThrow('down')
    expect(one.of('lockTask')).toEqual([])
  })
  test('and the refusal is told, where it cannot be taken back now', async () => {
    const one = stage({ worker: null, lockTask: null })
    expect(await refusalOf(() => order(one, { paymentAuth: signed }))).toEqual([
      'WORKER_NOT_FOUND',
      { executor_id: 'executor' },
    ])
  })

  const usdc = { symbol: 'USDC', network: 'localnet', decimals: 6 }
  const mismatch = ['price_mismatch', { field: 'bounty_usd_override', expected: '10', received: '9' }]
  const paused = { ...listing, availability: 'paused' }
  const dearer = { ...listing, unitPrice: { atomic: 11_000_000n, asset: usDollar } }
  test.each<[string, Script, Partial<OrderInput>, unknown]>([
    ['that is not there', { listing: null }, {}, ['LISTING_NOT_FOUND', { listing_id: 'listing' }]],
    ['that is gone', { lockListing: null }, {}, ['LISTING_NOT_FOUND', { listing_id: 'listing' }]],
    ['of its own', { listing: { ...listing, sellerWallet: 'buyer' } }, {}, ['OWN_LISTING', { listing_id: 'listing' }]],
    ['of whom it blocked', { areApart: true }, {}, ['PARTY_BLOCKED', {}]],
    ['of who is banned', { isBanned: true }, {}, ['WORKER_BLOCKED', { wallet: 'seller' }]],
    ['that is paused', { listing: paused }, {}, ['LISTING_PAUSED', { listing_id: 'listing' }]],
    ['that was just paused', { lockListing: paused }, {}, ['LISTING_PAUSED', { listing_id: 'listing' }]],
    ['at another price', {}, { bountyUsd: '9' }, mismatch],
    [
      'at a price that just changed',
      { lockListing: dearer },
      { bountyUsd: '10' },
      ['price_mismatch', { field: 'bounty_usd_override', expected: '11', received: '10' }],
    ],
    [
      'where the seller is not paid',
      { listing: { ...listing, acceptedNetworks: ['other'] } },
      {},
      ['NETWORK_NOT_ACCEPTED', { network: 'localnet', accepted: ['other'] }],
    ],
    [
      'with what pays another',
      {},
      { paymentAuth: JSON.stringify({ receiver: 'other' }) },
      ['FORBIDDEN_RECEIVER', expect.objectContaining({ receiver: 'seller' })],
    ],
    [
      'in debt',
      { feeOwedBy: { taskId: 'before', fee: { atomic: 5n, asset: usdc }, isUnderWay: false } },
      {},
      ['FEE_UNPAID', expect.objectContaining({ task_id: 'before' })],
    ],
  ])('but none %s', async (_what, script, change, refused) => {
    const one = stage(script)
    expect(await refusalOf(() => order(one, change))).toEqual(refused)
    expect(one.published).toEqual([])
  })
  test('before its buyer is registered for it', async () => {
    const one = stage()
    const identified = (): never => {
      throw new Error('asked')
    }
    const refused = orderListing({ ...one.deps, identified }, buyer, 'listing', input({ network: 'nowhere' }))
    await expect(refused).rejects.toMatchObject({ code: 'NETWORK_NOT_ACCEPTED' })
  })
})

describe('the words of an order', () => {
  test('are cut where those of a task end', () => {
    const title = orderTitle({ ...listing, title: '🙂'.repeat(300) })
    expect([Array.from(title).length, title.startsWith('Order: 🙂')]).toEqual([255, true])
  })
  test('are those of the listing, and then what its buyer adds', () => {
    expect(orderInstructions(listing, null)).toBe('I translate your menu.')
    expect(orderInstructions(listing, 'In blue.')).toBe('I translate your menu.\n\nIn blue.')
  })
})
