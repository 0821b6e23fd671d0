/** What a payment is counted as, and against whom (decision 0099). */
export type GasShare =
  | {
      readonly of: 'payments'
      readonly wallet: string
      /** What it usually costs, and what its end will. */
      readonly usual: number
      readonly later: number
      /** Puts up a wallet as well: a new payer costs nothing, so all of them together have a share of their own. */
      readonly deploys?: true
    }
  | { readonly of: 'sweeps'; readonly usual: number; readonly later: number }

/** A lock, and whatever ends it: a release or a refund is never refused for its gas. */
export const lockShare = (wallet: string): GasShare => ({ of: 'payments', wallet, usual: 250_000, later: 150_000 })
/** With the wallet of its payer, which costs about 300,000 to put up (ERC-6492). */
export const deployingLockShare = (wallet: string): GasShare => ({
  of: 'payments',
  wallet,
  usual: 550_000,
  later: 150_000,
  deploys: true,
})
export const directShare = (wallet: string): GasShare => ({ of: 'payments', wallet, usual: 100_000, later: 0 })
/** Whoever orders may let go of a bounty in parts of one millionth each. */
export const partShare = (wallet: string): GasShare => ({ of: 'payments', wallet, usual: 150_000, later: 0 })
export const sweepShare: GasShare = { of: 'sweeps', usual: 100_000, later: 0 }

/**
 * What anything but a payment may cost. A recipient that is a contract runs its own code when it is given an agent, and
 * what is stored is paid by the byte.
 */
export const mostGasOfIdentities: Readonly<Record<string, number>> = {
  register: 3_000_000,
  register_transfer: 1_000_000,
  feedback: 1_500_000,
  response: 1_500_000,
  revoke: 500_000,
  relay: 1_500_000,
}

/** A signature is checked on chain by the payer's own code, which could burn a block. */
export const mostGasOfPayment = 2_000_000
export const tooDearAbove = (most: number): string => `it would cost more than ${most} gas`
export const tooDear = tooDearAbove(mostGasOfPayment)
