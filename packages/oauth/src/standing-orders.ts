import type { Signer, StandingOrderWire, TypedData } from '@ergon/protocols'

/** What a wallet consents to: cents of a USD for one release, how many releases, and until when. */
export type StandingTerms = {
  readonly payer: string
  readonly network: string
  /** A token that follows the dollar. */
  readonly token: string
  readonly maxCents: bigint
  readonly maxCount: number
  readonly notAfter: Date
}

/** Standing orders of payers to this service's own spender (decision 0124). */
export type StandingOrders = {
  readonly spender: Signer
  /**
   * What the payer signs, and the order as it is kept with the signature. @throws NETWORK_NOT_ACCEPTED,
   * NETWORK_NO_ESCROW, TOKEN_NOT_ACCEPTED
   */
  challenge(
    terms: StandingTerms,
    now: Date,
  ): { readonly typedData: TypedData; readonly chainId: number; readonly order: Omit<StandingOrderWire, 'signature'> }
  /** Whether its payer signed an order. @throws ProtocolError for what is no order; CHAIN_UNAVAILABLE, RATE_LIMITED */
  isSigned(wire: unknown, chainId: number): Promise<boolean>
}
