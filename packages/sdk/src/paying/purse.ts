import type { BoughtChannel } from './channel.ts'

type Keep = (channels: readonly BoughtChannel[]) => Promise<void> | void

/**
 * What of a buyer's cap is bound: all that a channel holds or may come to hold, until it is known to be back, and what
 * ended ones have cost. Unknown is never no: a gateway that refuses has the signature all the same.
 */
export class Purse {
  readonly #cap: bigint
  readonly #keep: Keep
  /** By seller: those that calls are paid by. */
  readonly #current = new Map<string, BoughtChannel>()
  /** By id: those that take no calls, and that may still hold money. */
  readonly #over = new Map<string, BoughtChannel>()
  #gone = 0n

  constructor(cap: bigint, channels: readonly BoughtChannel[], keep: Keep) {
    this.#cap = cap
    this.#keep = keep
    for (const channel of channels) this.#put(channel)
  }

  /** The channel that pays a seller. */
  of(seller: string): BoughtChannel | undefined {
    return this.#current.get(seller)
  }

  all(): readonly BoughtChannel[] {
    return [...this.#current.values(), ...this.#over.values()]
  }

  /** What may still leave the wallet. */
  left(): bigint {
    return this.all().reduce((left, { deposit, adding = 0n }) => left - deposit - adding, this.#cap - this.#gone)
  }

  async put(channel: BoughtChannel): Promise<void> {
    this.#put(channel)
    await this.#keep(this.all())
  }

  /** Changes a channel as it is now; another may have taken its place meanwhile. */
  async change(of: BoughtChannel, changed: (now: BoughtChannel) => Partial<BoughtChannel>): Promise<void> {
    const now = this.#now(of)
    if (now !== undefined) await this.put({ ...now, ...changed(now) })
  }

  /** A channel takes no calls any more. It is kept, and counts, until its end is known. */
  async stop({ seller, channelId }: BoughtChannel): Promise<void> {
    const now = this.#current.get(seller)
    if (now?.channelId !== channelId) return
    this.#current.delete(seller)
    await this.put({ ...now, isOver: true })
  }

  /** A channel is no more: once for each, whoever learns it first. */
  async end(of: BoughtChannel, costOf: (now: BoughtChannel) => bigint): Promise<void> {
    const now = this.#now(of)
    if (now === undefined) return
    if (now.isOver === true) this.#over.delete(now.channelId)
    else this.#current.delete(now.seller)
    this.#gone += costOf(now)
    await this.#keep(this.all())
  }

  #now({ seller, channelId }: BoughtChannel): BoughtChannel | undefined {
    const now = this.#current.get(seller)
    return now?.channelId === channelId ? now : this.#over.get(channelId)
  }

  #put(channel: BoughtChannel): void {
    if (channel.isOver === true) this.#over.set(channel.channelId, channel)
    else this.#current.set(channel.seller, channel)
  }
}
