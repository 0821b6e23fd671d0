import { openSlotWindow, readReceipt, type ReadChallenge, type ReadReceipt, type SessionNetwork } from '@ergon/channels'
import {
  prepareClose,
  prepareOpening,
  preparePayment,
  prepareTopUp,
  type BoughtChannel,
  type BuyerKeys,
} from './channel.ts'
import { createLedgerNode, type LedgerNode } from './ledger-node.ts'
import { agreeOffer, mainnetUsdc, sellerOf, usualProgram, type BuyerTerms } from './offer.ts'
import { PaymentRefused } from './payment-refused.ts'
import { Purse } from './purse.ts'
import { sendPatiently, type SentRequest } from './send-patiently.ts'
import type { SolanaSigner } from './solana-signer.ts'

/** How a buyer pays. Amounts in atomic units of the token: a millionth of a USDC is 1. */
export type PayingOptions = {
  readonly signer: SolanaSigner
  /**
   * The most that leaves the wallet: all that channels hold or may come to hold, and what ended ones have cost. A
   * deposit that a gateway refused counts until it is known that it never lands: the gateway has the signature. The
   * next call signs the same opening again, which binds no more. A channel that a gateway calls closed counts until it
   * is known what came back.
   */
  readonly cap: bigint
  /** The most for one call; the cap where it is left out. */
  readonly mostPrice?: bigint
  /**
   * `client`, the default: each call is signed for, so that nothing can be taken that was not asked for; calls of one
   * channel go one after the other. `operator`: the gateway meters up to the deposit, and calls go side by side.
   */
  readonly vouchers?: 'client' | 'operator'
  /** Signs vouchers in the place of the wallet, so that it is not asked at every call. */
  readonly voucherKey?: SolanaSigner
  readonly network?: SessionNetwork
  /** The token; USDC on the main network. */
  readonly mint?: string
  readonly channelProgram?: string
  /**
   * A node of the network that the buyer trusts. Where the cap is reached it is asked what became of the channels in
   * doubt: an opening that never lands, a top-up, a channel that was paid out. Without it, of a channel that the buyer
   * signs for, a closing that its gateway confirms counts as what was signed; all else in doubt counts in full.
   */
  readonly rpcUrl?: string
  readonly fetch?: typeof fetch
  /** Channels of an earlier run, and where they are kept: written before anything that depends on them is sent. */
  readonly channels?: readonly BoughtChannel[]
  readonly onChannels?: (channels: readonly BoughtChannel[]) => Promise<void> | void
}

/** A `fetch` that pays. */
export type PayingFetch = {
  /**
   * Asks, and pays where a price is asked. The answer is the seller's; `receiptOf` says what it cost.
   *
   * @throws PaymentRefused where it would cost more than was agreed, or the gateway refuses the payment.
   */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** Ends all channels; their rest goes back to the wallet. Those that their gateway does not know are kept. */
  close(): Promise<readonly ReadReceipt[]>
  /** Those that pay, and those whose end is not known. */
  channels(): readonly BoughtChannel[]
}

/** What a call cost; undefined where it cost nothing. */
export function receiptOf(response: Response): ReadReceipt | undefined {
  const header = response.headers.get('payment-receipt')
  return header === null ? undefined : readReceipt(header)
}

const mostTurns = 6
const mostOffers = 1_000

/** @throws TypeError where the mint of another network than the main one is left out. */
export function createPayingFetch(options: PayingOptions): PayingFetch {
  const { signer, cap, network = 'mainnet' } = options
  const mint = options.mint ?? (network === 'mainnet' ? mainnetUsdc : undefined)
  if (mint === undefined) throw new TypeError(`name the mint that is paid with on ${network}`)
  const terms: BuyerTerms = {
    network,
    mint,
    channelProgram: options.channelProgram ?? usualProgram,
    mostPrice: options.mostPrice ?? cap,
    vouchers: options.vouchers ?? 'client',
    payer: signer.address,
  }
  const keys = { payer: signer, vouchers: options.voucherKey ?? signer }
  const buyer = new Buyer({ options, terms, keys })
  return {
    fetch: (url, init) => buyer.fetch(String(url), init),
    close: () => buyer.close(),
    channels: () => buyer.purse.all(),
  }
}

type BuyerDeps = { readonly options: PayingOptions; readonly terms: BuyerTerms; readonly keys: BuyerKeys }

