/** What a payment is counted as, and against whom (decision 0099). */
export type GasShare =
  | {
      readonly of: 'payments'
      readonly wallet: string
      /** What it usually costs, and what its end will. */
      readonly usual: number
      readonly later: number
    }
  | { readonly of: 'sweeps'; readonly usual: number; readonly later: number }

/** A lock, and whatever ends it: a release or a refund is never refused for its gas. */
export const lockShare = (wallet: string): GasShare => ({ of: 'payments', wallet, usual: 250_000, later: 150_000 })
export const directShare = (wallet: string): GasShare => ({ of: 'payments', wallet, usual: 100_000, later: 0 })
/** Whoever orders may let go of a bounty in parts of one millionth each. */
export const partShare = (wallet: string): GasShare => ({ of: 'payments', wallet, usual: 150_000, later: 0 })
export const sweepShare: GasShare = { of: 'sweeps', usual: 100_000, later: 0 }

/** A signature is checked on chain by the payer's own code, which could burn a block. */
export const mostGasOfPayment = 2_000_000
export const tooDear = `it would cost more than ${mostGasOfPayment} gas`
