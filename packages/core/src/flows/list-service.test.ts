import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { usDollar, type ListingView } from '../listings/listing.ts'
import { aTask } from '../testing/factories.ts'
import { refusalOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { postListing, updateListing, type ListingUpdate, type NewListing } from './list-service.ts'
import { listingFor, requireOrderable, requireSellersTerms, writeSeller } from './order-terms.ts'

const now = scriptedNow
const seller: WalletCaller = { kind: 'wallet', wallet: 'seller', agentId: null, via: 'signature' }
const buyer: WalletCaller = { ...seller, wallet: 'buyer' }
const reputation = { effective: null, onchain: null, completed: 0 }
const usd = (atomic: bigint) => ({ atomic, asset: usDollar })

const network = (name: string, chainId: number | null, hasEscrow: boolean) => ({
  name,
  caip2: name,
  chainId,
  hasEscrow,
  tokens: { USDC: { address: 'token', decimals: 6 } },
  takesRatings: true,
})
/** Two with escrow, one that only pays directly, one that only meters. */
const networks = [
  network('localnet', 31_337, true),
  network('other', 7, true),
  network('direct', 8, false),
  network('ticks', null, false),
]

const listing: ListingView = {
  id: 'listing',
  sellerExecutorId: 'executor',
  title: 'I translate menus',
  description: 'I translate your menu.',
  category: 'content_generation',
  unitPrice: usd(10_000_000n),
  skills: ['maps'],
  evidence: ['text_response'],
  network: 'localnet',
  acceptedNetworks: ['localnet', 'other'],
  availability: 'active',
  ordersCount: 0,
  createdAt: now,
  updatedAt: now,
  sellerWallet: 'seller',
  sellerName: 'Ana',
  sellerPicture: null,
  sellerReputation: reputation as unknown as ListingView['sellerReputation'],
}
const offer = (change: Partial<NewListing> = {}): NewListing => ({
  title: 'I translate menus',
  description: 'I translate your menu.',
  category: 'content_generation',
  unitPriceUsd: '10',
  skills: [' Maps ', 'maps'],
  evidence: ['text_response'],
  network: null,
  acceptedNetworks: null,
  ...change,
})

function stage(script: Script = {}, settings: object = {}) {
  const answers: Script = {
    putWorker: ({ id, wallet }: { id: string; wallet: string }) => ({
      id,
      wallet,
      displayName: 'Ana',
      picture: null,
      reputation,
    }),
    lockActiveListings: 0,
    listing: (id: string) => (id === 'listing' ? listing : null),
    lockListing: listing,
    ...script,
  }
  const { settings: plain } = scriptedDeps().deps
  return scriptedDeps(answers, { networks, settings: { ...plain, ...settings } })
}
const full = ['LISTING_CAP_REACHED', { limit: 20, active: 20 }]
const unpaid = (name: string) => ['NETWORK_NO_ESCROW', { network: name }]
const notAmong = (name: string, accepted: readonly string[]) => [
  'NETWORK_NOT_ACCEPTED',
  { field: 'payment_network', network: name, accepted },
]

describe('a listing is posted', () => {
  test('whole, by a worker that the wallet becomes', async () => {
    const { deps, asked } = stage()
    const posted = await postListing(deps, seller, offer())
    const { sellerWallet, sellerName, sellerPicture, sellerReputation, ...own } = listing
    const written = {
      ...own,
      id: '01950000-0000-7000-8000-0000000f4242',
      sellerExecutorId: '01950000-0000-7000-8000-0000000f4241',
    }
    expect(posted).toEqual({ ...written, sellerWallet, sellerName, sellerPicture, sellerReputation })
    expect(asked).toEqual([
      ['putWorker', { id: written.sellerExecutorId, wallet: 'seller', at: now }],
      ['transaction'],
      ['lockActiveListings', written.sellerExecutorId],
      ['insertListing', written],
    ])
  })

  test.each<[string, Partial<NewListing>, WalletCaller, string, readonly string[]]>([
    ['every network with escrow, the preferred one first asked', {}, seller, 'localnet', ['localnet', 'other']],
    [
      'the preferred network, wherever it is named',
      { acceptedNetworks: ['other', 'localnet'] },
      seller,
      'localnet',
      ['other', 'localnet'],
    ],
    ['those it names', { acceptedNetworks: ['other'] }, seller, 'other', ['other']],
    ['the one an order names none of', { network: 'other' }, seller, 'other', ['localnet', 'other']],
    ["a contract's own chain alone", {}, { ...seller, proof: 'contract@eip155:7' }, 'other', ['other']],
  ])('for %s', async (_what, change, caller, name, accepted) => {
    const posted = await postListing(stage().deps, caller, offer(change))
    expect([posted.network, posted.acceptedNetworks]).toEqual([name, accepted])
  })

  test('where bounties are paid directly, for every network with an address of its worker', async () => {
    const { deps } = stage({}, { paymentMode: 'fase1' })
    expect((await postListing(deps, seller, offer())).acceptedNetworks).toEqual(['localnet', 'other', 'direct'])
    expect(await refusalOf(() => postListing(deps, seller, offer({ acceptedNetworks: ['ticks'] })))).toEqual(
      unpaid('ticks'),
    )
  })

  test.each<[string, Partial<NewListing>, WalletCaller, unknown]>([
    [
      'a price that no task could carry',
      { unitPriceUsd: '0.001' },
      seller,
      ['INVALID_BOUNTY', { constraint: 'minimum', field: 'unit_price_usd', min: 0.01, received: 0.001 }],
    ],
    [
      'a network that is not served',
      { acceptedNetworks: ['nowhere'] },
      seller,
      ['NETWORK_NOT_ACCEPTED', { network: 'nowhere', accepted: ['localnet', 'other', 'direct', 'ticks'] }],
    ],
    ['a network without escrow', { acceptedNetworks: ['localnet', 'direct'] }, seller, unpaid('direct')],
    ['an order on a network without escrow', { network: 'direct' }, seller, unpaid('direct')],
    [
      'an order on a network that it does not accept',
      { network: 'localnet', acceptedNetworks: ['other'] },
      seller,
      notAmong('localnet', ['other']),
    ],
    [
      'a network where its address is of another party',
      { acceptedNetworks: ['localnet'] },
      { ...seller, proof: 'contract@eip155:7' },
      ['NETWORK_NOT_ACCEPTED', { network: 'localnet', account: 'contract@eip155:7' }],
    ],
    [
      'any network, where it owns no address on one',
      {},
      { ...seller, proof: 'contract@eip155:1' },
      ['NETWORK_NOT_ACCEPTED', { network: 'localnet', account: 'contract@eip155:1' }],
    ],
    ['nothing at all', { acceptedNetworks: [] }, seller, notAmong('localnet', [])],
  ])('not for %s', async (_what, change, caller, refused) => {
    const { deps, asked } = stage()
    expect(await refusalOf(() => postListing(deps, caller, offer(change)))).toEqual(refused)
    expect(asked).toEqual([])
  })

  test('not where the identity that it needs is refused', async () => {
    const { deps, of } = stage()
    const identified = () => Promise.reject(new Error('no identity'))
    await expect(postListing({ ...deps, identified }, seller, offer())).rejects.toThrow('no identity')
    expect(of('insertListing')).toEqual([])
  })
  test('not as the 21st', async () => {
    const { deps, of } = stage({ lockActiveListings: 20 })
    expect(await refusalOf(() => postListing(deps, seller, offer()))).toEqual(full)
    expect(of('insertListing')).toEqual([])
    expect(await refusalOf(() => postListing(stage({ lockActiveListings: 19 }).deps, seller, offer()))).toBe(null)
  })
})

describe('a listing is changed', () => {
  const change = async (update: ListingUpdate, script: Script = {}) => {
    const { deps, of } = stage(script)
    const answer = await updateListing(deps, seller, 'listing', update)
    return { answer, written: of('changeListing') }
  }
  test('in what was sent, and in nothing else', async () => {
    expect(await change({ description: 'New.' })).toEqual({
      answer: listing,
      written: [['listing', { description: 'New.' }, now]],
    })
    expect((await change({})).written).toStrictEqual([['listing', {}, now]])
  })
  test('in all of it', async () => {
    const { written } = await change({
      availability: 'paused',
      description: 'New.',
      unitPriceUsd: '2.5',
      skills: ['GIS', 'gis '],
      evidence: ['photo'],
      acceptedNetworks: ['localnet'],
    })
    expect(written).toEqual([
      [
        'listing',
        {
          availability: 'paused',
          description: 'New.',
          unitPrice: usd(2_500_000n),
          skills: ['gis'],
          evidence: ['photo'],
          acceptedNetworks: ['localnet'],
        },
        now,
      ],
    ])
  })
  test.each<[string, ListingUpdate, Script, boolean]>([
    [
      'coming back needs room',
      { availability: 'active' },
      { lockListing: { ...listing, availability: 'paused' } },
      false,
    ],
    ['one that is active has its room', { availability: 'active' }, {}, true],
    ['pausing needs none', { availability: 'paused' }, {}, true],
    [
      'another change of a paused one needs none',
      { description: 'New.' },
      { lockListing: { ...listing, availability: 'paused' } },
      true,
    ],
  ])('where a seller has twenty: %s', async (_what, update, script, isDone) => {
    const { deps } = stage({ lockActiveListings: 20, ...script })
    expect(await refusalOf(() => updateListing(deps, seller, 'listing', update))).toEqual(isDone ? null : full)
  })
  test.each<[string, WalletCaller, string, ListingUpdate, unknown]>([
    ['by another wallet', buyer, 'listing', {}, ['FORBIDDEN', { listing_id: 'listing' }]],
    ['that is not there', seller, 'gone', {}, ['LISTING_NOT_FOUND', { listing_id: 'gone' }]],
    ['to refuse its own orders', seller, 'listing', { acceptedNetworks: ['other'] }, notAmong('localnet', ['other'])],
    [
      'to a price of nothing',
      seller,
      'listing',
      { unitPriceUsd: '0' },
      ['INVALID_BOUNTY', { constraint: 'minimum', field: 'unit_price_usd', min: 0.01, received: 0 }],
    ],
  ])('not %s', async (_what, caller, id, update, refused) => {
    const { deps, of } = stage()
    expect(await refusalOf(() => updateListing(deps, caller, id, update))).toEqual(refused)
    expect(of('changeListing')).toEqual([])
  })
})

describe('who may order', () => {
  test('anybody but its seller, of a listing that is there', async () => {
    const { deps } = stage({ areApart: false, isBanned: false })
    expect(await listingFor(deps, buyer, 'listing')).toEqual(listing)
    expect(await refusalOf(() => listingFor(deps, seller, 'listing'))).toEqual([
      'OWN_LISTING',
      { listing_id: 'listing' },
    ])
    expect(await refusalOf(() => listingFor(deps, buyer, 'gone'))).toEqual([
      'LISTING_NOT_FOUND',
      { listing_id: 'gone' },
    ])
  })
  test('but nobody who is kept apart from its seller, and nothing of a seller who is banned', async () => {
    const apart = stage({ areApart: (...of: unknown[]) => of.join() === 'buyer,seller', isBanned: false })
    expect(await refusalOf(() => listingFor(apart.deps, buyer, 'listing'))).toEqual(['PARTY_BLOCKED', {}])
    const banned = stage({ areApart: false, isBanned: (wallet: string) => wallet === 'seller' })
    expect(await refusalOf(() => listingFor(banned.deps, buyer, 'listing'))).toEqual([
      'WORKER_BLOCKED',
      { wallet: 'seller' },
    ])
  })
  test.each<[string, Partial<ListingView>, string | null, unknown]>([
    ['at its price', {}, '10.00', null],
    ['without a price', {}, null, null],
    ['not at another price', {}, '9.99', ['price_mismatch', { field: 'price', expected: '10', received: '9.99' }]],
    ['not while it is paused', { availability: 'paused' }, null, ['LISTING_PAUSED', { listing_id: 'listing' }]],
  ])('%s', async (_what, change, price, refused) => {
    expect(await refusalOf(() => requireOrderable({ ...listing, ...change }, 'price', price))).toEqual(refused)
  })

  const { bounty } = aTask()
  const signatures = scriptedDeps().deps.signatures
  test('on a network that its seller accepts', async () => {
    const terms = (accepted: readonly string[]) => () =>
      requireSellersTerms({ signatures }, { ...listing, acceptedNetworks: accepted }, { bounty }, null)
    expect(await refusalOf(terms(['localnet']))).toBe(null)
    expect(await refusalOf(terms(['other']))).toEqual([
      'NETWORK_NOT_ACCEPTED',
      { network: 'localnet', accepted: ['other'] },
    ])
  })
  test('with a payment to its seller', async () => {
    const paying = (receiver: string) => () =>
      requireSellersTerms({ signatures }, listing, { bounty }, JSON.stringify({ receiver }))
    expect(await refusalOf(paying('seller'))).toBe(null)
    expect(await refusalOf(paying('other'))).toEqual([
      'FORBIDDEN_RECEIVER',
      expect.objectContaining({ receiver: 'seller' }),
    ])
  })
})

describe('an order counts as the application of the seller', () => {
  const task = { id: 'task', createdAt: now }
  test('who is told, and it is counted', async () => {
    const { deps, asked } = stage({ application: null })
    await deps.store.transaction(async (tx) => writeSeller(deps, tx, task, listing))
    const [application, event] = [1, 2].map((count) => `01950000-0000-7000-8000-0000000f424${String(count)}`)
    expect(asked).toEqual([
      ['transaction'],
      ['application', 'task', 'executor'],
      [
        'insertApplication',
        { id: application, taskId: 'task', executorId: 'executor', status: 'pending', message: null, createdAt: now },
      ],
      [
        'addEvent',
        {
          id: event,
          type: 'worker.applied',
          taskId: 'task',
          at: now,
          data: { task_id: 'task', application_id: application, executor_id: 'executor', listing_id: 'listing' },
        },
      ],
      ['noteOrder', 'task', 'listing'],
    ])
  })
  test('once', async () => {
    const { deps, asked } = stage({ application: { id: 'earlier' } })
    await deps.store.transaction(async (tx) => writeSeller(deps, tx, task, listing))
    expect(asked.slice(1)).toEqual([['application', 'task', 'executor']])
  })
})
