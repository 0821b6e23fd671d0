import { askedUntil, MarketError, type Amount, type EscrowTerms } from '@ergon/core'
import { isAddress, lowerAddress, ProtocolError, type Address, type TokenDomain } from '@ergon/protocols'
import { tokenOf, type ServedNetwork } from '../networks.ts'

// Expiry windows: the payer has an hour to hand the authorization in; held money stays releasable a week past the
// task's
// deadline, so that a late approval still finds it, and refundable a week more.
export const preApprovalSec = 3_600
const graceSec = 7 * 86_400

/** The platform's share, to which the operator contract holds every payment (spec §1.8). */
export const feeBps = 1_300

/** What an authorization has to outlive. */
export type Bound = Pick<EscrowTerms, 'deadline' | 'boundUntil'>

export type Expiries = {
  readonly preApprovalExpiry: number
  readonly authorizationExpiry: number
  readonly refundExpiry: number
}

export function expiriesFor({ deadline, boundUntil }: Bound, now: Date): Expiries {
  const preApprovalExpiry = unix(now) + preApprovalSec
  const late = boundUntil === null ? 0 : unix(askedUntil({ deadline, boundUntil }))
  const authorizationExpiry = Math.max(Math.max(unix(deadline), preApprovalExpiry) + graceSec, late)
  return { preApprovalExpiry, authorizationExpiry, refundExpiry: authorizationExpiry + graceSec }
}

/** An authorization made from our challenge lives at least this long; one of the payer's own making must as well. */
export function outlives(expiries: Expiries, { deadline }: Bound): boolean {
  return (
    expiries.authorizationExpiry >= unix(deadline) + graceSec &&
    expiries.refundExpiry >= expiries.authorizationExpiry + graceSec
  )
}

/** What the policy of the task needs more than was signed, unix seconds; null where it needs nothing more. */
export function missingFor({ authorizationExpiry }: Expiries, { boundUntil }: Bound): number | null {
  if (boundUntil === null) return null
  const needed = unix(boundUntil)
  return authorizationExpiry >= needed ? null : needed
}

export function unix(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}

export function domainOf(network: ServedNetwork, amount: Amount): TokenDomain {
  const { name, version, address } = tokenOf(network, amount.asset.symbol)
  return { name, version, chainId: network.chainId, verifyingContract: lowerAddress(address) }
}

/** A wallet out of our own rows. Throws WORKER_WALLET_INVALID. */
export function walletOf(text: string): Address {
  if (!isAddress(text)) throw new MarketError('WORKER_WALLET_INVALID')
  return lowerAddress(text)
}

/** Runs a reader of outside data; what it cannot read is the sender's fault, said in its own words. */
export function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new MarketError(
      'INVALID_PAYMENT_AUTH',
      { reason: error.message },
      { message: `Invalid X-Payment-Auth: ${error.message}`, cause: error },
    )
  }
}
