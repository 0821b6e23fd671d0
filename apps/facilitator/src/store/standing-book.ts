/** One payment released under a standing order, as it is counted. */
export type StandingUse = {
  /** The order's digest. */
  readonly order: string
  readonly network: string
  readonly payer: string
  /** The payment's key on chain. */
  readonly payment: string
  readonly amount: bigint
  readonly maxTotal: bigint
  readonly maxCount: number
  /** Unix seconds. */
  readonly notAfter: number
  /** What the intents of this release go by, so that a place nobody holds any more is told from one that paid. */
  readonly onceKey: string
}

/**
 * `held`: counted, now or by an earlier attempt. `spent`: the order has no room. `other`: counted with another sum.
 * `revoked`: it was taken back.
 */
export type Held = 'held' | 'spent' | 'other' | 'revoked'

/**
 * Counts what standing orders let through. A payment has one place in an order, whoever asks for it how often; count
 * and sum are taken in one statement, so that any number of requests share them.
 */
export type StandingBook = {
  /** An attempt ends by `drop` or `keep`, or by neither where nobody knows how it ended. */
  hold(use: StandingUse): Promise<Held>
  /** Nothing came of an attempt, which is proven: the last of those that hold gives the place back. */
  drop(use: Pick<StandingUse, 'order' | 'payment'>): Promise<void>
  /** Money moved: the place is taken for good. */
  keep(use: Pick<StandingUse, 'order' | 'payment'>): Promise<void>
  /**
   * Takes an order back, used or not, as long as it could hold; answers how many of its releases are not decided yet.
   * From then on nothing finds a place in it, an earlier one included.
   */
  revoke(order: Pick<StandingUse, 'order' | 'network' | 'payer' | 'notAfter'>): Promise<number>
  /**
   * Decides places of attempts that ended without a word two days ago, by whether they left a transaction, and forgets
   * orders a month after their end; answers how many.
   */
  purge(limit: number): Promise<number>
}
