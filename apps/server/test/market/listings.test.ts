import { createMarket, type BrowseFilter, type NewListing, type OrderInput, type WalletCaller } from '@ergon/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assignJob, ledgerDisagreements, localnet, openStage, publisher, worker, type Stage } from './stage.ts'

const refusedWith = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as Error
const anonymous = { kind: 'anonymous' } as const
const firstPage = { limit: 100, offset: 0, cursor: null }
const everything: BrowseFilter = { category: null, skills: null, seller: null, minReputation: null, maxPriceUsd: null }

const offer = (change: Partial<NewListing> = {}): NewListing => ({
  title: 'I translate menus',
  description: 'I will translate your menu into English for you.',
  category: 'content_generation',
  unitPriceUsd: '10',
  skills: ['Translation'],
  evidence: ['text_response'],
  network: null,
  acceptedNetworks: null,
  ...change,
})
const asIs = (change: Partial<OrderInput> = {}): OrderInput => ({
  bountyUsd: null,
  deadlineHours: 24,
  instructions: null,
  network: null,
  paymentAuth: null,
  ...change,
})

let stage: Stage
let wallets = 0x30
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

function someone(): WalletCaller {
  wallets += 1
  return { kind: 'wallet', wallet: `0x${wallets.toString(16).padStart(40, '0')}`, agentId: null, via: 'signature' }
}

async function rated(score: number | null): Promise<WalletCaller> {
  const seller = someone()
  await stage.market.registerWorker(seller, { name: null, party: 'agent' })
  if (score !== null)
    await stage.pool.query('update workers set onchain_score = $2 where wallet = $1', [seller.wallet, score])
  return seller
}

describe('a seller has at most 20 active listings, and pausing one makes room (spec §8)', () => {
  test('the 21st is refused until one is paused, and the paused one cannot come back before another makes room', async () => {
    const { market } = stage
    const seller = someone()
    const first = await market.postListing(seller, offer())
    for (let count = 1; count < 20; count += 1) await market.postListing(seller, offer())
    await expect(market.postListing(seller, offer())).rejects.toThrow(
      refusedWith('LISTING_CAP_REACHED', { limit: 20, active: 20 }),
    )
    expect((await market.updateListing(seller, first.id, { availability: 'paused' })).availability).toBe('paused')
    const later = await market.postListing(seller, offer())
    await expect(market.updateListing(seller, first.id, { availability: 'active' })).rejects.toThrow(
      refusedWith('LISTING_CAP_REACHED'),
    )
    await market.updateListing(seller, later.id, { availability: 'paused' })
    expect((await market.updateListing(seller, first.id, { availability: 'active' })).availability).toBe('active')
    expect(await market.ownListings(seller, firstPage)).toMatchObject({ total: 21 })
    expect(await market.ownListings(anonymous, firstPage)).toMatchObject({ total: 0, rows: [] })
  })

  test('postings that race do not pass the cap together', async () => {
    const seller = someone()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => stage.market.postListing(seller, offer())),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(
      (await stage.market.browseListings({ ...everything, seller: seller.wallet }, 'recent', firstPage)).total,
    ).toBe(20)
  })
})

describe('posting', () => {
  test('what is left out: the preferred network, every escrow network; skills are kept once and in lower case', async () => {
    const listing = await stage.market.postListing(someone(), offer({ skills: ['Maps', ' maps ', 'GIS'] }))
    expect(listing).toMatchObject({
      network: 'localnet',
      acceptedNetworks: ['localnet'],
      skills: ['maps', 'gis'],
      availability: 'active',
      ordersCount: 0,
      sellerReputation: { effective: null },
    })
    expect(await stage.market.readListing(listing.id)).toEqual(listing)
  })

  test.each([
    [{ unitPriceUsd: '0.009' }, 'INVALID_BOUNTY', { field: 'unit_price_usd', constraint: 'minimum' }],
    [{ unitPriceUsd: '100.01' }, 'INVALID_BOUNTY', { field: 'unit_price_usd', constraint: 'maximum' }],
    [{ network: 'base' }, 'NETWORK_NOT_ACCEPTED', { network: 'base' }],
    [{ acceptedNetworks: ['base'] }, 'NETWORK_NOT_ACCEPTED', { network: 'base' }],
  ] as const)('%j is refused with %s', async (change, code, details) => {
    await expect(stage.market.postListing(someone(), offer(change))).rejects.toThrow(refusedWith(code, details))
  })

  test('only the seller changes a listing', async () => {
    const listing = await stage.market.postListing(someone(), offer())
    await expect(stage.market.updateListing(someone(), listing.id, { unitPriceUsd: '1' })).rejects.toThrow(
      refusedWith('FORBIDDEN'),
    )
    expect((await stage.market.readListing(listing.id)).unitPrice).toEqual(listing.unitPrice)
  })
})