/** Owns the channels and the order in which they are signed for. */
class Buyer {
  readonly purse: Purse
  readonly #deps: BuyerDeps
  readonly #node: LedgerNode | undefined
  readonly #offers = new Map<string, ReadChallenge>()
  readonly #turns = new Map<string, Promise<unknown>>()
  /** By channel: the height from which on no top-up lands that was signed before. */
  readonly #deadFrom = new Map<string, bigint>()

  constructor(deps: BuyerDeps) {
    this.#deps = deps
    const { cap, channels = [], onChannels, rpcUrl } = deps.options
    this.purse = new Purse(cap, channels, (kept) => onChannels?.(kept))
    this.#node = rpcUrl === undefined ? undefined : createLedgerNode(rpcUrl)
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const request = await this.#requestOf(url, init)
    try {
      return await this.#buy(request)
    } catch (error) {
      if (!(error instanceof PaymentRefused) || error.code !== 'channel_of_another_seller') throw error
      // Another seller sells there now, and its terms are agreed on anew. The channel of the former stays with its end.
      this.#offers.delete(placeOf(url))
      return this.#buy(request)
    }
  }

  async #buy(request: SentRequest): Promise<Response> {
    const [url, place] = [request.url, placeOf(request.url)]
    if (!this.#offers.has(place)) {
      const response = await this.#send(request)
      if (response.status !== 402) return response
      this.#agree(place, response)
    }
    const offer = this.#offers.get(place)
    if (offer === undefined) throw new PaymentRefused('terms_refused', 'the gateway asks no price')
    const seller = sellerOf(url, offer)
    const find = () => this.#channelFor(url, place, seller)
    const channel = await this.#inTurn(seller, find)
    // Where calls go side by side, one of them opens the next channel for all.
    return channel.voucherSigner === 'client'
      ? this.#inTurn(seller, () => this.#pay(request, place, find))
      : this.#pay(request, place, () => this.#inTurn(seller, find))
  }

  async close(): Promise<readonly ReadReceipt[]> {
    const receipts: ReadReceipt[] = []
    for (const channel of this.purse.all().filter(({ isOver }) => isOver !== true)) {
      const receipt = await this.#close(channel)
      if (receipt === undefined) await this.purse.stop(channel)
      else receipts.push(receipt)
    }
    return [...receipts, ...(await this.#learnEnds())]
  }

  /** Asks a gateway to end a channel; undefined where it knows none. */
  async #close(channel: BoughtChannel): Promise<ReadReceipt | undefined> {
    const offer = await this.#freshOffer(channel.url, placeOf(channel.url))
    const response = await this.#act(channel.url, await prepareClose(this.#deps.keys, offer, channel))
    const receipt = receiptOf(response)
    if (!response.ok || receipt === undefined) {
      if ((await codeOf(response)) === 'channel_not_found') return undefined
      throw await refusalOf(response)
    }
    // What the buyer did not sign for cannot have been taken; where the gateway meters, it says what it took.
    await this.purse.end(channel, ({ voucherSigner, signed }) => (voucherSigner === 'client' ? signed : receipt.spent))
    return receipt
  }

  /** Pays for one call under one key, until it is answered. */
  async #pay(request: SentRequest, place: string, find: () => Promise<BoughtChannel>): Promise<Response> {
    const key = request.headers['idempotency-key'] ?? crypto.randomUUID()
    let first: BoughtChannel | undefined
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const channel = await find()
      if (first?.channelId !== channel.channelId) first = channel
      const offer = this.#offers.get(place) ?? (await this.#freshOffer(request.url, place))
      const cumulative = channel.taken + offer.request.amount
      if (channel.voucherSigner === 'client' && cumulative > channel.deposit + (channel.adding ?? 0n)) {
        await this.#topUp(channel, place, offer.request.amount)
        continue
      }
      await this.purse.change(channel, ({ signed }) => ({ signed: max(signed, cumulative) }))
      const authorization = await preparePayment(this.#deps.keys, offer, channel, cumulative)
      const headers = { ...request.headers, authorization, 'idempotency-key': key }
      const response = await this.#send({ ...request, headers })
      if (response.status !== 402) return this.#booked(response, channel, cumulative)
      await this.#learn(response, { channel, place, price: offer.request.amount, signedBefore: first.signed })
    }
    throw new PaymentRefused('not_settled', 'the gateway and this buyer do not agree on their books', 402)
  }

  async #booked(response: Response, channel: BoughtChannel, cumulative: bigint): Promise<Response> {
    const receipt = receiptOf(response)
    if (receipt !== undefined)
      await this.purse.change(channel, ({ taken, spent }) => ({
        taken: max(taken, cumulative),
        spent: max(spent, receipt.spent),
      }))
    return response
  }

  /** What a 402 says about the books; never believed beyond what was signed before this call and one price more. */
  async #learn(
    response: Response,
    of: { channel: BoughtChannel; place: string; price: bigint; signedBefore: bigint },
  ): Promise<void> {
    const { channel, place, price, signedBefore } = of
    const problem = await problemOf(response)
    const due = typeof problem.due === 'string' && /^\d{1,20}$/.test(problem.due) ? BigInt(problem.due) : undefined
    if (problem.error === 'invalid_challenge') {
      this.#agree(place, response)
      return
    }
    if (problem.error === 'deposit_exhausted') {
      // Where calls go side by side, the first that finds it empty fills it for all; else this is its turn already.
      const topUp = () => this.#topUp(channel, place, price)
      return channel.voucherSigner === 'operator' ? this.#inTurn(channel.seller, topUp) : topUp()
    }
    if (problem.error === 'channel_closing' || problem.error === 'channel_not_found') return this.purse.stop(channel)
    const isKnown = due !== undefined && due >= price && due - price <= signedBefore
    if (problem.error?.startsWith('voucher_') === true && isKnown)
      return this.purse.change(channel, () => ({ taken: due - price }))
    throw new PaymentRefused(problem.error ?? 'payment_refused', problem.detail ?? '', 402)
  }

  async #channelFor(url: string, place: string, seller: string): Promise<BoughtChannel> {
    const known = this.purse.of(seller)
    if (known !== undefined && known.opening === undefined) return known
    const offer = await this.#freshOffer(url, place)
    const least = max(offer.request.minimumDeposit ?? 0n, offer.request.amount)
    const again = known === undefined ? undefined : await this.#openingAgain(known, offer, { url, least })
    const { header, channel } = again ?? (await this.#newOpening(offer, { url, seller, least }))
    await this.purse.put(channel)
    const response = await this.#act(url, header)
    if (!response.ok) throw await refusalOf(response)
    await this.purse.change(channel, () => ({ opening: undefined }))
    return channel
  }

  /** The same opening with what its gateway offers now; undefined where it would be of another channel, or too late. */
  async #openingAgain(
    known: BoughtChannel,
    offer: ReadChallenge,
    { url, least }: { readonly url: string; readonly least: bigint },
  ): Promise<Awaited<ReturnType<typeof prepareOpening>> | undefined> {
    const { seller, deposit, opening, channelId } = known
    const isInTime = opening !== undefined && (offer.request.recentSlot ?? 0n) <= opening.openSlot + openSlotWindow
    if (isInTime && deposit >= least) {
      const again = await prepareOpening(this.#deps.keys, offer, { url, seller, deposit, opening })
      if (again.channel.channelId === channelId) return again
    }
    await this.purse.stop(known)
    return undefined
  }

  async #newOpening(
    offer: ReadChallenge,
    { url, seller, least }: { readonly url: string; readonly seller: string; readonly least: bigint },
  ): ReturnType<typeof prepareOpening> {
    const left = await this.#room(least)
    const deposit = min(left, max(offer.request.suggestedDeposit ?? least, least))
    const [salt = 0n] = crypto.getRandomValues(new BigUint64Array(1))
    return prepareOpening(this.#deps.keys, offer, { url, seller, deposit, opening: { salt } })
  }

  async #topUp(channel: BoughtChannel, place: string, price: bigint): Promise<void> {
    if ((this.purse.of(channel.seller)?.deposit ?? 0n) > channel.deposit) return
    const left = await this.#room(price)
    const amount = min(left, max(channel.deposit, price))
    const offer = await this.#freshOffer(channel.url, place)
    const authorization = await prepareTopUp(this.#deps.keys, offer, channel, amount)
    await this.purse.change(channel, ({ adding = 0n }) => ({ adding: adding + amount }))
    const response = await this.#act(channel.url, authorization)
    if (response.ok) {
      const confirmed = channel.deposit + amount
      await this.purse.change(channel, ({ deposit, adding = 0n }) => ({
        deposit: max(deposit, confirmed),
        adding: max(0n, adding - amount),
      }))
      return
    }
    this.#deadFrom.delete(channel.channelId)
    await this.#noteDead(channel)
    throw await refusalOf(response)
  }

  /** What may still leave the wallet. @throws PaymentRefused `cap_reached` where that is less than is needed. */
  async #room(least: bigint): Promise<bigint> {
    if (this.purse.left() < least) await this.#learnEnds()
    const left = this.purse.left()
    if (left < least) throw new PaymentRefused('cap_reached', `of the cap ${left} is left, and ${least} is needed`)
    return left
  }

  /** Asks what became of the channels in doubt, the node first. What nobody tells goes on counting. */
  async #learnEnds(): Promise<readonly ReadReceipt[]> {
    const receipts: ReadReceipt[] = []
    for (const channel of this.purse.all()) {
      const { isOver = false, opening, adding = 0n, voucherSigner } = channel
      if (!isOver && opening === undefined && adding === 0n) continue
      const isKnown = await this.#askNode(channel).catch(() => false)
      if (isKnown || !isOver || voucherSigner !== 'client') continue
      const receipt = await this.#close(channel).catch(() => undefined)
      if (receipt !== undefined) receipts.push(receipt)
    }
    return receipts
  }

  /** @returns whether the channel is known to have ended. */
  async #askNode(channel: BoughtChannel): Promise<boolean> {
    const shown = await this.#node?.show(channel, this.#deps.terms.channelProgram)
    if (shown === undefined) return false
    if (shown.kind === 'ended') {
      await this.purse.end(channel, () => shown.cost)
      return true
    }
    await this.#noteDead(channel)
    const isDead = shown.height > (this.#deadFrom.get(channel.channelId) ?? shown.height)
    await this.purse.change(channel, ({ deposit, adding = 0n }) => ({
      deposit: max(deposit, shown.deposit),
      opening: undefined,
      adding: isDead ? 0n : adding,
    }))
    return false
  }

  async #noteDead({ channelId }: BoughtChannel): Promise<void> {
    if (this.#deadFrom.has(channelId)) return
    const height = await this.#node?.deadFrom().catch(() => undefined)
    if (height !== undefined) this.#deadFrom.set(channelId, height)
  }

  async #freshOffer(url: string, place: string): Promise<ReadChallenge> {
    const response = await this.#send({ url, method: 'GET', headers: {}, body: undefined })
    if (response.status !== 402) throw await refusalOf(response)
    return this.#agree(place, response)
  }

  #agree(place: string, response: Response): ReadChallenge {
    const offer = agreeOffer(response, this.#deps.terms)
    if (this.#offers.size >= mostOffers) this.#offers.clear()
    this.#offers.set(place, offer)
    return offer
  }

  #act(url: string, authorization: string): Promise<Response> {
    return this.#send({ url, method: 'GET', headers: { authorization }, body: undefined })
  }

  #send(request: SentRequest): Promise<Response> {
    return sendPatiently(this.#deps.options.fetch ?? fetch, request)
  }

  async #requestOf(url: string, init: RequestInit): Promise<SentRequest> {
    // Read once, so that the same bytes can be sent again.
    const request = new Request(url, { ...init, redirect: 'manual' })
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
    return { url, method: request.method, headers: Object.fromEntries(request.headers), body }
  }

  /** One after the other for each seller; what fails lets the next one through. */
  #inTurn<T>(seller: string, run: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(seller) ?? Promise.resolve()
    const now = before.then(run, run)
    this.#turns.set(
      seller,
      now.catch(() => undefined),
    )
    return now
  }
}

/** Where a price is asked: a query does not change it. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

type Problem = { readonly error?: string; readonly detail?: string; readonly due?: unknown }

async function problemOf(response: Response): Promise<Problem> {
  try {
    return (await response.json()) as Problem // each member is looked at where it is used
  } catch {
    return {}
  }
}

async function codeOf(response: Response): Promise<string | undefined> {
  return (await problemOf(response.clone())).error
}

async function refusalOf(response: Response): Promise<PaymentRefused> {
  const { error = `HTTP_${response.status}`, detail = 'the gateway refused' } = await problemOf(response)
  return new PaymentRefused(error, detail, response.status)
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
