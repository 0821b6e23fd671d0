import { readReceipt, type ReadChallenge, type ReadReceipt, type SessionNetwork } from '@ergon/channels'
import {
  prepareClose,
  prepareOpening,
  preparePayment,
  prepareTopUp,
  type BoughtChannel,
  type BuyerKeys,
} from './channel.ts'
import { agreeOffer, mainnetUsdc, sellerOf, usualProgram, type BuyerTerms } from './offer.ts'
import { PaymentRefused } from './payment-refused.ts'
import { sendPatiently, type SentRequest } from './send-patiently.ts'
import type { SolanaSigner } from './solana-signer.ts'

/** How a buyer pays. Amounts in atomic units of the token: a millionth of a USDC is 1. */
export type PayingOptions = {
  readonly signer: SolanaSigner
  /**
   * The most that leaves the wallet: what all channels hold together, and what closed ones have cost. Where the gateway
   * meters, a deposit that it refused counts too: it has the signature and may land it later. Where the buyer signs for
   * each call, nothing can be taken of such a deposit, and it does not count; landed all the same, it is bound until
   * its payer leaves the channel.
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
  /** Ends all channels; their rest goes back to the wallet. */
  close(): Promise<readonly ReadReceipt[]>
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
    channels: () => [...buyer.channels.values()],
  }
}

type BuyerDeps = { readonly options: PayingOptions; readonly terms: BuyerTerms; readonly keys: BuyerKeys }

/** Owns the channels and the order in which they are signed for. */
class Buyer {
  readonly channels = new Map<string, BoughtChannel>()
  readonly #deps: BuyerDeps
  readonly #offers = new Map<string, ReadChallenge>()
  readonly #turns = new Map<string, Promise<unknown>>()
  /** What channels have cost that are no more. */
  #gone = 0n

  constructor(deps: BuyerDeps) {
    this.#deps = deps
    for (const channel of deps.options.channels ?? []) this.channels.set(channel.seller, channel)
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const request = await this.#requestOf(url, init)
    const place = placeOf(url)
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
    for (const channel of [...this.channels.values()]) {
      const offer = await this.#freshOffer(channel.url, placeOf(channel.url))
      const authorization = await prepareClose(this.#deps.keys, offer, channel)
      const response = await this.#act(channel.url, authorization)
      const receipt = receiptOf(response)
      if (response.ok && receipt !== undefined) receipts.push(receipt)
      else if ((await codeOf(response)) !== 'channel_not_found') throw await refusalOf(response)
      const isMetered = channel.voucherSigner === 'operator' && response.ok && receipt !== undefined
      await this.#forget(channel, isMetered ? () => receipt.spent : mostCostOf)
    }
    return receipts
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
      if (channel.voucherSigner === 'client' && cumulative > channel.deposit) {
        await this.#topUp(channel, place, offer.request.amount)
        continue
      }
      await this.#change(channel, ({ signed }) => ({ signed: max(signed, cumulative) }))
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
      await this.#change(channel, ({ taken, spent }) => ({
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
    if (problem.error === 'channel_closing' || problem.error === 'channel_not_found')
      return this.#forget(channel, mostCostOf)
    const isKnown = due !== undefined && due >= price && due - price <= signedBefore
    if (problem.error?.startsWith('voucher_') === true && isKnown)
      return this.#change(channel, () => ({ taken: due - price }))
    throw new PaymentRefused(problem.error ?? 'payment_refused', problem.detail ?? '', 402)
  }

  async #channelFor(url: string, place: string, seller: string): Promise<BoughtChannel> {
    const known = this.channels.get(seller)
    if (known !== undefined) return known
    const offer = await this.#freshOffer(url, place)
    const { request } = offer
    const least = max(request.minimumDeposit ?? 0n, request.amount)
    const left = this.#left()
    if (left < least) throw capReached(left, least)
    const deposit = min(left, max(request.suggestedDeposit ?? least, least))
    const [salt = 0n] = crypto.getRandomValues(new BigUint64Array(1))
    const { header, channel } = await prepareOpening(this.#deps.keys, offer, { url, seller, deposit, salt })
    await this.#keep(channel)
    const response = await this.#act(url, header)
    if (response.ok) return channel
    // It has the signature, whatever it says: where no voucher is asked for, it can take the deposit.
    if (response.status < 500) await this.#forget(channel, mostCostOf)
    throw await refusalOf(response)
  }

  async #topUp(channel: BoughtChannel, place: string, price: bigint): Promise<void> {
    if ((this.channels.get(channel.seller)?.deposit ?? 0n) > channel.deposit) return
    const left = this.#left()
    if (left < price) throw capReached(left, price)
    const amount = min(left, max(channel.deposit, price))
    const offer = await this.#freshOffer(channel.url, place)
    const authorization = await prepareTopUp(this.#deps.keys, offer, channel, amount)
    await this.#change(channel, ({ deposit }) => ({ deposit: deposit + amount }))
    const response = await this.#act(channel.url, authorization)
    if (response.ok) return
    if (response.status < 500 && channel.voucherSigner === 'client')
      await this.#change(channel, ({ deposit }) => ({ deposit: deposit - amount }))
    throw await refusalOf(response)
  }

  /** What may still leave the wallet. */
  #left(): bigint {
    return [...this.channels.values()].reduce(
      (left, { deposit }) => left - deposit,
      this.#deps.options.cap - this.#gone,
    )
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

  async #keep(channel: BoughtChannel): Promise<void> {
    this.channels.set(channel.seller, channel)
    await this.#deps.options.onChannels?.([...this.channels.values()])
  }

  /** Changes a channel as it is now; another may have taken its place meanwhile. */
  async #change(
    { seller, channelId }: BoughtChannel,
    changed: (now: BoughtChannel) => Partial<BoughtChannel>,
  ): Promise<void> {
    const now = this.channels.get(seller)
    if (now?.channelId === channelId) await this.#keep({ ...now, ...changed(now) })
  }

  /** Once for each channel, whoever of several calls learns first that it is no more. */
  async #forget({ seller, channelId }: BoughtChannel, costOf: (now: BoughtChannel) => bigint): Promise<void> {
    const now = this.channels.get(seller)
    if (now?.channelId !== channelId) return
    this.channels.delete(seller)
    this.#gone += costOf(now)
    await this.#deps.options.onChannels?.([...this.channels.values()])
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

/** What a gateway can take of a channel, whatever it says that it took. */
function mostCostOf({ voucherSigner, signed, deposit }: BoughtChannel): bigint {
  return voucherSigner === 'client' ? signed : deposit
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

function capReached(left: bigint, needed: bigint): PaymentRefused {
  return new PaymentRefused('cap_reached', `of the cap ${left} is left, and ${needed} is needed`)
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