describe('browsing', () => {
  test('filters by category, any of the skills, seller, price and reputation, where an unrated seller clears a floor of 50', async () => {
    const [poor, unrated, good] = [await rated(40), await rated(null), await rated(80)]
    const { market } = stage
    await market.postListing(poor, offer({ category: 'sensory', unitPriceUsd: '1', skills: ['a'] }))
    await market.postListing(unrated, offer({ category: 'sensory', unitPriceUsd: '2', skills: ['b'] }))
    await market.postListing(good, offer({ category: 'sensory', unitPriceUsd: '3.5', skills: ['b', 'c'] }))
    const prices = async (filter: Partial<BrowseFilter>, sort: 'recent' | 'reputation' | 'price' = 'price') =>
      (await market.browseListings({ ...everything, category: 'sensory', ...filter }, sort, firstPage)).rows.map(
        ({ unitPrice }) => Number(unitPrice.atomic) / 1e6,
      )
    expect(await prices({})).toEqual([1, 2, 3.5])
    expect(await prices({}, 'recent')).toEqual([3.5, 2, 1])
    expect(await prices({}, 'reputation')).toEqual([3.5, 1, 2])
    expect(await prices({ skills: ['A', 'c'] })).toEqual([1, 3.5])
    expect(await prices({ maxPriceUsd: '3.499999' })).toEqual([1, 2])
    expect(await prices({ minReputation: 50 })).toEqual([2, 3.5])
    expect(await prices({ minReputation: 51 })).toEqual([3.5])
    expect(await prices({ seller: poor.wallet })).toEqual([1])
    expect(await prices({ category: 'bureaucratic' })).toEqual([])
  })

  test('pages in any order show every listing once, and the order by reputation is that of the effective score', async () => {
    for (const [score, completed] of [
      [null, 0],
      [null, 2],
      [73.5, 9],
      [null, 9],
      [0, 1],
      [100, 0],
    ] as const) {
      const seller = await rated(score)
      await stage.pool.query('update workers set tasks_completed = $2 where wallet = $1', [seller.wallet, completed])
      for (const unitPriceUsd of ['5', '4', '5'])
        await stage.market.postListing(seller, offer({ category: 'emergency', unitPriceUsd }))
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('recent', 'reputation', 'price'),
        fc.integer({ min: 1, max: 19 }),
        fc.boolean(),
        async (sort, limit, byCursor) => {
          const seen = []
          let cursor: string | null = null
          for (let more = true; more;) {
            const page = await stage.market.browseListings({ ...everything, category: 'emergency' }, sort, {
              limit,
              offset: byCursor ? 0 : seen.length,
              cursor: byCursor ? cursor : null,
            })
            seen.push(...page.rows)
            more = page.hasMore
            cursor = page.nextCursor
          }
          expect(new Set(seen.map(({ id }) => id)).size).toBe(18)
          expect(seen).toHaveLength(18)
          const keys = seen.map((one) =>
            sort === 'reputation'
              ? -(one.sellerReputation.effective ?? -1)
              : sort === 'price'
                ? Number(one.unitPrice.atomic)
                : -one.createdAt.getTime(),
          )
          expect(keys).toEqual(keys.toSorted((a, b) => a - b))
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('ordering', () => {
  test('creates the task of the buyer, with the seller as its applicant, and assigning the seller locks the escrow', async () => {
    const { market } = stage
    const before = stage.chain.balance(publisher.wallet)
    const listing = await market.postListing(worker, offer())
    const { task } = await market.orderListing(
      publisher,
      listing.id,
      asIs({ bountyUsd: '10.00', instructions: 'The menu has four pages.' }),
    )
    expect(task).toMatchObject({
      status: 'published',
      title: 'Order: I translate menus',
      publisherWallet: publisher.wallet,
      escrowStatus: 'pending_assignment',
      bounty: { atomic: 10_000_000n, asset: { symbol: 'USDC', network: 'localnet' } },
    })
    expect(task.instructions).toBe(`${listing.description}\n\nThe menu has four pages.`)
    const { rows } = await market.applications(publisher, task.id, firstPage)
    expect(rows).toMatchObject([{ executorId: listing.sellerExecutorId, status: 'pending' }])
    const challenge = await market.assignChallenge(publisher, task.id, listing.sellerExecutorId)
    expect((await market.readListing(listing.id)).ordersCount).toBe(0)
    const assigned = await assignJob(stage, {
      taskId: task.id,
      executorId: listing.sellerExecutorId,
      paymentAuth: JSON.stringify(challenge.envelope),
    })
    expect(assigned).toMatchObject({ state: 'accepted', workerWallet: worker.wallet })
    expect(stage.chain.balance(publisher.wallet)).toBe(before - 10_000_000n)
    expect(await ledgerDisagreements(stage)).toEqual([])
    expect((await market.readListing(listing.id)).ordersCount).toBe(1)
  })

  test('an order that comes with a valid authorization locks in one call, and one that pays another wallet is refused', async () => {
    const { market } = stage
    const listing = await market.postListing(worker, offer())
    const auth = (receiver: string): string =>
      JSON.stringify({ payer: publisher.wallet, receiver, amount: '10000000', hash: `0x${'ab'.repeat(32)}` })
    await expect(
      market.orderListing(publisher, listing.id, asIs({ paymentAuth: auth(someone().wallet) })),
    ).rejects.toThrow(refusedWith('FORBIDDEN_RECEIVER'))
    const { task } = await market.orderListing(publisher, listing.id, asIs({ paymentAuth: auth(worker.wallet) }))
    expect(task).toMatchObject({ status: 'accepted', escrowStatus: 'authorized', executorId: listing.sellerExecutorId })
  })

  test.each([
    ['at another price', {}, { bountyUsd: '9.999999' }, 'price_mismatch'],
    ['of a paused listing', { availability: 'paused' }, {}, 'LISTING_PAUSED'],
    ['on a network that is not served', {}, { network: 'base' }, 'NETWORK_NOT_ACCEPTED'],
  ] as const)('an order %s is refused and leaves no task', async (_what, update, order, code) => {
    const [buyer, listing] = [someone(), await stage.market.postListing(worker, offer())]
    await stage.market.updateListing(worker, listing.id, update)
    await expect(stage.market.orderListing(buyer, listing.id, asIs(order))).rejects.toThrow(refusedWith(code))
    expect(
      (
        await stage.market.listTasks(
          buyer,
          { status: null, category: null, network: null, publisher: buyer.wallet },
          firstPage,
        )
      ).total,
    ).toBe(0)
    expect((await stage.market.readListing(listing.id)).ordersCount).toBe(0)
  })

  test('nobody orders from their own listing', async () => {
    const seller = someone()
    const listing = await stage.market.postListing(seller, offer())
    await expect(stage.market.orderListing(seller, listing.id, asIs())).rejects.toThrow(refusedWith('OWN_LISTING'))
  })
})

describe('a task finds the listings that could do it', () => {
  test("by category, price, network, reputation and party, never the publisher's own, the best reputation first", async () => {
    const { market } = stage
    const [good, better, human] = [await rated(70), await rated(90), someone()]
    await market.registerWorker({ ...human, via: 'session' }, { name: null, party: 'human' })
    const post = (seller: WalletCaller, change: Partial<NewListing> = {}) =>
      market.postListing(seller, offer({ category: 'research', ...change }))
    const [fits, fitsBetter] = [await post(good), await post(better)]
    await post(good, { unitPriceUsd: '10.000001' })
    await post(good, { category: 'creative' })
    await post(human)
    await post(publisher)
    await market.updateListing(better, (await post(better)).id, { availability: 'paused' })
    const { task } = await market.publish(publisher, {
      title: 'Find three sources',
      instructions: 'Find three sources about the old gate.',
      category: 'research',
      bountyUsd: '10',
      deadlineHours: 24,
      evidenceRequired: ['text_response'],
      evidenceOptional: [],
      locationHint: null,
      minReputation: 60,
      network: null,
      token: null,
      target: 'agent',
      publisherType: 'agent',
      paymentAuth: null,
      idempotency: null,
    })
    expect((await market.matchListings(anonymous, task.id, { limit: 20, offset: 0 })).rows.map(({ id }) => id)).toEqual(
      [fitsBetter.id, fits.id],
    )
    expect(await market.matchListings(anonymous, task.id, { limit: 1, offset: 1 })).toMatchObject({
      rows: [{ id: fits.id }],
      total: 2,
      hasMore: false,
    })
  })
})

describe('networks of an order', () => {
  test('one without escrow is NETWORK_NO_ESCROW, one the seller does not take is NETWORK_NOT_ACCEPTED', async () => {
    const [bare, second] = [
      { ...localnet, name: 'bare', hasEscrow: false },
      { ...localnet, name: 'second' },
    ]
    const market = createMarket({ ...stage.deps, networks: [localnet, bare, second] })
    const listing = await market.postListing(worker, offer({ acceptedNetworks: ['localnet'] }))
    await expect(market.orderListing(publisher, listing.id, asIs({ network: 'bare' }))).rejects.toThrow(
      refusedWith('NETWORK_NO_ESCROW'),
    )
    await expect(market.orderListing(publisher, listing.id, asIs({ network: 'second' }))).rejects.toThrow(
      refusedWith('NETWORK_NOT_ACCEPTED', { accepted: ['localnet'] }),
    )
    await expect(market.postListing(worker, offer({ acceptedNetworks: ['bare'] }))).rejects.toThrow(
      refusedWith('NETWORK_NO_ESCROW'),
    )
    expect((await market.postListing(worker, offer())).acceptedNetworks).toEqual(['localnet', 'second'])
  })
})
