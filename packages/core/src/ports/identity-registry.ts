/** ERC-8004 identities (spec §1.12). Ids differ from network to network. */
export interface IdentityRegistry {
  /**
   * The agent id of a wallet, or null when it has none. Throws `MarketError('identity_check_unavailable')` rather than
   * guess.
   */
  lookup(network: string, wallet: string): Promise<number | null>
  /**
   * Registers gaslessly. Sending it again under its key never mints twice.
   * `pending`: still on its way. Its gas is counted against the wallet and the address it asks from. Throws
   * `MarketError('REGISTRATION_FAILED')` when nothing was minted, RATE_LIMITED and GAS_BUDGET_SPENT where that may cost
   * no more.
   */
  register(order: {
    readonly network: string
    readonly wallet: string
    readonly from?: string
    readonly name?: string
    readonly description?: string
    readonly key: string
  }): Promise<{ readonly agentId: number; readonly txHash: string | null } | 'pending'>
  /**
   * Who owns an agent id, the wallet it names, which is its owner's where it names none, what its URI says, and whether
   * its number is certain, which it is not while the block of its registration may be undone; null when nobody owns it.
   * Throws `MarketError('identity_check_unavailable')` rather than guess.
   */
  holder(network: string, agentId: number): Promise<HeldAgent | null>
}

export type HeldAgent = {
  readonly owner: string
  readonly wallet: string
  readonly uri: string | null
  readonly isSettled: boolean
}
