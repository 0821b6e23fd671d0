import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { readPolicy } from '../policy/policy.ts'
import type { MarketNetwork } from '../network.ts'
import { refusalOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { createdEvent, draftTask, publish, type PublishInput } from './publish.ts'

const now = scriptedNow
const publisher: WalletCaller = { kind: 'wallet', wallet: 'publisher', agentId: 4, via: 'signature' }
const network = (name: string, change: Partial<MarketNetwork> = {}): MarketNetwork => ({
  name,
  caip2: name,
  chainId: 7,
  hasEscrow: true,
  tokens: { USDC: { address: 'usdc', decimals: 6 }, EURC: { address: 'eurc', decimals: 2 } },
  takesRatings: true,
  ...change,
})
const networks = [
  network('localnet'),
  network('direct', { hasEscrow: false }),
  network('ticks', { hasEscrow: false, chainId: null }),
  network('at once', { hasEscrow: false, chainId: null, paysInOne: true }),
]
const input = (change: Partial<PublishInput> = {}): PublishInput => ({
  title: 'Photograph the gate',
  instructions: 'Stand in front of the gate and take one photo.',
  category: 'simple_action',
  bountyUsd: '10',
  deadlineHours: 24,
  evidenceRequired: ['photo'],
  evidenceOptional: ['gps'],
  locationHint: 'At the gate',
  minReputation: 40,
  network: null,
  token: null,
  target: 'human',
  publisherType: 'agent',
  paymentAuth: null,
  idempotency: null,
  ...change,
})
const streaming = { unit: 'scan', pricePerUnit: '0.0003', capUsd: '0.001' } as const

function stage(script: Script = {}, settings: object = {}, hasChannels = true) {
  const { settings: plain } = scriptedDeps().deps
  const channels = hasChannels ? { channels: { network: 'ticks' } as never } : {}
  const published = (task: object) => ({ task: { ...task, stored: true }, replayed: false })
  return scriptedDeps(
    { feeOwedBy: null, publish: published, ...script },
    {
      networks,
      settings: { ...plain, ...settings },
      ...channels,
    },
  )
}

const drafted = {
  id: '01950000-0000-7000-8000-0000000f4241',
  status: 'published',
  title: 'Photograph the gate',
  instructions: 'Stand in front of the gate and take one photo.',
  category: 'simple_action',
  bounty: { atomic: 10_000_000n, asset: { symbol: 'USDC', network: 'localnet', decimals: 6 } },
  deadline: new Date(now.getTime() + 86_400_000),
  publisherWallet: 'publisher',
  publisherType: 'agent',
  publisherAgentId: 4,
  target: 'human',
  executorId: null,
  evidenceRequired: ['photo'],
  evidenceOptional: ['gps'],
  locationHint: 'At the gate',
  area: null,
  minReputation: 40,
  policy: null,
  reviewUntil: null,
  startBy: null,
  turn: null,
  escrowStatus: 'pending_assignment',
  escrowTx: null,
  paymentTx: null,
  refundTx: null,
  createdAt: now,
  updatedAt: now,
  paymentAuth: null,
}

describe('a task as it will stand', () => {
  const drafts = (change: Partial<PublishInput> = {}, settings: object = {}) =>
    draftTask(stage({}, settings).deps, publisher, input(change))

  test('has all that was said, and waits for its assignment', () => {
    expect(drafts()).toEqual(drafted)
  })
  test('is paid in the token that was asked for', () => {
    expect(drafts({ token: 'EURC' }).bounty).toEqual({
      atomic: 1_000n,
      asset: { symbol: 'EURC', network: 'localnet', decimals: 2 },
    })
  })
  test.each<[string, Partial<PublishInput>, object, string]>([
    ['with escrow', {}, {}, 'pending_assignment'],
    ['directly, where that is the mode', {}, { paymentMode: 'fase1' }, 'none'],
    ['directly, on a network without escrow', { network: 'direct' }, { paymentMode: 'fase1' }, 'none'],
    ['in one transaction', { network: 'at once' }, {}, 'none'],
    ['by the unit', { network: 'ticks', streaming }, {}, 'none'],
  ])('is paid %s', (_what, change, settings, escrowStatus) => {
    expect(drafts(change, settings).escrowStatus).toBe(escrowStatus)
  })
  test('that is paid by the unit has its terms', () => {
    expect(drafts({ network: 'ticks', streaming }).meter).toEqual({ unit: 'scan', price: 300n, cap: 1_000n })
  })

  test.each<[string, Partial<PublishInput>, object, unknown]>([
    ['none where the operator gives none', {}, {}, null],
    ['that of the operator', {}, { policy: readPolicy({ reviewHours: 12 }) }, readPolicy({ reviewHours: 12 })],
    ['the default, where its publisher promises one', { promises: true }, {}, readPolicy({})],
    ['none beside a signed payment', { promises: true, paymentAuth: '{"receiver":"w"}' }, {}, null],
    ['none by the unit', { network: 'ticks', streaming, promises: true }, {}, null],
    ['none in one transaction', { network: 'at once', promises: true }, { policy: readPolicy({}) }, null],
  ])('has a policy: %s', (_what, change, settings, policy) => {
    expect(drafts(change, settings).policy).toEqual(policy)
  })

  test.each<[string, Partial<PublishInput>, object, unknown]>([
    [
      'on a network that is not served',
      { network: 'nowhere' },
      {},
      ['NETWORK_NOT_ACCEPTED', { network: 'nowhere', accepted: ['localnet', 'direct', 'ticks', 'at once'] }],
    ],
    ['on a network without escrow', { network: 'direct' }, {}, ['NETWORK_NO_ESCROW', { network: 'direct' }]],
    [
      'where only ticks are paid, directly',
      { network: 'ticks' },
      { paymentMode: 'fase1' },
      ['NETWORK_NO_ESCROW', { network: 'ticks' }],
    ],
    [
      'in a token that is not known there',
      { token: 'DAI' },
      {},
      ['TOKEN_NOT_ACCEPTED', { network: 'localnet', token: 'DAI', accepted: ['USDC', 'EURC'] }],
    ],
    [
      'by the unit, where there are no channels',
      { network: 'localnet', streaming },
      {},
      ['NETWORK_NOT_ACCEPTED', { network: 'localnet', accepted: ['ticks'] }],
    ],
  ])('is refused %s', async (_what, change, settings, refused) => {
    expect(await refusalOf(() => drafts(change, settings))).toEqual(refused)
  })
  test.each<[string, string, object, object]>([
    ['below the least', '0.009999', {}, { constraint: 'minimum', received: 0.009999 }],
    ['below nothing', '-1', {}, { constraint: 'minimum', received: -1 }],
    ['with more decimals than the token has', '1.0000001', {}, { constraint: 'decimals', received: 1.0000001 }],
    ['over the most of an escrow', '100.000001', {}, { constraint: 'maximum', received: 100.000001, max: 100 }],
    ['over the most', '10000.01', { paymentMode: 'fase1' }, { constraint: 'maximum', received: 10000.01, max: 10_000 }],
  ])('is refused with a bounty %s', async (_what, bountyUsd, settings, details) => {
    const refused = ['INVALID_BOUNTY', { field: 'bounty_usd', min: 0.01, ...details }]
    expect(await refusalOf(() => drafts({ bountyUsd }, settings))).toEqual(refused)
  })
  test.each([
    ['0.01', {}],
    ['100', {}],
    ['10000', { paymentMode: 'fase1' }],
  ])('is published for %s', async (bountyUsd, settings) => {
    expect(await refusalOf(() => drafts({ bountyUsd }, settings))).toBe(null)
  })
  test('says that it cannot be paid by the unit where no channels are kept, whatever the network', async () => {
    const { deps } = stage({}, {}, false)
    expect(await refusalOf(() => draftTask(deps, publisher, input({ network: 'nowhere', streaming })))).toEqual([
      'NOT_WIRED',
      { field: 'payment_streaming' },
    ])
  })
})

describe('publishing', () => {
  const event = {
    id: '01950000-0000-7000-8000-0000000f4242',
    type: 'task.created',
    taskId: drafted.id,
    at: now,
    data: {
      task_id: drafted.id,
      title: 'Photograph the gate',
      category: 'simple_action',
      bounty_usd: 10,
      network: 'localnet',
    },
  }
  const idempotency = { key: 'k', bodyHash: 'h' }
  const owed = { taskId: 'before', fee: { atomic: 5n, asset: drafted.bounty.asset }, isUnderWay: false }

  test('writes the task and its news at once, under its key', async () => {
    const { deps, asked } = stage()
    expect(await publish(deps, publisher, input({ idempotency }))).toEqual({
      task: { ...drafted, stored: true },
      replayed: false,
    })
    expect(asked).toEqual([
      ['feeOwedBy', 'publisher'],
      ['publish', drafted, event, idempotency],
    ])
  })
  test('with the identity that the wallet has by then', async () => {
    const { deps, of } = stage()
    const identified = (caller: WalletCaller) => Promise.resolve({ ...caller, agentId: 9 })
    await publish({ ...deps, identified }, publisher, input())
    expect(of('publish')[0]?.[0]).toEqual({ ...drafted, publisherAgentId: 9 })
  })
  test('names the listing that is ordered', () => {
    const { deps } = stage()
    const task = draftTask(deps, publisher, input())
    expect(createdEvent(deps, task, 'listing').data).toEqual({ ...event.data, listing_id: 'listing' })
  })
  test('is refused to who owes a fee', async () => {
    const { deps, of } = stage({ feeOwedBy: owed, publishedUnder: null })
    expect(await refusalOf(() => publish(deps, publisher, input()))).toEqual(['FEE_UNPAID', expect.anything()])
    expect(await refusalOf(() => publish(deps, publisher, input({ idempotency })))).toEqual([
      'FEE_UNPAID',
      expect.anything(),
    ])
    expect([of('publish'), of('publishedUnder')]).toEqual([[], [['publisher', idempotency]]])
  })
  test('of what was published before the debt arose answers that task', async () => {
    const { deps, of } = stage({ feeOwedBy: owed, publishedUnder: { id: 'earlier' } })
    expect(await publish(deps, publisher, input({ idempotency }))).toEqual({ task: { id: 'earlier' }, replayed: true })
    expect(of('publish')).toEqual([])
  })
  test('of an order is held to the terms of its listing, and its seller is written', async () => {
    const listing = {
      id: 'listing',
      sellerExecutorId: 'executor',
      sellerWallet: 'seller',
      availability: 'active',
      unitPrice: drafted.bounty,
      acceptedNetworks: ['localnet'],
    }
    const script = { listing, areApart: false, isBanned: false, application: null }
    const { deps, of } = stage(script)
    await publish(deps, publisher, input({ listingId: 'listing', title: 'I will do it for you' }))
    expect(of('noteOrder')).toEqual([[drafted.id, 'listing']])
    expect(of('publish')[0]?.[1]).toMatchObject({ data: { listing_id: 'listing' } })
    const paused = stage({ ...script, listing: { ...listing, availability: 'paused' } })
    expect(await refusalOf(() => publish(paused.deps, publisher, input({ listingId: 'listing' })))).toEqual([
      'LISTING_PAUSED',
      { listing_id: 'listing' },
    ])
    const dearer = stage({ ...script, listing: { ...listing, unitPrice: { ...drafted.bounty, atomic: 1n } } })
    expect(await refusalOf(() => publish(dearer.deps, publisher, input({ listingId: 'listing' })))).toEqual([
      'price_mismatch',
      { field: 'bounty_usd', expected: '0.000001', received: '10' },
    ])
    const elsewhere = stage({ ...script, listing: { ...listing, acceptedNetworks: ['other'] } })
    expect(await refusalOf(() => publish(elsewhere.deps, publisher, input({ listingId: 'listing' })))).toEqual([
      'NETWORK_NOT_ACCEPTED',
      { network: 'localnet', accepted: ['other'] },
    ])
    expect(elsewhere.of('publish')).toEqual([])
  })
  test('is for those who buy, unless they insist', async () => {
    const selling = input({
      title: 'I will translate your menu',
      instructions: 'Hire me: I offer translations for $5.',
    })
    const { deps } = stage()
    const refused = await refusalOf(() => publish(deps, publisher, selling))
    expect(await refusalOf(() => publish(deps, publisher, { ...selling, insists: true }))).toBe(null)
    expect(refused).not.toBe(null)
  })
})
